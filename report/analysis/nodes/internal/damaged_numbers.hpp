// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Numbers of a source that are none: what a list says of them (ListSource::damaged_numbers), and which are missing.

#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "report/analysis/nodes/node_list.hpp"
#include "report/result.hpp"

namespace tilemeter::analysis::internal {

/// The problem of a number that names no memory.
report::Error no_memory(std::string found);

/// `node`: kNoIndex for what is in no node. `problem`: as the reader of numbers gives it.
void note_damage(ListSource& source, std::uint32_t node, std::string where, const report::Error& problem,
                 std::optional<std::uint64_t> byte = {});

/// Notes the nodes that lack a number: a size, or one that other nodes of their kind in this list have, as a recorder
/// writes the same members into each. And sizes that cannot be, as their sum is beyond 64 bits.
void note_missing_numbers(NodeList& list);

/// True if the text is a core range set in one of the spellings of parse_core_set(), of cores that a grid may have.
bool is_core_set(std::string_view text);

/// True if the numbers in a tensor's text of its places on devices are numbers.
bool are_device_tensors(std::string_view text);

}  // namespace tilemeter::analysis::internal
