// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#include "report/json_node.hpp"

#include <array>
#include <charconv>

#include "report/internal/dom_access.hpp"
#include "report/internal/inline_text.hpp"
#include "report/python_text.hpp"
#include "report/text.hpp"

namespace tilemeter::report {
namespace {

namespace dom = simdjson::dom;
using internal::DomAccess;

struct Member {
    std::string_view key;
    JsonValue JsonNode::*value;  // null for those that are read at once
    JsonKind kind;               // kNull for any

    [[nodiscard]] constexpr bool is_of_numbers() const {
        return key == "connections" || key == "counter" || key == "input_tensors";
    }
};
// In the order of the files, so that the first guess is nearly always right.
constexpr std::array<Member, 10> kMembers{{
    {"arguments", &JsonNode::arguments, JsonKind::kArray},
    {"connections", &JsonNode::connections, JsonKind::kArray},
    {"counter", nullptr, JsonKind::kInteger},
    {"duration_ns", &JsonNode::duration_ns, JsonKind::kNull},
    {"id", nullptr, JsonKind::kNull},
    {"input_tensors", &JsonNode::input_tensors, JsonKind::kArray},
    {"node_type", nullptr, JsonKind::kText},
    {"params", &JsonNode::params, JsonKind::kObject},
    {"stack_trace", &JsonNode::stack_trace, JsonKind::kNull},
    {"stacking_level", &JsonNode::stacking_level, JsonKind::kNull},
}};

Error wrong_kind(std::string position, std::string_view expected, const JsonValue& value) {
    return {"", std::move(position), std::string(expected), std::string(kind_name(value.kind()))};
}

constexpr std::size_t kLongestShown = 40;

// The spelling of a value that is no number.
std::string spelled(const JsonValue& value) {
    if (const auto text = value.text()) return in_quotes(to_valid_utf8(text->substr(0, kLongestShown)));
    if (value.is_array() || value.is_object()) return std::string(kind_name(value.kind()));
    std::string python;
    append_python_str(python, value);
    return python;
}

bool is_kind(dom::element_type type, JsonKind kind) {
    switch (kind) {
        case JsonKind::kArray:
            return type == dom::element_type::ARRAY;
        case JsonKind::kObject:
            return type == dom::element_type::OBJECT;
        case JsonKind::kText:
            return type == dom::element_type::STRING;
        case JsonKind::kInteger:
            return type == dom::element_type::INT64;
        default:
            return true;
    }
}

Error wrong_member(const JsonNode& node, const Member& member, const dom::element& value) {
    std::string position = node.position();
    position.append(", ").append(member.key);
    if (member.kind == JsonKind::kInteger)
        return {"", std::move(position), std::string(kIntegerExpected), spelled(DomAccess::value(value))};
    return wrong_kind(std::move(position), kind_name(member.kind), DomAccess::value(value));
}

Status take_member(JsonNode& node, const Member& member, const dom::element& value) {
    const dom::element_type type = value.type();
    const bool may_be_null = member.value != nullptr;
    if (!is_kind(type, member.kind) && !(may_be_null && type == dom::element_type::NULL_VALUE)) {
        // Without numbers the node says less; what it is remains known.
        if (member.is_of_numbers() && !node.damage) node.damage = wrong_member(node, member, value);
        return member.is_of_numbers() ? Status() : Status(wrong_member(node, member, value));
    }
    if (member.value != nullptr) {
        node.*member.value = DomAccess::value(value);
    } else if (member.kind == JsonKind::kText) {
        node.type_name = DomAccess::as<std::string_view>(value);
        node.type = node_type(node.type_name);
    } else if (member.kind == JsonKind::kInteger) {
        if (const auto counter = DomAccess::as<std::int64_t>(value); counter >= 0)
            node.counter = counter;
        else if (!node.damage)
            node.damage = wrong_member(node, member, value);
    }
    return {};
}

bool has_duplicates(const JsonValue& object, std::string_view& duplicate) {
    for (auto a = object.children(); a.valid(); a.next()) {
        auto b = a;
        for (b.next(); b.valid(); b.next()) {
            if (a.key() != b.key()) continue;
            duplicate = a.key();
            return true;
        }
    }
    return false;
}

}  // namespace

NodeType node_type(std::string_view name) {
    for (std::size_t i = 1; i < graph::kNodeTypeNames.size(); ++i)
        if (internal::same_short_text(graph::kNodeTypeNames[i], name)) return static_cast<NodeType>(i);
    return NodeType::kUnknown;
}

std::string JsonNode::position() const {
    return "node " + std::to_string(counter.value_or(static_cast<std::int64_t>(index)));
}

Result<JsonNode> node_from_json(const JsonValue& json, std::size_t index) {
    JsonNode node;
    node.index = index;
    node.json = json;
    if (!json.is_object()) return wrong_kind(node.position(), "an object", json);
    std::string_view previous;
    bool sorted = true;  // as this format is written: then duplicates are neighbours
    std::size_t guess = 0;
    const dom::object members = DomAccess::as<dom::object>(DomAccess::element(json));
    for (const auto [key, value] : members) {
        sorted = sorted && (previous.empty() || internal::sorts_before(previous, key));
        previous = key;
        std::size_t i = guess;
        while (i < kMembers.size() && !internal::same_short_text(kMembers[i].key, key))
            ++i;
        if (i == kMembers.size())
            for (i = 0; i < guess && !internal::same_short_text(kMembers[i].key, key);)
                ++i;
        if (i == guess && (i == kMembers.size() || !internal::same_short_text(kMembers[i].key, key)))
            continue;
        guess = i + 1;
        if (Status taken = take_member(node, kMembers[i], value); !taken) return taken.error();
    }
    std::string_view duplicate;
    if (!sorted && has_duplicates(json, duplicate))
        return Error{"", node.position(), "each key once", in_quotes(duplicate) + " twice"};
    return node;
}

Result<std::optional<std::int64_t>> integer_of(const JsonValue& value) {
    if (value.is_null()) return std::optional<std::int64_t>{};
    if (auto integer = value.integer(); integer && *integer >= 0) return integer;
    if (auto text = value.text()) {
        std::int64_t number = 0;
        const auto [end, problem] = std::from_chars(text->data(), text->data() + text->size(), number);
        if (problem == std::errc{} && end == text->data() + text->size() && number >= 0)
            return std::optional(number);
    }
    return Error{"", "", std::string(kIntegerExpected), spelled(value)};
}

Result<bool> flag_or_error(const JsonValue& value) {
    if (value.is_null()) return false;
    if (auto boolean = value.boolean()) return *boolean;
    if (value.text() == "true") return true;
    if (value.text() == "false") return false;
    if (auto number = integer_of(value)) return number->value_or(0) != 0;
    return Error{"", "", "true, false, or a number", spelled(value)};
}

Result<std::optional<std::int64_t>> integer_param(const JsonNode& node, std::string_view key) {
    auto number = integer_of(node.params.at(key));
    if (number) return number;
    Error error = number.error();
    error.position = node.position() + ", params." + std::string(key);
    return error;
}

Result<std::int64_t> size_param(const JsonNode& node) {
    auto size = integer_param(node, "size");
    if (!size) return size.error();
    if (size.value()) return *size.value();
    return Error{"", node.position() + ", params.size", std::string(kIntegerExpected), "nothing"};
}

Result<std::optional<std::string_view>> text_param(const JsonNode& node, std::string_view key) {
    const JsonValue value = node.params.at(key);
    if (value.is_null()) return std::optional<std::string_view>{};
    if (auto text = value.text()) return text;
    return wrong_kind(node.position() + ", params." + std::string(key), "a text", value);
}

Result<std::vector<std::int64_t>> counters_in(const JsonNode& node, const JsonValue& list,
                                              std::string_view what) {
    std::vector<std::int64_t> result;
    for (auto element = list.children(); element.valid(); element.next()) {
        // A negative one is no node's, and no reason to lose the rest.
        if (const auto integer = element.value().integer()) {
            result.push_back(*integer);
            continue;
        }
        const auto number = integer_of(element.value());
        if (!number || !number.value()) {
            std::string position = node.position();
            position.append(", ").append(what);
            return Error{"", position, std::string(kIntegerExpected), spelled(element.value())};
        }
        result.push_back(*number.value());
    }
    return result;
}

bool flag_of(const JsonValue& value) {
    if (auto boolean = value.boolean()) return *boolean;
    if (auto integer = value.integer()) return *integer != 0;
    if (auto text = value.text()) return *text == "1" || *text == "true";
    return false;
}

Result<std::optional<std::int64_t>> tensor_id_of(const JsonNode& node) {
    const JsonValue id = node.params.at("tensor_id");
    if (id.text() && id.text()->empty()) return std::optional<std::int64_t>{};
    auto number = integer_param(node, "tensor_id");
    if (number && !id.text() && *number == std::int64_t{0}) return std::optional<std::int64_t>{};
    return number;
}

}  // namespace tilemeter::report
