// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/foreign/pickle/writer.hpp"

#include <limits>
#include <utility>

namespace tilemeter::foreign::pickle {

namespace {

constexpr std::size_t kPiece = std::size_t{1} << 20;

}  // namespace

Writer::Writer(std::function<void(std::string_view)> write) : write_(std::move(write)) {
    byte('\x80');  // PROTO
    byte(4);
}

void Writer::byte(char value) {
    waiting_ += value;
    if (waiting_.size() < kPiece) return;
    write_(waiting_);
    waiting_.clear();
}

void Writer::number(std::uint64_t value, unsigned bytes) {
    for (unsigned i = 0; i < bytes; ++i)
        byte(static_cast<char>(value >> (8 * i) & 0xffU));
}

void Writer::integer(std::uint64_t value) {
    if (value <= 0xff) {
        byte('K');  // BININT1
        return number(value, 1);
    }
    if (value <= static_cast<std::uint64_t>(std::numeric_limits<std::int32_t>::max())) {
        byte('J');  // BININT
        return number(value, 4);
    }
    const unsigned bytes = value >> 63U == 0 ? 8 : 9;
    byte('\x8a');  // LONG1, whose highest bit is a sign
    byte(static_cast<char>(bytes));
    number(value, 8);
    if (bytes > 8) byte(0);
}

void Writer::text(std::string_view value) {
    const auto [entry, is_new] = texts_.try_emplace(std::string(value), 0);
    if (!is_new) return repeat(entry->second);
    byte('X');  // BINUNICODE
    number(value.size(), 4);
    for (const char each : value)
        byte(each);
    entry->second = remember();
}

void Writer::begin_dict() {
    byte('}');
    byte('(');
}

void Writer::begin_list() {
    byte(']');
    byte('(');
}

void Writer::flush_list() {
    byte('e');
    byte('(');
}

std::uint32_t Writer::remember() {
    byte('r');  // LONG_BINPUT
    number(remembered_, 4);
    return remembered_++;
}

void Writer::repeat(std::uint32_t number_of) {
    byte('j');  // LONG_BINGET
    number(number_of, 4);
}

void Writer::finish() {
    byte('.');
    write_(waiting_);
    waiting_.clear();
}

}  // namespace tilemeter::foreign::pickle
