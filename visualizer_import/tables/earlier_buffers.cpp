// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#include "visualizer_import/tables/earlier_buffers.hpp"

#include <algorithm>
#include <charconv>
#include <set>
#include <string_view>

#include "visualizer_import/graph/wrapped.hpp"

namespace tilemeter::visualizer_import {
namespace {

constexpr std::int64_t kTileSide = 32;
constexpr std::int64_t kL1Alignment = 16;  // of pages

// The block formats have exponents beside their elements.
std::optional<std::int64_t> tile_bytes(std::string_view dtype) {
    if (dtype.ends_with("BFLOAT8_B")) return 1088;
    if (dtype.ends_with("BFLOAT4_B")) return 576;
    const auto bytes = element_bytes(dtype);
    return bytes ? std::optional(*bytes * kTileSide * kTileSide) : std::nullopt;
}

struct Extent {
    std::int64_t height = 0, width = 0;
};

std::optional<std::int64_t> leading_number(std::string_view& text) {
    std::int64_t number = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (problem != std::errc{} || number < 0) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return number;
}

// "...shard_spec=ShardSpec{grid=..., shape=[128, 64], orientation=..."
std::optional<Extent> shard_shape(std::string_view memory_config) {
    constexpr std::string_view kSpec = "shard_spec=ShardSpec", kShape = "shape=", kBetween = ", ";
    const std::size_t spec = memory_config.find(kSpec);
    const std::size_t shape = spec == std::string_view::npos ? spec : memory_config.find(kShape, spec);
    if (shape == std::string_view::npos) return std::nullopt;
    std::string_view rest = memory_config.substr(std::min(shape + kShape.size() + 1, memory_config.size()));
    const auto height = leading_number(rest);
    if (!height || !rest.starts_with(kBetween)) return std::nullopt;
    rest.remove_prefix(kBetween.size());
    const auto width = leading_number(rest);
    return width ? std::optional(Extent{*height, *width}) : std::nullopt;
}

// "Shape([1, 4, 64, 96])" -> 96
std::optional<std::int64_t> last_extent(std::string_view shape) {
    const std::size_t begin = shape.find_last_of("[ ");
    if (begin == std::string_view::npos) return std::nullopt;
    std::string_view rest = shape.substr(begin + 1);
    return leading_number(rest);
}

// Products of what a file says: nothing if they are beyond 64 bits.
std::optional<std::int64_t> product(std::optional<std::int64_t> a, std::int64_t b) {
    std::int64_t result = 0;
    if (!a || __builtin_mul_overflow(*a, b, &result)) return std::nullopt;
    return result;
}

std::optional<std::int64_t> aligned(std::optional<std::int64_t> bytes, std::int64_t alignment) {
    return bytes ? product(ceil_div(*bytes, alignment), alignment) : std::nullopt;
}

}  // namespace

std::optional<std::int64_t> bytes_per_bank(const TensorRow& tensor, std::int64_t size_bytes, bool interleaved,
                                           const BankCounts& banks) {
    const auto bytes = element_bytes(tensor.dtype.value_or(""));
    const auto tile = tile_bytes(tensor.dtype.value_or(""));
    if (!bytes || !tile || !tensor.layout || size_bytes <= 0) return std::nullopt;
    const bool tiled = tensor.layout->ends_with("TILE");
    const bool in_dram = tensor.buffer_type == 0;
    const std::int64_t alignment = in_dram ? banks.dram_alignment : kL1Alignment;
    if (!interleaved) {
        const auto shard = shard_shape(tensor.memory_config.value_or(""));
        if (!shard) return std::nullopt;
        if (!tiled) return product(aligned(product(shard->width, *bytes), alignment), shard->height);
        const auto tiles = product(ceil_div(shard->height, kTileSide), ceil_div(shard->width, kTileSide));
        return product(tiles, *tile);
    }
    const auto page = tiled ? tile : product(last_extent(tensor.shape), *bytes);
    const std::int64_t bank_count = in_dram ? banks.dram_channels : banks.l1_banks;
    if (!page || *page <= 0 || bank_count <= 0) return std::nullopt;
    return product(aligned(page, alignment), ceil_div(ceil_div(size_bytes, *page), bank_count));
}

bool EarlierBuffers::add(std::size_t buffer_node, const report::LiveBufferRecord& buffer) {
    const bool lies_there =
        buffer.address != 0 && buffer.max_size_per_bank > 0 && !first_allocations_.contains(place_of(buffer));
    met_[buffer_node] = {buffer, {}, lies_there};
    return lies_there;
}

std::optional<report::LiveBufferRecord> EarlierBuffers::allocated(std::size_t buffer_node,
                                                                  const report::LiveBufferRecord& buffer,
                                                                  OperationIndex operation) {
    first_allocations_.try_emplace(place_of(buffer), operation);
    const auto met = met_.find(buffer_node);
    if (met == met_.end() || met->second.freed) return std::nullopt;
    const Met was = met->second;
    met_.erase(met);
    return was.lies_there ? std::optional(was.buffer) : std::nullopt;
}

std::optional<report::LiveBufferRecord> EarlierBuffers::freed(std::size_t buffer_node,
                                                              const report::LiveBufferRecord& freed,
                                                              OperationIndex operation) {
    const auto met = met_.find(buffer_node);
    if (met == met_.end() || met->second.freed) return std::nullopt;
    met->second.freed = operation;
    if (met->second.lies_there) return met->second.buffer;
    if (freed.address != 0 && freed.max_size_per_bank > 0) {
        met->second.buffer = freed;
        met->second.lies_there = true;
    }
    return std::nullopt;
}

std::vector<BufferSpan> EarlierBuffers::spans(OperationIndex operation_count) const {
    std::vector<BufferSpan> spans;
    std::set<Place> told;
    for (const auto& [node, met] : met_) {
        if (!met.lies_there) continue;
        const Place place = place_of(met.buffer);
        OperationIndex end = met.freed.value_or(operation_count);
        if (const auto next = first_allocations_.find(place); next != first_allocations_.end())
            end = std::min(end, next->second);
        if (end > 0 && told.insert(place).second) spans.push_back({met.buffer, 0, end - 1});
    }
    return spans;
}

}  // namespace tilemeter::visualizer_import
