// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Normalization: softmax and norms. Their program configs are data classes of Python's.

#include "runtime/operations/normalization/definitions.hpp"
#include "tools/python/bindings/bind.hpp"
#include "tools/python/bindings/definition.hpp"

namespace tilemeter::python {

namespace {

namespace nb = nanobind;

/// A grid of cores, a pair or a CoreCoord.
CoreCoord grid_of(nb::handle config) {
    const nb::object grid = config.attr("compute_with_storage_grid_size");
    if (!nb::isinstance<nb::tuple>(grid)) return nb::cast<CoreCoord>(grid);
    return {nb::cast<std::uint32_t>(grid[0]), nb::cast<std::uint32_t>(grid[1])};
}

std::uint32_t tiles_of(nb::handle config, const char* name) {
    return nb::cast<std::uint32_t>(config.attr(name));
}

void read_config(nb::handle config, OptionalSoftmaxProgramConfig& value) {
    value = {grid_of(config), tiles_of(config, "subblock_w"), tiles_of(config, "block_h"),
             tiles_of(config, "block_w")};
}
void read_config(nb::handle config, OptionalLayerNormProgramConfig& value) {
    value = {grid_of(config), tiles_of(config, "subblock_w"), tiles_of(config, "block_h"),
             tiles_of(config, "block_w"), nb::cast<bool>(config.attr("inplace"))};
}

/// None and the default config, which has no blocks, are none.
template <typename Config>
bool read_optional_config(nb::handle config, Config& value) noexcept {
    value.reset();
    if (config.is_none() || !nb::hasattr(config, "block_h")) return true;
    try {
        read_config(config, value);
        return true;
    } catch (const std::exception&) {
        return false;
    }
}

}  // namespace

}  // namespace tilemeter::python

namespace nanobind::detail {

// In signatures the configs are objects that may be None; nanobind names an optional type by its value's.
template <>
struct type_caster<tilemeter::SoftmaxShardedMultiCoreProgramConfig> {
    static constexpr auto Name = const_name("object");
};
template <>
struct type_caster<tilemeter::LayerNormShardedMultiCoreProgramConfig> {
    static constexpr auto Name = const_name("object");
};

template <>
struct type_caster<tilemeter::OptionalSoftmaxProgramConfig> {
    NB_TYPE_CASTER(tilemeter::OptionalSoftmaxProgramConfig, const_name("object | None"))

    bool from_python(handle config, std::uint32_t, cleanup_list*) noexcept {
        return tilemeter::python::read_optional_config(config, value);
    }
    static handle from_cpp(const tilemeter::OptionalSoftmaxProgramConfig&, rv_policy,
                           cleanup_list*) noexcept {
        return none().release();
    }
};

template <>
struct type_caster<tilemeter::OptionalLayerNormProgramConfig> {
    NB_TYPE_CASTER(tilemeter::OptionalLayerNormProgramConfig, const_name("object | None"))

    bool from_python(handle config, std::uint32_t, cleanup_list*) noexcept {
        return tilemeter::python::read_optional_config(config, value);
    }
    static handle from_cpp(const tilemeter::OptionalLayerNormProgramConfig&, rv_policy,
                           cleanup_list*) noexcept {
        return none().release();
    }
};

}  // namespace nanobind::detail

namespace tilemeter::python {

void bind_normalization(nb::module_& operations) {
    bind_definitions(operations, NormalizationDefinitions());
}

}  // namespace tilemeter::python
