// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Element types (DataType) and page layouts (Layout), with TT-NN's names and numbers.

#pragma once

#include <cstdint>
#include <string_view>

namespace tilemeter {

enum class DataType : std::uint8_t {
    BFLOAT16 = 0,
    FLOAT32 = 1,
    UINT32 = 2,
    BFLOAT8_B =
        3,  ///< 8 bits an element, one 8-bit exponent shared by 16 neighbours of a face row; tiles only
    BFLOAT4_B = 4,  ///< 4 bits an element, likewise
    UINT8 = 5,
    UINT16 = 6,
    INT32 = 7
};

enum class Layout : std::uint8_t { ROW_MAJOR = 0, TILE = 1 };

/// Tiles have 32 x 32 elements, unless a tensor is made in others.
inline constexpr std::uint32_t kTileHeight = 32;
inline constexpr std::uint32_t kTileWidth = 32;

/// Rows and columns of a tile: 1, 2, 4, 8, 16 or 32 by 16 or 32 elements.
struct Tile {
    std::uint32_t height = kTileHeight;
    std::uint32_t width = kTileWidth;
    friend constexpr bool operator==(const Tile&, const Tile&) = default;
};
inline constexpr Tile kWholeTile{};

/// Bytes of one element; for the block formats (BFLOAT8_B, BFLOAT4_B) 1, as TT-NN counts in a tensor's
/// `size`.
std::uint64_t element_size(DataType dtype);

/// Bytes of one tile: elements and, in the block formats, 64 shared exponents.
std::uint64_t tile_size(DataType dtype);
/// The same of a tile of any size; shared exponents are filled up to 16 bytes.
std::uint64_t tile_size(DataType dtype, Tile tile);

bool is_block_float(DataType dtype);
bool is_floating_point(DataType dtype);

std::string_view name_of(DataType dtype);  ///< "BFLOAT16"
std::string_view name_of(Layout layout);   ///< "TILE"

inline constexpr auto bfloat16 = DataType::BFLOAT16;
inline constexpr auto float32 = DataType::FLOAT32;
inline constexpr auto uint32 = DataType::UINT32;
inline constexpr auto bfloat8_b = DataType::BFLOAT8_B;
inline constexpr auto bfloat4_b = DataType::BFLOAT4_B;
inline constexpr auto uint8 = DataType::UINT8;
inline constexpr auto uint16 = DataType::UINT16;
inline constexpr auto int32 = DataType::INT32;
inline constexpr auto TILE_LAYOUT = Layout::TILE;
inline constexpr auto ROW_MAJOR_LAYOUT = Layout::ROW_MAJOR;

}  // namespace tilemeter
