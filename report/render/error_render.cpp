// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/render/error_render.hpp"

#include <string>

#include <nlohmann/json.hpp>

namespace tilemeter::analysis {

nlohmann::ordered_json error_json(std::string_view message, int status, const report::Error& parts) {
    nlohmann::ordered_json json{
        {"schema", "tilemeter.error/1"}, {"status", status}, {"message", std::string(message)}};
    const auto add = [&json](const char* member, const std::string& text) {
        if (!text.empty()) json[member] = text;
    };
    add("file", parts.file);
    add("position", parts.position);
    add("expected", parts.expected);
    add("found", parts.found);
    return json;
}

}  // namespace tilemeter::analysis
