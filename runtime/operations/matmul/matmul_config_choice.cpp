// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/matmul/matmul_config_choice.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include "runtime/operations/core/require.hpp"
#include "runtime/operations/work/program_pieces.hpp"

namespace tilemeter {

namespace {

constexpr std::uint64_t kNarrowRatio = 8;

struct Block {
    std::uint64_t height;
    std::uint64_t width;
    std::uint64_t depth;
};

// Tiles of the result that the registers take at a time: the largest first, squarest first.
constexpr std::array<std::pair<std::uint64_t, std::uint64_t>, 20> kSubblocks = {
    {{4, 2}, {2, 4}, {8, 1}, {1, 8}, {7, 1}, {1, 7}, {3, 2}, {2, 3}, {6, 1}, {1, 6},
     {5, 1}, {1, 5}, {2, 2}, {4, 1}, {1, 4}, {3, 1}, {1, 3}, {2, 1}, {1, 2}, {1, 1}}};
constexpr std::uint64_t kSubblockTilesInFp32 = 4;

enum class Fixed : std::uint8_t { kNothing, kOneRowOfAllColumns };

class Choice {
public:
    Choice(const MatmulProblem& problem, const MatmulChoiceInput& input)
        : problem_(problem),
          input_(input),
          batch_a_(problem.batch_a()),
          m_(problem.m_tiles()),
          k_(problem.k_tiles()),
          n_(problem.n_tiles()) {}

    MatmulProgramConfig make() {
        // Shards say themselves on which cores, whatever the caller's core grid.
        if (a_sharded()) {
            // TT-NN asks shards of any number of dimensions for their rows and columns.
            require(problem_.a.memory_config.shard_spec.has_value(), "bad optional access");
            return input_.run_batched ? of_sharded_batches() : of_sharded();
        }
        return input_.core_grid ? by_core_grid() : of_interleaved();
    }

private:
    // TT-NN counts in tiles of 32 x 32 here, whatever the operands have.
    MatmulProgramConfig by_core_grid() {
        m_ = ceil_div(m_ * problem_.tile_a().height, kTileHeight);
        n_ = ceil_div(n_ * problem_.tile_b().width, kTileWidth);
        return over_core_grid();
    }

    bool a_sharded() const { return problem_.a.memory_config.is_sharded(); }
    bool b_sharded() const { return problem_.b.memory_config.is_sharded(); }
    bool out_sharded() const { return problem_.output_memory_config.is_sharded(); }
    TensorMemoryLayout::Value a_layout() const { return problem_.a.memory_config.memory_layout; }
    bool all_interleaved() const { return !a_sharded() && !b_sharded() && !out_sharded(); }
    bool all_dram() const {
        return problem_.a.memory_config.buffer_type == BufferType::DRAM &&
               problem_.b.memory_config.buffer_type == BufferType::DRAM &&
               problem_.output_memory_config.buffer_type == BufferType::DRAM;
    }

    /// More than kNarrowRatio times as wide as high, or the other way round.
    static bool is_narrow(std::uint64_t height, std::uint64_t width) {
        return (height > width ? height / width : width / height) > kNarrowRatio;
    }

    /// Program memory of such a block, estimated: the result counts as `a`'s dtype, intermediate sums are
    /// always there, and all tiles count as 32 x 32.
    std::uint64_t estimated_bytes(Block block) const {
        const std::uint64_t a_tile = tile_size(problem_.a.dtype);
        const std::uint64_t sum_tile =
            problem_.accumulates_in_fp32
                ? tile_size(DataType::FLOAT32)
                : std::max(tile_size(DataType::BFLOAT16), tile_size(problem_.output_dtype));
        const std::uint64_t bias_tile = problem_.bias ? tile_size(problem_.bias->dtype) : 0;
        const std::uint64_t a_bytes = block.height * block.depth * kDoubleBuffered * a_tile;
        const std::uint64_t shard_bytes = a_sharded() ? block.height * problem_.a_shard_width() * a_tile : 0;
        const std::uint64_t b_bytes =
            block.width * block.depth * kDoubleBuffered * tile_size(problem_.b.dtype);
        const std::uint64_t out_tiles = block.height * block.width;
        const std::uint64_t transposed_bytes =
            problem_.transpose_a ? (a_sharded() ? shard_bytes : a_bytes) : 0;
        return a_bytes + b_bytes + out_tiles * (a_tile + sum_tile) + block.width * bias_tile + shard_bytes +
               transposed_bytes;
    }
    bool fits(Block block) const { return estimated_bytes(block) < input_.l1_space_bytes; }

    /// The largest divisor-sized part of a core's share that fits; of equal areas the squarest. The depth is
    /// given up before the area, where it may be.
    Block fitting_part(Block share, bool may_be_shallower) const {
        if (fits(share)) return share;
        std::map<std::uint64_t, Block, std::greater<>> parts;
        for (const std::uint64_t height : parts_of(share.height)) {
            for (const std::uint64_t width : parts_of(share.width)) {
                const Block part{height, width, share.depth};
                const auto [found, is_new] = parts.try_emplace(height * width, part);
                if (!is_new && stretch(found->second) >= stretch(part)) found->second = part;
            }
        }
        const std::uint64_t least_depth = may_be_shallower ? 1 : share.depth;
        for (const auto& [area, part] : parts) {
            for (std::uint64_t depth = share.depth; depth >= least_depth; --depth) {
                if (share.depth % depth == 0 && fits({part.height, part.width, depth}))
                    return {part.height, part.width, depth};
            }
        }
        return {1, 1, 1};
    }
    // In the order that decides between equal areas: the whole, 1, then divisors downwards.
    static std::vector<std::uint64_t> parts_of(std::uint64_t size) {
        std::vector<std::uint64_t> parts = {size, 1};
        for (std::uint64_t part = size / 2; part > 1; --part) {
            if (size % part == 0) parts.push_back(part);
        }
        return parts;
    }
    static float stretch(Block block) {
        return static_cast<float>(std::max(block.height, block.width)) /
               static_cast<float>(std::min(block.height, block.width));
    }

    /// Rows and columns of the subblock. `wide_first`: of 8 tiles, 2 rows of 4 before 4 rows of 2.
    std::pair<std::uint64_t, std::uint64_t> subblock(std::uint64_t height, std::uint64_t width,
                                                     bool wide_first, Fixed fixed = Fixed::kNothing) const {
        for (const auto& [first, second] : kSubblocks) {
            const std::uint64_t rows = wide_first ? second : first;
            const std::uint64_t columns = wide_first ? first : second;
            if (problem_.accumulates_in_fp32 && rows * columns > kSubblockTilesInFp32) continue;
            if (fixed == Fixed::kOneRowOfAllColumns && (columns != width || rows != 1)) continue;
            if (height % rows == 0 && width % columns == 0) return {rows, columns};
        }
        return {1, 1};
    }

    /// In shards of the result blocks that are not as wide follow each other row by row.
    static Block part_in_shards(Block part, Block share, Fixed fixed) {
        if (fixed == Fixed::kOneRowOfAllColumns && part.width != share.width) part.height = 1;
        return part;
    }

    /// 1D over the grid; each core takes whole rows (or columns) of tiles.
    MatmulProgramConfig in_one_dimension(bool mcast_in0, bool fuse_batch, CoreCoord grid) const {
        const std::uint64_t cores = std::uint64_t{grid.x} * grid.y;
        const std::uint64_t rows = fuse_batch ? batch_a_ * m_ : m_;
        const Block share{mcast_in0 ? rows : ceil_div(rows, cores), mcast_in0 ? ceil_div(n_, cores) : n_,
                          k_ % 2 == 0 ? std::uint64_t{2} : 1};
        return one_dimensional(share, mcast_in0, fuse_batch, grid, std::nullopt, Fixed::kNothing);
    }
    MatmulProgramConfig one_dimensional(Block share, bool mcast_in0, bool fuse_batch, CoreCoord grid,
                                        const std::optional<UnaryWithParam>& activation, Fixed fixed,
                                        bool wide_first = false) const {
        const Block part = part_in_shards(fitting_part(share, false), share, fixed);
        const auto [rows, columns] = subblock(part.height, part.width, wide_first, fixed);
        return MatmulMultiCoreReuseMultiCast1DProgramConfig{
            grid,         share.depth, rows,       columns,    part.height, part.width,
            share.height, share.width, fuse_batch, activation, mcast_in0};
    }

    MatmulProgramConfig of_interleaved() const {
        if (batch_a_ == 1 && problem_.batch_b() > 1 && all_interleaved()) {
            return in_one_dimension(false, false, input_.device_grid);
        }
        const bool dram = all_dram();
        // In elements: tiles may be less high than wide.
        const std::uint64_t height = m_ * problem_.tile_a().height, width = n_ * problem_.tile_b().width;
        const bool one_tile_thin = dram && (height <= kTileHeight || width <= kTileWidth);
        if (all_interleaved() && (is_narrow(height, width) || one_tile_thin)) {
            return narrow(width > height);
        }
        return dram && all_interleaved() ? over_whole_grid() : in_squares();
    }

    // Narrow products that no 1D program can take fall back to one tile at a time.
    MatmulProgramConfig narrow(bool wide) const {
        if (all_dram()) return in_one_dimension(wide, false, input_.device_grid);
        const Squares squares = make_squares();
        if (!squares.taken) return MatmulMultiCoreProgramConfig{};
        // A single row of squares is wide, whatever the shape says.
        const bool in_a_row = squares.in_grid && squares.rows == 1;
        return in_one_dimension(in_a_row || wide, false, input_.device_grid);
    }

    MatmulProgramConfig over_whole_grid() const {
        const std::uint64_t columns = input_.device_grid.x;
        const Block share{ceil_div(m_, input_.device_grid.y), ceil_div(n_, columns),
                          k_ % columns == 0 ? k_ / columns : 1};
        const Block part = fitting_part(share, true);
        const auto [rows, widths] = subblock(part.height, part.width, false);
        return MatmulMultiCoreReuseMultiCastProgramConfig{
            input_.device_grid, part.depth,  rows,  widths,       part.height, part.width,
            share.height,       share.width, false, std::nullopt, false};
    }

    struct Squares {
        std::uint64_t side = 1;
        std::uint64_t depth = 1;
        std::uint64_t rows = 1;
        std::uint64_t columns = 1;
        bool taken = false;    ///< they are few enough, and the depth divides
        bool in_grid = false;  ///< more than one, and laid out in the grid
    };
    Squares make_squares() const {
        Squares squares;
        squares.depth = 2;
        for (squares.side = 16; squares.side > 1; squares.side /= 2) {
            if (fits({squares.side, squares.side, squares.depth})) break;
        }
        squares.rows = ceil_div(m_, squares.side);
        squares.columns = ceil_div(n_, squares.side);
        const bool several = squares.rows > 1 || squares.columns > 1;
        if ((out_sharded() || several) && k_ % squares.depth != 0) squares.depth = 1;
        const CoreCoord grid = input_.device_grid;
        squares.taken =
            squares.rows * squares.columns <= std::uint64_t{grid.x} * grid.y && k_ % squares.depth == 0;
        squares.in_grid = several && squares.rows <= grid.y && squares.columns <= grid.x;
        return squares;
    }

    MatmulProgramConfig in_squares() const {
        const Squares squares = make_squares();
        if (!squares.taken) return MatmulMultiCoreProgramConfig{};
        const MemoryConfig& out = problem_.output_memory_config;
        const bool out_decides = !squares.in_grid && out_sharded();
        const CoreRange box = out.shard_spec && !out.shard_spec->grid.empty()
                                  ? out.shard_spec->grid.bounding_box()
                                  : CoreRange{};
        const bool block = out.memory_layout == TensorMemoryLayout::BLOCK_SHARDED;
        const bool one_column = block && box.size() > 1 && box.start.x == box.end.x;
        const bool one_row = block && box.size() > 1 && box.start.y == box.end.y;
        if ((squares.in_grid && squares.rows == 1) ||
            (out_decides && (out.memory_layout == TensorMemoryLayout::WIDTH_SHARDED || one_row))) {
            return in_one_dimension(true, false, input_.device_grid);
        }
        if ((squares.in_grid && squares.columns == 1) ||
            (out_decides && (out.memory_layout == TensorMemoryLayout::HEIGHT_SHARDED || one_column))) {
            return in_one_dimension(false, false, input_.device_grid);
        }
        if (squares.in_grid || (out_decides && block)) return over_squares(squares);
        return MatmulMultiCoreProgramConfig{};
    }

    MatmulProgramConfig over_squares(const Squares& squares) const {
        // Shards of the result are no larger than the result.
        const std::uint64_t height = out_sharded() ? std::min(squares.side, m_) : squares.side;
        const std::uint64_t width = out_sharded() ? std::min(squares.side, n_) : squares.side;
        const std::uint64_t columns = width % 2 == 0 ? 2 : 1;
        const std::uint64_t rows = columns == width && height % 4 == 0 ? 4 : 1;
        return MatmulMultiCoreReuseMultiCastProgramConfig{
            input_.device_grid, squares.depth, rows, columns, height, width, height, width, false,
            std::nullopt,       false};
    }

    MatmulProgramConfig over_core_grid() const {
        CoreCoord grid = input_.device_grid;
        if (input_.core_grid->x <= grid.x && input_.core_grid->y <= grid.y) {
            grid = {input_.core_grid->x, input_.core_grid->y};
        }
        if (problem_.batch_b() > 1) return batches_over(grid);
        const bool block_sharded = a_sharded();  // in one row or column of cores
        const bool thin = k_ == 1 || m_ == 1 || n_ == 1;
        if (!block_sharded && (is_narrow(batch_a_ * m_, n_) || thin)) return systolic(grid);
        return in_two_dimensions(grid, block_sharded);
    }

    MatmulProgramConfig batches_over(CoreCoord grid) const {
        require(!input_.activation, "Cannot use activation with batched input b");
        if (batch_a_ == 1 && !b_sharded()) return in_one_dimension(false, false, grid);
        Block share{m_, n_, 1};
        if (b_sharded()) {
            require_not_width_sharded(problem_.b, "input_tensor_b");
            share.width = problem_.b_shard_width();
        } else if (!fits(share)) {
            MatmulChoiceInput within = input_;
            within.core_grid = std::nullopt;
            within.device_grid = grid;
            return Choice(problem_, within).make();
        }
        const auto [rows, columns] = subblock(share.height, share.width, true);
        return MatmulMultiCoreReuseProgramConfig{grid, share.depth, rows, columns, share.height, share.width};
    }

    /// 1D over a given grid: the inner dimension is shared out as well.
    MatmulProgramConfig systolic(CoreCoord grid) const {
        const std::uint64_t cores = std::uint64_t{grid.x} * grid.y;
        const std::uint64_t rows = batch_a_ * m_;
        const bool tall = rows > n_;
        std::uint64_t depth = ceil_div(k_, cores);
        while (k_ % depth != 0)
            --depth;
        const Block share{tall ? ceil_div(rows, cores) : rows, tall ? n_ : ceil_div(n_, cores), depth};
        return one_dimensional(share, !tall, true, grid, input_.activation, Fixed::kNothing, true);
    }

    MatmulProgramConfig in_two_dimensions(CoreCoord grid, bool block_sharded) const {
        Block share{ceil_div(batch_a_ * m_, grid.y), ceil_div(n_, grid.x), 4};
        while (k_ % share.depth != 0)
            --share.depth;
        if (block_sharded) {
            share = {problem_.a_shard_height(),
                     std::max<std::uint64_t>(n_ * problem_.a_shard_width() / k_, 1),
                     std::gcd(problem_.a_shard_width(), k_)};
        }
        const Block part = fitting_part(share, false);
        auto [rows, columns] = subblock(part.height, part.width, true);
        if (columns != share.width) rows = 1;
        const bool column_major =
            block_sharded && problem_.a.memory_config.shard_spec->orientation == ShardOrientation::COL_MAJOR;
        return MatmulMultiCoreReuseMultiCastProgramConfig{
            grid,         share.depth, rows,         columns,           part.height, part.width,
            share.height, share.width, column_major, input_.activation, true};
    }

    // TT-NN's own statements, in its order.
    MatmulProgramConfig of_sharded() const {
        require(!b_sharded(), "Input tensor B must have INTERLEAVED memory layout, got: TensorMemoryLayout::",
                name_of(problem_.b.memory_config.memory_layout));
        const ShardSpec& shards = *problem_.a.memory_config.shard_spec;
        const CoreCoord grid = size_of(shards.grid.bounding_box());
        if (a_layout() != TensorMemoryLayout::BLOCK_SHARDED) return in_line(grid, shards);
        if (grid.x > 1 && grid.y > 1) return in_blocks(grid, shards);
        return over_one_row_or_column();
    }

    static CoreCoord size_of(const CoreRange& box) {
        return {box.end.x - box.start.x + 1, box.end.y - box.start.y + 1};
    }
    Fixed subblocks_of_shards() const { return out_sharded() ? Fixed::kOneRowOfAllColumns : Fixed::kNothing; }

    MatmulProgramConfig in_line(CoreCoord grid, const ShardSpec& shards) const {
        require(shards.orientation == ShardOrientation::ROW_MAJOR,
                "Input tensor A must have ROW_MAJOR shard orientation, got: ShardOrientation::COL_MAJOR");
        require_output_like_a();
        const bool wide = a_layout() == TensorMemoryLayout::WIDTH_SHARDED;
        const Block share = wide ? Block{batch_a_ * m_, ceil_div(n_, shards.grid.num_cores()),
                                         std::gcd(problem_.a_shard_width(), k_)}
                                 : Block{problem_.a_shard_height(), n_, k_};
        return one_dimensional(share, wide, true, grid, std::nullopt, subblocks_of_shards());
    }

    MatmulProgramConfig in_blocks(CoreCoord grid, const ShardSpec& shards) const {
        require_output_like_a();
        const bool column_major = shards.orientation == ShardOrientation::COL_MAJOR;
        const std::uint64_t along_n = column_major ? grid.y : grid.x;
        const std::uint64_t along_m = column_major ? grid.x : grid.y;
        require_cores_of_blocks("y", along_m, batch_a_ * m_, problem_.a_shard_height());
        require_cores_of_blocks("x", along_n, k_, problem_.a_shard_width());
        const bool even = along_n == k_ / problem_.a_shard_width();
        const Block share{ceil_div(batch_a_ * m_, along_m), ceil_div(n_, along_n),
                          even ? std::gcd(problem_.a_shard_width(), k_) : 1};
        const Block part = fitting_part(share, false);
        const auto [rows, columns] = subblock(part.height, part.width, false, subblocks_of_shards());
        return MatmulMultiCoreReuseMultiCastProgramConfig{
            grid,         share.depth, rows,         columns,      part.height, part.width,
            share.height, share.width, column_major, std::nullopt, true};
    }
    static void require_cores_of_blocks(const char* along, std::uint64_t cores, std::uint64_t tiles,
                                        std::uint64_t shard) {
        require(cores == tiles / shard || cores == ceil_div(tiles, shard), "Num cores along ", along, " (",
                cores, ") must match provided grid size (", tiles / shard, ") or divided up size (",
                ceil_div(tiles, shard), ")");
    }

    // Blocks in one row or column of cores, or on one core: as of tensors over the caller's core grid, or over all cores.
    MatmulProgramConfig over_one_row_or_column() const {
        MatmulChoiceInput whole = input_;
        if (!whole.core_grid) whole.core_grid = CoreGrid{input_.device_grid.x, input_.device_grid.y};
        whole.activation = std::nullopt;
        return Choice(problem_, whole).by_core_grid();
    }

    MatmulProgramConfig of_sharded_batches() const {
        require(a_layout() != TensorMemoryLayout::WIDTH_SHARDED,
                "Input A memory layout must not be WIDTH_SHARDED, got: TensorMemoryLayout::WIDTH_SHARDED");
        require_output_like_a();
        const ShardSpec& shards = *problem_.a.memory_config.shard_spec;
        if (b_sharded()) require_like_a(problem_.b.memory_config);
        const Block share{problem_.a_shard_height(), n_, problem_.a_shard_width()};
        const auto [rows, columns] = subblock(share.height, share.width, false, subblocks_of_shards());
        return MatmulMultiCoreReuseProgramConfig{
            size_of(shards.grid.bounding_box()), share.depth, rows, columns, share.height, share.width};
    }
    void require_like_a(const MemoryConfig& b) const {
        const ShardSpec& shards = *problem_.a.memory_config.shard_spec;
        require(b.memory_layout == a_layout(),
                "Input A and B memory layouts must match, got A: TensorMemoryLayout::", name_of(a_layout()),
                " vs B: TensorMemoryLayout::", name_of(b.memory_layout));
        require(b.shard_spec && b.shard_spec->grid == shards.grid, "Input A and B shard grids must match");
        require(b.shard_spec->orientation == shards.orientation, "Orientation mismatch a ",
                text_of(shards.orientation), " vs b ", text_of(b.shard_spec->orientation), ".");
    }

    static const char* text_of(ShardOrientation orientation) {
        return orientation == ShardOrientation::ROW_MAJOR ? "ShardOrientation::ROW_MAJOR"
                                                          : "ShardOrientation::COL_MAJOR";
    }

    static void require_not_width_sharded(const TensorSpec& spec, const char* argument) {
        require(spec.memory_config.memory_layout != TensorMemoryLayout::WIDTH_SHARDED, "matmul: ", argument,
                ": expected no WIDTH_SHARDED operand for a batched product, got one");
    }
    void require_output_like_a() const {
        const MemoryConfig& out = problem_.output_memory_config;
        if (!out.is_sharded()) return;
        const MemoryConfig& a = problem_.a.memory_config;
        require(out.buffer_type == a.buffer_type,
                "Input A and output buffer types must match, got input: BufferType::", name_of(a.buffer_type),
                " vs output: BufferType::", name_of(out.buffer_type));
        require(out.memory_layout == a.memory_layout,
                "Input A and output memory layouts must match, got input: TensorMemoryLayout::",
                name_of(a.memory_layout), " vs output: TensorMemoryLayout::", name_of(out.memory_layout));
    }

    const MatmulProblem& problem_;
    const MatmulChoiceInput& input_;
    std::uint64_t batch_a_;
    std::uint64_t m_;
    std::uint64_t k_;
    std::uint64_t n_;
};

}  // namespace

MatmulProgramConfig choose_matmul_program_config(const MatmulProblem& problem,
                                                 const MatmulChoiceInput& input) {
    return Choice(problem, input).make();
}

}  // namespace tilemeter
