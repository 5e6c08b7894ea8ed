// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Random numbers, and what else is made of statistics.

#include <nanobind/stl/variant.h>

#include "runtime/operations/normalization/batch_norm.hpp"
#include "tools/python/bindings/bind.hpp"
#include "tools/python/bindings/operation.hpp"

namespace tilemeter::python {


void bind_statistics(nb::module_& m) {
    operation(
        m, "batch_norm",
        [](const Tensor& input, const OptionalTensor& mean, const OptionalTensor& var, bool training,
           float eps, float, const OptionalTensor& weight, const OptionalTensor& bias,
           const OptionalTensor& output, const OptionalMemoryConfig& memory_config,
           const OptionalComputeKernelConfig& kernels) {
            return batch_norm(input, mean, var, training, eps, weight, bias, output, memory_config, kernels);
        },
        "input"_a, nb::kw_only(), "running_mean"_a = nb::none(), "running_var"_a = nb::none(),
        "training"_a = false, "eps"_a = 1e-5F, "momentum"_a = 0.1F, "weight"_a = nb::none(),
        "bias"_a = nb::none(), "output"_a = nb::none(), "memory_config"_a = nb::none(),
        "compute_kernel_config"_a = nb::none(),
        "(input - running_mean) / sqrt(running_var + eps) * weight + bias of [N, C, H, W], each channel with "
        "its own; not for training.");
}

}  // namespace tilemeter::python
