// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Softmax and normalisation.

#include <nanobind/stl/variant.h>

#include "runtime/device/errors.hpp"
#include "runtime/operations/normalization/normalization.hpp"
#include "runtime/operations/normalization/softmax.hpp"
#include "tools/python/bindings/bind.hpp"
#include "tools/python/bindings/operation.hpp"
#include "tools/python/bindings/program_configs.hpp"

namespace tilemeter::python {

namespace {

/// TT-NN's argument that says how kernels compute; values here are the same with each.
using Unused = nb::handle;

/// What can't be given here. Tiles of 32 x 32 are what there is anyway.
void require_no_option(nb::handle argument, const char* name) {
    const nb::gil_scoped_acquire lock;  // operations run without it
    if (argument.is_none()) return;
    if (nb::isinstance<nb::list>(argument) || nb::isinstance<nb::tuple>(argument)) {
        if (nb::len(argument) == 0) return;
    } else if (nb::hasattr(argument, "tile_shape")) {
        const nb::object shape = argument.attr("tile_shape");
        if (nb::cast<std::uint32_t>(shape[0]) == kTileHeight &&
            nb::cast<std::uint32_t>(shape[1]) == kTileWidth)
            return;
    }
    throw RuntimeError(std::string(name) + ": expected None, got " +
                       nb::cast<std::string>(nb::repr(argument)) + ", which is not modelled");
}

using Norm = Tensor (*)(const Tensor&, float, const OptionalTensor&, const OptionalTensor&,
                        const OptionalTensor&, const OptionalMemoryConfig&,
                        const OptionalLayerNormProgramConfig&, const OptionalComputeKernelConfig&);

void bind_norm(nb::module_& m, const char* name, Norm function, const char* doc) {
    operation(
        m, name,
        [function](const Tensor& input, float epsilon, const OptionalTensor& weight,
                   const OptionalTensor& bias, const OptionalTensor& residual,
                   const OptionalMemoryConfig& memory_config, nb::handle config,
                   const OptionalComputeKernelConfig& kernels) {
            return function(input, epsilon, weight, bias, residual, memory_config, norm_config(config),
                            kernels);
        },
        "input_tensor"_a, nb::kw_only(), "epsilon"_a = 1e-12F, "weight"_a = nb::none(), "bias"_a = nb::none(),
        "residual_input_tensor"_a = nb::none(), "memory_config"_a = nb::none(),
        "program_config"_a = nb::none(), "compute_kernel_config"_a = nb::none(), doc);
}

}  // namespace

void bind_matrix(nb::module_& m) {
    operation(
        m, "softmax",
        [](const Tensor& input, int dim, const OptionalMemoryConfig& memory_config,
           const OptionalComputeKernelConfig& kernels,
           bool numeric_stable) { return softmax(input, dim, memory_config, numeric_stable, kernels); },
        "input_tensor"_a, "dim"_a = -1, nb::kw_only(), "memory_config"_a = nb::none(),
        "compute_kernel_config"_a = nb::none(), "numeric_stable"_a = true,
        "exp(x) divided by its sum along dim. TILE layout, floating point; shape and dtype of the input.");
    operation(
        m, "softmax_in_place",
        [](const Tensor& input, int dim, nb::handle config, const OptionalComputeKernelConfig& kernels,
           bool numeric_stable) {
            return softmax_in_place(input, dim, numeric_stable, softmax_config(config), kernels);
        },
        "input_tensor"_a, "dim"_a = -1, nb::kw_only(), "program_config"_a = nb::none(),
        "compute_kernel_config"_a = nb::none(), "numeric_stable"_a = true,
        "softmax written over its input, which is returned.");
    operation(
        m, "layer_norm",
        [](const Tensor& input, float epsilon, const OptionalTensor& weight, const OptionalTensor& bias,
           const OptionalTensor& residual, const OptionalMemoryConfig& memory_config, nb::handle config,
           const OptionalComputeKernelConfig& kernels, Unused recip_tensor) {
            require_no_option(recip_tensor, "recip_tensor");
            return layer_norm(input, epsilon, weight, bias, residual, memory_config, norm_config(config),
                              kernels);
        },
        "input_tensor"_a, nb::kw_only(), "epsilon"_a = 1e-12F, "weight"_a = nb::none(), "bias"_a = nb::none(),
        "residual_input_tensor"_a = nb::none(), "memory_config"_a = nb::none(),
        "program_config"_a = nb::none(), "compute_kernel_config"_a = nb::none(),
        "recip_tensor"_a = nb::none(),
        "(x - mean) / sqrt(variance + epsilon) * weight + bias over the last dimension.");
    bind_norm(m, "rms_norm", &rms_norm,
              "x / sqrt(mean(x * x) + epsilon) * weight + bias over the last dimension.");
}

}  // namespace tilemeter::python
