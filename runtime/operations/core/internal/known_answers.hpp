// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// What operations have answered to a thread's queries (device/query_shadow.hpp), so that the same call needs none of their four
// answers again. A query begins with an empty program cache all the same: which program a call gets follows from its own calls.
//
// Thread safety: of the thread.

#pragma once

#include <any>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "runtime/device/query_shadow.hpp"
#include "runtime/operations/core/device_operation.hpp"
#include "runtime/operations/core/programs_by_free_l1.hpp"

namespace tilemeter {

/// A call's program beside so much free L1.
struct KnownProgram {
    FreeL1Range free_l1;
    std::string key;  ///< in the program cache
    std::shared_ptr<const CachedProgram> program;
    std::shared_ptr<const ProgramPlan> plan;    ///< null: nothing is left to do for each run
    std::any config;                            ///< that the operation chose by itself; empty: none
    std::shared_ptr<const PlannedCall> call{};  ///< null: follows from the free L1, or has tables
};

/// A call with these attributes, on tensors of these specs.
struct KnownAnswer {
    std::vector<PlannedTensor> outputs;  ///< empty where they are given
    std::vector<KnownProgram> programs;

    const KnownProgram* program_for(std::uint64_t free_l1_bytes) const {
        for (const KnownProgram& each : programs)
            if (each.free_l1.contains(free_l1_bytes)) return &each;
        return nullptr;
    }
    /// Keeps it, or widens the range of one that takes the same memory.
    const KnownProgram& keep(KnownProgram program);
};

class KnownAnswers {
public:
    /// Those that the query's thread has of its device.
    static KnownAnswers& of(QueryShadow& query);

    KnownAnswer* find(std::string_view call_key) {
        const auto found = answers_.find(call_key);
        return found == answers_.end() ? nullptr : &found->second;
    }
    /// Lets go of all others where there are too many. The answer stays valid until the next call.
    KnownAnswer& insert(const std::string& call_key, KnownAnswer answer);

private:
    // Some hundred bytes each; a model has some hundred distinct calls, a search of layouts some thousand.
    static constexpr std::size_t kMost = 16384;

    struct TextHash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
    };

    std::unordered_map<std::string, KnownAnswer, TextHash, std::equal_to<>> answers_;
};

}  // namespace tilemeter
