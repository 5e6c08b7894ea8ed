// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/tilemeter/did_you_mean.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

#include "report/text.hpp"

namespace tilemeter::cli {
namespace {

/// Levenshtein's distance.
std::size_t edits_between(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t substituted = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({row[j] + 1, row[j + 1] + 1, substituted});
        }
    }
    return row.back();
}

}  // namespace

std::string no_such(std::string_view what, std::string_view asked, const std::vector<std::string>& names) {
    constexpr std::size_t kMostCharacters = 40;
    std::string shown = report::to_valid_utf8(asked.substr(0, kMostCharacters));
    std::string text = "no " + std::string(what) + " '" + shown + "'";
    std::size_t fewest = 3;
    std::string_view nearest;
    for (const std::string& name : names) {
        const std::size_t edits = asked.size() > kMostCharacters ? fewest : edits_between(asked, name);
        if (edits >= fewest) continue;
        fewest = edits;
        nearest = name;
    }
    if (!nearest.empty()) return text + "; did you mean '" + std::string(nearest) + "'?";
    text += "; there are:";
    for (const std::string& name : names)
        text += " " + name;
    return text;
}

}  // namespace tilemeter::cli
