// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/matmul/internal/matmul_dram_shards.hpp"

#include <algorithm>
#include <string>

#include "runtime/operations/core/require.hpp"
#include "runtime/operations/matmul/internal/matmul_sums.hpp"
#include "runtime/operations/work/program_pieces.hpp"

namespace tilemeter {

namespace {

using Config = MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfig;

constexpr std::uint64_t kStepsAhead = 2;        // of in0
constexpr std::uint64_t kStepsAheadOfDram = 3;  // of in1
constexpr std::uint64_t kMostReadersOfBank = 3;

template <typename MakeMessage>
void require_dram_config(bool holds, MakeMessage make_message) {
    require(holds,
            [&] { return "MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfig: " + make_message(); });
}
void require_dram_config(bool holds, const char* message) {
    require_dram_config(holds, [&] { return std::string(message); });
}

bool is_blackhole(const DeviceDescription& device) {
    return device.arch == "BLACKHOLE";
}

/// Columns of tiles in a bank.
std::uint64_t bank_columns(const MatmulProblem& problem) {
    return problem.b.memory_config.shard_spec->shape[1] / problem.b.tile.width;
}

CoreRange around(const CoreRange& box, CoreCoord core) {
    return {{std::min(box.start.x, core.x), std::min(box.start.y, core.y)},
            {std::max(box.end.x, core.x), std::max(box.end.y, core.y)}};
}

/// A rectangle around the cores that in0 lies on and the readers of the banks in use.
CoreRange cores_of(const MatmulProblem& problem, const Config& config, const DeviceDescription& device) {
    CoreRange box = problem.a.memory_config.shard_spec->grid.bounding_box();
    const std::uint64_t banks =
        std::min<std::uint64_t>(ceil_div(problem.n_tiles(), bank_columns(problem)), device.dram_banks);
    for (std::uint64_t bank = 0; bank < banks; ++bank)
        box = around(box, device.dram_bank_cores[bank].noc_0);
    // Further readers stand at the other end of the rows.
    if (config.num_workers_per_dram_bank > 1 && banks > 1) box.end.x = device.compute_grid.x - 1;
    return box;
}

/// The columns that a core makes, `width` of them or some more: in as few subblocks as the registers allow.
std::uint64_t padded_to_subblocks(std::uint64_t width, std::uint64_t most) {
    std::uint64_t subblock = std::min(width, most);
    while (width % subblock != 0)
        --subblock;
    std::uint64_t count = width / subblock;
    for (std::uint64_t wider = subblock + 1; wider <= most; ++wider) {
        if (ceil_div(width, wider) >= count) continue;
        count = ceil_div(width, wider);
        subblock = wider;
    }
    return count * subblock;
}

}  // namespace

void require_fitting_dram_shards(const MatmulProblem& problem, const Config& config,
                                 const DeviceDescription& device) {
    const std::uint64_t readers = config.num_workers_per_dram_bank;
    require_dram_config(readers == 1 || is_blackhole(device),
                        "num_workers_per_dram_bank > 1 is currently supported only on Blackhole");
    const MemoryConfig& weights = problem.b.memory_config;
    require_dram_config(problem.a.memory_config.is_sharded(),
                        "input tensor A must be sharded for DRAM sharded program config");
    require_dram_config(problem.output_memory_config.is_sharded(),
                        "Output memory config must be sharded for DRAM sharded program config");
    require_dram_config(problem.a.memory_config.memory_layout == TensorMemoryLayout::WIDTH_SHARDED &&
                            problem.a.memory_config.buffer_type == BufferType::L1,
                        [&] {
                            return "input_tensor_a: expected WIDTH_SHARDED in L1, got " +
                                   problem.a.memory_config.to_string();
                        });
    require_dram_config(problem.output_memory_config.memory_layout == TensorMemoryLayout::WIDTH_SHARDED &&
                            problem.output_memory_config.buffer_type == BufferType::L1,
                        [&] {
                            return "memory_config: expected WIDTH_SHARDED in L1, got " +
                                   problem.output_memory_config.to_string();
                        });
    require_dram_config(
        weights.memory_layout == TensorMemoryLayout::WIDTH_SHARDED && weights.buffer_type == BufferType::DRAM,
        [&] { return "input_tensor_b: expected WIDTH_SHARDED in DRAM, got " + weights.to_string(); });
    require_dram_config(!problem.transpose_a && !problem.transpose_b,
                        "expected operands that are not to be transposed");
    require_dram_config(problem.batch_b() == 1, [&] {
        return "input_tensor_b: expected a single batch, got " + problem.b.shape.to_string();
    });
    require_dram_config(problem.batch_a() * problem.m_tiles() == 1,
                        "currently only support in0 tensor height of tile height");
    require_dram_config(config.in0_block_w > 0 && config.per_core_M == 1 && config.per_core_N > 0,
                        "expected per_core_M 1 and all sizes above 0");
    require_dram_config(problem.k_tiles() % config.in0_block_w == 0, [&] {
        return "K (" + std::to_string(problem.k_tiles()) + ") must be divisible by in0_block_w (" +
               std::to_string(config.in0_block_w) + ")";
    });
    require_dram_config(!device.dram_bank_cores.empty(), [&] {
        return "expected a device whose description has dram_bank_cores, got " + device.name;
    });
    require_dram_config(readers > 0 && readers <= kMostReadersOfBank, [&] {
        return "num_workers_per_dram_bank: expected 1 to " + std::to_string(kMostReadersOfBank) + ", got " +
               std::to_string(readers);
    });
    require(bank_columns(problem) % readers == 0, [&] {
        return "DRAM-sharded matmul weight shard width " + std::to_string(bank_columns(problem)) +
               " tiles per bank must be divisible by workers_per_bank " + std::to_string(readers);
    });
    const CoreRange box = cores_of(problem, config, device);
    const CoreCoord grid = device.compute_grid;
    require(box.end.x < grid.x && box.end.y < grid.y, "WorkUnitSpec 'all_cores_in_rect_grid' targets node (",
            box.end.x < grid.x ? box.start.x : grid.x, ",", box.end.y < grid.y ? box.start.y : grid.y,
            "), which is out of bounds. The compute worker grid on this device is ", grid.x, "x", grid.y,
            ".");
}

ProgramPlan plan_from_dram_shards(const MatmulProblem& problem, const Config& config,
                                  const TensorSpec& output, const DeviceDescription& device) {
    constexpr std::uint64_t kRegisters = 8;  // tiles of 16-bit sums; half as many of 32 bits
    const CoreRangeSet cores = cores_of(problem, config, device);
    const std::uint64_t steps = problem.k_tiles() / config.in0_block_w;
    const std::uint64_t columns = bank_columns(problem) / config.num_workers_per_dram_bank;
    const std::uint64_t made =
        padded_to_subblocks(columns, problem.accumulates_in_fp32 ? kRegisters / 2 : kRegisters);
    const auto ahead = [&](std::uint64_t most) { return steps > 1 ? most : 1; };
    ProgramPlan plan{{"ttnn::prim::MatmulMultiCoreReuseMultiCastDRAMShardedProgramFactory", 5},
                     dataflow_buffers({config.in0_block_w * ahead(kStepsAhead) *
                                           tile_size(problem.a.dtype, problem.a.tile),
                                       columns * config.in0_block_w * ahead(kStepsAheadOfDram) *
                                           tile_size(problem.b.dtype, problem.b.tile),
                                       made * tile_size(output.dtype, output.tile)},
                                      cores)};
    const Sums sums(problem, steps > 1);
    if (sums.need_own_buffer()) plan.memory.push_back(dataflow_buffer(made * sums.tile_bytes(), cores));
    if (problem.bias)
        plan.memory.push_back(
            dataflow_buffer(made * tile_size(problem.bias->dtype, problem.bias->tile), cores));
    return plan;
}

namespace {

using BatchedConfig = MatmulMultiCoreReuseMultiCastBatchedDRAMShardedProgramConfig;

void require_height_shards(const MemoryConfig& config, const char* what) {
    require(config.memory_layout == TensorMemoryLayout::HEIGHT_SHARDED && config.shard_spec, what,
            " memory layout must be HEIGHT_SHARDED for batch-sharded DRAM matmul, got: ", config.to_string());
}

// Shards lie on the cores next to the banks, in the banks' order.
void require_cores_of_banks(const MemoryConfig& config, const char* what, const DeviceDescription& device) {
    const std::vector<CoreCoord> cores = cores_of(config.shard_spec->grid, true);
    const std::size_t banks = device.dram_bank_cores.size();
    require(cores.size() == banks, what, " storage cores (", cores.size(),
            ") must match number of workers/DRAM banks (", banks, "). Use an L1 shard grid with ", banks,
            " cores.");
    for (std::size_t i = 0; i < banks; ++i) {
        const CoreCoord wanted = device.dram_bank_cores[i].noc_0;
        require(cores[i] == wanted, what, " storage core ordering mismatch at index ", i, "! Storage core (",
                cores[i].x, ", ", cores[i].y, ") != Worker core (", wanted.x, ", ", wanted.y,
                "). The L1 shard grid must use the same core ordering as "
                "device.get_optimal_dram_bank_to_logical_worker_assignment().");
    }
}

}  // namespace

void require_fitting_batches(const MatmulProblem& problem, const BatchedConfig& config,
                             const DeviceDescription& device) {
    require(problem.a.memory_config.is_sharded(),
            "Input tensor A must be sharded for batch-sharded DRAM matmul");
    require(problem.output_memory_config.is_sharded(),
            "Output memory config must be sharded for batch-sharded DRAM matmul");
    require_height_shards(problem.a.memory_config, "Input A");
    require_height_shards(problem.output_memory_config, "Output");
    require(problem.a.memory_config.buffer_type == problem.output_memory_config.buffer_type,
            "Input A and output buffer types must match, got input: ", problem.a.memory_config.to_string(),
            " vs output: ", problem.output_memory_config.to_string());
    require(problem.a.memory_config.shard_spec->orientation == ShardOrientation::ROW_MAJOR,
            "Input A shard orientation must be ROW_MAJOR, got: ShardOrientation::COL_MAJOR");
    require(config.in0_block_w > 0 && problem.k_tiles() % config.in0_block_w == 0, "N dimension (",
            problem.k_tiles(), ") must be divisible by in0_block_w (", config.in0_block_w, ")");
    require_height_shards(problem.b.memory_config, "Input B");
    require(
        !device.dram_bank_cores.empty(),
        "MatmulMultiCoreReuseMultiCastBatchedDRAMShardedProgramConfig: expected a device whose description "
        "has dram_bank_cores, got ",
        device.name);
    require(config.per_core_M == problem.m_tiles(), "For batch sharding, per_core_M (", config.per_core_M,
            ") must equal M (", problem.m_tiles(), ") - each core handles complete matmuls");
    require(config.per_core_N == problem.n_tiles(), "For batch sharding, per_core_N (", config.per_core_N,
            ") must equal N (", problem.n_tiles(), ") - each core handles complete matmuls");
    require_cores_of_banks(problem.a.memory_config, "Input", device);
    require_cores_of_banks(problem.output_memory_config, "Output", device);
}

ProgramPlan plan_batches_from_dram_shards(const MatmulProblem& problem, const BatchedConfig& config,
                                          const TensorSpec& output, const DeviceDescription& device) {
    CoreRange box = output.memory_config.shard_spec->grid.bounding_box();
    for (const auto& bank : device.dram_bank_cores)
        box = around(box, bank.noc_0);
    const CoreRangeSet cores(box);
    const std::uint64_t made = config.per_core_M * config.per_core_N;
    const auto [rows, columns] = output.memory_config.shard_spec->shape;
    const std::uint64_t shard_tiles =
        std::uint64_t{rows} * columns / (std::uint64_t{output.tile.height} * output.tile.width);
    ProgramPlan plan{{"ttnn::prim::MatmulMultiCoreReuseBatchedHSDRAMShardedProgramFactory", 6},
                     dataflow_buffers({2 * config.per_core_M * config.in0_block_w *
                                           tile_size(problem.a.dtype, problem.a.tile),
                                       kStepsAheadOfDram * config.in0_block_w * config.per_core_N *
                                           tile_size(problem.b.dtype, problem.b.tile),
                                       shard_tiles * tile_size(output.dtype, output.tile)},
                                      cores)};
    const bool in_steps = problem.k_tiles() > config.in0_block_w;
    const bool many_batches = problem.batch_a() > device.dram_bank_cores.size();
    const Sums sums(problem, in_steps);
    // Sums that are added up where the result lies would meet those of the batch before.
    if (sums.need_own_buffer() || (in_steps && problem.packs_into_l1 && many_batches))
        plan.memory.push_back(dataflow_buffer(made * sums.tile_bytes(), cores));
    if (problem.bias)
        plan.memory.push_back(
            dataflow_buffer(config.per_core_N * tile_size(problem.bias->dtype, problem.bias->tile), cores));
    return plan;
}

}  // namespace tilemeter
