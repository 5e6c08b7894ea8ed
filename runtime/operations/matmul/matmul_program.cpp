// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/matmul/matmul_program.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "runtime/device/errors.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/matmul/internal/matmul_dram_shards.hpp"
#include "runtime/operations/matmul/internal/matmul_sums.hpp"
#include "runtime/operations/work/program_pieces.hpp"

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
        const Cores places = cores_of(config, rows, in0_in_blocks);
        const CoreRangeSet& cores = places.working;

        const std::uint64_t in0_tiles = block_h * config.in0_block_w * depth;
        push(plan, in0_tiles * in0_tile_, cores, has_layout(problem_.a, TensorMemoryLayout::HEIGHT_SHARDED),
             kIn0);
        push_in0_of_senders(plan, in0_tiles, places);
        push(plan, block_w * config.in0_block_w * depth * in1_tile_, cores,
             problem_.b.memory_config.is_sharded() && problem_.b.memory_config.buffer_type == BufferType::L1,
             kIn1);
        if (in0_in_blocks) {
            push(plan, problem_.a_shard_height() * problem_.a_shard_width() * in0_tile_, places.all, true,
                 kIn0);
        }
        push_output(plan, block_h * block_w, config.per_core_M * config.per_core_N, cores,
                    has_layout(output_, TensorMemoryLayout::BLOCK_SHARDED), Sums(problem_, steps > 1),
                    config.per_core_M != block_h || config.per_core_N != block_w);
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
        const Cores places = cores_of(config, blocks);
        const CoreRangeSet& cores = places.working;

        // Sharded in0 is sent on from where it lies (mcast_in0), or used where it lies.
        const bool in0_borrows = in0_sharded && !config.mcast_in0;
        const std::uint64_t in0_tiles = in0_borrows
                                            ? problem_.a_shard_height() * problem_.a_shard_width()
                                            : block_h * config.in0_block_w * depth(problem_.batch_a());
        // In several steps, or blocks both ways, the shard is read into a buffer of its own size.
        const bool in_steps =
            in0_borrows && (steps > 1 || (block_h != config.per_core_M && block_w != config.per_core_N));
        push(plan, in0_tiles * in0_tile_, cores, in0_borrows && !in_steps, kIn0);
        push_in0_of_senders(plan, in0_tiles, places);
        if (in_steps) push(plan, block_h * config.in0_block_w * in0_tile_, cores, true, kIn0);
        const std::uint64_t in1_tiles = in1_sharded && config.mcast_in0
                                            ? config.per_core_N * problem_.b_shard_height()
                                            : block_w * config.in0_block_w * depth(problem_.batch_b());
        push(plan, in1_tiles * in1_tile_, cores, in1_sharded && config.mcast_in0, kIn1);
        if (in0_sharded && config.mcast_in0) {
            push(plan, config.per_core_M * problem_.a_shard_width() * in0_tile_, places.all, true, kIn0);
        }
        push_output(plan, block_h * block_w, config.per_core_M * config.per_core_N, cores,
                    output_.memory_config.is_sharded(), Sums(problem_, steps > 1),
                    config.per_core_M != block_h || config.per_core_N != block_w);
        push_bias(plan, block_w, cores);
        push_transposed(plan, in0_tiles, cores);
        return plan;
    }

    ProgramPlan operator()(const MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfig& config) const {
        return plan_from_dram_shards(problem_, config, output_, device_);
    }
    ProgramPlan operator()(const MatmulMultiCoreReuseMultiCastBatchedDRAMShardedProgramConfig& config) const {
        return plan_batches_from_dram_shards(problem_, config, output_, device_);
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

    /// Cores that make a part of the result, those that only send in0 on from their shards, and both together.
    struct Cores {
        CoreRangeSet working;
        CoreRangeSet senders;
        CoreRangeSet all;
    };

    void push_in0_of_senders(ProgramPlan& plan, std::uint64_t in0_tiles, const Cores& places) const {
        if (!places.senders.empty())
            plan.memory.push_back(dataflow_buffer(in0_tiles * in0_tile_, places.senders));
    }

    // From the corner of the box that a's shards lie in, row by row of it, wherever in the box they are.
    Cores cores_of(const MatmulMultiCoreReuseMultiCast1DProgramConfig& config, std::uint64_t blocks) const {
        const CoreCoord grid = config.compute_with_storage_grid_size;
        if (!problem_.a.memory_config.is_sharded()) {
            const CoreRangeSet cores = first_cores(blocks, grid, true);
            return {cores, {}, cores};
        }
        const CoreRangeSet& shards = problem_.a.memory_config.shard_spec->grid;
        const CoreCoord corner = shards.bounding_box().start;
        const std::uint64_t count = config.mcast_in0 ? std::max(blocks, shards.num_cores()) : blocks;
        return {moved(first_cores(blocks, grid, true), corner), line(blocks, count, grid, corner),
                moved(first_cores(count, grid, true), corner)};
    }
    static CoreRangeSet moved(const CoreRangeSet& cores, CoreCoord by) {
        std::vector<CoreRange> ranges;
        for (const auto& [start, end] : cores.ranges())
            ranges.push_back({{start.x + by.x, start.y + by.y}, {end.x + by.x, end.y + by.y}});
        return CoreRangeSet(std::move(ranges));
    }
    static CoreRangeSet line(std::uint64_t first, std::uint64_t end, CoreCoord grid, CoreCoord corner) {
        std::vector<CoreCoord> cores;
        for (std::uint64_t i = first; i < end; ++i) {
            cores.push_back({corner.x + static_cast<std::uint32_t>(i % grid.x),
                             corner.y + static_cast<std::uint32_t>(i / grid.x)});
        }
        return merge_cores_by_column(std::move(cores));
    }

    // From the origin, wherever the shards lie. Block-sharded in0 is sent also by cores that have no part of the result.
    Cores cores_of(const MatmulMultiCoreReuseMultiCastProgramConfig& config, std::uint64_t rows,
                   bool in0_in_blocks) const {
        const std::uint64_t along_m = ceil_div(rows, config.per_core_M);
        const std::uint64_t along_n = ceil_div(problem_.n_tiles(), config.per_core_N);
        std::uint64_t senders = along_n;
        if (in0_in_blocks) {
            const CoreRange box = problem_.a.memory_config.shard_spec->grid.bounding_box();
            senders = std::max<std::uint64_t>(
                along_n, config.transpose_mcast ? box.end.y - box.start.y + 1 : box.end.x - box.start.x + 1);
        }
        const auto cores = [&](std::uint64_t first, std::uint64_t end) -> CoreRangeSet {
            if (first == end) return {};
            const auto at = [&](std::uint64_t n, std::uint64_t m) {
                CoreCoord core{static_cast<std::uint32_t>(n), static_cast<std::uint32_t>(m)};
                if (config.transpose_mcast) std::swap(core.x, core.y);
                return core;
            };
            return CoreRange{at(first, 0), at(end - 1, along_m - 1)};
        };
        return {cores(0, along_n), cores(along_n, senders), cores(0, senders)};
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
    // TT-NN's own statements in its order, those that begin with a name.
    void operator()(const MatmulMultiCoreReuseProgramConfig& config) const {
        static constexpr std::string_view kName = "MatmulMultiCoreReuseProgramConfig";
        require_common(config, kName);
        const std::uint64_t m = problem.m_tiles(), rows = problem.batch_a() * m;
        require_config(problem.n_tiles() == config.per_core_N, [&] {
            return "N (" + std::to_string(problem.n_tiles()) + ") must equal per_core_N (" +
                   std::to_string(config.per_core_N) + ")";
        });
        if (problem.a.memory_config.is_sharded()) {
            const std::uint64_t blocks = rows / config.per_core_M * (problem.n_tiles() / config.per_core_N);
            const std::uint64_t cores = problem.a.memory_config.shard_spec->grid.num_cores();
            require(blocks % cores == 0, kName, ": num_output_blocks (", blocks,
                    ") must be evenly divisible by the number of cores in the input shard grid (", cores,
                    ")");
            require(config.per_core_M > m || m % config.per_core_M == 0, kName, ": per_core_M, ",
                    config.per_core_M, ", must divide M, ", m, ", if per_core_M < M!");
            require(m % config.out_subblock_h == 0, kName, ": out_subblock_h (", config.out_subblock_h,
                    ") needs to divide M (", m, ") evenly and does not. Please update your program config.");
        }
        require_config(rows % config.per_core_M == 0, [&] {
            return "expected per_core_M to divide the " + std::to_string(rows) +
                   " tile rows of all batches, got " + std::to_string(config.per_core_M);
        });
    }
    void operator()(const MatmulMultiCoreReuseMultiCastProgramConfig& config) const {
        static constexpr std::string_view kName = "MatmulMultiCoreReuseMultiCastProgramConfig";
        require_common(config, kName);
        require_blocks(config);
        const std::uint64_t rows = rows_of(config);
        require_no_more_than_there_is(config, rows, kName);
        const CoreCoord grid = config.compute_with_storage_grid_size;
        std::uint64_t across = ceil_div(problem.n_tiles(), config.per_core_N);
        std::uint64_t down = ceil_div(rows, config.per_core_M);
        if (config.transpose_mcast) std::swap(across, down);
        require(across <= grid.x, kName, ": Num output blocks along x (", across,
                ") must be smaller than or equal to the number of columns in compute grid (", grid.x, ")!");
        require(down <= grid.y, kName, ": Num output blocks along y (", down,
                ") must be smaller than or equal to the number of rows in compute grid (", grid.y, ")!");
        require_result_in_grid(config, kName);
        require_fusable(config, kName);
        require_result_like_a(kName);
        require_whole_blocks(config, kName);
        require_whole_rows(config, kName);
        if (has_layout(problem.a, TensorMemoryLayout::BLOCK_SHARDED)) {
            require(config.per_core_M == problem.a_shard_height(), kName, ": per_core_M (", config.per_core_M,
                    ") must equal shard_shape[0] / in0_tile.get_height() (", problem.a_shard_height(), ")");
        }
    }
    void operator()(const MatmulMultiCoreReuseMultiCast1DProgramConfig& config) const {
        static constexpr std::string_view kName = "MatmulMultiCoreReuseMultiCast1DProgramConfig";
        require_common(config, kName);
        require_blocks(config);
        require_result_in_grid(config, kName);
        const std::uint64_t rows = rows_of(config);
        const CoreCoord grid = config.compute_with_storage_grid_size;
        const std::uint64_t blocks =
            ceil_div(rows, config.per_core_M) * ceil_div(problem.n_tiles(), config.per_core_N);
        const std::uint64_t cores = std::uint64_t{grid.x} * grid.y;
        require(blocks <= cores, kName, ": Number of blocks exceeds number of cores: ", blocks, " blocks > ",
                cores, " cores");
        require_no_more_than_there_is(config, rows, kName);
        require_fusable(config, kName);
        require_whole_rows(config, kName);
        require_shards_of_one_dimension(config, kName);
        require_config(!config.mcast_in0 || rows <= config.per_core_M, [&] {
            return "expected per_core_M of all " + std::to_string(rows) +
                   " tile rows when in0 goes to all cores, got " + std::to_string(config.per_core_M);
        });
    }
    void operator()(const MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfig& config) const {
        require_fitting_dram_shards(problem, config, device);
    }
    void operator()(const MatmulMultiCoreReuseMultiCastBatchedDRAMShardedProgramConfig& config) const {
        require_fitting_batches(problem, config, device);
    }

private:
    template <typename Config>
    std::uint64_t rows_of(const Config& config) const {
        return (config.fuse_batch ? problem.batch_a() : 1) * problem.m_tiles();
    }
    template <typename Config>
    static void require_no_more_than_there_is(const Config& config, std::uint64_t rows,
                                              std::string_view name) {
        require(config.per_core_M <= rows, name, ": per_core_M (", config.per_core_M, ") exceeds Mt (", rows,
                "). Each core would compute more output row tiles than the tensor has. Reduce per_core_M "
                "to at most Mt.");
    }
    static CoreRangeSet sorted(const CoreRangeSet& cores) {
        std::vector<CoreRange> ranges(cores.ranges().begin(), cores.ranges().end());
        std::ranges::sort(ranges, {}, &CoreRange::start);
        return CoreRangeSet(std::move(ranges));
    }
    // Shards that the caller names for the result: TT-NN looks where they lie and takes others.
    template <typename Config>
    void require_result_in_grid(const Config& config, std::string_view name) const {
        const auto& shards = problem.output_memory_config.shard_spec;
        if (!shards || shards->grid.empty()) return;
        const CoreCoord grid = config.compute_with_storage_grid_size;
        const CoreCoord last = shards->grid.bounding_box().end;
        require(last.x < grid.x && last.y < grid.y, name, ": output shard grid ",
                attribute_text(sorted(shards->grid)), " must lie within extent ", grid.x, "-", grid.y);
    }
    void require_result_like_a(std::string_view name) const {
        const MemoryConfig &a = problem.a.memory_config, &out = problem.output_memory_config;
        if (!a.is_sharded() || !out.is_sharded()) return;
        require(out.buffer_type == a.buffer_type, name,
                ": input A and output buffer types must match, got input: BufferType::",
                name_of(a.buffer_type), " vs output: BufferType::", name_of(out.buffer_type));
        require(out.memory_layout == a.memory_layout, name,
                ": input A and output memory layouts must match, got input: TensorMemoryLayout::",
                name_of(a.memory_layout), " vs output: TensorMemoryLayout::", name_of(out.memory_layout));
    }
    void require_shards_of_one_dimension(const MatmulMultiCoreReuseMultiCast1DProgramConfig& config,
                                         std::string_view name) const {
        if (!problem.a.memory_config.is_sharded()) return;
        const auto& shard = problem.a.memory_config.shard_spec->shape;
        const Tile tile = problem.a.tile;
        if (has_layout(problem.a, TensorMemoryLayout::WIDTH_SHARDED)) {
            require(config.per_core_M == problem.a_shard_height(), name, ": per_core_M (", config.per_core_M,
                    ") must equal shard_shape[0] (", shard[0], ") / in0_tile height (", tile.height, ")");
        } else if (has_layout(problem.a, TensorMemoryLayout::HEIGHT_SHARDED)) {
            require(problem.k_tiles() == problem.a_shard_width(), name, ": K (", problem.k_tiles(),
                    ") must equal shard_shape[1] (", shard[1], ") / in0_tile width (", tile.width, ")");
        }
    }
    // In shards of the result blocks, and subblocks, follow each other only where they are as wide, or one row high.
    void require_whole_blocks(const MatmulMultiCoreReuseMultiCastProgramConfig& config,
                              std::string_view name) const {
        if (!problem.output_memory_config.is_sharded()) return;
        const std::uint64_t block_w = or_all(config.out_block_w, config.per_core_N);
        const std::uint64_t block_h = or_all(config.out_block_h, config.per_core_M);
        require(block_w == config.per_core_N || block_h == 1, name, ": out_block_w (", block_w,
                ") must equal per_core_N (", config.per_core_N, ") or out_block_h (", block_h, ") must be 1");
    }
    template <typename Config>
    void require_whole_rows(const Config& config, std::string_view name) const {
        if (!problem.output_memory_config.is_sharded()) return;
        require(config.out_subblock_w == config.per_core_N || config.out_subblock_h == 1, name,
                ": out_subblock_w (", config.out_subblock_w, ") must equal per_core_N (", config.per_core_N,
                ") or out_subblock_h (", config.out_subblock_h, ") must be 1");
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
    void require_common(const Config& config, std::string_view name) const {
        const CoreCoord grid = config.compute_with_storage_grid_size;
        require(grid.x > 0 && grid.y > 0, name, ": compute_with_storage_grid_size must be non-zero, got (",
                grid.x, ", ", grid.y, ")");
        require(grid.x <= device.compute_grid.x && grid.y <= device.compute_grid.y, name,
                ": compute_with_storage_grid_size (", grid.x, ", ", grid.y, ") must fit within device grid (",
                device.compute_grid.x, ", ", device.compute_grid.y, ")");
        require_config(config.in0_block_w > 0 && config.per_core_M > 0 && config.per_core_N > 0 &&
                           config.out_subblock_h > 0 && config.out_subblock_w > 0,
                       "expected all sizes above 0");
        require(problem.k_tiles() % config.in0_block_w == 0, name, ": Kt (", problem.k_tiles(),
                ") must be divisible by in0_block_w (", config.in0_block_w, ")");
        require_config(config.per_core_M % config.out_subblock_h == 0,
                       "per_core_M must be divisible by out_subblock_h!");
        require_config(config.per_core_N % config.out_subblock_w == 0,
                       "per_core_N must be divisible by out_subblock_w!");
    }
};

}  // namespace

void require_fitting(const MatmulProblem& problem, const MatmulProgramConfig& config,
                     const DeviceDescription& device) {
    if (!std::holds_alternative<MatmulMultiCoreReuseMultiCastBatchedDRAMShardedProgramConfig>(config))
        require_tiles_of_mcast(problem);
    std::visit(FitCheck{problem, device}, config);
}

ProgramPlan plan_matmul(const MatmulProblem& problem, const MatmulProgramConfig& config,
                        const TensorSpec& output, const DeviceDescription& device) {
    return std::visit(Planner(problem, output, device), config);
}

}  // namespace tilemeter
