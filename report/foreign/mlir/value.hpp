// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Attributes and types of MLIR's text as data, whatever their dialect: what stands between brackets, and by what names.
//
//   #ttnn.memory_config<#dram, <interleaved>>     -> text "#ttnn.memory_config", items ["#dram", {text "", items [..]}]
//   {axis = 1 : i32, keep_dim = false}            -> items axis: "1", keep_dim: "false"
//   tensor<32x784xbf16, #ttnn_layout7>            -> text "tensor", items ["32x784xbf16", "#ttnn_layout7"]
//
// A dialect prints its own attributes as it likes, within balanced brackets; those of TTNN and TTCore are lists of values with
// or without names, which this reads (MLIR language reference, attributes and types). Views point into the text that was read.
//
// Thread safety: values are values; calls are free.

#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace tilemeter::foreign::mlir {

/// A text that is not MLIR's, at this byte of it: what was expected there, what was found.
class SyntaxError : public std::runtime_error {
public:
    SyntaxError(std::size_t at, const std::string& what_was_due, const std::string& what_is_there)
        : std::runtime_error("expected " + what_was_due + ", found " + what_is_there),
          byte(at),
          expected(what_was_due),
          found(what_is_there) {}
    std::size_t byte;
    std::string expected, found;
};

struct Item;

struct Value {
    enum class Kind : std::uint8_t {
        kWord,  ///< a name, number, symbol, alias or shape, as it is written: `bf16`, `0x7F`, `@main`, `#dram`, `1x8xf32`
        kString,  ///< without its quotes, escapes as they are written
        kList,    ///< [ ... ]
        kFields,  ///< < ... > or { ... }, after a name or without
        kMap      ///< ( ... ), or ( ... ) -> ( ... ), as it is written
    };
    Kind kind = Kind::kWord;
    std::string_view text;    ///< of kFields: the name in front of the bracket, or nothing
    std::string_view type;    ///< what follows a colon: `i32` of `1 : i32`
    std::vector<Item> items;  ///< of kList and kFields

    /// The item of this name; null where there is none.
    const Value* find(std::string_view key) const;
    /// The item at this place among those without a name; null beyond them.
    const Value* at(std::size_t index) const;
    bool is(std::string_view word) const { return kind == Kind::kWord && text == word; }
    /// A whole number, decimal or hexadecimal; nothing where it is none.
    std::optional<std::int64_t> integer() const;
    /// A number; hexadecimal digits are the bits of a float of `type` (f32 where none is given).
    std::optional<double> number() const;
};

struct Item {
    std::string_view key;  ///< nothing of an item without a name
    Value value;
};

/// "1x8x32" and what follows the numbers: {1, 8, 32}, "" ("32x784xbf16": "bf16"; a number that is not known is -1).
struct Dimensions {
    std::vector<std::int64_t> sizes;
    std::string_view rest;
};
Dimensions dimensions(std::string_view text);

/// The place in a text of MLIR. Blanks and comments (`//` to the end of the line) separate and mean nothing.
class Cursor {
public:
    explicit Cursor(std::string_view text, std::size_t at = 0) : text_(text), at_(at) {}

    std::size_t at() const { return at_; }
    std::string_view text() const { return text_; }
    bool at_end();
    /// The next character that is no blank; 0 at the end.
    char peek();
    /// Whether `token` comes next; it is passed over then.
    bool take(std::string_view token);
    void expect(std::string_view token);
    /// Letters, digits, `_ . $ -` (a name), or nothing.
    std::string_view word();
    /// `%name`, with a result's number as in `%3#1`, or nothing.
    std::string_view value_name();
    std::string_view string();
    /// Passes over one bracket with all in it, and gives it; strings and `->` are no brackets.
    std::string_view bracketed();
    /// A type or an attribute's end, unread: up to one of `ends` outside of brackets.
    std::string_view until(std::string_view ends);
    Value value();
    [[noreturn]] void fail(const std::string& expected);

private:
    void skip_blanks();
    Value value(int depth);
    void items(std::vector<Item>& into, char close, int depth);

    std::string_view text_;
    std::size_t at_;
};

/// All of `text` as one value.
Value parse_value(std::string_view text);

}  // namespace tilemeter::foreign::mlir
