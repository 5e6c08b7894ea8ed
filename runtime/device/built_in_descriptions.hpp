// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The texts of runtime/device/descriptions/*.json, in the program. The definition is made by the build
// (runtime/CMakeLists.txt). Not installed.

#pragma once

#include <span>
#include <string_view>

namespace tilemeter {

struct BuiltInDescription {
    std::string_view name;
    std::string_view json;
};

std::span<const BuiltInDescription> built_in_descriptions();

}  // namespace tilemeter
