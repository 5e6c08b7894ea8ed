// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/analysis/memory/device_limits.hpp"

#include <algorithm>
#include <string_view>
#include <tuple>

#include "report/analysis/memory/l1_region.hpp"

namespace tilemeter::analysis {
namespace {

/// The part of each DRAM bank that TT-NN 0.81.1 keeps, and the granularity of requests.
struct Architecture {
    std::string_view name;
    std::uint64_t dram_reserved_bytes;
    std::uint64_t granularity;
};
constexpr Architecture kArchitectures[] = {
    {"WORMHOLE_B0", 1'048'640, 32}, {"BLACKHOLE", 1'048'704, 64}, {"GRAYSKULL", 32, 32}};

std::uint64_t less(std::uint64_t a, std::uint64_t b) {
    return a > b ? a - b : 0;
}

}  // namespace

DeviceLimits limits_of(const ListedDevice& device) {
    DeviceLimits limits;
    limits.arch = device.arch;
    limits.grid_x = device.grid_x.size_bytes();
    limits.grid_y = device.grid_y.size_bytes();
    limits.l1_begin = device.first_program_address.size_bytes();
    limits.l1_physical_bytes = device.worker_l1_bytes.size_bytes();
    const std::uint64_t bank = device.l1_bank_bytes.size_bytes();  // without L1_SMALL
    limits.l1_bytes = std::max(bank, less(limits.l1_physical_bytes, limits.l1_begin));
    limits.l1_small_bytes = bank == 0 ? 0 : limits.l1_bytes - bank;
    limits.l1_banks = device.l1_banks.size_bytes();
    limits.dram_bank_physical_bytes = device.dram_bank_bytes.size_bytes();
    limits.dram_banks = device.dram_banks.size_bytes();
    for (const Architecture& architecture : kArchitectures) {
        if (architecture.name != device.arch) continue;
        limits.dram_begin = architecture.dram_reserved_bytes;
        limits.granularity = architecture.granularity;
    }
    limits.dram_bank_bytes = less(limits.dram_bank_physical_bytes, limits.dram_begin);
    limits.name = device.arch;
    if (!limits.has_no_l1())
        limits.name += " " + std::to_string(limits.grid_x) + "x" + std::to_string(limits.grid_y);
    return limits;
}

std::optional<DeviceLimits> limits_of(const NodeList& list, const MemoryLifetimes& lifetimes,
                                      std::uint16_t device) {
    const ListedDevice* record = listed_device(list, lifetimes, device);
    if (record == nullptr) return {};
    return limits_of(*record);
}

bool is_same_kind(const DeviceLimits& a, const DeviceLimits& b) {
    const auto figures = [](const DeviceLimits& it) {
        return std::tuple(it.grid_x, it.grid_y, it.l1_physical_bytes, it.l1_banks, it.dram_banks,
                          it.dram_bank_physical_bytes);
    };
    return a.arch == b.arch && figures(a) == figures(b);
}

}  // namespace tilemeter::analysis
