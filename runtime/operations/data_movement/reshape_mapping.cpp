// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/data_movement/reshape_mapping.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_set>
#include <utility>
#include <vector>

#include "runtime/types/rounding.hpp"

namespace tilemeter {

namespace {

constexpr std::uint64_t kFace = 16;
constexpr std::uint64_t kSegmentWords = 4;
constexpr std::uint64_t kSlackModulus = 16;

struct Matrix {
    std::uint64_t rows;
    std::uint64_t columns;
    std::uint64_t size() const { return rows * columns; }
};

// Segments per input tile of one output tile. A tile has at most 1024 elements, so at most as many sources.
class SegmentCount {
public:
    void begin(std::uint64_t tile, std::uint64_t /*element*/) {
        const auto found = std::find_if(tiles_.rbegin(), tiles_.rend(),
                                        [tile](const auto& each) { return each.first == tile; });
        if (found == tiles_.rend()) {
            tiles_.emplace_back(tile, 1);
        } else {
            ++found->second;
        }
    }

    void extend(std::uint64_t /*elements*/) {}

    std::uint64_t table_rows() const {
        std::uint64_t most = 0;
        for (const auto& [tile, count] : tiles_)
            most = std::max(most, count);
        return most * tiles_.size();
    }

private:
    std::vector<std::pair<std::uint64_t, std::uint64_t>> tiles_;
};

// Whether each segment lies in one window of its input tile, and how many there are.
class WindowedSegments {
public:
    WindowedSegments(std::uint64_t element_bytes, std::uint64_t alignment)
        : element_bytes_(element_bytes), alignment_(alignment) {}

    void begin(std::uint64_t /*tile*/, std::uint64_t element) {
        ++count_;
        end_ = element * element_bytes_ % alignment_;
    }
    void extend(std::uint64_t elements) {
        end_ += elements * element_bytes_;
        fit_ = fit_ && end_ <= alignment_;
    }

    std::uint64_t count() const { return count_; }
    bool fit() const { return fit_; }

private:
    std::uint64_t element_bytes_, alignment_;
    std::uint64_t count_ = 0, end_ = 0;  // of the last segment, from its window's beginning
    bool fit_ = true;
};

// Cuts one row of an output tile, `count` elements from the flat index `first` of the tensor, at every place
// where the next element does not lie beside the one before.
template <typename Segments>
class RowCutter {
public:
    RowCutter(Matrix input, Segments& segments) : input_(input), segments_(segments) {}

    void cut(std::uint64_t first, std::uint64_t elements) {
        for (std::uint64_t done = 0; done < elements;) {
            const std::uint64_t flat = first + done;
            const std::uint64_t batch = flat / input_.size();
            const std::uint64_t row = flat % input_.size() / input_.columns;
            const std::uint64_t column = flat % input_.columns;
            // The run ends at a face's edge on either side or at the end of the input row.
            const std::uint64_t length = std::min(
                {elements - done, kFace - done % kFace, kFace - column % kFace, input_.columns - column});
            add(batch, row, column, done, length);
            done += length;
        }
    }

    /// The next row of the output tile does not begin beside the end of this one, unless its face goes on.
    void next_row(std::uint64_t row) { row_ = row; }

private:
    void add(std::uint64_t batch, std::uint64_t row, std::uint64_t column, std::uint64_t out_column,
             std::uint64_t length) {
        const std::uint64_t tile_rows = (input_.rows + kTileHeight - 1) / kTileHeight;
        const std::uint64_t tile_columns = (input_.columns + kTileWidth - 1) / kTileWidth;
        const std::uint64_t tile =
            (batch * tile_rows + row / kTileHeight) * tile_columns + column / kTileWidth;
        const std::uint64_t source = place_in_tile(row % kTileHeight, column % kTileWidth);
        const std::uint64_t target = place_in_tile(row_, out_column);
        const bool goes_on = any_ && tile == last_tile_ && source == next_source_ && target == next_target_;
        if (!goes_on) segments_.begin(tile, source);
        segments_.extend(length);
        any_ = true;
        last_tile_ = tile;
        next_source_ = source + length;
        next_target_ = target + length;
    }

    static std::uint64_t place_in_tile(std::uint64_t row, std::uint64_t column) {
        const std::uint64_t face = row / kFace * 2 + column / kFace;
        return (face * kFace + row % kFace) * kFace + column % kFace;
    }

    Matrix input_;
    Segments& segments_;
    std::uint64_t row_ = 0;
    bool any_ = false;
    std::uint64_t last_tile_ = 0;
    std::uint64_t next_source_ = 0;
    std::uint64_t next_target_ = 0;
};

// The segments of an output tile depend on the place of its first element among the input's tiles, and how many of its
// elements there are. A row of input tiles further on all is the same, unless the tensor's next matrix begins in
// between, in a tile of its own.
class TileKinds {
public:
    explicit TileKinds(Matrix input) : input_(input) {}

    /// True if it is the first of its kind. `first`, `last`: flat indices of its first and last element.
    bool is_new(std::uint64_t first, std::uint64_t last, std::uint64_t rows, std::uint64_t columns) {
        const bool apart = input_.rows % kTileHeight != 0 && first / input_.size() != last / input_.size();
        const std::uint64_t within = input_.rows % kTileHeight == 0 ? first : first % input_.size();
        const std::uint64_t place = apart ? within : within % (kTileHeight * input_.columns);
        constexpr std::uint64_t kSide = 64;  // more than rows or columns of a tile
        return seen_.insert(((place * kSide + rows) * kSide + columns) * 2 + (apart ? 1 : 0)).second;
    }

private:
    Matrix input_;
    std::unordered_set<std::uint64_t> seen_;
};

// An output tile of the tensor: its first element, and how much of the tile the tensor fills.
struct OutputTile {
    std::uint64_t first, rows, columns;
};

// REQUIRES: row and column: multiples of a tile's.
OutputTile tile_at(Matrix output, std::uint64_t batch, std::uint64_t row, std::uint64_t column) {
    return {batch * output.size() + row * output.columns + column,
            std::min<std::uint64_t>(kTileHeight, output.rows - row),
            std::min<std::uint64_t>(kTileWidth, output.columns - column)};
}

template <typename Segments>
void cut_tile(Matrix input, Matrix output, const OutputTile& tile, Segments& segments) {
    RowCutter cutter(input, segments);
    for (std::uint64_t i = 0; i < tile.rows; ++i) {
        cutter.next_row(i);
        cutter.cut(tile.first + i * output.columns, tile.columns);
    }
}

std::uint64_t rows_for_tile(Matrix input, Matrix output, const OutputTile& tile) {
    SegmentCount count;
    cut_tile(input, output, tile, count);
    return count.table_rows();
}

}  // namespace

std::uint64_t reshape_mapping_words(const Shape& input, const Shape& output) {
    const Matrix from{input[1], input[2]};
    const Matrix to{output[1], output[2]};
    // The number of matrices after which the output meets the input's boundaries at the same places again.
    const std::uint64_t period =
        std::min<std::uint64_t>(output[0], from.size() / std::gcd(from.size(), to.size()));
    std::uint64_t most = 0;
    TileKinds kinds(from);
    for (std::uint64_t batch = 0; batch < period; ++batch) {
        for (std::uint64_t row = 0; row < to.rows; row += kTileHeight) {
            for (std::uint64_t column = 0; column < to.columns; column += kTileWidth) {
                const OutputTile tile = tile_at(to, batch, row, column);
                const std::uint64_t last = tile.first + (tile.rows - 1) * to.columns + tile.columns - 1;
                if (kinds.is_new(tile.first, last, tile.rows, tile.columns))
                    most = std::max(most, rows_for_tile(from, to, tile));
            }
        }
    }
    return kSegmentWords * (most + most % kSlackModulus);
}

std::optional<std::uint64_t> reshape_window_segments(const Shape& input, const Shape& output,
                                                     const WorkSplit& pages, std::uint64_t element_bytes,
                                                     std::uint64_t alignment) {
    constexpr std::uint64_t kMostPages = 8, kMostSegments = 128;  // of a core
    constexpr std::uint64_t kWidestWindow = 64;
    if (pages.most > kMostPages || alignment > kWidestWindow) return std::nullopt;
    const Matrix from{input[1], input[2]}, to{output[1], output[2]};
    const std::uint64_t across = ceil_div(to.columns, kTileWidth), down = ceil_div(to.rows, kTileHeight);
    const std::uint64_t total = across * down * output[0];
    const std::uint64_t busy = total - pages.least * pages.num_cores;  // cores with a page more
    std::uint64_t most = 0;
    for (std::uint64_t core = 0, page = 0; core < pages.num_cores; ++core) {
        WindowedSegments segments(element_bytes, alignment);
        for (const std::uint64_t end = page + (core < busy ? pages.most : pages.least); page < end; ++page) {
            const std::uint64_t in_batch = page % (across * down);
            cut_tile(from, to,
                     tile_at(to, page / (across * down), in_batch / across * kTileHeight,
                             in_batch % across * kTileWidth),
                     segments);
            if (!segments.fit() || segments.count() > kMostSegments) return std::nullopt;
        }
        most = std::max(most, segments.count());
    }
    return most > 0 ? std::optional(most) : std::nullopt;
}

}  // namespace tilemeter
