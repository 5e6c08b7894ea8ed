// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/matmul/matmul_program.hpp"

#include <algorithm>
#include <string>

#include "runtime/device/errors.hpp"
#include "runtime/operations/core/program_pieces.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/matmul/internal/matmul_dram_shards.hpp"
#include "runtime/operations/matmul/internal/matmul_sums.hpp"

namespace tilemeter {

namespace {

constexpr int kIn0 = 0;
constexpr int kIn1 = 1;

template <typename MakeMessage>
void require_config(bool holds, MakeMessage make_message) {
    require(holds, [&] { return "matmul: program_config: " + make_message(); });
}
void require_config(bool holds, const char* message) {
    require_config(holds, [&] { return std::string(message); });
}

bool has_layout(const TensorSpec& spec, TensorMemoryLayout::Value layout) {
    return spec.memory_config.memory_layout == layout;
}

std::uint64_t or_all(std::uint64_t part, std::uint64_t whole) {
    return part == 0 ? whole : part;
}

// A tile as it is read: tiles of block formats may end between two places where reads can begin.
std::uint64_t aligned_tile(const TensorSpec& spec, const DeviceDescription& device) {
    const std::uint64_t bytes = tile_size(spec.dtype, spec.tile);
    return spec.memory_config.is_sharded() ? bytes : round_up(bytes, device.dram_alignment);
}

class Planner {
public:
    Planner(const MatmulProblem& problem, const TensorSpec& output, const DeviceDescription& device)
        : problem_(problem),
          output_(output),
          device_(device),
          in0_tile_(aligned_tile(problem.a, device)),
          in1_tile_(aligned_tile(problem.b, device)),
          out_tile_(tile_size(output.dtype, output.tile)),
          out_index_(problem.bias ? 3 : 2) {}

    ProgramPlan operator()(const MatmulMultiCoreProgramConfig&) const {
        const std::uint64_t tiles = problem_.batch_a() * problem_.m_tiles() * problem_.n_tiles();
        const CoreRangeSet cores = split_work(tiles, device_.compute_grid, CoreWalk::kDownColumns).cores;
        return {{"ttnn::prim::MatmulMultiCoreProgramFactory", 0},
                dataflow_buffers(
                    {kDoubleBuffered * in0_tile_, kDoubleBuffered * in1_tile_, kDoubleBuffered * out_tile_},
                    cores)};
    }

    ProgramPlan operator()(const MatmulMultiCoreReuseProgramConfig& config) const {
        ProgramPlan plan{{"ttnn::prim::MatmulMultiCoreReuseOptimizedProgramFactory", 1}};
        const std::uint64_t m = problem_.m_tiles();
        const std::uint64_t products_per_block = config.per_core_M > m ? config.per_core_M / m : 1;
        const std::uint64_t steps = problem_.k_tiles() / config.in0_block_w;
        const std::uint64_t blocks =
            problem_.batch_a() * m / config.per_core_M * (problem_.n_tiles() / config.per_core_N);
        const CoreRangeSet cores = cores_of_shards_or(
            split_work(blocks, config.compute_with_storage_grid_size, CoreWalk::kDownColumns).cores);
        const bool in0_borrows = problem_.a.memory_config.is_sharded();
        const bool in1_borrows = problem_.b.memory_config.is_sharded();
        const std::uint64_t in0_tiles =
            in0_borrows ? config.per_core_M * problem_.k_tiles()
                        : std::min(config.per_core_M, m) * config.in0_block_w * kDoubleBuffered;
        const std::uint64_t in1_tiles = config.per_core_N * config.in0_block_w *
                                        (in1_borrows ? steps * products_per_block : kDoubleBuffered);
        push(plan, in0_tiles * in0_tile_, cores, in0_borrows, kIn0);
        push(plan, in1_tiles * in1_tile_, cores, in1_borrows, kIn1);
        const std::uint64_t out_tiles = config.per_core_M * config.per_core_N;
        push_output(plan, out_tiles, out_tiles, cores, output_.memory_config.is_sharded(),
                    Sums(problem_, steps > 1), false);
        push_bias(plan, config.per_core_N, cores);
        push_transposed(plan, in0_tiles, cores);
        return plan;
    }

    ProgramPlan operator()(const MatmulMultiCoreReuseMultiCastProgramConfig& config) const {
        ProgramPlan plan{{"ttnn::prim::MatmulMultiCoreReuseMcast2DProgramFactory", 4}};
        const std::uint64_t block_h = or_all(config.out_block_h, config.per_core_M);
        const std::uint64_t block_w = or_all(config.out_block_w, config.per_core_N);
        const std::uint64_t batches = config.fuse_batch ? 1 : problem_.batch_a();
        const std::uint64_t rows = (config.fuse_batch ? problem_.batch_a() : 1) * problem_.m_tiles();
        const std::uint64_t steps = problem_.k_tiles() / config.in0_block_w;
        const std::uint64_t depth = batches * steps > 1 ? kDoubleBuffered : 1;
        const bool in0_in_blocks = has_layout(problem_.a, TensorMemoryLayout::BLOCK_SHARDED);
        const CoreRangeSet cores = cores_of(config, rows, in0_in_blocks);

        const std::uint64_t in0_tiles = block_h * config.in0_block_w * depth;
        push(plan, in0_tiles * in0_tile_, cores, has_layout(problem_.a, TensorMemoryLayout::HEIGHT_SHARDED),
             kIn0);
        push(plan, block_w * config.in0_block_w * depth * in1_tile_, cores,
             problem_.b.memory_config.is_sharded() && problem_.b.memory_config.buffer_type == BufferType::L1,
             kIn1);
        if (in0_in_blocks) {
            push(plan, config.per_core_M * problem_.a_shard_width() * in0_tile_, cores, true, kIn0);
        }
        push_output(plan, block_h * block_w, config.per_core_M * config.per_core_N, cores,
                    has_layout(output_, TensorMemoryLayout::BLOCK_SHARDED), Sums(problem_, steps > 1),
                    config.per_core_M != block_h);
        push_bias(plan, block_w, cores);
        push_transposed(plan, in0_tiles, cores);
        return plan;
    }

    ProgramPlan operator()(const MatmulMultiCoreReuseMultiCast1DProgramConfig& config) const {
        ProgramPlan plan{{"ttnn::prim::MatmulMultiCoreReuseMcast1DProgramFactory", 2}};
        const std::uint64_t block_h = or_all(config.out_block_h, config.per_core_M);
        const std::uint64_t block_w = or_all(config.out_block_w, config.per_core_N);
        const std::uint64_t rows = (config.fuse_batch ? problem_.batch_a() : 1) * problem_.m_tiles();
        const std::uint64_t steps = problem_.k_tiles() / config.in0_block_w;
        // An operand that all batches share is read once.
        const auto depth = [&](std::uint64_t batches) {
            return (config.fuse_batch ? 1 : batches) * steps > 1 ? kDoubleBuffered : 1;
        };
        const bool in0_sharded = problem_.a.memory_config.is_sharded();
        const bool in1_sharded = problem_.b.memory_config.is_sharded();
        const std::uint64_t blocks =
            ceil_div(rows, config.per_core_M) * ceil_div(problem_.n_tiles(), config.per_core_N);
        const std::uint64_t num_cores =
            in0_sharded && config.mcast_in0
                ? std::max(blocks, problem_.a.memory_config.shard_spec->grid.num_cores())
                : blocks;
        const CoreRangeSet cores = first_cores(num_cores, config.compute_with_storage_grid_size, true);

        // Sharded in0 is sent on from where it lies (mcast_in0), or used where it lies.
        const bool in0_borrows = in0_sharded && !config.mcast_in0;
        const std::uint64_t in0_tiles = in0_borrows
                                            ? problem_.a_shard_height() * problem_.a_shard_width()
                                            : block_h * config.in0_block_w * depth(problem_.batch_a());
        // In steps the shard is read into a buffer of its own size, a step at a time.
        const bool in_steps = in0_borrows && steps > 1;
        push(plan, in0_tiles * in0_tile_, cores, in0_borrows && !in_steps, kIn0);
        if (in_steps) push(plan, config.per_core_M * config.in0_block_w * in0_tile_, cores, true, kIn0);
        const std::uint64_t in1_tiles = in1_sharded && config.mcast_in0
                                            ? config.per_core_N * problem_.b_shard_height()
                                            : block_w * config.in0_block_w * depth(problem_.batch_b());
        push(plan, in1_tiles * in1_tile_, cores, in1_sharded && config.mcast_in0, kIn1);
        if (in0_sharded && config.mcast_in0) {
            push(plan, config.per_core_M * problem_.a_shard_width() * in0_tile_, cores, true, kIn0);
        }
        push_output(plan, block_h * block_w, config.per_core_M * config.per_core_N, cores,
                    output_.memory_config.is_sharded(), Sums(problem_, steps > 1),
                    config.per_core_M != block_h);
        push_bias(plan, block_w, cores);
        push_transposed(plan, in0_tiles, cores);
        return plan;
    }

    ProgramPlan operator()(const MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfig& config) const {
        return plan_from_dram_shards(problem_, config, output_, device_);
    }

private:
    static void push(ProgramPlan& plan, std::uint64_t size, const CoreRangeSet& cores, bool borrows,
                     int tensor) {
        plan.memory.push_back(borrows ? borrowed_buffer(size, cores, tensor) : dataflow_buffer(size, cores));
    }

    void push_output(ProgramPlan& plan, std::uint64_t block_tiles, std::uint64_t shard_tiles,
                     const CoreRangeSet& cores, bool borrows, const Sums& sums, bool shard_in_parts) const {
        const std::uint64_t out_tiles = borrows ? shard_tiles : block_tiles;
        push(plan, out_tiles * out_tile_, cores, borrows, out_index_);
        if (sums.need_own_buffer() || (borrows && shard_in_parts)) {
            plan.memory.push_back(dataflow_buffer(block_tiles * sums.tile_bytes(), cores));
        }
    }

    void push_bias(ProgramPlan& plan, std::uint64_t tiles, const CoreRangeSet& cores) const {
        if (problem_.bias)
            plan.memory.push_back(
                dataflow_buffer(tiles * tile_size(problem_.bias->dtype, problem_.bias->tile), cores));
    }

    void push_transposed(ProgramPlan& plan, std::uint64_t in0_tiles, const CoreRangeSet& cores) const {
        if (problem_.transpose_a) plan.memory.push_back(dataflow_buffer(in0_tiles * in0_tile_, cores));
    }

    CoreRangeSet cores_of_shards_or(const CoreRangeSet& split) const {
        if (problem_.a.memory_config.is_sharded()) return problem_.a.memory_config.shard_spec->grid;
        if (problem_.b.memory_config.is_sharded()) return problem_.b.memory_config.shard_spec->grid;
        if (output_.memory_config.is_sharded()) return output_.memory_config.shard_spec->grid;
        return split;
    }

    // Block-sharded in0 is sent also by cores that have no part of the result.
    CoreRangeSet cores_of(const MatmulMultiCoreReuseMultiCastProgramConfig& config, std::uint64_t rows,
                          bool in0_in_blocks) const {
        std::uint64_t along_m = ceil_div(rows, config.per_core_M);
        std::uint64_t along_n = ceil_div(problem_.n_tiles(), config.per_core_N);
        if (in0_in_blocks) {
            const CoreRange box = problem_.a.memory_config.shard_spec->grid.bounding_box();
            const std::uint64_t senders =
                config.transpose_mcast ? box.end.y - box.start.y + 1 : box.end.x - box.start.x + 1;
            along_n = std::max(along_n, senders);
        }
        const std::uint64_t columns = config.transpose_mcast ? along_m : along_n;
        const std::uint64_t row_count = config.transpose_mcast ? along_n : along_m;
        return CoreRange{
            {0, 0}, {static_cast<std::uint32_t>(columns - 1), static_cast<std::uint32_t>(row_count - 1)}};
    }

    const MatmulProblem& problem_;
    const TensorSpec& output_;
    const DeviceDescription& device_;
    std::uint64_t in0_tile_;
    std::uint64_t in1_tile_;
    std::uint64_t out_tile_;
    int out_index_;  ///< of the output among all tensors
};

struct FitCheck {
    const MatmulProblem& problem;
    const DeviceDescription& device;

    void operator()(const MatmulMultiCoreProgramConfig&) const {
        const Tile tile = problem.output_tile();
        require(
            tile == kWholeTile,
            "MatmulMultiCoreProgramConfig: matmul with non-optimized program config does not support tiny tile (in0 "
            "tile height=",
            tile.height, ", in1 tile width=", tile.width, ", expected TILE_HEIGHT=32, TILE_WIDTH=32)");
    }
    void operator()(const MatmulMultiCoreReuseProgramConfig& config) const {
        require_common(config);
        const std::uint64_t rows = problem.batch_a() * problem.m_tiles();
        require_config(problem.n_tiles() == config.per_core_N, [&] {
            return "N (" + std::to_string(problem.n_tiles()) + ") must equal per_core_N (" +
                   std::to_string(config.per_core_N) + ")";
        });
        require_config(rows % config.per_core_M == 0, [&] {
            return "expected per_core_M to divide the " + std::to_string(rows) +
                   " tile rows of all batches, got " + std::to_string(config.per_core_M);
        });
    }
    void operator()(const MatmulMultiCoreReuseMultiCastProgramConfig& config) const {
        static constexpr std::string_view kName = "MatmulMultiCoreReuseMultiCastProgramConfig";
        require_common(config);
        require_blocks(config);
        require_whole_rows(config, kName);
        require_fusable(config, kName);
        const std::uint64_t rows = (config.fuse_batch ? problem.batch_a() : 1) * problem.m_tiles();
        require(config.per_core_M <= rows, kName, ": per_core_M (", config.per_core_M, ") exceeds Mt (", rows,
                "). Each core would compute more output row tiles than the tensor has. Reduce per_core_M "
                "to at most Mt.");
        std::uint64_t across = config.compute_with_storage_grid_size.x;
        std::uint64_t down = config.compute_with_storage_grid_size.y;
        if (config.transpose_mcast) std::swap(across, down);
        require_cores(ceil_div(rows, config.per_core_M), down, "rows");
        require_cores(ceil_div(problem.n_tiles(), config.per_core_N), across, "columns");
    }
    void operator()(const MatmulMultiCoreReuseMultiCast1DProgramConfig& config) const {
        require_common(config);
        require_blocks(config);
        require_whole_rows(config, "MatmulMultiCoreReuseMultiCast1DProgramConfig");
        require_fusable(config, "MatmulMultiCoreReuseMultiCast1DProgramConfig");
        const std::uint64_t rows = (config.fuse_batch ? problem.batch_a() : 1) * problem.m_tiles();
        const CoreCoord grid = config.compute_with_storage_grid_size;
        const std::uint64_t blocks =
            ceil_div(rows, config.per_core_M) * ceil_div(problem.n_tiles(), config.per_core_N);
        require_cores(blocks, std::uint64_t{grid.x} * grid.y, "cores");
        require_config(!config.mcast_in0 || rows <= config.per_core_M, [&] {
            return "expected per_core_M of all " + std::to_string(rows) +
                   " tile rows when in0 goes to all cores, got " + std::to_string(config.per_core_M);
        });
    }
    void operator()(const MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfig& config) const {
        require_fitting_dram_shards(problem, config, device);
    }

private:
    static void require_cores(std::uint64_t needed, std::uint64_t available, const char* what) {
        require_config(needed <= available, [&] {
            return "expected at most " + std::to_string(available) + " " + what +
                   " of cores, the blocks need " + std::to_string(needed);
        });
    }
    // In shards of the result subblocks follow each other only where they are as wide, or one row high.
    template <typename Config>
    void require_whole_rows(const Config& config, std::string_view name) const {
        if (!problem.output_memory_config.is_sharded() || config.out_subblock_w == config.per_core_N ||
            config.out_subblock_h == 1) {
            return;
        }
        refuse_with(name, ": out_subblock_w (", config.out_subblock_w, ") must equal per_core_N (",
                    config.per_core_N, ") or out_subblock_h (", config.out_subblock_h, ") must be 1");
    }
    // Rows of several batches do not follow each other in a transposed operand.
    template <typename Config>
    void require_fusable(const Config& config, std::string_view name) const {
        if (!config.fuse_batch || !problem.transpose_a || problem.batch_a() == 1 || problem.m_tiles() == 1)
            return;
        refuse_with(name,
                    ": transpose_a with fuse_batch is not supported when batch dimensions exist and "
                    "M_per_batch > 1 (batch_size=",
                    problem.batch_a(), ", M_per_batch=", problem.m_tiles());
    }
    template <typename Config>
    static void require_blocks(const Config& config) {
        require_config(config.per_core_M % or_all(config.out_block_h, config.per_core_M) == 0 &&
                           config.per_core_N % or_all(config.out_block_w, config.per_core_N) == 0,
                       "expected out_block_h and out_block_w to divide per_core_M and per_core_N");
    }
    template <typename Config>
    void require_common(const Config& config) const {
        const CoreCoord grid = config.compute_with_storage_grid_size;
        require_config(
            grid.x > 0 && grid.y > 0 && grid.x <= device.compute_grid.x && grid.y <= device.compute_grid.y,
            [&] {
                return "compute_with_storage_grid_size: expected at most " +
                       attribute_text(device.compute_grid) + ", got " + attribute_text(grid);
            });
        require_config(config.in0_block_w > 0 && config.per_core_M > 0 && config.per_core_N > 0 &&
                           config.out_subblock_h > 0 && config.out_subblock_w > 0,
                       "expected all sizes above 0");
        require_config(problem.k_tiles() % config.in0_block_w == 0, [&] {
            return "Kt (" + std::to_string(problem.k_tiles()) + ") must be divisible by in0_block_w (" +
                   std::to_string(config.in0_block_w) + ")";
        });
        require_config(config.per_core_M % config.out_subblock_h == 0,
                       "per_core_M must be divisible by out_subblock_h!");
        require_config(config.per_core_N % config.out_subblock_w == 0,
                       "per_core_N must be divisible by out_subblock_w!");
    }
};

}  // namespace

void require_fitting(const MatmulProblem& problem, const MatmulProgramConfig& config,
                     const DeviceDescription& device) {
    std::visit(FitCheck{problem, device}, config);
}

ProgramPlan plan_matmul(const MatmulProblem& problem, const MatmulProgramConfig& config,
                        const TensorSpec& output, const DeviceDescription& device) {
    return std::visit(Planner(problem, output, device), config);
}

}  // namespace tilemeter
