// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/render/memory_page.hpp"

#include <nlohmann/json.hpp>

#include "report/render/internal/embedded_data.hpp"
#include "report/render/page_text.hpp"

namespace tilemeter::analysis {

std::string memory_page(const nlohmann::json& memory) {
    return internal::page_with(kMemoryPageText, memory);
}

}  // namespace tilemeter::analysis
