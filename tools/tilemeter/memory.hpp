// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// What Plan.save_memory() wrote, for other verbs.

#pragma once

#include <string>

namespace tilemeter::cli {

/// Told by how the file begins.
bool is_memory_file(const std::string& path);
/// Throws Failure where it has none.
std::string memory_file_page(const std::string& path);

}  // namespace tilemeter::cli
