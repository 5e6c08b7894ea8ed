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
    const bool has_coordinates = !blackhole && !device.chip_coordinates.empty();
    for (std::uint64_t chip = 0; chip < device.chips && has_coordinates; ++chip) {
        const CoreCoord at = device.chip_coordinates[chip];
        coordinates += "  " + to_string(chip) + ":\n    - " + to_string(at.x) + "\n    - " + to_string(at.y) +
                       "\n    - 0\n    - 0\n";
    }
    if (!has_coordinates) coordinates += "  {}\n";
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
    for (std::uint32_t chip = 0; chip < device.chips; ++chip)
        arches.append("  ").append(to_string(chip)).append(": ").append(arch).append("\n");
    // The others hang on Ethernet links of those that are on the host's bus.
    std::string on_bus = "chips_with_mmio:\n";
    std::string lanes = "chip_pcie_lane_counts:";
    for (std::uint32_t chip = 0; chip < device.host_chips; ++chip) {
        on_bus += "  - " + to_string(chip) + ": " + to_string(chip) + "\n";
        lanes += "\n  " + to_string(chip) + ": ~";
    }
    std::string boards = "boards:\n";
    for (const Board& board : device.boards) {
        boards += "  -\n    - board_id: " + to_string(board.id) + "\n    - board_type: " + device.board_type +
                  "\n    - chips:\n";
        for (const std::uint32_t chip : board.chips)
            boards += "        - " + to_string(chip) + "\n";
    }
    std::string locations = "asic_locations:\n";
    for (std::size_t chip = 0; chip < device.asic_locations.size(); ++chip)
        locations += "  " + to_string(chip) + ": " + to_string(device.asic_locations[chip]) + "\n";
    if (device.asic_locations.empty()) locations += "  {}\n";
    return arches + chips_text(device, arch == "blackhole") + links_text(device) + on_bus +
           "io_device_type: PCIe\n" + harvesting_text(device) + "chip_to_bus_id:\n  {}\n" + boards +
           locations + "chip_pci_bdfs:\n  {}\n" + lanes;
}

}  // namespace tilemeter
