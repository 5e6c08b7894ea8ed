// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Parameters of matrix products beside program configs (configs.cpp).

#include <cstdint>

#include "runtime/operations/matmul/minimal_matmul.hpp"
#include "tools/python/bindings/base/bind.hpp"
#include "tools/python/bindings/base/operation.hpp"

namespace tilemeter::python {

namespace {

void bind_matmul_config(nb::module_& module) {
    nb::class_<MinimalMatmulConfig>(module, "MinimalMatmulConfig", "Sizes of blocks in tiles, and the cores.")
        .def(
            "__init__",
            [](MinimalMatmulConfig* self, std::uint32_t m, std::uint32_t k, std::uint32_t n, std::uint32_t h,
               std::uint32_t w, CoreCoord grid) { new (self) MinimalMatmulConfig{m, k, n, h, w, grid}; },
            nb::kw_only(), "M_block_size"_a = 1, "K_block_size"_a = 1, "N_block_size"_a = 1,
            "subblock_h"_a = 1, "subblock_w"_a = 1, "compute_with_storage_grid_size"_a = CoreCoord{1, 1})
        .def_rw("M_block_size", &MinimalMatmulConfig::M_block_size)
        .def_rw("K_block_size", &MinimalMatmulConfig::K_block_size)
        .def_rw("N_block_size", &MinimalMatmulConfig::N_block_size)
        .def_rw("subblock_h", &MinimalMatmulConfig::subblock_h)
        .def_rw("subblock_w", &MinimalMatmulConfig::subblock_w)
        .def_rw("compute_with_storage_grid_size", &MinimalMatmulConfig::compute_with_storage_grid_size)
        .def("__repr__", [](const MinimalMatmulConfig& self) { return attribute_text(self); });
}

}  // namespace

void bind_matmul_types(nb::module_& module) {
    bind_matmul_config(module);
}

}  // namespace tilemeter::python
