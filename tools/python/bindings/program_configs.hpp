// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The program configs of softmax and norms, which are data classes of Python's.
//
// Thread safety: may be called from any thread; takes the interpreter's lock.

#pragma once

#include "runtime/operations/normalization/normalization.hpp"
#include "runtime/operations/normalization/softmax.hpp"
#include "tools/python/bindings/bind.hpp"

namespace tilemeter::python {

/// A grid of cores, a pair or a CoreCoord.
inline CoreCoord grid_of(nb::handle config) {
    const nb::object grid = config.attr("compute_with_storage_grid_size");
    if (!nb::isinstance<nb::tuple>(grid)) return nb::cast<CoreCoord>(grid);
    return {nb::cast<std::uint32_t>(grid[0]), nb::cast<std::uint32_t>(grid[1])};
}

inline std::uint32_t tiles_of(nb::handle config, const char* name) {
    return nb::cast<std::uint32_t>(config.attr(name));
}

/// Nothing for None and the default config.
inline OptionalSoftmaxProgramConfig softmax_config(nb::handle config) {
    const nb::gil_scoped_acquire lock;  // operations run without it
    if (config.is_none() || !nb::hasattr(config, "block_h")) return std::nullopt;
    return SoftmaxShardedMultiCoreProgramConfig{grid_of(config), tiles_of(config, "subblock_w"),
                                                tiles_of(config, "block_h"), tiles_of(config, "block_w")};
}

inline OptionalLayerNormProgramConfig norm_config(nb::handle config) {
    const nb::gil_scoped_acquire lock;
    if (config.is_none() || !nb::hasattr(config, "block_h")) return std::nullopt;
    return LayerNormShardedMultiCoreProgramConfig{grid_of(config), tiles_of(config, "subblock_w"),
                                                  tiles_of(config, "block_h"), tiles_of(config, "block_w"),
                                                  nb::cast<bool>(config.attr("inplace"))};
}

}  // namespace tilemeter::python
