// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/ir/internal/text_values.hpp"

#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "capture/ir/internal/dimension_text.hpp"
#include "capture/ir/internal/text_format.hpp"

namespace tilemeter::ir::internal {

namespace {

/// An attribute's value, a subgraph's label apart.
class AttributeReader {
public:
    explicit AttributeReader(TextCursor& cursor) : cursor_(cursor) {}

    Attribute read() {
        if (cursor_.next() == '[') return read_list();
        for (const auto& [word, empty] : {std::pair<std::string_view, Attribute>{"bools", Booleans{}},
                                          {"floats", Floats{}},
                                          {"strings", Strings{}}})
            if (cursor_.accept(word)) {
                cursor_.expect('[', "'[]'");
                cursor_.expect(']', "']'");
                return empty;
            }
        return read_single();
    }

private:
    Attribute read_single() {
        if (cursor_.next() == '"') return cursor_.quoted("a text");
        if (cursor_.accept('(')) {
            const Dim dim = read_dimension(cursor_);
            cursor_.expect(')', "')'");
            return dim.value();
        }
        const std::size_t at = cursor_.offset();
        const std::string_view text = cursor_.number();
        if (text == "true" || text == "false") return text == "true";
        if (const auto element = element_type_of(text)) return *element;
        std::int64_t integer = 0;
        if (read_element(text, ElementType::kI64, reinterpret_cast<std::byte*>(&integer))) return integer;
        double real = 0;
        if (read_element(text, ElementType::kF64, reinterpret_cast<std::byte*>(&real))) return real;
        cursor_.refuse_at(at, "the value of an attribute");
    }

    Attribute read_list() {
        cursor_.expect('[', "'['");
        if (cursor_.accept(']')) return Integers{};
        const std::size_t at = cursor_.offset();
        const Attribute first = read_single();
        if (const auto* value = std::get_if<bool>(&first)) return read_rest<bool>(*value);
        if (const auto* value = std::get_if<std::int64_t>(&first)) return read_rest<std::int64_t>(*value);
        if (const auto* value = std::get_if<double>(&first)) return read_rest<double>(*value);
        if (const auto* value = std::get_if<std::string>(&first)) return read_rest<std::string>(*value);
        cursor_.refuse_at(at, "a bool, a number or a text");
    }

    template <class T>
    std::vector<T> read_rest(T first) {
        std::vector<T> values{std::move(first)};
        while (!cursor_.accept(']')) {
            cursor_.expect(',', "',' or ']'");
            cursor_.skip_space();
            const std::size_t at = cursor_.offset();
            Attribute value = read_single();
            if (!std::holds_alternative<T>(value))
                cursor_.refuse_at(at, std::string(name_of(kind_of(Attribute(T{})))) + " as before");
            values.push_back(std::get<T>(std::move(value)));
        }
        return values;
    }

    TextCursor& cursor_;
};

std::byte read_byte(TextCursor& cursor) {
    int value = 0;
    for (int digit = 0; digit < 2; ++digit) {
        const char c = cursor.next();
        const bool is_letter = c >= 'a' && c <= 'f';
        if (!is_digit(c) && !is_letter) cursor.refuse("a hexadecimal digit");
        value = value * 16 + (is_letter ? c - 'a' + 10 : c - '0');
        cursor.accept(c);
    }
    return static_cast<std::byte>(value);
}

}  // namespace

namespace {

// A number, which most are, or an expression.
std::int64_t read_extent(TextCursor& cursor) {
    const std::size_t at = cursor.offset();
    if (const char next = cursor.peek(); is_digit(next)) {
        TextCursor ahead = cursor;
        const std::uint64_t dim = ahead.count("a dimension");
        const char end = ahead.next();
        if (end == ',' || end == ']') {
            cursor = ahead;
            if (dim > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
                cursor.refuse_at(at, "a dimension below 2^63");
            return static_cast<std::int64_t>(dim);
        }
    } else if (!is_name_start(next) && next != '-' && next != '(') {
        cursor.refuse("a dimension");
    }
    const Dim dim = read_dimension(cursor);
    if (dim.is_negative_number()) cursor.refuse_at(at, "a dimension");
    return dim.value();
}

}  // namespace

TensorType read_type(TextCursor& cursor) {
    cursor.skip_space();
    const std::size_t at = cursor.offset();
    const auto element = element_type_of(cursor.word());
    if (!element) cursor.refuse_at(at, "an element type");
    TensorType type{*element, {}, {}};
    cursor.expect('[', "'[' and the dimensions");
    while (!cursor.accept(']')) {
        if (type.shape.rank() > 0) cursor.expect(',', "',' or ']'");
        cursor.skip_space();
        type.shape.push_back(read_extent(cursor));
    }
    if (!cursor.accept('@')) return type;
    cursor.expect('(', "'(' and a place");
    Place place;
    place.device = cursor.quoted("a device between quotes");
    cursor.expect(',', "','");
    place.layout = cursor.quoted("a layout between quotes");
    cursor.expect(',', "','");
    place.memory_config = cursor.quoted("a memory config between quotes");
    cursor.expect(')', "')'");
    type.place = std::move(place);
    return type;
}

Attribute read_attribute(TextCursor& cursor) {
    return AttributeReader(cursor).read();
}

void DataSections::read(TextCursor& cursor) {
    while (cursor.accept(std::string_view("data"))) {
        cursor.expect('#', "'#' and the number of a data section");
        const std::size_t at = cursor.offset();
        const std::uint64_t number = cursor.count("the number of a data section");
        const std::uint64_t size = cursor.count("a number of bytes");
        if (!cursor.accept(std::string_view("bytes"))) cursor.refuse("'bytes'");
        // Before memory is asked for: each byte takes two characters.
        if (size > (cursor.size() - cursor.offset()) / 2)
            cursor.refuse_at(cursor.size(), std::to_string(size) + " bytes of data");
        const auto bytes = std::make_shared<std::byte[]>(size);
        for (std::size_t i = 0; i < size; ++i)
            bytes.get()[i] = read_byte(cursor);
        if (!sections_.try_emplace(number, Section{bytes, size}).second)
            cursor.refuse_at(at, "another number, since this one is taken");
    }
}

Constant DataSections::constant(const TextCursor& cursor, std::size_t at, std::uint64_t number,
                                const TensorType& type) const {
    const auto found = sections_.find(number);
    if (found == sections_.end()) cursor.refuse_at(at, "the number of a data section");
    if (found->second.size != byte_size(type))
        cursor.refuse_at(at, "data of " + std::to_string(byte_size(type)) + " bytes for " + text_of(type) +
                                 ", not " + std::to_string(found->second.size));
    return {type, found->second.bytes};
}

}  // namespace tilemeter::ir::internal
