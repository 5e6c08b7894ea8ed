// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The program config of softmax, which is a data class of Python's.
//
// Thread safety: may be called from any thread; takes the interpreter's lock.

#pragma once

#include "runtime/operations/softmax.hpp"
#include "tools/python/bindings/bind.hpp"

namespace tilemeter::python {

/// Nothing for None and the default config.
inline OptionalSoftmaxProgramConfig softmax_config(nb::handle config) {
    const nb::gil_scoped_acquire lock;  // operations run without it
    if (config.is_none() || !nb::hasattr(config, "block_h")) return std::nullopt;
    const nb::object grid = config.attr("compute_with_storage_grid_size");
    CoreCoord cores;
    if (nb::isinstance<nb::tuple>(grid)) {
        cores = {nb::cast<std::uint32_t>(grid[0]), nb::cast<std::uint32_t>(grid[1])};
    } else {
        cores = nb::cast<CoreCoord>(grid);
    }
    return SoftmaxShardedMultiCoreProgramConfig{cores, nb::cast<std::uint32_t>(config.attr("subblock_w")),
                                                nb::cast<std::uint32_t>(config.attr("block_h")),
                                                nb::cast<std::uint32_t>(config.attr("block_w"))};
}

}  // namespace tilemeter::python
