// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Reads the safetensors format: 8 bytes of header length, a JSON header (name -> dtype, shape, offsets), the
// values.
//
// Thread safety: const calls may run at the same time; calls that change an object need outside locking.

#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace tilemeter::demo {

struct NamedValues {
    std::vector<std::uint32_t> shape;
    std::vector<float> values;  ///< row-major
};

/// All float32 tensors of the file by name; others are left out. Throws std::runtime_error: file, where, what
/// was expected, what was found.
std::map<std::string, NamedValues> read_safetensors(const std::filesystem::path& path);

}  // namespace tilemeter::demo
