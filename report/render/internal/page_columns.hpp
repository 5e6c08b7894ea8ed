// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Tables of a page's data: a column each, written as briefly as JSON allows.
//
// Thread safety: outside locking.

#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include <nlohmann/json.hpp>

namespace tilemeter::analysis::internal {

using Column = std::vector<std::int64_t>;

/// The column as the page reads it (report/render/page/capture.js): {"n": 3, "same": 7} where all values are
/// one, {"steps": [5, 1, 1]} the first value and differences, where they are shorter, else {"all": [..]}.
nlohmann::json packed(const Column& column);

/// Texts once, named by number: paths and shapes repeat.
class PageTexts {
public:
    std::int64_t id(const std::string& text);
    nlohmann::json take() { return std::move(all_); }

private:
    std::unordered_map<std::string, std::int64_t> ids_;
    nlohmann::json all_ = nlohmann::json::array();
};

}  // namespace tilemeter::analysis::internal
