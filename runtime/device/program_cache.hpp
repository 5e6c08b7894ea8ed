// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The programs a device has built. The second identical call of an operation is a hit.
//
// A cache may be an overlay over another one: it finds what that one has, and keeps what it adds to itself.
//
// Thread safety: const calls may run at the same time; calls that change an object need outside locking.

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "capture/record/ids.hpp"
#include "runtime/device/program_memory.hpp"
#include "runtime/tensor/tensor_spec.hpp"

namespace tilemeter {

/// What is kept of a program: everything that a second call needs and that does not depend on addresses of
/// tensors.
struct CachedProgram {
    std::uint64_t program_id = 0;
    record::TextId factory_type{};
    std::uint64_t factory_index = 0;
    std::vector<ProgramMemory> memory;
    std::vector<record::TextId> memory_cores;  ///< text of each piece's cores
    ProgramPlacement placement;
};

class ProgramCache {
public:
    ProgramCache() = default;
    /// An overlay. REQUIRES: `below` outlives it and does not change meanwhile.
    static ProgramCache over(const ProgramCache& below);

    /// The program for a key, or nullptr. Stays valid until clear().
    std::shared_ptr<const CachedProgram> find(const std::string& key) const;

    /// Keeps it, giving it the next program id.
    std::shared_ptr<const CachedProgram> insert(std::string key, CachedProgram program);

    std::size_t size() const;
    void clear();

private:
    const ProgramCache* below_ = nullptr;
    std::unordered_map<std::string, std::shared_ptr<const CachedProgram>> programs_;
    std::uint64_t latest_id_ = 0;
};

}  // namespace tilemeter
