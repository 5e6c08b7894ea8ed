// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Programs that take as much of L1 as is free: norms shorten their blocks beside tensors, copies read fewer rows ahead.
//
// The rule, asked of TT-NN 0.81.1 by one call beside more and fewer tensors: the program cache tells such programs apart by what they
// take, so that a call finds the program for its own free L1, or builds it. Other operations that look at free L1 (scatter, pad)
// keep the program of their first call, which may clash later.

#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "runtime/device/program_cache.hpp"
#include "runtime/operations/core/device_operation.hpp"

namespace tilemeter {

/// A plan as the cache keeps it, without id and tables.
CachedProgram built_program(const ProgramPlan& plan, const DeviceDescription& device);

/// The key that tells programs of one operation apart that follow the free L1.
std::string sizes_key(const ProgramPlan& plan);

/// Numbers of free bytes for which one program is planned. What is planned alike for two of them is for all between.
struct FreeL1Range {
    std::uint64_t least = 0;
    std::uint64_t most = 0;

    bool contains(std::uint64_t free_bytes) const { return free_bytes >= least && free_bytes <= most; }
    void take_in(std::uint64_t free_bytes) {
        least = std::min(least, free_bytes);
        most = std::max(most, free_bytes);
    }
};

/// One such program, planned again for other free L1 wherever it is replayed.
///
/// Thread safety: all functions may be called from any thread.
class ProgramsByFreeL1 {
public:
    /// `program_id`: that the programs are known by.
    ProgramsByFreeL1(std::shared_ptr<const DeviceOperation> operation, TensorSpecs inputs,
                     TensorSpecs outputs, std::uint64_t program_id);

    /// Throws what planning throws where the program can't be that small.
    std::shared_ptr<const CachedProgram> plan_for(std::uint64_t free_l1_bytes,
                                                  const DeviceDescription& device) const;

    /// The smallest of them.
    std::shared_ptr<const CachedProgram> smallest(const DeviceDescription& device) const;

private:
    struct Known {
        FreeL1Range free_l1;
        std::shared_ptr<const CachedProgram> program;
    };

    const std::shared_ptr<const DeviceOperation> operation_;
    const TensorSpecs inputs_, outputs_;
    const std::uint64_t program_id_;
    mutable std::mutex mutex_;
    mutable std::vector<Known> known_;
};

}  // namespace tilemeter
