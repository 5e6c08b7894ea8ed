// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "report/json_value.hpp"
#include "report/result.hpp"

namespace tilemeter::report {

// A whole file as one value, for files that are small by nature (sidecars, expectations, configurations).
Result<JsonValue> read_json_file(const std::filesystem::path& path, JsonDocument& document);

}  // namespace tilemeter::report
