// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>

namespace tilemeter::record {

/// The work of operations while a capture is open.
/// The values and spellings are those of TT-NN's tt::tt_metal::IGraphProcessor::RunMode.
enum class RunMode : std::uint8_t {
    NORMAL,      ///< operations allocate, plan and compute
    NO_DISPATCH  ///< operations plan against a shadow of the allocators; nothing is allocated, nothing
                 ///< computed
};

}  // namespace tilemeter::record
