// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/types/dtype.hpp"

#include <array>

namespace tilemeter {

namespace {

struct DataTypeRow {
    std::string_view name;
    std::uint64_t element_size;
    std::uint64_t tile_size;
    bool block_float;
    bool floating_point;
};

constexpr std::array<DataTypeRow, 8> kDataTypes = {{
    {"BFLOAT16", 2, 2048, false, true},
    {"FLOAT32", 4, 4096, false, true},
    {"UINT32", 4, 4096, false, false},
    {"BFLOAT8_B", 1, 1088, true, true},
    {"BFLOAT4_B", 1, 576, true, true},
    {"UINT8", 1, 1024, false, false},
    {"UINT16", 2, 2048, false, false},
    {"INT32", 4, 4096, false, false},
}};

const DataTypeRow& row(DataType dtype) {
    return kDataTypes.at(static_cast<std::size_t>(dtype));
}

}  // namespace

std::uint64_t element_size(DataType dtype) {
    return row(dtype).element_size;
}
std::uint64_t tile_size(DataType dtype) {
    return row(dtype).tile_size;
}
std::uint64_t tile_size(DataType dtype, Tile tile) {
    constexpr std::uint64_t kElements = std::uint64_t{kTileHeight} * kTileWidth;
    constexpr std::uint64_t kSharedBy = 16;
    constexpr std::uint64_t kFilledUp = 16;
    const std::uint64_t elements = std::uint64_t{tile.height} * tile.width;
    if (!is_block_float(dtype)) return elements * element_size(dtype);
    const std::uint64_t mantissas = (tile_size(dtype) - kElements / kSharedBy) * elements / kElements;
    return mantissas + (elements / kSharedBy + kFilledUp - 1) / kFilledUp * kFilledUp;
}
bool is_block_float(DataType dtype) {
    return row(dtype).block_float;
}
bool is_floating_point(DataType dtype) {
    return row(dtype).floating_point;
}
std::string_view name_of(DataType dtype) {
    return row(dtype).name;
}
std::string_view name_of(Layout layout) {
    return layout == Layout::TILE ? "TILE" : "ROW_MAJOR";
}

}  // namespace tilemeter
