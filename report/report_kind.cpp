// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#include "report/report_kind.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "report/internal/json_stream.hpp"
#include "report/python_text.hpp"

namespace tilemeter::report {
namespace {

using internal::JsonStream;

// Sections that nothing else has.
constexpr std::array<std::string_view, 8> kOnlyInReports{
    "buffer_pages",    "buffer_pages_by_address", "cluster_descriptor",      "comparison_records",
    "memory_at_begin", "memory_at_failure",       "mesh_coordinate_mapping", "per_operation_buffers",
};
// Those that other files have, too.
constexpr std::array<std::string_view, 5> kAlsoElsewhere{"devices", "graph", "metadata", "python_io",
                                                         "version"};
constexpr std::size_t kKeysNamed = 3;
constexpr std::size_t kLongestKeyNamed = 40;

bool has(std::span<const std::string_view> keys, std::string_view key) {
    return std::ranges::find(keys, key) != keys.end();
}

std::string listed(const std::vector<std::string>& keys, std::size_t count) {
    if (keys.empty()) return "an object without members";
    std::string text = "an object with ";
    for (std::size_t i = 0; i < keys.size(); ++i)
        text.append(i > 0 ? ", " : "").append(keys[i].substr(0, kLongestKeyNamed));
    return count > keys.size() ? text + ", ..." : text;
}

/// The name of a value that begins with `first` and is no object; nothing where nobody can tell.
std::optional<std::string> other_value(char first) {
    if (first == '[') return "an array";
    if (first == '"') return "a text";
    if (first == '-' || (first >= '0' && first <= '9')) return "a number";
    return std::nullopt;
}

/// True if a section's value makes a report of the file. Consumes the value.
Result<bool> is_sign(JsonStream& stream, std::string_view key, JsonDocument& document) {
    if (has(kOnlyInReports, key)) return true;
    if (key == "graph") {
        auto next = stream.peek();
        if (!next) return next.error();
        if (*next == '[') return true;
    }
    if (key == "metadata") {
        auto metadata = stream.read_value(document);
        if (!metadata) return metadata.error();
        return metadata->is_object() && !metadata->at("rank").is_null();
    }
    if (Status skipped = stream.skip_value(document); !skipped) return skipped.error();
    return false;
}

}  // namespace

std::optional<std::string> why_no_report(const std::filesystem::path& path) {
    auto input = Input::open(path);
    return input ? why_no_report(*input) : std::nullopt;
}

std::optional<std::string> why_no_report(const Input& input) {
    JsonStream stream(input);
    auto begin = stream.peek();
    if (!begin) return std::nullopt;
    JsonDocument document;
    if (*begin == 't' || *begin == 'f' || *begin == 'n') {
        const auto value = stream.read_value(document);
        return value ? std::optional(std::string(kind_name(value.value().kind()))) : std::nullopt;
    }
    if (*begin != '{') return other_value(*begin);
    if (!stream.expect('{', "an object")) return std::nullopt;
    std::string key;
    std::vector<std::string> keys;
    std::size_t count = 0;
    const auto damaged = [&]() -> std::optional<std::string> {
        const bool foreign =
            count > 0 && !has(kAlsoElsewhere, keys.front()) && !has(kOnlyInReports, keys.front());
        return foreign ? std::optional(listed(keys, count) + ", which is damaged") : std::nullopt;
    };
    for (bool first = true;;) {
        auto more = stream.next_key(key, first);
        if (!more) return damaged();
        if (!*more) break;
        if (++count <= kKeysNamed) keys.push_back(key);
        const auto sign = is_sign(stream, key, document);
        if (!sign) return damaged();
        if (sign.value()) return std::nullopt;
    }
    return stream.expect_end() ? std::optional(listed(keys, count)) : damaged();
}

FoundVersion FoundVersion::of(const JsonValue& version) {
    FoundVersion found{version.kind(), ""};
    append_python_str(found.text, version);
    return found;
}

bool FoundVersion::is_known() const {
    if (kind == JsonKind::kReal) return text == "1.0";
    return (kind == JsonKind::kInteger || kind == JsonKind::kText) && text == "1";
}

std::optional<FoundVersion> version_of_report(const std::filesystem::path& path) {
    auto stream = JsonStream::open(path);
    if (!stream || !stream->expect('{', "an object")) return std::nullopt;
    JsonDocument document;
    std::string key;
    std::optional<FoundVersion> found;
    for (bool first = true;;) {
        auto more = stream->next_key(key, first);
        if (!more) return std::nullopt;
        if (!*more) break;
        if (key == "version") {
            const auto version = stream->read_value(document);
            if (!version) return std::nullopt;
            found = FoundVersion::of(version.value());
        } else if (!stream->skip_value(document)) {
            return std::nullopt;
        }
    }
    return stream->expect_end() ? found : std::nullopt;
}

}  // namespace tilemeter::report
