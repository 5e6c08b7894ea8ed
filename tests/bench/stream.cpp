// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Streams events into a recording file and says what memory that took:
//     bench/tilemeter_stream EVENTS FILE [MOST_MEGABYTES]
// With a third argument the file is a ring of that size.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include "capture/record/emit.hpp"
#include "capture/record/text.hpp"
#include "capture/record/window.hpp"

namespace {

std::uint64_t kilobytes(const char* key) {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with(key)) return std::stoull(line.substr(line.find_first_of("0123456789")));
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    using namespace tilemeter::record;  // NOLINT: a few emitters
    if (argc < 3) return 2;
    const std::uint64_t events = std::strtoull(argv[1], nullptr, 10);
    WindowOptions options;
    options.recording = argv[2];
    if (argc > 3) options.max_bytes = std::strtoull(argv[3], nullptr, 10) << 20;
    const TextId name = intern("zone");
    open_window(options);
    const auto begin = std::chrono::steady_clock::now();
    std::uint64_t most_kb = 0;
    std::uint64_t most_anonymous_kb = 0;
    for (std::uint64_t i = 0; i < events; i += 2) {
        emit_function_begin(name, i);
        emit_function_end();
        if (i % 10'000'000 == 0) {
            most_kb = std::max(most_kb, kilobytes("VmRSS:"));
            most_anonymous_kb = std::max(most_anonymous_kb, kilobytes("RssAnon:"));
        }
    }
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    std::printf(
        "%llu events in %.1f s, %.1f ns each; resident at most %.1f MB, %.1f MB of it beyond the file\n",
        static_cast<unsigned long long>(events), seconds, seconds * 1e9 / static_cast<double>(events),
        static_cast<double>(most_kb) / 1e3, static_cast<double>(most_anonymous_kb) / 1e3);
    const auto recording = close_innermost_window();
    std::uint64_t kept = 0;
    for (const ThreadSlice& slice : recording->threads)
        kept += slice.end - slice.begin;
    std::printf("kept %llu, counted as lost %llu\n", static_cast<unsigned long long>(kept),
                static_cast<unsigned long long>(recording->overwritten + recording->counted.total()));
    return kept + recording->overwritten + recording->counted.total() == events ? 0 : 1;
}
