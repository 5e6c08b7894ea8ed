// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/analysis/memory/l1_region.hpp"

namespace tilemeter::analysis {

const ListedDevice* listed_device(const NodeList& list, const MemoryLifetimes& lifetimes,
                                  std::uint16_t device) {
    if (list.devices.empty()) return nullptr;
    const Number id = device < lifetimes.devices.size() ? lifetimes.devices[device].id : Number();
    const ListedDevice* listed = id.given() ? list.device(id.value_or(0)) : nullptr;
    return listed != nullptr ? listed : &list.devices.front();
}

L1Region l1_region_of(const NodeList& list, const MemoryLifetimes& lifetimes, std::uint16_t device) {
    const ListedDevice* listed = listed_device(list, lifetimes, device);
    if (listed == nullptr) return {};
    const std::uint64_t begin = listed->first_program_address.size_bytes();
    return {begin, begin + listed->l1_bank_bytes.size_bytes()};
}

}  // namespace tilemeter::analysis
