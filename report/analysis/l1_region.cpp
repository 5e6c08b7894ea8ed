// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/analysis/l1_region.hpp"

namespace tilemeter::graph {

const ListedDevice* device_facts(const NodeList& list, const MemoryLifetimes& lifetimes,
                                 std::uint16_t device) {
    if (list.devices.empty()) return nullptr;
    const Number id = device < lifetimes.devices.size() ? lifetimes.devices[device].id : Number();
    const ListedDevice* facts = id.given() ? list.device(id.value_or(0)) : nullptr;
    return facts != nullptr ? facts : &list.devices.front();
}

L1Region l1_region_of(const NodeList& list, const MemoryLifetimes& lifetimes, std::uint16_t device) {
    const ListedDevice* facts = device_facts(list, lifetimes, device);
    if (facts == nullptr) return {};
    const std::uint64_t begin = facts->first_program_address.size_bytes();
    return {begin, begin + facts->l1_bank_bytes.size_bytes()};
}

}  // namespace tilemeter::graph
