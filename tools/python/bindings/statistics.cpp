// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Spreads, products, running sums, losses and random numbers.

#include <nanobind/stl/variant.h>

#include "runtime/operations/matmul/matmul.hpp"
#include "runtime/operations/normalization/batch_norm.hpp"
#include "runtime/operations/reduction/accumulation.hpp"
#include "runtime/operations/reduction/ema.hpp"
#include "runtime/operations/reduction/fast_reduce_nc.hpp"
#include "runtime/operations/reduction/losses.hpp"
#include "runtime/operations/reduction/prod.hpp"
#include "runtime/operations/reduction/variance.hpp"
#include "tools/python/bindings/bind.hpp"
#include "tools/python/bindings/operation.hpp"

namespace tilemeter::python {

namespace {

/// TT-NN's argument that says how kernels compute; values here are the same with each.
using Unused = nb::handle;

using Spread = Tensor (*)(const Tensor&, const ReduceDims&, bool, const OptionalMemoryConfig&, float, bool);

void bind_spread(nb::module_& m, const char* name, Spread function) {
    operation(
        m, name,
        [function](const Tensor& input, const ReduceDims& dim, bool keepdim,
                   const OptionalMemoryConfig& memory_config, Unused, float scalar, bool correction,
                   nb::handle sub_core_grids) {
            require_none(sub_core_grids, "reduction", "sub_core_grids");
            return function(input, dim, keepdim, memory_config, scalar, correction);
        },
        "input_tensor"_a, "dim"_a = nb::none(), "keepdim"_a = false, nb::kw_only(),
        "memory_config"_a = nb::none(), "compute_kernel_config"_a = nb::none(), "scalar"_a = 1.0F,
        "correction"_a = true, "sub_core_grids"_a = nb::none(),
        "Over one dimension, several, or all (None). correction: divided by one less than their number.");
}

using Loss = Tensor (*)(const Tensor&, const Tensor&, LossReductionMode, const OptionalMemoryConfig&,
                        const OptionalTensor&);

void bind_loss(nb::module_& m, const char* name, Loss function, const char* doc) {
    operation(m, name, function, "input_reference"_a, "input_prediction"_a, nb::kw_only(),
              "reduction"_a = LossReductionMode::NONE, "memory_config"_a = nb::none(),
              "output_tensor"_a = nb::none(), doc);
}

}  // namespace

void bind_statistics(nb::module_& module, nb::module_& m) {
    nb::enum_<LossReductionMode>(module, "LossReductionMode", "What a loss is: per element, a sum, a mean.")
        .value("NONE", LossReductionMode::NONE)
        .value("SUM", LossReductionMode::SUM)
        .value("MEAN", LossReductionMode::MEAN);
    bind_spread(m, "var", &var);
    bind_spread(m, "std", &tilemeter::std);
    operation(
        m, "prod",
        [](const Tensor& input, const std::optional<std::int64_t>& dim, bool keepdim,
           const OptionalMemoryConfig& memory_config) { return prod(input, dim, keepdim, memory_config); },
        "input_tensor"_a, "dim"_a = nb::none(), "keepdim"_a = false, nb::kw_only(),
        "memory_config"_a = nb::none(), "The product along dim, or of all elements.");
    operation(
        m, "prod",
        [](const Tensor& input, const Tensor& output, const std::vector<std::int64_t>& dims,
           const OptionalMemoryConfig& memory_config) { return prod(input, output, dims, memory_config); },
        "input_tensor"_a, "output_tensor"_a, nb::kw_only(), "dims"_a, "memory_config"_a = nb::none(),
        "The product along dims (0, 1 or both of four dimensions), which stay as 1, in output_tensor.");
    operation(
        m, "ema",
        [](const Tensor& input, float alpha, const OptionalTensor& out, const OptionalCoreGrid& core_grid,
           const OptionalMemoryConfig& memory_config, Unused) {
            std::optional<CoreCoord> cores;
            if (core_grid) cores = CoreCoord{core_grid->x, core_grid->y};
            return ema(input, alpha, out, cores, memory_config);
        },
        "input_tensor"_a, "alpha"_a, nb::kw_only(), "out"_a = nb::none(), "core_grid"_a = nb::none(),
        "memory_config"_a = nb::none(), "compute_kernel_config"_a = nb::none(),
        "Along the last dimension of [1, B, C, T] alpha times the average before plus (1 - alpha) times the "
        "element. bfloat16, TILE.");
    operation(
        m, "cumsum", &cumsum, "input"_a, "dim"_a, nb::kw_only(), "dtype"_a = nb::none(),
        "reverse_order"_a = false, "out"_a = nb::none(), "memory_config"_a = nb::none(),
        "disable_compensated_sum"_a = false,
        "Each element with all before it along dim added up. disable_compensated_sum: float32 without the "
        "buffer for what sums lose.");
    operation(m, "cumprod", &cumprod, "input_tensor"_a, "dim"_a, nb::kw_only(), "dtype"_a = nb::none(),
              "reverse_order"_a = false, "out"_a = nb::none(), "memory_config"_a = nb::none(),
              "Each element times all before it along dim.");
    bind_loss(m, "l1_loss", &l1_loss, "|reference - prediction|, per element, summed or averaged.");
    bind_loss(m, "mse_loss", &mse_loss, "(reference - prediction)^2, per element, summed or averaged.");
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
    auto experimental = nb::cast<nb::module_>(m.attr("experimental"));
    operation(
        experimental, "fast_reduce_nc",
        [](const Tensor& input, const std::vector<std::int32_t>& dims, const OptionalTensor& output,
           const MemoryConfig& memory_config, Unused, const OptionalCores& sub_core_grids) {
            return experimental::fast_reduce_nc(input, dims, output, memory_config, sub_core_grids);
        },
        "input"_a, nb::kw_only(), "dims"_a = std::vector<std::int32_t>(), "output"_a = nb::none(),
        "memory_config"_a = DRAM_MEMORY_CONFIG, "compute_kernel_config"_a = nb::none(),
        "sub_core_grids"_a = nb::none(), "Sums along dims, any but the last two, which stay as 1. TILE.");
    operation(experimental, "intimg", &experimental::intimg, "input_tensor"_a,
              "Integral images: [1, H, W, C] summed over all rows and columns up to each place. TILE.");
}

}  // namespace tilemeter::python
