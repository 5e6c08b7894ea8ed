// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace tilemeter::visualizer_import {

struct ImportOptions {
    std::string db_name = "db.sqlite";
    bool svg = false;
    // Rows as TT-NN 0.81.1 writes them, also where they are wrong. README.md lists the differences.
    bool reference_quirks = false;
    bool materialize = false;   // buffers as rows, not as a view over their lifetimes
    bool buffer_chunks = true;  // where each buffer lies on each core: most of the rows of a detailed report
    bool lenient = false;       // of a directory: leave out what cannot be read, with a row in errors
    // Source files named in stack traces are stored only if they lie in one of these folders.
    std::vector<std::filesystem::path> source_roots;
};

// Which file is being read, bytes done, bytes in all.
using ImportProgress = std::function<void(const std::string&, std::uint64_t, std::uint64_t)>;

}  // namespace tilemeter::visualizer_import
