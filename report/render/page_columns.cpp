// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/render/internal/page_columns.hpp"

#include <algorithm>

namespace tilemeter::analysis::internal {
namespace {

/// Characters of its decimal digits and sign.
std::size_t length_of(std::int64_t value) {
    std::size_t length = value < 0 ? 2 : 1;
    for (; value > 9 || value < -9; value /= 10)
        ++length;
    return length;
}

}  // namespace

nlohmann::json packed(const Column& column) {
    const auto is_first = [&](std::int64_t value) { return value == column.front(); };
    if (std::all_of(column.begin(), column.end(), is_first))
        return {{"n", column.size()}, {"same", column.empty() ? 0 : column.front()}};
    Column steps(column.size());
    std::size_t length = 0, length_of_steps = 0;
    for (std::size_t i = 0; i < column.size(); ++i) {
        steps[i] = column[i] - (i == 0 ? 0 : column[i - 1]);
        length += length_of(column[i]);
        length_of_steps += length_of(steps[i]);
    }
    if (length_of_steps < length) return {{"steps", std::move(steps)}};
    return {{"all", column}};
}

std::int64_t PageTexts::id(const std::string& text) {
    const auto [known, is_new] = ids_.try_emplace(text, static_cast<std::int64_t>(all_.size()));
    if (is_new) all_.push_back(text);
    return known->second;
}

}  // namespace tilemeter::analysis::internal
