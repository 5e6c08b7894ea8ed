// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tilemeter_ttnn/functions/expert_placement.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "runtime/device/device.hpp"
#include "tilemeter_ttnn/mesh_device.hpp"
#include "tools/compat/src/fatal.hpp"
#include "tools/compat/src/model.hpp"

namespace tilemeter::compat {

namespace {

constexpr std::uint32_t kTile = 32;
constexpr std::uint32_t kTopRows = 2;  // of the grid, for those that tilize
constexpr std::uint32_t kMostTilizing = 4;

struct Block {
    std::uint32_t x = 0, y = 0, width = 0, height = 0;

    static Block around(const std::vector<CoreCoord>& cores) {
        const auto [left, right] = std::ranges::minmax(cores, {}, &CoreCoord::x);
        const auto [low, high] = std::ranges::minmax(cores, {}, &CoreCoord::y);
        return {left.x, low.y, right.x - left.x + 1, high.y - low.y + 1};
    }
    std::size_t size() const { return std::size_t{width} * height; }
    bool meets(const Block& other) const {
        return x < other.x + other.width && other.x < x + width && y < other.y + other.height &&
               other.y < y + height;
    }
};

/// The cores of the grid that are taken.
class Taken {
public:
    explicit Taken(CoreCoord grid) : grid_(grid), cells_(std::size_t{grid.x} * grid.y, false) {}

    void add(CoreCoord core) {
        if (core.x < grid_.x && core.y < grid_.y) cells_[core.y * grid_.x + core.x] = true;
    }
    void add(const Block& block) {
        for (std::uint32_t y = block.y; y < block.y + block.height; ++y)
            for (std::uint32_t x = block.x; x < block.x + block.width; ++x)
                add(CoreCoord{x, y});
    }
    bool has(std::uint32_t x, std::uint32_t y) const { return cells_[y * grid_.x + x]; }
    bool has_any(const Block& block) const {
        for (std::uint32_t y = block.y; y < block.y + block.height; ++y)
            for (std::uint32_t x = block.x; x < block.x + block.width; ++x)
                if (has(x, y)) return true;
        return false;
    }
    CoreCoord grid() const { return grid_; }

    /// The free block furthest to the right, of those the lowest from row `first` on; it ends before row `end`.
    std::optional<Block> find(std::uint32_t width, std::uint32_t height, std::uint32_t first,
                              std::uint32_t end) const {
        if (width > grid_.x || height == 0) return std::nullopt;
        for (std::uint32_t x = grid_.x - width + 1; x-- > 0;)
            for (std::uint32_t y = first; y + height <= end; ++y)
                if (const Block block{x, y, width, height}; !has_any(block)) return block;
        return std::nullopt;
    }

private:
    CoreCoord grid_;
    std::vector<bool> cells_;
};

struct Placement {
    std::vector<CoreCoord> matmul, combine, tilize;

    Block around_all() const {
        std::vector<CoreCoord> all = matmul;
        all.insert(all.end(), combine.begin(), combine.end());
        all.insert(all.end(), tilize.begin(), tilize.end());
        return Block::around(all);
    }
};

// The first `count` cores of a block, row by row.
std::vector<CoreCoord> cores_of(const Block& block, std::size_t count) {
    std::vector<CoreCoord> cores;
    for (std::uint32_t i = 0; i < count; ++i)
        cores.push_back({block.x + i % block.width, block.y + i / block.width});
    return cores;
}

// Those that combine fill a block: two columns wide where that fits below the top rows, else as wide as fits.
std::vector<CoreCoord> find_combining(const Taken& taken, std::uint32_t count) {
    constexpr std::uint32_t kWidth = 2;
    const std::uint32_t end = taken.grid().y > kTopRows ? taken.grid().y - kTopRows : taken.grid().y;
    const auto strip = taken.find(kWidth, (count + kWidth - 1) / kWidth, 0, end);
    if (strip) return cores_of(*strip, count);
    for (std::uint32_t width = count; width > 0; --width) {
        if (count % width != 0) continue;
        if (const auto block = taken.find(width, count / width, 0, end)) return cores_of(*block, count);
    }
    return {};
}

// Those that tilize lie in the top rows: in a block of four, whose upper right core leads, or one by one from there.
// Their block meets neither of the others.
std::vector<CoreCoord> find_tilizing(const Taken& taken, std::uint32_t tiles, const Block& matmul,
                                     const Block& combine) {
    const CoreCoord grid = taken.grid();
    const std::uint32_t first = grid.y >= kTopRows ? grid.y - kTopRows : 0;
    for (std::uint32_t count = kMostTilizing; count > 0; --count) {
        if (tiles % count != 0 || count > std::max(tiles, 1U)) continue;
        std::vector<CoreCoord> cores;
        if (const auto block = taken.find(2, 2, first, grid.y)) {
            const std::uint32_t right = block->x + 1, upper = block->y + 1;
            cores = {{right, upper}, {right, block->y}, {block->x, upper}, {block->x, block->y}};
            cores.resize(count);
        } else {
            for (std::uint32_t y = grid.y; y-- > first;)
                for (std::uint32_t x = grid.x; x-- > 0;)
                    if (!taken.has(x, y) && cores.size() < count) cores.push_back({x, y});
        }
        if (cores.size() != count) continue;
        const Block block = Block::around(cores);
        if (!block.meets(matmul) && !block.meets(combine)) return cores;
    }
    return {};
}

std::optional<Placement> place_beside(std::vector<CoreCoord> matmul, Taken taken, std::uint32_t combining,
                                      std::uint32_t tiles) {
    taken.add(Block::around(matmul));
    std::vector<CoreCoord> combine = find_combining(taken, combining);
    if (combine.empty() || Block::around(combine).size() != combining) return std::nullopt;
    taken.add(Block::around(combine));
    std::vector<CoreCoord> tilize =
        find_tilizing(taken, tiles, Block::around(matmul), Block::around(combine));
    if (tilize.empty()) return std::nullopt;
    std::ranges::sort(combine, {}, [](CoreCoord core) { return std::tuple(core.x, core.y); });
    return Placement{std::move(matmul), std::move(combine), std::move(tilize)};
}

// The ring of products from row `first` on, from the leftmost column, with room at the right and at the top.
std::vector<CoreCoord> compact_ring(const Taken& muxes, std::size_t size, std::uint32_t first) {
    const CoreCoord grid = muxes.grid();
    const std::uint32_t columns = grid.x > 2 ? grid.x - 2 : grid.x;
    const std::uint32_t rows = grid.y > kTopRows ? grid.y - kTopRows : grid.y;
    std::vector<CoreCoord> cores;
    for (std::uint32_t y = first; y < rows; ++y) {
        if (muxes.has(0, y)) continue;
        for (std::uint32_t x = 0; x < columns && cores.size() < size; ++x)
            if (!muxes.has(x, y)) cores.push_back({x, y});
    }
    return cores;
}

// Products are made beside the banks of DRAM; where these cores leave no room, or are in use, in a ring of their own.
Placement place_experts(::tt::tt_metal::distributed::MeshDevice* mesh, std::uint32_t combining,
                        std::uint32_t hidden_size, const ::tt::tt_metal::CoreRangeSet& mux) {
    constexpr const char* kCondition = "placed.has_value()";
    if (mesh == nullptr)
        refuse_as_fatal("mesh_device != nullptr", "moe_compute: mesh_device: expected one, found none");
    const DeviceDescription& device = mesh->model()->description();
    const std::uint32_t tiles = hidden_size / kTile;
    if (device.dram_bank_cores.empty() || combining == 0)
        refuse_as_fatal(kCondition, combining == 0
                                        ? std::string("moe_compute: expected cores that combine, found none")
                                        : "moe_compute: it is not known which cores of " + device.name +
                                              " read its banks best");
    Taken muxes(device.compute_grid);
    const std::vector<::tt::tt_metal::CoreCoord> mux_cores = ::tt::tt_metal::corerange_to_cores(mux);
    for (const ::tt::tt_metal::CoreCoord& core : mux_cores)
        muxes.add(to_model(core));
    std::vector<CoreCoord> beside_banks;
    for (const DramBankCores& bank : device.dram_bank_cores)
        beside_banks.push_back(bank.noc_0);
    const bool is_free =
        std::ranges::none_of(beside_banks, [&](CoreCoord core) { return muxes.has(core.x, core.y); });
    if (is_free) {
        if (auto placed = place_beside(beside_banks, muxes, combining, tiles)) return *std::move(placed);
    }
    for (std::uint32_t first = 0; first < device.compute_grid.y; ++first) {
        std::vector<CoreCoord> ring = compact_ring(muxes, beside_banks.size(), first);
        if (ring.size() != beside_banks.size()) break;
        if (auto placed = place_beside(std::move(ring), muxes, combining, tiles)) return *std::move(placed);
    }
    refuse_as_fatal(kCondition, "moe_compute: could not place a column-0-anchored compact " +
                                    std::to_string(beside_banks.size()) + "-core matmul ring together with " +
                                    std::to_string(combining) + " combine cores disjointly, avoiding " +
                                    std::to_string(mux_cores.size()) + " mux cores, on the " +
                                    std::to_string(device.compute_grid.x) + "x" +
                                    std::to_string(device.compute_grid.y) + " worker grid");
}

}  // namespace

}  // namespace tilemeter::compat

namespace ttnn::experimental {

using tilemeter::compat::place_experts;
using tt::tt_metal::CoreCoord;

std::vector<CoreCoord> get_moe_combine_cores(tt::tt_metal::distributed::MeshDevice* mesh_device,
                                             std::uint32_t combine_token_parallel_cores,
                                             std::uint32_t combine_data_parallel_cores,
                                             std::uint32_t hidden_size,
                                             const tt::tt_metal::CoreRangeSet& mux_core_range_set) {
    const std::uint32_t combining = combine_token_parallel_cores * combine_data_parallel_cores;
    std::vector<CoreCoord> cores;
    for (const tilemeter::CoreCoord& core :
         place_experts(mesh_device, combining, hidden_size, mux_core_range_set).combine)
        cores.emplace_back(core.x, core.y);
    return cores;
}

CoreCoord get_moe_tilize_drain_core(tt::tt_metal::distributed::MeshDevice* mesh_device,
                                    std::uint32_t combine_token_parallel_cores,
                                    std::uint32_t combine_data_parallel_cores, std::uint32_t hidden_size,
                                    const tt::tt_metal::CoreRangeSet& mux_core_range_set) {
    const std::uint32_t combining = combine_token_parallel_cores * combine_data_parallel_cores;
    const tilemeter::CoreCoord core =
        place_experts(mesh_device, combining, hidden_size, mux_core_range_set).tilize.front();
    return {core.x, core.y};
}

tt::tt_metal::CoreRange get_moe_worker_mcast_bounding_box(
    tt::tt_metal::distributed::MeshDevice* mesh_device, std::uint32_t combine_token_parallel_cores,
    std::uint32_t combine_data_parallel_cores, std::uint32_t hidden_size,
    const tt::tt_metal::CoreRangeSet& mux_core_range_set) {
    const std::uint32_t combining = combine_token_parallel_cores * combine_data_parallel_cores;
    const auto block = place_experts(mesh_device, combining, hidden_size, mux_core_range_set).around_all();
    return {CoreCoord(block.x, block.y), CoreCoord(block.x + block.width - 1, block.y + block.height - 1)};
}

}  // namespace ttnn::experimental
