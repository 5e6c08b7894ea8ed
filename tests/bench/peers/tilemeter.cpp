// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <cstdlib>

#include "capture/record/emit.hpp"
#include "capture/record/text.hpp"
#include "capture/record/window.hpp"
#include "tests/bench/peers/zones.hpp"

int main(int argc, char** argv) {
    using namespace tilemeter::record;  // NOLINT
    const TextId name = intern("zone");
    WindowOptions options;
    // With a path, into a recording file; with a number of bytes, only the last ones.
    if (const char* path = std::getenv("TILEMETER_RECORDING_PATH")) options.recording = path;
    if (const char* bytes = std::getenv("TILEMETER_MOST_BYTES"))
        options.max_bytes = std::strtoull(bytes, nullptr, 10);
    open_window(options);
    return peers::run(argc, argv, [name] {
        emit_function_begin(name, 0);
        emit_function_end();
    });
}
