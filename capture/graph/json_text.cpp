// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/graph/json_text.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

namespace tilemeter::graph {

std::string quoted(std::string_view text) {
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string valid_utf8(std::string_view text) {
    const auto is_ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
    if (std::all_of(text.begin(), text.end(), is_ascii)) return std::string(text);
    return nlohmann::json::parse(quoted(text)).get<std::string>();
}

}  // namespace tilemeter::graph
