// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The description of a board as data: grids, banks, sizes, alignments. It is read from the descriptions that
// are built in, or from a user's file.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/types/core_range.hpp"

namespace tilemeter {

/// The harvested parts of one chip as bit masks, for the cluster descriptor.
struct ChipHarvesting {
    std::uint32_t tensix_mask = 0;
    std::uint32_t dram_mask = 0;
    std::uint32_t eth_mask = 0;
    std::uint32_t pcie_mask = 0;
    friend bool operator==(const ChipHarvesting&, const ChipHarvesting&) = default;
};

/// A cable or trace between two chips of the board.
struct EthernetLink {
    std::uint32_t chip = 0;
    std::uint32_t channel = 0;
    std::uint32_t other_chip = 0;
    std::uint32_t other_channel = 0;
    friend bool operator==(const EthernetLink&, const EthernetLink&) = default;
};

/// The core that reads a bank of DRAM best over either NoC: TT-NN's
/// get_optimal_dram_bank_to_logical_worker_assignment().
struct DramBankCores {
    CoreCoord noc_0;
    CoreCoord noc_1;
    friend bool operator==(const DramBankCores&, const DramBankCores&) = default;
};

/// A card or tray with some of the chips, for the cluster descriptor.
struct Board {
    std::uint64_t id = 0;
    std::vector<std::uint32_t> chips;
    friend bool operator==(const Board&, const Board&) = default;
};

/// The arrangement of a system's chips: what TT-NN calls the system mesh.
struct SystemMesh {
    std::uint32_t rows = 1;
    std::uint32_t columns = 1;
    std::vector<std::uint16_t> chips;  ///< row by row
    /// A line of an even number of chips ends beside its beginning (Galaxy), else it goes straight on (T3000).
    bool lines_close_rings = false;
    std::uint32_t links = 1;  ///< cables between neighbours among which collectives share their work
    friend bool operator==(const SystemMesh&, const SystemMesh&) = default;
};

/// Sizes in bytes. Figures of the built-in devices: recorded from TT-NN 0.81.1 (n150, p150) and from the
/// vendor's descriptor files; runtime/device/DEVICES.md lists the sources.
struct DeviceDescription {
    std::string name;        ///< "n150"
    std::string arch;        ///< in reports: "WORMHOLE_B0", "BLACKHOLE", "GRAYSKULL"
    std::string board_type;  ///< in the cluster descriptor
    std::uint64_t board_id = 0;
    std::uint32_t chips = 1;  ///< chips of the board or system; open_device takes one

    CoreCoord compute_grid;                ///< columns and rows that operations see
    CoreCoord logical_grid;                ///< num_x_cores and num_y_cores of reports
    std::uint64_t l1_size = 0;             ///< per core; addresses of L1 end here
    std::uint64_t l1_unreserved_base = 0;  ///< first byte that program memory may take
    std::uint64_t dram_banks = 0;
    std::uint64_t dram_bank_size = 0;  ///< addresses of a DRAM bank end here
    std::uint64_t dram_unreserved_base = 0;
    std::uint64_t l1_alignment = 0;  ///< alignment of pages
    std::uint64_t dram_alignment = 0;
    std::uint64_t allocation_granularity = 0;  ///< every request in DRAM and L1 is rounded up to it

    std::vector<ChipHarvesting> harvesting;  ///< one per chip
    std::vector<EthernetLink> ethernet_links;
    std::vector<DramBankCores> dram_bank_cores;  ///< one per bank; none where they are not known

    // For the cluster descriptor; as on a board of its own unless the description says otherwise.
    std::vector<Board> boards;                  ///< one with all chips
    std::vector<CoreCoord> chip_coordinates;    ///< one per chip; (chip, 0); none: the descriptor has none
    std::uint32_t host_chips = 1;               ///< chips from 0 on that are on the host's bus
    std::vector<std::uint32_t> asic_locations;  ///< one per chip, places in its tray; none
    SystemMesh mesh;                            ///< a column of all chips

    std::uint64_t num_compute_cores() const { return std::uint64_t{compute_grid.x} * compute_grid.y; }
    friend bool operator==(const DeviceDescription&, const DeviceDescription&) = default;
};

/// Names of the built-in descriptions: e150, e75, galaxy, n150, n300, p100, p150, t3000.
std::vector<std::string> built_in_device_names();

/// A built-in description by name, or the one in the file of that path (JSON with the field names above).
/// Throws std::invalid_argument with one line: which name or file, where in it, what was expected, what was
/// found.
DeviceDescription load_device_description(std::string_view name_or_path);

/// The description in JSON text; `origin` names it in messages.
DeviceDescription parse_device_description(std::string_view json, std::string_view origin);

/// The cluster descriptor (YAML) of a host that holds one such board.
std::string cluster_descriptor_of(const DeviceDescription& description);

}  // namespace tilemeter
