// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Unknown and unrecorded figures are null in every answer.

#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "report/analysis/nodes/node_list.hpp"

namespace tilemeter::analysis::internal {

using Json = nlohmann::ordered_json;

template <class Value>
Json or_null(const std::optional<Value>& value) {
    return value ? Json(*value) : Json(nullptr);
}
inline Json or_null(Number number) {
    return number.given() ? Json(number.value_or(0)) : Json(nullptr);
}
/// An empty text is one that nobody recorded.
inline Json or_null(const std::string& text) {
    return text.empty() ? Json(nullptr) : Json(text);
}
inline Json node_or_null(std::uint32_t node) {
    return node == kNoIndex ? Json(nullptr) : Json(node);
}

/// Per what the bytes of a member count, as the end of its name.
inline const char* unit_of(MemoryType memory) {
    switch (memory) {
        case MemoryType::kL1:
        case MemoryType::kL1Small:
            return "per_core";
        case MemoryType::kDram:
        case MemoryType::kTrace:
            return "per_bank";
        case MemoryType::kSystemMemory:
            break;
    }
    return "on_host";
}

}  // namespace tilemeter::analysis::internal
