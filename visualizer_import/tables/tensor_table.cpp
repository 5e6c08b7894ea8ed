// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#include "visualizer_import/tables/tensor_table.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace tilemeter::visualizer_import {
namespace {

using report::Error;
using report::JsonValue;

struct TextMember {
    std::string_view key;
    std::optional<std::string_view> TensorRow::*value;
    bool dotted;  // the reference writes DataType.BFLOAT16 for DataType::BFLOAT16
};
constexpr std::array<TextMember, 4> kTexts{{
    {"dtype", &TensorRow::dtype, true},
    {"layout", &TensorRow::layout, true},
    {"memory_config", &TensorRow::memory_config, false},
    {"storage_type", &TensorRow::storage_type, false},
}};
struct IntegerMember {
    std::string_view key;
    std::optional<std::int64_t> TensorRow::*value;
};
constexpr std::array<IntegerMember, 4> kIntegers{{
    {"device_id", &TensorRow::device_id},
    {"address", &TensorRow::address},
    {"buffer_type", &TensorRow::buffer_type},
    {"size", &TensorRow::size_bytes},
}};

std::string dotted(std::string_view text) {
    std::string result(text);
    for (std::size_t at = result.find("::"); at != std::string::npos; at = result.find("::", at))
        result.replace(at, 2, ".");
    return result;
}

// "Shape([1, 3, 32, 32])" -> 3072; nothing for what is no shape.
std::optional<std::int64_t> volume(std::string_view shape) {
    const std::size_t open = shape.find('[');
    const std::size_t close = shape.find(']');
    if (open == std::string_view::npos || close == std::string_view::npos) return std::nullopt;
    std::int64_t product = 1;
    for (std::string_view rest = shape.substr(open + 1, close - open - 1); !rest.empty();) {
        std::int64_t extent = 0;
        const auto [end, problem] = std::from_chars(rest.data(), rest.data() + rest.size(), extent);
        if (problem != std::errc{} || extent < 0) return std::nullopt;
        if (__builtin_mul_overflow(product, extent, &product)) return std::nullopt;
        rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
        while (!rest.empty() && (rest[0] == ',' || rest[0] == ' '))
            rest.remove_prefix(1);
    }
    return product;
}

struct ElementSize {
    std::string_view dtype_end;
    std::int64_t bytes;
};
constexpr std::array<ElementSize, 8> kElementSizes{{
    {"BFLOAT16", 2},
    {"FLOAT32", 4},
    {"UINT32", 4},
    {"INT32", 4},
    {"UINT16", 2},
    {"UINT8", 1},
    {"BFLOAT8_B", 1},
    {"BFLOAT4_B", 1},
}};

}  // namespace

std::optional<std::int64_t> element_bytes(std::string_view dtype) {
    for (const ElementSize& size : kElementSizes)
        if (dtype.ends_with(size.dtype_end)) return size.bytes;
    return std::nullopt;
}

namespace {

// For dialects that don't say it: as the current one counts, volume times size of an element.
std::optional<std::int64_t> size_from_shape(const TensorRow& row) {
    const auto elements = volume(row.shape);
    const auto of_element = element_bytes(row.dtype.value_or(""));
    std::int64_t bytes = 0;
    if (!elements || !of_element || __builtin_mul_overflow(*elements, *of_element, &bytes))
        return std::nullopt;
    return bytes;
}

Error wrong(std::string_view key, std::string_view expected, const JsonValue& found) {
    std::string position = "params.";
    position.append(key);
    return {"", position, std::string(expected), std::string(report::kind_name(found.kind()))};
}

}  // namespace

report::Result<TensorRow> tensor_row(const JsonValue& params, std::int64_t tensor_id,
                                     const DeviceMap& devices, StringPool& pool) {
    TensorRow row;
    row.tensor_id = tensor_id;
    const JsonValue shape = params.at("shape");
    if (!shape.is_null() && !shape.text()) return wrong("shape", "a text", shape);
    row.shape = pool.keep(shape.text().value_or(""));
    for (const TextMember& member : kTexts) {
        const JsonValue value = params.at(member.key);
        if (value.is_null()) continue;
        if (!value.text()) return wrong(member.key, "a text", value);
        row.*member.value = member.dotted && value.text()->find("::") != std::string_view::npos
                                ? pool.keep(dotted(*value.text()))
                                : pool.keep(*value.text());
    }
    for (const IntegerMember& member : kIntegers) {
        auto number = report::integer_of(params.at(member.key));
        if (!number) return wrong(member.key, number.error().expected, params.at(member.key));
        row.*member.value = *number;
    }
    if (row.device_id) row.device_id = devices.mapped(*row.device_id);
    if (!row.storage_type && (row.memory_config || row.address)) row.storage_type = "DEVICE";
    if (!row.size_bytes) row.size_bytes = size_from_shape(row);
    return row;
}

report::Status TensorTable::add(const report::JsonNode& node) {
    auto id = report::tensor_id_of(node);
    if (!id) return id.error();
    if (!*id) return {};
    const std::int64_t tensor = **id;
    // One id as a number and as a text is one tensor, though each form brings its parts.
    const bool as_text = node.params.at("tensor_id").text().has_value();
    if (!forms_.insert({tensor, as_text}).second) return {};
    if (!places_.try_emplace(tensor, rows_.size()).second) return add_parts(node, tensor);
    auto row = tensor_row(node.params, tensor, devices_, pool_);
    if (!row) {
        Error error = row.error();
        error.position = node.position() + ", " + error.position;
        return error;
    }
    rows_.push_back(*row);
    if (row->address) {
        first_at_.try_emplace(*row->address, tensor);
        auto& latest = latest_at_[*row->address];
        const std::int64_t device = row->device_id.value_or(0);
        const auto same =
            std::find_if(latest.begin(), latest.end(), [&](const auto& l) { return l.first == device; });
        if (same != latest.end()) {
            same->second = tensor;
        } else {
            latest.emplace_back(device, tensor);
        }
    }
    return add_parts(node, tensor);
}

report::Status TensorTable::add_parts(const report::JsonNode& node, std::int64_t tensor) {
    const auto text = node.params.at("device_tensors").text();
    if (!text || text->empty()) return {};
    auto tensors = device_tensors_.read(*text, devices_);
    if (!tensors) {
        Error error = tensors.error();
        error.position = node.position() + ", params.device_tensors";
        return error;
    }
    for (const DeviceTensors::Part& part : (*tensors)->parts)
        if (known_parts_.insert({tensor, part.device_id, part.address}).second)
            parts_.push_back({tensor, part});
    return {};
}

const TensorRow* TensorTable::find(std::int64_t tensor_id) const {
    const auto place = places_.find(tensor_id);
    return place == places_.end() || place->second >= rows_.size() ? nullptr : &rows_[place->second];
}

std::optional<std::int64_t> TensorTable::address_of(std::int64_t tensor_id,
                                                    std::optional<std::int64_t> recorded) const {
    const auto placed = recorded == 0 ? placed_.find(tensor_id) : placed_.end();
    return placed == placed_.end() ? recorded : std::optional(placed->second);
}

std::optional<std::int64_t> TensorTable::first_at(std::int64_t address) const {
    const auto found = first_at_.find(address);
    return found == first_at_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::int64_t> TensorTable::latest_at(std::int64_t address, std::int64_t device_id) const {
    const auto found = latest_at_.find(address);
    if (found == latest_at_.end()) return std::nullopt;
    for (const auto& [device, tensor] : found->second)
        if (device == device_id) return tensor;
    return std::nullopt;
}

}  // namespace tilemeter::visualizer_import
