// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/render/internal/embedded_data.hpp"

#include <string_view>

namespace tilemeter::analysis::internal {

std::string page_with(const char* page, const nlohmann::json& data) {
    const std::string text = data.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    std::string embedded;
    embedded.reserve(text.size());
    for (const char c : text) {
        if (c == '<')
            embedded += "\\u003c";
        else
            embedded += c;
    }
    constexpr std::string_view kMark = "/*DATA*/";
    std::string result = page;
    return result.replace(result.find(kMark), kMark.size(), embedded);
}

}  // namespace tilemeter::analysis::internal
