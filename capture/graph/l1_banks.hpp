// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The banks of a device's L1: numbered by a fixed shuffle of the compute cores, taken row by row, as recorded from TT-NN
// 0.81.1 on n150, p150 and n300 (tests/data/pages).
//
// Thread safety: const calls may run at the same time.

#pragma once

#include <cstdint>
#include <vector>

#include "capture/record/device_info.hpp"
#include "capture/record/placement.hpp"

namespace tilemeter::graph {

/// The banks of a device's L1.
class L1Banks {
public:
    static constexpr std::uint64_t kMostAcross = 1024;

    L1Banks() = default;
    /// `columns` x `rows` compute cores; more than kMostAcross of either are no grid, and have no banks.
    L1Banks(std::uint64_t columns, std::uint64_t rows);
    explicit L1Banks(const record::DeviceInfo& device)
        : L1Banks(device.num_x_compute_cores, device.num_y_compute_cores) {}

    std::uint64_t count() const { return cores_.size(); }
    record::Core core_of(std::uint64_t bank) const { return cores_[bank]; }
    std::uint32_t bank_of(record::Core core) const;

private:
    std::uint64_t columns_ = 0;
    std::vector<record::Core> cores_;   // by bank
    std::vector<std::uint32_t> banks_;  // by core, row by row
};

}  // namespace tilemeter::graph
