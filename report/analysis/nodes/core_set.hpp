// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "capture/record/placement.hpp"

namespace tilemeter::analysis {

using record::Core;

/// The cores of a core range set, each once.
struct CoreSet {
    /// No chip has a larger grid; a text that names cores beyond it is not believed.
    static constexpr std::uint16_t kGridLimit = 64;

    std::vector<std::uint16_t> cores;  ///< y * kGridLimit + x, ascending
    bool everywhere = false;           ///< not known which: all cores are meant

    static Core core(std::uint16_t index) {
        return {static_cast<std::uint16_t>(index % kGridLimit),
                static_cast<std::uint16_t>(index / kGridLimit)};
    }
    bool contains(Core core) const;
};

/// Reads "{[0-0 - 7-7], [0-8 - 3-8]}", "{[(x=0,y=0) - (x=7,y=7)]}" and
/// [{"start":{"x":0,"y":0},"end":{"x":7,"y":7}}]. A text that is none of them gives `everywhere`.
CoreSet parse_core_set(std::string_view text);

}  // namespace tilemeter::analysis
