// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The YAML text that TT-NN 0.81.1 puts into its reports, key by key in the same order.

#include <algorithm>
#include <cctype>
#include <string>

#include "runtime/device/device.hpp"
#include "runtime/device/device_description.hpp"

namespace tilemeter {

namespace {

using std::to_string;

/// "WORMHOLE_B0" is "wormhole_b0" here.
std::string lower_case(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

/// Blackhole chips have no grid coordinates and are named by their board; others count up in the high word.
std::string chips_text(const DeviceDescription& device, bool blackhole) {
    std::string coordinates = "chips:\n";
    std::string ids = "chip_unique_ids:\n";
    for (std::uint64_t chip = 0; chip < device.chips && !blackhole; ++chip) {
        const std::string number = to_string(chip);
        coordinates.append("  ").append(number).append(":\n    - ").append(number);
        coordinates.append("\n    - 0\n    - 0\n    - 0\n");
    }
    if (blackhole) coordinates += "  {}\n";
    for (std::uint64_t chip = device.chips; chip-- > 0;) {  // the last chip first, as in recorded ones
        const std::uint64_t id = blackhole ? device.board_id + chip : chip << 32;
        ids.append("  ").append(to_string(chip)).append(": ").append(to_string(id)).append("\n");
    }
    return coordinates + ids;
}

std::string link_end(std::uint32_t chip, std::uint32_t channel) {
    return "    - chip: " + to_string(chip) + "\n      chan: " + to_string(channel) + "\n";
}

std::string links_text(const DeviceDescription& device) {
    std::string text = "ethernet_connections:\n";
    for (const EthernetLink& link : device.ethernet_links) {
        text += "  -\n" + link_end(link.chip, link.channel) + link_end(link.other_chip, link.other_channel);
    }
    if (device.ethernet_links.empty()) text += "  []\n";
    return text + "ethernet_connections_to_remote_devices:\n  []\n";
}

std::string harvesting_text(const DeviceDescription& device) {
    std::string text = "harvesting:\n";
    for (std::size_t chip = 0; chip < device.harvesting.size(); ++chip) {
        const ChipHarvesting& masks = device.harvesting[chip];
        text += "  " + to_string(chip) + ":\n    noc_translation: true";
        text += "\n    harvest_mask: " + to_string(masks.tensix_mask);
        text += "\n    dram_harvesting_mask: " + to_string(masks.dram_mask);
        text += "\n    eth_harvesting_mask: " + to_string(masks.eth_mask);
        text += "\n    pcie_harvesting_mask: " + to_string(masks.pcie_mask);
        text += "\n    l2cpu_harvesting_mask: 0\n";
    }
    return text;
}

}  // namespace

std::string cluster_descriptor_of(const DeviceDescription& device) {
    const std::string arch = lower_case(device.arch);
    std::string arches = "arch:\n";
    std::string chips_of_board;
    for (std::uint32_t chip = 0; chip < device.chips; ++chip)
        arches.append("  ").append(to_string(chip)).append(": ").append(arch).append("\n");
    for (std::uint32_t chip = device.chips; chip-- > 0;)
        chips_of_board.append("        - ").append(to_string(chip)).append("\n");
    // The first chip alone is on the host's bus; a second one hangs on its Ethernet links.
    return arches + chips_text(device, arch == "blackhole") + links_text(device) +
           "chips_with_mmio:\n  - 0: 0\nio_device_type: PCIe\n" + harvesting_text(device) +
           "chip_to_bus_id:\n  {}\nboards:\n  -\n    - board_id: " + to_string(device.board_id) +
           "\n    - board_type: " + device.board_type + "\n    - chips:\n" + chips_of_board +
           "asic_locations:\n  {}\nchip_pci_bdfs:\n  {}\nchip_pcie_lane_counts:\n  0: ~";
}

}  // namespace tilemeter
