// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/foreign/mlir/value.hpp"

#include <bit>
#include <charconv>

namespace tilemeter::foreign::mlir {
namespace {

/// No program nests deeper; a text that does is made to exhaust the stack.
constexpr int kDeepestBracket = 100;

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
bool is_name(char c) {
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}
/// Of a word within a value: shapes and numbers as well.
bool is_value(char c) {
    return is_name(c) || c == '.' || c == '?' || c == '*';
}

std::string shown(std::string_view text, std::size_t at) {
    if (at >= text.size()) return "the end";
    std::string_view rest = text.substr(at, 24);
    rest = rest.substr(0, rest.find('\n'));
    return rest.empty() ? "the end of the line" : "'" + std::string(rest) + "'";
}

double float_of_bits(std::uint64_t bits, std::string_view type) {
    if (type == "f64") return std::bit_cast<double>(bits);
    if (type == "bf16") return std::bit_cast<float>(static_cast<std::uint32_t>(bits << 16));
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
}

}  // namespace

const Value* Value::find(std::string_view key) const {
    for (const Item& item : items)
        if (item.key == key) return &item.value;
    return nullptr;
}

const Value* Value::at(std::size_t index) const {
    for (const Item& item : items)
        if (item.key.empty() && index-- == 0) return &item.value;
    return nullptr;
}

std::optional<std::int64_t> Value::integer() const {
    if (kind != Kind::kWord) return std::nullopt;
    if (text == "true" || text == "false") return text == "true";
    const bool hexadecimal = text.starts_with("0x");
    const std::string_view digits = hexadecimal ? text.substr(2) : text;
    std::int64_t number = 0;
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), number, hexadecimal ? 16 : 10);
    if (error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
    return number;
}

std::optional<double> Value::number() const {
    if (kind != Kind::kWord) return std::nullopt;
    if (text.starts_with("0x")) {
        std::uint64_t bits = 0;
        const auto [end, error] = std::from_chars(text.data() + 2, text.data() + text.size(), bits, 16);
        if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
        if (type.starts_with("i") || type.starts_with("ui") || type.starts_with("si"))
            return static_cast<double>(static_cast<std::int64_t>(bits));
        return float_of_bits(bits, type);
    }
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return number;
}

Dimensions dimensions(std::string_view text) {
    Dimensions found;
    while (!text.empty()) {
        std::size_t end = 0;
        while (end < text.size() && is_digit(text[end]))
            ++end;
        if (end == 0 && text.front() == '?') end = 1;
        if (end == 0 || (end < text.size() && text[end] != 'x')) break;
        std::int64_t size = -1;
        if (text.front() != '?' && std::from_chars(text.data(), text.data() + end, size).ec != std::errc{})
            break;
        found.sizes.push_back(size);
        text.remove_prefix(end < text.size() ? end + 1 : end);
    }
    found.rest = text;
    return found;
}

void Cursor::skip_blanks() {
    while (at_ < text_.size()) {
        const char c = text_[at_];
        if (c == ' ' || c == '\n' || c == '\t' || c == '\r') {
            ++at_;
        } else if (c == '/' && text_.substr(at_, 2) == "//") {
            at_ = std::min(text_.find('\n', at_), text_.size());
        } else {
            return;
        }
    }
}

bool Cursor::at_end() {
    skip_blanks();
    return at_ == text_.size();
}

char Cursor::peek() {
    return at_end() ? '\0' : text_[at_];
}

bool Cursor::take(std::string_view token) {
    skip_blanks();
    if (!text_.substr(at_).starts_with(token)) return false;
    // A name is a whole one.
    if (is_name(token.back()) && at_ + token.size() < text_.size() && is_name(text_[at_ + token.size()]))
        return false;
    at_ += token.size();
    return true;
}

void Cursor::expect(std::string_view token) {
    if (!take(token)) fail("'" + std::string(token) + "'");
}

void Cursor::fail(const std::string& expected) {
    skip_blanks();
    throw SyntaxError(at_, expected, shown(text_, at_));
}

std::string_view Cursor::word() {
    skip_blanks();
    const std::size_t begin = at_;
    while (at_ < text_.size() &&
           (is_name(text_[at_]) || text_[at_] == '.' || (text_[at_] == '-' && text_.substr(at_, 2) != "->")))
        ++at_;
    return text_.substr(begin, at_ - begin);
}

std::string_view Cursor::value_name() {
    skip_blanks();
    if (at_ == text_.size() || text_[at_] != '%') return {};
    const std::size_t begin = at_++;
    while (at_ < text_.size() && (is_name(text_[at_]) || text_[at_] == '#'))
        ++at_;
    return text_.substr(begin, at_ - begin);
}

std::string_view Cursor::string() {
    skip_blanks();
    if (at_ == text_.size() || text_[at_] != '"') fail("a string");
    const std::size_t begin = ++at_;
    while (at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\n')
        at_ += text_[at_] == '\\' ? 2 : 1;
    if (at_ >= text_.size() || text_[at_] != '"') {
        at_ = begin - 1;
        fail("a string that ends");
    }
    return text_.substr(begin, at_++ - begin);
}

std::string_view Cursor::bracketed() {
    skip_blanks();
    const std::size_t begin = at_;
    std::string closing;
    for (; at_ < text_.size(); ++at_) {
        const char c = text_[at_];
        if (c == '"') {
            string();
            --at_;
        } else if (c == '-' && text_.substr(at_, 2) == "->") {
            ++at_;
        } else if (c == '(' || c == '[' || c == '{' || c == '<') {
            closing += c == '(' ? ')' : c == '[' ? ']' : c == '{' ? '}' : '>';
        } else if (c == ')' || c == ']' || c == '}' || c == '>') {
            if (closing.empty() || closing.back() != c)
                fail(closing.empty() ? "a bracket" : std::string("'") + closing.back() + "'");
            closing.pop_back();
            if (closing.empty()) return text_.substr(begin, ++at_ - begin);
        } else if (closing.empty()) {
            fail("a bracket");
        }
    }
    at_ = begin;
    fail("a bracket that is closed");
}

std::string_view Cursor::until(std::string_view ends) {
    skip_blanks();
    const std::size_t begin = at_;
    while (at_ < text_.size() && ends.find(text_[at_]) == std::string_view::npos) {
        const char c = text_[at_];
        if (c == '"')
            string();
        else if (c == '(' || c == '[' || c == '{' || c == '<')
            bracketed();
        else
            at_ += text_.substr(at_, 2) == "->" ? 2 : 1;
    }
    std::string_view found = text_.substr(begin, at_ - begin);
    return found.substr(0, found.find_last_not_of(" \n\t\r") + 1);
}

void Cursor::items(std::vector<Item>& into, char close, int depth) {
    const std::string_view end(&close, 1);
    const auto named = [this, close, depth] {
        Item item;
        item.value = value(depth);
        if ((item.value.kind == Value::Kind::kWord || item.value.kind == Value::Kind::kString) &&
            peek() == '=') {
            ++at_;
            item.key = item.value.text;
            // Nothing may stand behind a name (`meshShape = ,`).
            item.value = peek() == ',' || peek() == close ? Value() : value(depth);
        }
        return item;
    };
    while (!take(end)) {
        Item item = named();
        // Several values in a row are one: a name and what it names (`mesh_shape 1x1`).
        while (peek() != ',' && peek() != close) {
            if (at_end()) fail(std::string("'") + close + "'");
            if (item.value.kind == Value::Kind::kWord) item.value.kind = Value::Kind::kFields;
            item.value.items.push_back(named());
        }
        into.push_back(std::move(item));
        if (!take(",") && peek() != close) fail(std::string("',' or '") + close + "'");
    }
}

Value Cursor::value() {
    return value(0);
}

Value Cursor::value(int depth) {
    if (depth > kDeepestBracket)
        fail("at most " + std::to_string(kDeepestBracket) + " brackets in each other");
    Value found;
    const char c = peek();
    const std::size_t begin = at_;
    if (c == '"') {
        found.kind = Value::Kind::kString;
        found.text = string();
    } else if (c == '[') {
        ++at_;
        found.kind = Value::Kind::kList;
        items(found.items, ']', depth + 1);
    } else if (c == '{' || c == '<') {
        ++at_;
        found.kind = Value::Kind::kFields;
        items(found.items, c == '{' ? '}' : '>', depth + 1);
    } else if (c == '(') {
        found.kind = Value::Kind::kMap;
        bracketed();
        if (peek() == '[') bracketed();  // symbols of an affine map
        if (take("->")) {
            skip_blanks();
            if (peek() == '(')
                bracketed();
            else
                until(",>)]}");
        }
        found.text = text_.substr(begin, at_ - begin);
    } else {
        if (c == '#' || c == '!' || c == '@' || c == '-' || c == '+') ++at_;
        bool exponent = false;
        while (at_ < text_.size() &&
               (is_value(text_[at_]) || (exponent && (text_[at_] == '+' || text_[at_] == '-')) ||
                text_.substr(at_, 3) == "::@")) {
            if (text_.substr(at_, 3) == "::@") {
                at_ += 3;
                continue;
            }
            exponent = (text_[at_] == 'e' || text_[at_] == 'E') && at_ > begin &&
                       is_digit(text_[begin + (c == '-')]);
            ++at_;
        }
        found.text = text_.substr(begin, at_ - begin);
        if (found.text.empty() || found.text == "-") fail("a value");
        // `1x8x!ttcore.tile<...>`: the elements' type is a value of its own, behind the sizes.
        if (found.text.back() == 'x' && at_ < text_.size() && text_[at_] == '!') {
            Value element = value(depth + 1);
            found.items.push_back({{}, std::move(element)});
            found.kind = Value::Kind::kFields;
        } else if (at_ < text_.size() && text_[at_] == '<') {
            ++at_;
            found.kind = Value::Kind::kFields;
            // `array<i64: 3, 2>`: the type of all elements.
            if (found.text == "array") {
                found.type = word();
                if (!take(":")) {
                    expect(">");
                    return found;
                }
            }
            items(found.items, '>', depth + 1);
        }
    }
    if (peek() == ':' && text_.substr(at_, 2) != "::") {
        ++at_;
        found.type = until(",>)]}");
    }
    return found;
}

Value parse_value(std::string_view text) {
    Cursor cursor(text);
    Value found = cursor.value();
    if (!cursor.at_end()) cursor.fail("the end");
    return found;
}

}  // namespace tilemeter::foreign::mlir
