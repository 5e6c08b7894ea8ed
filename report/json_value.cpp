// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#include "report/json_value.hpp"

#include <nlohmann/json.hpp>
#include <simdjson.h>

#include "report/internal/dom_access.hpp"

namespace tilemeter::report {
namespace {

namespace dom = simdjson::dom;

using internal::DomAccess;

template <class T>
T from_words(const void* document, std::size_t index) {
    return DomAccess::from_words<T>({document, index});
}

// Only for messages: the parser in use tells that a text is wrong but not where. This one tells, and reads
// the text once more to do so.
class FirstProblem : public nlohmann::json_sax<nlohmann::json> {
public:
    bool null() override { return true; }
    bool boolean(bool) override { return true; }
    bool number_integer(number_integer_t) override { return true; }
    bool number_unsigned(number_unsigned_t) override { return true; }
    bool number_float(number_float_t, const string_t&) override { return true; }
    bool string(string_t&) override { return true; }
    bool binary(binary_t&) override { return true; }
    bool start_object(std::size_t) override { return true; }
    bool key(string_t&) override { return true; }
    bool end_object() override { return true; }
    bool start_array(std::size_t) override { return true; }
    bool end_array() override { return true; }
    bool parse_error(std::size_t byte, const std::string&,
                     const nlohmann::detail::exception& problem) override {
        position = byte > 0 ? byte - 1 : 0;
        what = problem.what();
        // "[...] parse error at line 1, column 2: syntax error while parsing value - unexpected ..."
        if (const auto dash = what.find(" - "); dash != std::string::npos) what.erase(0, dash + 3);
        if (const auto space = what.find("; expected "); space != std::string::npos) {
            expected = what.substr(space + 11);
            what.erase(space);
        }
        if (what.rfind("unexpected ", 0) == 0) what.erase(0, 11);
        // "[json.exception.out_of_range.406] number overflow parsing '1e400'"
        if (const auto end = what.find("] "); what.starts_with("[json.") && end != std::string::npos)
            what.erase(0, end + 2);
        return false;
    }

    std::size_t position = 0;
    std::string what;
    std::string expected;
};

Error locate_problem(std::string_view text, std::uint64_t offset, simdjson::error_code code) {
    FirstProblem problem;
    Error error{"", "", "JSON", simdjson::error_message(code)};
    if (code != simdjson::DEPTH_ERROR && !nlohmann::json::sax_parse(text, &problem)) {
        if (!problem.expected.empty()) error.expected = problem.expected;
        error.found = problem.what;
    } else if (code == simdjson::DEPTH_ERROR) {
        error.expected = "at most 1024 levels of nesting";
        error.found = "more";
    }
    error.position = "byte " + std::to_string(offset + problem.position);
    return error;
}

}  // namespace

std::string_view kind_name(JsonKind kind) {
    switch (kind) {
        case JsonKind::kNull:
            return "null";
        case JsonKind::kBoolean:
            return "a boolean";
        case JsonKind::kInteger:
        case JsonKind::kBigInteger:
            return "an integer";
        case JsonKind::kReal:
            return "a number with a fraction or exponent";
        case JsonKind::kText:
            return "a text";
        case JsonKind::kArray:
            return "an array";
        case JsonKind::kObject:
            return "an object";
    }
    return "nothing";
}

JsonKind JsonValue::kind() const {
    if (document_ == nullptr) return JsonKind::kNull;
    switch (from_words<dom::element>(document_, index_).type()) {
        case dom::element_type::ARRAY:
            return JsonKind::kArray;
        case dom::element_type::OBJECT:
            return JsonKind::kObject;
        case dom::element_type::INT64:
            return JsonKind::kInteger;
        case dom::element_type::UINT64:
            return JsonKind::kBigInteger;
        case dom::element_type::DOUBLE:
            return JsonKind::kReal;
        case dom::element_type::STRING:
            return JsonKind::kText;
        case dom::element_type::BOOL:
            return JsonKind::kBoolean;
        case dom::element_type::NULL_VALUE:
            return JsonKind::kNull;
    }
    return JsonKind::kNull;
}

std::optional<bool> JsonValue::boolean() const {
    if (kind() != JsonKind::kBoolean) return std::nullopt;
    return bool(from_words<dom::element>(document_, index_));
}

std::optional<std::int64_t> JsonValue::integer() const {
    if (kind() != JsonKind::kInteger) return std::nullopt;
    return std::int64_t(from_words<dom::element>(document_, index_));
}

std::optional<std::uint64_t> JsonValue::big_integer() const {
    if (kind() != JsonKind::kBigInteger) return std::nullopt;
    return std::uint64_t(from_words<dom::element>(document_, index_));
}

std::optional<double> JsonValue::real() const {
    if (kind() != JsonKind::kReal) return std::nullopt;
    return double(from_words<dom::element>(document_, index_));
}

std::optional<std::string_view> JsonValue::text() const {
    if (kind() != JsonKind::kText) return std::nullopt;
    return std::string_view(from_words<dom::element>(document_, index_));
}

JsonValue JsonValue::at(std::string_view key) const {
    dom::object members;
    dom::element member;
    if (document_ == nullptr ||
        from_words<dom::element>(document_, index_).get(members) != simdjson::SUCCESS ||
        members.at_key(key).get(member) != simdjson::SUCCESS)
        return {};
    return DomAccess::value(member);
}

bool JsonValue::has(std::string_view key) const {
    return at(key).document_ != nullptr;
}

std::size_t JsonValue::size() const {
    std::size_t count = 0;
    for (Cursor c = children(); c.valid(); c.next())
        ++count;
    return count;
}

JsonValue::Cursor JsonValue::children() const {
    Cursor cursor;
    const JsonKind own_kind = kind();
    if (own_kind == JsonKind::kObject) {
        const dom::object members = from_words<dom::element>(document_, index_);
        cursor.index_ = DomAccess::to_words(members.begin()).index;
        cursor.end_ = DomAccess::to_words(members.end()).index;
        cursor.object_ = true;
    } else if (own_kind == JsonKind::kArray) {
        const dom::array elements = from_words<dom::element>(document_, index_);
        cursor.index_ = DomAccess::to_words(elements.begin()).index;
        cursor.end_ = DomAccess::to_words(elements.end()).index;
    }
    cursor.document_ = document_;
    return cursor;
}

void JsonValue::Cursor::next() {
    if (object_) {
        auto position = from_words<dom::object::iterator>(document_, index_);
        index_ = DomAccess::to_words(++position).index;
    } else {
        auto position = from_words<dom::array::iterator>(document_, index_);
        index_ = DomAccess::to_words(++position).index;
    }
}

std::string_view JsonValue::Cursor::key() const {
    return from_words<dom::object::iterator>(document_, index_).key();
}

JsonValue JsonValue::Cursor::value() const {
    const dom::element element = object_ ? from_words<dom::object::iterator>(document_, index_).value()
                                         : *from_words<dom::array::iterator>(document_, index_);
    return DomAccess::value(element);
}

struct JsonDocument::State {
    simdjson::dom::parser parser;
    std::string padded;
};

JsonDocument::JsonDocument() : state_(std::make_unique<State>()) {}
JsonDocument::~JsonDocument() = default;
JsonDocument::JsonDocument(JsonDocument&&) noexcept = default;
JsonDocument& JsonDocument::operator=(JsonDocument&&) noexcept = default;

Result<JsonValue> JsonDocument::parse(std::string_view text, std::uint64_t offset) {
    state_->padded.reserve(text.size() + kPaddingBytes);
    state_->padded.assign(text);
    return parse_padded(state_->padded, offset);
}

std::optional<JsonValue> JsonDocument::parse_padded_if_sound(std::string_view text) {
    dom::element root;
    const auto code =
        state_->parser.parse(reinterpret_cast<const std::uint8_t*>(text.data()), text.size(), false)
            .get(root);
    if (code != simdjson::SUCCESS) return std::nullopt;
    return DomAccess::value(root);
}

Result<JsonValue> JsonDocument::parse_padded(std::string_view text, std::uint64_t offset) {
    static_assert(kPaddingBytes >= simdjson::SIMDJSON_PADDING);
    dom::element root;
    const auto code =
        state_->parser.parse(reinterpret_cast<const std::uint8_t*>(text.data()), text.size(), false)
            .get(root);
    if (code != simdjson::SUCCESS) return locate_problem(text, offset, code);
    return DomAccess::value(root);
}

}  // namespace tilemeter::report
