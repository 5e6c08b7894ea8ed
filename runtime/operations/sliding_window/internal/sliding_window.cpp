// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/sliding_window/internal/sliding_window.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "runtime/device/errors.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/work/program_pieces.hpp"
#include "runtime/types/dtype.hpp"

namespace tilemeter {

namespace {

// One dimension of the window.
struct Axis {
    std::uint32_t size, kernel, stride, pad_before, pad_after, dilation;
    bool ceil_mode;
    bool transposed;
    std::uint32_t output_pad;
    std::uint32_t scale;
    bool replicates_edges;

    std::uint32_t extent() const { return dilation * (kernel - 1) + 1; }
    /// With what lies between the pixels of a transposed window's input.
    std::uint32_t spread() const { return (size - 1) * stride + 1; }
    std::uint32_t room() const { return size + pad_before + pad_after - extent(); }
    std::uint32_t outputs_rounded_up() const {
        return static_cast<std::uint32_t>(ceil_div(room(), stride)) + 1;
    }
    std::uint32_t outputs() const {
        if (scale != 0) return size * scale;
        if (transposed) return spread() + extent() - 1 + output_pad - pad_before - pad_after;
        if (!ceil_mode) return room() / stride + 1;
        const std::uint32_t count = outputs_rounded_up();
        // The last window must not begin in the padding.
        return (count - 1) * stride >= size + pad_before ? count - 1 : count;
    }
    std::uint32_t padded() const {
        if (transposed) return outputs() + extent() - 1;
        const std::uint32_t with_padding = size + pad_before + pad_after;
        if (!ceil_mode) return with_padding;
        return std::max(with_padding, stride * (outputs() - 1) + extent());
    }
    /// Padding before the first pixel. A part of a transposed window may begin between two pixels: its
    /// padding is then less than nothing.
    std::int64_t before() const {
        if (!transposed) return pad_before;
        return std::int64_t{extent()} - 1 - static_cast<std::int32_t>(pad_before);
    }
    /// The pixel at a place of the padded input; nothing: padding.
    std::optional<std::uint64_t> pixel(std::uint64_t place) const {
        std::int64_t inside = static_cast<std::int64_t>(place) - before();
        // The space between the pixels of a transposed window stays padding.
        if (replicates_edges)
            inside = std::clamp<std::int64_t>(inside, 0, std::int64_t{transposed ? spread() : size} - 1);
        if (inside < 0) return std::nullopt;
        const std::uint64_t step = transposed ? stride : 1;
        const auto distance = static_cast<std::uint64_t>(inside);
        if (distance % step != 0 || distance / step >= size) return std::nullopt;
        return distance / step;
    }
};

Axis rows_of(const SlidingWindow& window) {
    return {window.height,       window.kernel_height,   window.stride_height,
            window.pad_top,      window.pad_bottom,      window.dilation_height,
            window.ceil_mode,    window.transposed,      window.output_pad_height,
            window.scale_height, window.replicates_edges};
}
Axis columns_of(const SlidingWindow& window) {
    return {window.width,       window.kernel_width,    window.stride_width,
            window.pad_left,    window.pad_right,       window.dilation_width,
            window.ceil_mode,   window.transposed,      window.output_pad_width,
            window.scale_width, window.replicates_edges};
}

// Sticks that follow each other both where they lie and where they go.
struct Transfer {
    std::uint64_t source;
    std::uint64_t destination;
    std::uint64_t length;
    std::uint32_t core;  ///< the core that it goes to
};

// A table of transfers: its length, and per run of transfers to one core a header.
std::uint32_t gather_words(const std::vector<Transfer>& transfers) {
    constexpr std::uint32_t kWordsOfTransfer = 3;
    constexpr std::uint32_t kWordsOfHeader = 3;
    std::uint32_t words = 1;
    for (std::size_t i = 0; i < transfers.size(); ++i) {
        const bool new_route = i == 0 || transfers[i].core != transfers[i - 1].core;
        words += kWordsOfTransfer + (new_route ? kWordsOfHeader : 0);
    }
    return words;
}

/// The copies that each core sends: first to itself, then to the others; and the padding it writes.
struct Movements {
    std::vector<std::vector<Transfer>> sent;
    std::vector<std::uint64_t> padding_runs;
};

Movements movements_of(const SlidingWindow& window, std::uint32_t shard_height) {
    const std::vector<HaloShard> shards = halo_shards(window);
    Movements found;
    found.sent.resize(shards.size());
    found.padding_runs.resize(shards.size());
    std::vector<std::vector<Transfer>> to_others(shards.size());
    for (std::uint32_t core = 0; core < shards.size(); ++core) {
        std::map<std::uint64_t, std::vector<Transfer>> by_source;
        std::optional<std::uint64_t> padding_end;
        for (std::uint64_t stick = shards[core].input_begin; stick < shards[core].input_end; ++stick) {
            const std::uint64_t place = stick - shards[core].input_begin;
            const std::optional<std::uint64_t> input = input_stick(window, stick);
            if (!input) {
                if (padding_end != place) ++found.padding_runs[core];
                padding_end = place + 1;
                continue;
            }
            std::vector<Transfer>& transfers = by_source[*input / shard_height];
            const std::uint64_t local = *input % shard_height;
            if (!transfers.empty() && transfers.back().source + transfers.back().length == local &&
                transfers.back().destination + transfers.back().length == place) {
                ++transfers.back().length;
            } else {
                transfers.push_back({local, place, 1, core});
            }
        }
        for (auto& [source, transfers] : by_source) {
            if (source >= shards.size()) continue;
            auto& target = source == core ? found.sent[source] : to_others[source];
            target.insert(target.end(), transfers.begin(), transfers.end());
        }
    }
    for (std::size_t core = 0; core < shards.size(); ++core)
        found.sent[core].insert(found.sent[core].end(), to_others[core].begin(), to_others[core].end());
    return found;
}

// Two processors take blocks of sticks by turns, in the order in which tiles become rows.
std::vector<Transfer> in_blocks(const std::vector<Transfer>& transfers,
                                const std::function<CoreCoord(std::uint32_t)>& core_of) {
    std::vector<Transfer> pieces;
    for (Transfer rest : transfers) {
        while (rest.length > 0) {
            const std::uint64_t length = std::min(rest.length, kTileHeight - rest.source % kTileHeight);
            pieces.push_back({rest.source, rest.destination, length, rest.core});
            rest.source += length;
            rest.destination += length;
            rest.length -= length;
        }
    }
    std::stable_sort(pieces.begin(), pieces.end(), [&](const Transfer& a, const Transfer& b) {
        if (a.source != b.source) return a.source < b.source;
        return core_of(a.core) < core_of(b.core);
    });
    return pieces;
}

}  // namespace

std::uint32_t SlidingWindow::output_height() const {
    return rows_of(*this).outputs();
}
std::uint32_t SlidingWindow::output_width() const {
    return columns_of(*this).outputs();
}
std::uint64_t SlidingWindow::output_sticks() const {
    return std::uint64_t{batch} * output_height() * output_width();
}
std::uint32_t SlidingWindow::padded_height() const {
    return rows_of(*this).padded();
}
std::uint32_t SlidingWindow::padded_width() const {
    return columns_of(*this).padded();
}

std::string attribute_text(const SlidingWindow& window) {
    const auto pair = [](std::uint32_t a, std::uint32_t b) {
        return "(" + std::to_string(a) + "," + std::to_string(b) + ")";
    };
    const std::string transposed =
        ", output_pad_hw=" + pair(window.output_pad_height, window.output_pad_width) + ", is_transpose=1";
    return "SlidingWindowConfig(batch_size=" + std::to_string(window.batch) +
           ", input_hw=" + pair(window.height, window.width) +
           ", window_hw=" + pair(window.kernel_height, window.kernel_width) +
           ", stride_hw=" + pair(window.stride_height, window.stride_width) + ", padding=((" +
           std::to_string(window.pad_top) + ", " + std::to_string(window.pad_bottom) + "), (" +
           std::to_string(window.pad_left) + ", " + std::to_string(window.pad_right) +
           ")), dilation_hw=" + pair(window.dilation_height, window.dilation_width) +
           (window.transposed ? transposed : "") + ", num_cores_nhw=" + std::to_string(window.cores_rows) +
           ")";
}

void require_valid(const SlidingWindow& window, std::string_view operation) {
    const auto require_axis = [&](const Axis& axis, const char* name) {
        const auto fail = [&](const std::string& what) { refuse_with(operation, ": ", name, ": ", what); };
        if (axis.size == 0 || axis.kernel == 0 || axis.stride == 0 || axis.dilation == 0) {
            fail("expected an input, a kernel, a stride and a dilation of at least 1, got " +
                 std::to_string(axis.size) + ", " + std::to_string(axis.kernel) + ", " +
                 std::to_string(axis.stride) + ", " + std::to_string(axis.dilation));
        }
        if (axis.transposed) {
            const std::uint32_t most = axis.spread() + axis.extent() - 1 + axis.output_pad;
            if (static_cast<std::int32_t>(axis.pad_before + axis.pad_after) >=
                static_cast<std::int32_t>(most)) {
                fail("expected a padding that leaves some of " + std::to_string(most) + ", got " +
                     std::to_string(axis.pad_before) + " and " + std::to_string(axis.pad_after));
            }
            return;
        }
        if (axis.extent() > axis.size + axis.pad_before + axis.pad_after) {
            fail("expected a kernel that fits into the padded input of " +
                 std::to_string(axis.size + axis.pad_before + axis.pad_after) + ", got one that covers " +
                 std::to_string(axis.extent()));
        }
    };
    require(window.batch != 0, operation, ": expected a batch of at least 1, got 0");
    require_axis(rows_of(window), "height");
    require_axis(columns_of(window), "width");
}

std::vector<BetweenPixels> between_pixels(std::uint32_t size, std::uint32_t scale) {
    const float step = 1.0F / static_cast<float>(scale);
    float at = 0.5F * step + 0.5F;  // from the pixel before the first
    std::vector<BetweenPixels> places;
    for (std::uint64_t i = 0; i < std::uint64_t{size} * scale; ++i, at += step) {
        const float before = std::floor(at);
        places.push_back({static_cast<std::int64_t>(before) - 1, at - before});
    }
    return places;
}

WindowOrigins::WindowOrigins(const SlidingWindow& window)
    : height_(window.output_height()),
      width_(window.output_width()),
      padded_height_(window.padded_height()),
      padded_width_(window.padded_width()) {
    if (window.scale_height == 0) {
        for (std::uint64_t row = 0; row < height_; ++row)
            rows_.push_back(row * window.step_height());
        for (std::uint64_t column = 0; column < width_; ++column)
            columns_.push_back(column * window.step_width());
        return;
    }
    for (const BetweenPixels& row : between_pixels(window.height, window.scale_height))
        rows_.push_back(static_cast<std::uint64_t>(row.before + window.pad_top));
    for (const BetweenPixels& column : between_pixels(window.width, window.scale_width))
        columns_.push_back(static_cast<std::uint64_t>(column.before + window.pad_left));
}

std::uint64_t WindowOrigins::operator()(std::uint64_t output_stick) const {
    const std::uint64_t image = output_stick / (height_ * width_);
    const std::uint64_t row = output_stick / width_ % height_;
    return (image * padded_height_ + rows_[row]) * padded_width_ + columns_[output_stick % width_];
}

std::optional<std::uint64_t> input_stick(const SlidingWindow& window, std::uint64_t padded_stick) {
    const std::uint64_t columns = window.padded_width();
    const std::uint64_t column = padded_stick % columns;
    const std::uint64_t row = padded_stick / columns % window.padded_height();
    const std::uint64_t image = padded_stick / columns / window.padded_height();
    const std::optional<std::uint64_t> y = rows_of(window).pixel(row);
    const std::optional<std::uint64_t> x = columns_of(window).pixel(column);
    if (!y || !x) return std::nullopt;
    return (image * window.height + *y) * window.width + *x;
}

std::vector<HaloShard> halo_shards(const SlidingWindow& window) {
    const std::uint64_t outputs = window.output_sticks();
    const std::uint64_t unit = window.cores_rows * (window.snap_to_tile ? kTileHeight : 1);
    const std::uint64_t share = round_up(outputs, unit) / window.cores_rows;
    const std::uint64_t under_window =
        std::uint64_t{window.dilation_height} * (window.kernel_height - 1) * window.padded_width() +
        std::uint64_t{window.dilation_width} * (window.kernel_width - 1) + 1;
    const WindowOrigins origin(window);
    std::vector<HaloShard> shards;
    std::uint64_t begin = 0;
    for (std::uint32_t core = 0; core < window.cores_rows; ++core) {
        const std::uint64_t end = std::min(begin + share, outputs);
        std::uint64_t first = origin(std::min(begin, outputs - 1));
        std::uint64_t last = origin(end - 1);
        // Rows of a larger result go over the same pixels again.
        for (std::uint64_t stick = begin; window.scale_height != 0 && stick < end; ++stick) {
            first = std::min(first, origin(stick));
            last = std::max(last, origin(stick));
        }
        shards.push_back({begin, end, first, last + under_window});
        begin = end;
    }
    return shards;
}

std::uint64_t most_halo_sticks(const std::vector<HaloShard>& shards) {
    std::uint64_t most = 0;
    for (const HaloShard& shard : shards)
        most = std::max(most, shard.input_end - shard.input_begin);
    return most;
}

HaloTables halo_tables(const SlidingWindow& window, std::uint32_t shard_height, bool tiled,
                       const std::function<CoreCoord(std::uint32_t)>& core_of) {
    const Movements movements = movements_of(window, shard_height);
    HaloTables tables;
    for (const std::uint64_t runs : movements.padding_runs) {
        const auto first = static_cast<std::uint32_t>(runs / 2);
        const auto second = static_cast<std::uint32_t>(runs - runs / 2);
        tables.pad[0] = std::max(tables.pad[0], 2 * first + 2);
        tables.pad[1] = std::max(tables.pad[1], 2 * second + 2);
    }
    for (const std::vector<Transfer>& sent : movements.sent) {
        std::vector<Transfer> halves[2];
        if (tiled) {
            for (const Transfer& piece : in_blocks(sent, core_of))
                halves[piece.source / kTileHeight % 2].push_back(piece);
        } else {
            for (std::size_t i = 0; i < sent.size(); ++i)
                halves[i % 2].push_back(sent[i]);
        }
        for (int half = 0; half < 2; ++half)
            tables.gather[half] = std::max(tables.gather[half], gather_words(halves[half]));
    }
    for (std::uint32_t& words : tables.gather)
        words = (words + 1) / 2 * 2;
    return tables;
}

std::uint32_t window_table_length(const SlidingWindow& window, std::uint64_t first, std::uint64_t second) {
    constexpr std::uint32_t kWordsOfBlock = 2;
    constexpr std::uint32_t kWordsOfRun = 2;
    const WindowOrigins origin(window);
    std::uint32_t longest = 0;
    for (const HaloShard& shard : halo_shards(window)) {
        std::uint32_t words = 0;
        std::uint64_t left = 0;
        bool use_first = true;
        for (std::uint64_t stick = shard.output_begin; stick < shard.output_end; ++stick) {
            const bool new_block = stick == shard.output_begin || (first != 0 && left == 0);
            if (new_block) {
                left = second != 0 && !use_first ? second : first;
                use_first = !use_first;
                words += kWordsOfBlock + kWordsOfRun;
            } else if (origin(stick) != origin(stick - 1) + window.step_width()) {
                words += kWordsOfRun;
            }
            if (first != 0) --left;
        }
        longest = std::max(longest, words);
    }
    return longest;
}

}  // namespace tilemeter
