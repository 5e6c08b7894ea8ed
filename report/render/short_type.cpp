// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/render/internal/short_type.hpp"

#include <array>
#include <string_view>
#include <utility>

namespace tilemeter::analysis::internal {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kShortNames{{{"BFLOAT16", "bf16"},
                                                                                    {"FLOAT32", "f32"},
                                                                                    {"BFLOAT8_B", "bfp8"},
                                                                                    {"BFLOAT4_B", "bfp4"},
                                                                                    {"UINT32", "u32"},
                                                                                    {"INT32", "i32"},
                                                                                    {"UINT16", "u16"},
                                                                                    {"UINT8", "u8"}}};

}  // namespace

std::string short_type(const NodeList& list, std::uint32_t tensor) {
    const NodeList::Tensor* row = list.tensor(tensor);
    if (row == nullptr) return {};
    std::string_view shape = row->shape == TextRef::kNone ? std::string_view() : list.text(row->shape);
    if (shape.starts_with("Shape(") && shape.ends_with(")")) shape = shape.substr(6, shape.size() - 7);
    std::string_view type = row->dtype == TextRef::kNone ? std::string_view() : list.text(row->dtype);
    type = type.substr(type.rfind(':') + 1);
    for (const auto& [name, short_name] : kShortNames)
        if (name == type) type = short_name;
    return std::string(shape) + (shape.empty() || type.empty() ? "" : " ") + std::string(type);
}

}  // namespace tilemeter::analysis::internal
