// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Random numbers, and what else is made of statistics.

#include <nanobind/stl/variant.h>

#include "runtime/operations/matmul/matmul.hpp"
#include "runtime/operations/normalization/batch_norm.hpp"
#include "tools/python/bindings/bind.hpp"
#include "tools/python/bindings/operation.hpp"

namespace tilemeter::python {

namespace {

/// TT-NN's argument that says how kernels compute; values here are the same with each.
using Unused = nb::handle;

}  // namespace

void bind_statistics(nb::module_& m) {
    operation(
        m, "addmm",
        [](const Tensor& input, const Tensor& left, const Tensor& right, float alpha, float beta,
           const OptionalMemoryConfig& memory_config, const OptionalDataType& dtype,
           const OptionalProgramConfig& program_config, const OptionalComputeKernelConfig& kernels,
           const OptionalCoreGrid& core_grid, Unused, const OptionalTensor& output) {
            return addmm(input, left, right, alpha, beta, memory_config, dtype, program_config, kernels,
                         core_grid, output);
        },
        "input_tensor"_a, "mat1_tensor"_a, "mat2_tensor"_a, nb::kw_only(), "alpha"_a = 1.0F, "beta"_a = 1.0F,
        "memory_config"_a = nb::none(), "dtype"_a = nb::none(), "program_config"_a = nb::none(),
        "compute_kernel_config"_a = nb::none(), "core_grid"_a = nb::none(), "output_tile"_a = nb::none(),
        "optional_output_tensor"_a = nb::none(), "beta * input + alpha * (mat1 @ mat2).");
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
