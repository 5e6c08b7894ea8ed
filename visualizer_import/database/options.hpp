// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "report/report_reader.hpp"

namespace tilemeter::visualizer_import {

struct ImportOptions {
    std::string db_name = "db.sqlite";
    bool svg = false;
    // Rows as TT-NN 0.81.1 writes them, also where they are wrong. DATABASE.md lists the differences.
    bool reference_quirks = false;
    bool materialize = false;   // buffers as rows, not as a view over their lifetimes
    bool buffer_chunks = true;  // each buffer on each core: most of the rows of a detailed report
    bool lenient = false;       // of a directory: leave out what cannot be read, with a row in errors
    bool force = false;         // replace whatever file has the database's name
    // Source files named in stack traces are stored only if they lie in one of these folders.
    std::vector<std::filesystem::path> source_roots;
    // Once it is set, by another thread or the handler of a signal, the import ends soon: with an Error, and
    // nothing of it remains. Null: nobody will.
    const std::atomic<bool>* stop = nullptr;
    // As report::ReadOptions have them.
    std::uint64_t read_ahead_from_bytes = report::ReadOptions().ahead_from_bytes;
    std::size_t read_window_bytes = report::ReadOptions().window_bytes;

    // A listener to left-out rows and their reasons, one line each, as they are met. By the thread that imports; must
    // not throw.
    std::function<void(const std::string&)> on_warning;

    [[nodiscard]] bool stop_requested() const { return stop != nullptr && stop->load(); }
};

// The file being read, bytes done, bytes in all. Called by the import's threads, one call at a time; must not throw.
using ImportProgress = std::function<void(const std::string&, std::uint64_t, std::uint64_t)>;

}  // namespace tilemeter::visualizer_import
