// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/graph/crash_frames.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace tilemeter::graph {

std::vector<Frame> frames_of(const record::Crash& crash) {
    Symbolizer symbolizer;
    std::vector<Frame> frames;
    bool exact = crash.exact;
    for (const std::uint64_t address : crash.frames) {
        // The symbolizer looks one byte before a return address, into the call.
        std::vector<Frame> here = symbolizer.frames_at(exact ? address + 1 : address);
        if (exact) {
            for (Frame& frame : here) {
                --frame.address;
                if (frame.offset > 0) --frame.offset;
            }
        }
        exact = false;
        frames.insert(frames.end(), std::make_move_iterator(here.begin()),
                      std::make_move_iterator(here.end()));
    }
    // The recorder's own frames while std::terminate ran.
    const auto own = std::find_if(frames.begin(), frames.end(), [](const Frame& frame) {
        return frame.function.find("on_terminate") != std::string::npos &&
               frame.function.starts_with("tilemeter::record::internal::");
    });
    if (crash.terminate && own != frames.end()) frames.erase(frames.begin(), std::next(own));
    return frames;
}

std::size_t place_in(const std::vector<Frame>& frames) {
    const auto is_librarys = [](const Frame& frame) {
        for (const std::string_view folder : {"/lib/", "/lib64/", "/usr/lib/", "/usr/lib64/"}) {
            if (frame.module.starts_with(folder)) return true;
        }
        for (const std::string_view name : {"std::", "__gnu_cxx::", "__"}) {
            if (frame.function.starts_with(name)) return true;
        }
        return frame.function.empty();
    };
    const auto found = std::find_if_not(frames.begin(), frames.end(), is_librarys);
    return found == frames.end() ? 0 : static_cast<std::size_t>(found - frames.begin());
}

}  // namespace tilemeter::graph
