// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/analysis/nodes/node_list.hpp"

namespace tilemeter::analysis {

/// An argument with what differs from run to run (addresses of host memory) replaced by "0x".
std::string stable_argument(std::string_view argument);

}  // namespace tilemeter::analysis

namespace tilemeter::analysis::internal {

/// Equal for functions that run the same program: same name, arguments and types of input tensors.
class ProgramSignature {
public:
    explicit ProgramSignature(const NodeList& list) : list_(list) {}
    std::uint64_t of(std::uint32_t function_start);

private:
    std::uint64_t hash_of(TextRef text);

    const NodeList& list_;
    std::vector<std::uint64_t> hashes_;  // by TextRef; 0: not made yet
};

}  // namespace tilemeter::analysis::internal
