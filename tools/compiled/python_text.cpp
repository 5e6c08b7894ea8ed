// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <concepts>
#include <utility>
#include <variant>
#include <vector>

#include "runtime/types/runtime_error.hpp"
#include "tools/compiled/argument_text.hpp"
#include "tools/compiled/config_fields.hpp"

namespace tilemeter::compiled {
namespace python {
namespace {

std::string text_of(bool value) {
    return value ? "True" : "False";
}
template <std::integral T>
std::string text_of(T value) {
    return std::to_string(value);
}
std::string text_of(double value) {
    if (std::isnan(value)) return "float(\"nan\")";
    if (std::isinf(value)) return value < 0 ? "float(\"-inf\")" : "float(\"inf\")";
    std::array<char, 32> digits{};
    const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), value);
    std::string text(digits.data(), end);
    return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
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
    std::string name(name_of(dtype));
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
    return "ttnn." + name;
}
std::string text_of(Layout layout) {
    return "ttnn." + std::string(name_of(layout)) + "_LAYOUT";
}
std::string text_of(TensorMemoryLayout::Value layout) {
    return "ttnn.TensorMemoryLayout." + std::string(name_of(layout));
}
std::string text_of(ShardOrientation orientation) {
    return std::string("ttnn.ShardOrientation.") +
           (orientation == ShardOrientation::ROW_MAJOR ? "ROW_MAJOR" : "COL_MAJOR");
}
std::string text_of(const CoreCoord& core) {
    return "ttnn.CoreCoord(" + std::to_string(core.x) + ", " + std::to_string(core.y) + ")";
}
std::string text_of(const CoreRangeSet& cores) {
    std::string text = "ttnn.CoreRangeSet({";
    for (const CoreRange& range : cores.ranges())
        text += (text.ends_with('{') ? "" : ", ") + ("ttnn.CoreRange(" + text_of(range.start)) + ", " +
                text_of(range.end) + ")";
    return text + "})";
}
std::string text_of(const MemoryConfig& config) {
    if (!config.is_sharded() && config.buffer_type == BufferType::DRAM) return "ttnn.DRAM_MEMORY_CONFIG";
    if (!config.is_sharded() && config.buffer_type == BufferType::L1) return "ttnn.L1_MEMORY_CONFIG";
    std::string text = "ttnn.MemoryConfig(" + text_of(config.memory_layout) + ", ttnn.BufferType." +
                       std::string(name_of(config.buffer_type));
    if (config.shard_spec)
        text += ", ttnn.ShardSpec(" + text_of(config.shard_spec->grid) + ", [" +
                std::to_string(config.shard_spec->shape[0]) + ", " +
                std::to_string(config.shard_spec->shape[1]) + "], " +
                text_of(config.shard_spec->orientation) + ")";
    return text + ")";
}
std::string text_of(const UnaryWithParam& function) {
    // As many numbers as say something: those behind the last that is not 0 are its defaults.
    std::size_t count = function.parameters.size();
    while (count > 0 && function.parameters[count - 1] == 0)
        --count;
    std::string text =
        "ttnn.UnaryWithParam(ttnn.UnaryOpType." + std::string(compute::name_of(function.op_type));
    for (std::size_t i = 0; i < count; ++i)
        text += ", " + text_of(static_cast<double>(function.parameters[i]));
    return text + ")";
}
std::string text_of(MathFidelity fidelity) {
    static constexpr std::array kNames = {"LoFi", "HiFi2", "HiFi3", "HiFi4"};
    return std::string("ttnn.MathFidelity.") + kNames.at(static_cast<std::size_t>(fidelity));
}
std::string text_of(Conv2dSliceConfig::SliceType type) {
    static constexpr std::array kNames = {"Conv2dDRAMSliceHeight", "Conv2dDRAMSliceWidth", "Conv2dL1Full"};
    return std::string("ttnn.") + kNames.at(static_cast<std::size_t>(type));
}
template <typename T>
requires requires(const T& value) {
    text_of(value);
}
std::string text_of(const std::optional<T>& value) {
    return value ? text_of(*value) : "None";
}

template <HasConfigFields Config>
std::string text_of(const Config& config) {
    std::string text = std::string("ttnn.") + ConfigFields<Config>::kName + "(";
    visit_fields(config, [&](const char* name, const auto& value) {
        text += (text.ends_with('(') ? "" : ", ") + (std::string(name) + "=") + text_of(value);
    });
    return text + ")";
}
std::string text_of(const MatmulProgramConfig& config) {
    return std::visit([](const auto& each) { return text_of(each); }, config);
}

std::string text_of(const std::pair<std::uint32_t, std::uint32_t>& pair) {
    return "(" + std::to_string(pair.first) + ", " + std::to_string(pair.second) + ")";
}
template <typename T>
requires requires(const T& value) {
    text_of(value);
}
std::string text_of(const std::vector<T>& values) {
    std::string text = "[";
    for (const T& value : values)
        text += (text.size() == 1 ? "" : ", ") + text_of(value);
    return text + "]";
}

template <typename T>
concept HasText = requires(const T& value) {
    text_of(value);
};

}  // namespace
}  // namespace python

std::string python_text(const compat::Argument& argument) {
    return std::visit(
        []<typename T>(const T& value) -> std::string {
            if constexpr (python::HasText<T>)
                return python::text_of(value);
            else
                throw RuntimeError("argument: expected one that Python code can say, found another");
        },
        argument);
}

}  // namespace tilemeter::compiled
