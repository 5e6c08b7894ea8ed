// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The program cache of a device: the second identical call of an operation is a hit.
//
// It has two tables: programs by their key (operation, attributes, specs), and calls by their arguments. A
// call that is found needs none of the operation's four answers. A call that is not found may still find a
// program that another call has built: with and without a given output tensor are two calls of one program.
//
// A cache may be an overlay over another one: it finds the other's entries and keeps new ones for itself.
//
// Thread safety: const calls may run at the same time; calls that change an object need outside locking.

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "capture/events/ids.hpp"
#include "runtime/device/buffer_plan.hpp"
#include "runtime/device/program_memory.hpp"

namespace tilemeter {

/// The buffer of a table that a program reads; the device keeps it as long as the program is cached.
struct ProgramTable {
    std::uint64_t address = 0;
    record::BufferId buffer{};
};

/// A cached program: everything that a second call needs and that does not depend on addresses of tensors.
struct CachedProgram {
    std::uint64_t program_id = 0;
    record::TextId factory_type{};
    std::uint64_t factory_index = 0;
    std::uint32_t num_programs = 1;  ///< alike, one per chip, or one for all
    std::vector<ProgramMemory> memory;
    std::vector<record::TextId> memory_cores;  ///< text of each piece's cores
    std::vector<ProgramTable> tables;
    bool frees_tables_in_scope = false;  ///< in "Tensor::deallocate"
    ProgramPlacement placement;
};

/// A call that was planned before.
struct PlannedCall {
    std::shared_ptr<const CachedProgram> program;
    std::vector<PlannedTensor> outputs;  ///< as inferred; empty where they are given
    record::TextId operation{};          ///< its name
    record::TextId attributes{};         ///< text of its attributes
};

class ProgramCache {
public:
    ProgramCache() = default;
    /// An overlay, which finds what `below` has now. REQUIRES: `below` outlives it.
    static ProgramCache over(const ProgramCache& below);

    /// The program for a key, or nullptr. Stays valid until clear().
    std::shared_ptr<const CachedProgram> find(const std::string& key) const;

    /// Adds the program under the next program id; one that is switched off only gives it the id.
    std::shared_ptr<const CachedProgram> insert(std::string key, CachedProgram program);

    /// Adds one that was built elsewhere, and has an id.
    void keep(std::string key, std::shared_ptr<const CachedProgram> program) {
        if (is_on_) programs_.insert_or_assign(std::move(key), std::move(program));
    }

    /// Likewise for calls.
    std::shared_ptr<const PlannedCall> find_call(std::string_view key) const;
    void insert_call(std::string key, std::shared_ptr<const PlannedCall> call);

    /// Number of programs.
    std::size_t size() const;
    /// A hash of keys and entries.
    std::uint64_t hash() const;

    /// The programs that it dropped, newest first.
    std::vector<std::shared_ptr<const CachedProgram>> clear();

    /// True if programs and calls to come are kept. One that is empty when it is switched off stays empty.
    bool is_on() const { return is_on_; }
    void switch_on(bool on) { is_on_ = on; }

    /// True if a program that is not found is built. One that is switched off always builds it.
    bool may_miss() const { return allows_misses_ || !is_on_; }
    void allow_misses(bool allowed) { allows_misses_ = allowed; }

private:
    struct TextHash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
    };

    const ProgramCache* below_ = nullptr;
    std::uint64_t latest_id_below_ = 0;  ///< newer programs of below_ are not seen
    std::unordered_map<std::string, std::shared_ptr<const CachedProgram>> programs_;
    std::unordered_map<std::string, std::shared_ptr<const PlannedCall>, TextHash, std::equal_to<>> calls_;
    std::uint64_t latest_id_ = 0;
    bool is_on_ = true;
    bool allows_misses_ = true;
};

}  // namespace tilemeter
