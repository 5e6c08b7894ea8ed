// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Matrix products.

#include <array>
#include <cstdint>
#include <type_traits>

#include <nanobind/stl/array.h>

#include "runtime/operations/matmul/definitions.hpp"
#include "tools/python/bindings/bind.hpp"
#include "tools/python/bindings/definition.hpp"

namespace nanobind::detail {

template <>
struct has_arg_defaults<tilemeter::OutputTile> : std::true_type {};

/// Takes None or the package's Tile.
template <>
struct type_caster<tilemeter::OutputTile> {
    NB_TYPE_CASTER(tilemeter::OutputTile, const_name("object"))

    bool from_python(handle source, std::uint32_t, cleanup_list*) {
        value.tile.reset();
        if (source.is_none()) return true;
        if (!hasattr(source, "tile_shape")) return false;
        const auto shape = nanobind::cast<std::array<std::uint32_t, 2>>(source.attr("tile_shape"));
        value.tile = tilemeter::Tile{shape[0], shape[1]};
        return true;
    }
    static handle from_cpp(const tilemeter::OutputTile&, rv_policy, cleanup_list*) noexcept {
        return none().release();
    }
};

}  // namespace nanobind::detail

namespace tilemeter::python {

namespace {

void bind_config(nb::module_& module) {
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

void bind_matmul(nb::module_& module, nb::module_& operations) {
    bind_config(module);
    bind_definitions(operations, MatmulDefinitions());
}

}  // namespace tilemeter::python
