// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>
#include <variant>
#include <vector>

#include "tools/compiled/argument_text.hpp"
#include "tools/compiled/config_fields.hpp"

namespace tilemeter::compiled {
namespace cpp {
namespace {

std::string text_of(bool value) {
    return value ? "true" : "false";
}
template <std::integral T>
std::string text_of(T value) {
    return std::to_string(value);
}
std::string text_of(double value) {
    if (std::isnan(value)) return "std::numeric_limits<float>::quiet_NaN()";
    if (std::isinf(value))
        return std::string(value < 0 ? "-" : "") + "std::numeric_limits<float>::infinity()";
    std::array<char, 32> digits{};
    const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), value);
    std::string text(digits.data(), end);
    return text + (text.find_first_of(".e") == std::string::npos ? ".0F" : "F");
}
std::string text_of(const std::string& value) {
    std::string text = "\"";
    for (const char c : value) {
        if (c == '"' || c == '\\') text += '\\';
        text += c;
    }
    return text + "\"";
}
std::string text_of(DataType dtype) {
    return "ttnn::DataType::" + std::string(name_of(dtype));
}
std::string text_of(Layout layout) {
    return "ttnn::Layout::" + std::string(name_of(layout));
}
std::string text_of(TensorMemoryLayout::Value layout) {
    return "ttnn::TensorMemoryLayout::" + std::string(name_of(layout));
}
std::string text_of(const CoreCoord& core) {
    return "ttnn::CoreCoord{" + std::to_string(core.x) + ", " + std::to_string(core.y) + "}";
}
std::string text_of(const CoreRangeSet& cores) {
    std::string text = "ttnn::CoreRangeSet{std::set<ttnn::CoreRange>{";
    for (const CoreRange& range : cores.ranges())
        text += (text.ends_with('{') ? "" : ", ") + ("ttnn::CoreRange{" + text_of(range.start)) + ", " +
                text_of(range.end) + "}";
    return text + "}}";
}
std::string text_of(const MemoryConfig& config) {
    if (!config.is_sharded() && config.buffer_type == BufferType::DRAM) return "ttnn::DRAM_MEMORY_CONFIG";
    if (!config.is_sharded() && config.buffer_type == BufferType::L1) return "ttnn::L1_MEMORY_CONFIG";
    std::string text = "ttnn::MemoryConfig{" + text_of(config.memory_layout) +
                       ", ttnn::BufferType::" + std::string(name_of(config.buffer_type));
    if (config.shard_spec)
        text += ", ttnn::ShardSpec{" + text_of(config.shard_spec->grid) + ", {" +
                std::to_string(config.shard_spec->shape[0]) + ", " +
                std::to_string(config.shard_spec->shape[1]) + "}, ttnn::ShardOrientation::" +
                (config.shard_spec->orientation == ShardOrientation::ROW_MAJOR ? "ROW_MAJOR" : "COL_MAJOR") +
                "}";
    return text + "}";
}
std::string text_of(const UnaryWithParam& function) {
    std::size_t count = function.parameters.size();
    while (count > 0 && function.parameters[count - 1] == 0)
        --count;
    std::string text =
        "ttnn::operations::unary::EltwiseUnaryWithParam{ttnn::operations::unary::UnaryOpType::" +
        std::string(compute::name_of(function.op_type));
    if (count > 0) text += ", std::vector<float>{";
    for (std::size_t i = 0; i < count; ++i)
        text += (i == 0 ? "" : ", ") + text_of(static_cast<double>(function.parameters[i]));
    return text + (count > 0 ? "}}" : "}");
}
std::string text_of(MathFidelity fidelity) {
    static constexpr std::array kNames = {"LoFi", "HiFi2", "HiFi3", "HiFi4"};
    return std::string("ttnn::MathFidelity::") + kNames.at(static_cast<std::size_t>(fidelity));
}
std::string text_of(Conv2dSliceConfig::SliceType type) {
    static constexpr std::array kNames = {"DRAM_HEIGHT", "DRAM_WIDTH", "L1_FULL"};
    return std::string("ttnn::Conv2dSliceConfig::SliceType::") + kNames.at(static_cast<std::size_t>(type));
}
template <typename T>
requires requires(const T& value) {
    text_of(value);
}
std::string text_of(const std::optional<T>& value) {
    return value ? text_of(*value) : "std::nullopt";
}
template <HasConfigFields Config>
std::string text_of(const Config& config) {
    std::string text =
        std::string("ttnn::") + ConfigFields<Config>::kNamespace + ConfigFields<Config>::kName + "{";
    visit_fields(config, [&](const char* name, const auto& value) {
        text += (text.ends_with('{') ? "." : ", .") + (std::string(name) + " = ") + text_of(value);
    });
    return text + "}";
}

template <typename T>
std::string list(std::string_view type, const std::vector<T>& values) {
    std::string text(type);
    text += '{';
    for (const T& value : values)
        text += (text.ends_with('{') ? "" : ", ") + text_of(value);
    return text + "}";
}

// "std::array<int, 2>": what its elements are, and how many; of any other list no number.
struct ListType {
    std::string_view made;  // what is written before the elements
    std::string own;
    std::string_view element;
    std::size_t count = 0;
};
std::optional<ListType> list_type(std::string_view type) {
    const std::size_t open = type.find('<');
    if (open == std::string_view::npos || !type.ends_with('>')) return std::nullopt;
    const std::string_view name = type.substr(0, open);
    std::string_view inside = type.substr(open + 1, type.size() - open - 2);
    ListType found{type, {}, inside, 0};
    if (name == "std::span") {
        inside.remove_prefix(inside.starts_with("const ") ? 6 : 0);
        found.element = inside;
        found.own = "std::vector<" + std::string(inside) + ">";
        return found;
    }
    found.own = type;
    if (name == "std::array") {
        const std::size_t comma = inside.rfind(',');
        found.element = inside.substr(0, comma);
        std::string_view count = inside.substr(comma + 1);
        count.remove_prefix(std::min(count.find_first_not_of(' '), count.size()));
        std::from_chars(count.data(), count.data() + count.size(), found.count);
        return found;
    }
    if (name == "ttsl::SmallVector" || name == "std::vector") return found;
    return std::nullopt;
}

constexpr std::array<std::string_view, 5> kSigned = {"int", "std::int32_t", "std::int64_t", "std::int8_t",
                                                     "long"};
constexpr std::array<std::string_view, 3> kUnsigned = {"std::uint32_t", "std::uint16_t", "std::size_t"};

bool is_of(std::string_view type, std::string_view last) {
    return type == last ||
           (type.ends_with(last) && type.substr(0, type.size() - last.size()).ends_with("::"));
}

using Text = std::optional<std::string>;

// Of one alternative; `is_alone`: conversions choose no other.
Text said(bool value, std::string_view type, bool) {
    return type == "bool" ? Text(text_of(value)) : Text();
}
Text said(std::int64_t value, std::string_view type, bool is_alone) {
    if (std::ranges::find(kSigned, type) != kSigned.end()) return std::to_string(value);
    if (std::ranges::find(kUnsigned, type) != kUnsigned.end() && value >= 0)
        return is_alone ? std::to_string(value) : std::string(type) + "{" + std::to_string(value) + "}";
    if (type == "float") return text_of(static_cast<double>(value));
    return std::nullopt;
}
Text said(double value, std::string_view type, bool) {
    return type == "float" ? Text(text_of(value)) : Text();
}
Text said(const std::string& value, std::string_view type, bool is_alone) {
    if (type != "std::string") return std::nullopt;
    return is_alone ? text_of(value) : "std::string(" + text_of(value) + ")";
}
Text said(const std::vector<std::int64_t>& values, std::string_view type, bool) {
    if (is_of(type, "Shape"))
        return std::ranges::any_of(values, [](std::int64_t value) { return value < 0; })
                   ? Text()
                   : "ttnn::Shape(" + list("", values) + ")";
    const auto made = list_type(type);
    if (!made || (made->count != 0 && made->count != values.size())) return std::nullopt;
    const bool is_unsigned = std::ranges::find(kUnsigned, made->element) != kUnsigned.end();
    if (!is_unsigned && std::ranges::find(kSigned, made->element) == kSigned.end()) return std::nullopt;
    if (is_unsigned && std::ranges::any_of(values, [](std::int64_t value) { return value < 0; }))
        return std::nullopt;
    return list(made->own, values);
}
Text said(const std::vector<double>& values, std::string_view type, bool) {
    const auto made = list_type(type);
    if (!made || made->element != "float" || (made->count != 0 && made->count != values.size()))
        return std::nullopt;
    return list(made->own, values);
}
Text said(const std::vector<std::pair<std::uint32_t, std::uint32_t>>& pairs, std::string_view type, bool) {
    const auto made = list_type(type);
    if (!made || !made->element.ends_with(", 2>")) return std::nullopt;
    std::string text = made->own + "{";
    for (const auto& [first, second] : pairs)
        text += (text.ends_with('{') ? "" : ", ") + std::string(made->element) + "{" + std::to_string(first) +
                ", " + std::to_string(second) + "}";
    return text + "}";
}
Text said(const std::vector<UnaryWithParam>& functions, std::string_view type, bool) {
    const auto made = list_type(type);
    if (!made || !made->element.ends_with("UnaryWithParam")) return std::nullopt;
    return list("std::vector<ttnn::operations::unary::EltwiseUnaryWithParam>", functions);
}
Text said(const MatmulProgramConfig& config, std::string_view type, bool) {
    if (!is_of(type, "MatmulProgramConfig")) return std::nullopt;
    return std::visit([](const auto& each) { return text_of(each); }, config);
}
template <HasConfigFields Config>
Text said(const Config& config, std::string_view type, bool) {
    constexpr std::string_view kName = ConfigFields<Config>::kName;
    const bool is_it =
        is_of(type, kName) || (kName == "WormholeComputeKernelConfig" && is_of(type, "ComputeKernelConfig"));
    return is_it ? Text(text_of(config)) : Text();
}
Text said(DataType value, std::string_view type, bool) {
    return is_of(type, "DataType") ? Text(text_of(value)) : Text();
}
Text said(Layout value, std::string_view type, bool) {
    return is_of(type, "Layout") ? Text(text_of(value)) : Text();
}
Text said(TensorMemoryLayout::Value value, std::string_view type, bool) {
    return is_of(type, "TensorMemoryLayout") ? Text(text_of(value)) : Text();
}
Text said(const MemoryConfig& value, std::string_view type, bool) {
    return is_of(type, "MemoryConfig") ? Text(text_of(value)) : Text();
}
Text said(const CoreCoord& value, std::string_view type, bool) {
    return is_of(type, "CoreCoord") ? Text(text_of(value)) : Text();
}
Text said(const CoreRangeSet& value, std::string_view type, bool) {
    return is_of(type, "CoreRangeSet") ? Text(text_of(value)) : Text();
}
Text said(const UnaryWithParam& value, std::string_view type, bool) {
    return type.ends_with("UnaryWithParam") ? Text(text_of(value)) : Text();
}

template <typename T>
concept CanBeSaid = requires(const T& value) {
    said(value, std::string_view(), true);
};

// A number stays what it is where an alternative lets it.
int order_of(std::string_view type) {
    if (std::ranges::find(kSigned, type) != kSigned.end()) return 0;
    return type == "float" ? 2 : 1;
}

template <CanBeSaid T>
Text said_as_one(const T& value, std::vector<std::string_view> types) {
    std::ranges::stable_sort(types, {}, order_of);
    for (const std::string_view type : types)
        if (Text text = said(value, type, types.size() == 1)) return text;
    return std::nullopt;
}

}  // namespace
}  // namespace cpp

std::string_view bare_type(std::string_view type) {
    for (;;) {
        if (type.ends_with('&'))
            type.remove_suffix(1);
        else if (type.starts_with("const "))
            type.remove_prefix(6);
        else if (constexpr std::string_view kOptional = "std::optional<"; type.starts_with(kOptional))
            type = type.substr(kOptional.size(), type.size() - kOptional.size() - 1);
        else
            return type;
    }
}

std::vector<std::string_view> alternatives_of(std::string_view type) {
    constexpr std::string_view kVariant = "std::variant<";
    if (!type.starts_with(kVariant)) return {type};
    type = type.substr(kVariant.size(), type.size() - kVariant.size() - 1);
    std::vector<std::string_view> found;
    std::size_t depth = 0, begin = 0;
    for (std::size_t i = 0; i <= type.size(); ++i) {
        if (i == type.size() || (type[i] == ',' && depth == 0)) {
            found.push_back(type.substr(begin, i - begin));
            begin = i + 1;
            while (begin < type.size() && type[begin] == ' ')
                ++begin;
            continue;
        }
        if (type[i] == '<') ++depth;
        if (type[i] == '>') --depth;
    }
    return found;
}

std::optional<std::string> cpp_text(const compat::Argument& argument, std::string_view type) {
    return std::visit(
        [&]<typename T>(const T& value) -> std::optional<std::string> {
            if constexpr (cpp::CanBeSaid<T>)
                return cpp::said_as_one(value, alternatives_of(bare_type(type)));
            else
                return std::nullopt;
        },
        argument);
}

}  // namespace tilemeter::compiled
