// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

// The part of SQLite's file format (https://www.sqlite.org/fileformat2.html; the sections are named below) that the
// writers of its pages share. All numbers in a file are big-endian.
namespace tilemeter::visualizer_import::sqlite_format {

// 1.3 "The Database Header"
inline constexpr std::size_t kHeaderBytes = 100;
inline constexpr std::size_t kChangeCounterAt = 24;
inline constexpr std::size_t kPageCountAt = 28;
inline constexpr std::size_t kVersionValidForAt = 92;

// 1.4 "The Lock-Byte Page": the page with this byte is never used.
inline constexpr std::uint64_t kLockByte = 0x40000000;

// 1.6 "B-tree Pages"
inline constexpr std::uint8_t kInteriorIndex = 2;
inline constexpr std::uint8_t kInteriorTable = 5;
inline constexpr std::uint8_t kLeafIndex = 10;
inline constexpr std::uint8_t kLeafTable = 13;
inline constexpr std::size_t kLeafHeaderBytes = 8;
inline constexpr std::size_t kInteriorHeaderBytes = 12;
inline constexpr std::size_t kCellPointerBytes = 2;
inline constexpr std::size_t kPageNumberBytes = 4;
inline constexpr std::size_t kLongestVarint = 9;
inline constexpr std::size_t kShortestCell = 4;

// The most bytes of a row: SQLITE_MAX_LENGTH of every usual build.
inline constexpr std::uint64_t kLongestRecord = 1'000'000'000;

// 2.1 "Record Format": serial types
inline constexpr std::uint64_t kSerialNull = 0;
inline constexpr std::uint64_t kSerialReal = 7;
inline constexpr std::uint64_t kSerialZero = 8;
inline constexpr std::uint64_t kSerialOne = 9;
inline constexpr std::uint64_t kSerialFirstText = 13;

inline void put_number(std::uint8_t* out, std::uint64_t value, std::size_t bytes) {
    for (std::size_t i = bytes; i > 0; --i, value >>= 8U)
        out[i - 1] = static_cast<std::uint8_t>(value);
}
inline std::uint32_t get_u32(const std::uint8_t* in) {
    return (std::uint32_t{in[0]} << 24U) | (std::uint32_t{in[1]} << 16U) | (std::uint32_t{in[2]} << 8U) |
           in[3];
}

inline std::size_t varint_bytes(std::uint64_t value) {
    std::size_t bytes = 1;
    while (bytes < kLongestVarint && value >= (std::uint64_t{1} << (7 * bytes)))
        ++bytes;
    return bytes;
}
// Returns the end of what it wrote.
inline std::uint8_t* put_varint(std::uint8_t* out, std::uint64_t value) {
    if (value < 0x80U) {
        *out = static_cast<std::uint8_t>(value);
        return out + 1;
    }
    const std::size_t bytes = varint_bytes(value);
    std::size_t i = bytes;
    if (bytes == kLongestVarint) {  // whose last byte has 8 bits
        out[--i] = static_cast<std::uint8_t>(value);
        value >>= 8U;
    }
    for (bool last = i == bytes; i > 0; value >>= 7U, last = false)
        out[--i] = static_cast<std::uint8_t>((value & 0x7FU) | (last ? 0U : 0x80U));
    return out + bytes;
}

// The serial type of an integer, and the bytes that follow.
struct IntegerForm {
    std::uint8_t serial;
    std::uint8_t bytes;
};
inline IntegerForm integer_form(std::int64_t value) {
    if (value == 0) return {kSerialZero, 0};
    if (value == 1) return {kSerialOne, 0};
    const auto magnitude = static_cast<std::uint64_t>(value < 0 ? ~value : value);
    if (magnitude < (std::uint64_t{1} << 7U)) return {1, 1};
    if (magnitude < (std::uint64_t{1} << 15U)) return {2, 2};
    if (magnitude < (std::uint64_t{1} << 23U)) return {3, 3};
    if (magnitude < (std::uint64_t{1} << 31U)) return {4, 4};
    if (magnitude < (std::uint64_t{1} << 47U)) return {5, 6};
    return {6, 8};
}

// Type, count of cells and begin of the content of a b-tree page.
inline void put_page_header(std::uint8_t* page, std::uint8_t type, std::size_t cells, std::size_t content) {
    page[0] = type;
    put_number(page + 1, 0, 2);  // no free block
    put_number(page + 3, cells, 2);
    put_number(page + 5, content, 2);  // 65536 as 0
    page[7] = 0;                       // no fragments
}

}  // namespace tilemeter::visualizer_import::sqlite_format
