// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Norms in two steps, between which chips exchange sums.

#include "runtime/operations/normalization/distributed_norm.hpp"

#include "runtime/device/errors.hpp"
#include "tools/python/bindings/bind.hpp"
#include "tools/python/bindings/operation.hpp"
#include "tools/python/bindings/program_configs.hpp"

namespace tilemeter::python {

namespace {

void require_default_config(nb::handle config) {
    if (norm_config(config)) {
        throw RuntimeError(
            "program_config: expected LayerNormDefaultProgramConfig or None, got one for shards, which "
            "distributed norms don't take here");
    }
}

constexpr const char* kSums =
    "The sums of squares of the last dimension, for layer_norm behind them the sums, each in the first "
    "column of a tile: [N, C, H, 64] or [N, C, H, 32] of [N, C, H, W]. TILE, interleaved.";
constexpr const char* kBySums =
    "The input normalized by the sums of all chips, one behind the other along the last dimension of stats; "
    "times weight, plus bias (W elements each).";

}  // namespace

void bind_distributed_norm(nb::module_& m) {
    operation(
        m, "layer_norm_pre_all_gather",
        [](const Tensor& input, DataType dtype, const OptionalTensor& residual,
           const OptionalComputeKernelConfig& kernels, nb::handle config,
           const OptionalMemoryConfig& memory_config, const OptionalTensor&, bool) {
            require_default_config(config);
            return norm_pre_all_gather(DistributedNorm::kLayerNorm, input,
                                       {dtype, residual, kernels, memory_config});
        },
        "input_tensor"_a, nb::kw_only(), "dtype"_a = DataType::BFLOAT16,
        "residual_input_tensor"_a = nb::none(), "compute_kernel_config"_a = nb::none(),
        "program_config"_a = nb::none(), "memory_config"_a = nb::none(), "recip_tensor"_a = nb::none(),
        "fast_and_approximate_mode"_a = false, kSums);
    operation(
        m, "rms_norm_pre_all_gather",
        [](const Tensor& input, DataType dtype, const OptionalTensor& residual,
           const OptionalComputeKernelConfig& kernels, nb::handle config,
           const OptionalMemoryConfig& memory_config, std::optional<bool> in_block, bool) {
            require_default_config(config);
            return norm_pre_all_gather(DistributedNorm::kRmsNorm, input,
                                       {dtype, residual, kernels, memory_config, in_block.value_or(false)});
        },
        "input_tensor"_a, nb::kw_only(), "dtype"_a = DataType::BFLOAT16,
        "residual_input_tensor"_a = nb::none(), "compute_kernel_config"_a = nb::none(),
        "program_config"_a = nb::none(), "memory_config"_a = nb::none(), "use_2d_core_grid"_a = nb::none(),
        "fast_and_approximate_mode"_a = false, kSums);
    operation(
        m, "layer_norm_post_all_gather",
        [](const Tensor& input, const Tensor& stats, float epsilon, const OptionalTensor& weight,
           const OptionalTensor& bias, const OptionalMemoryConfig& memory_config,
           const OptionalComputeKernelConfig& kernels, nb::handle config, const OptionalDataType& dtype) {
            require_default_config(config);
            return norm_post_all_gather(DistributedNorm::kLayerNorm, input, stats,
                                        {epsilon, weight, bias, memory_config, kernels, dtype});
        },
        "input_tensor"_a, "stats"_a, nb::kw_only(), "epsilon"_a = 1e-12F, "weight"_a = nb::none(),
        "bias"_a = nb::none(), "memory_config"_a = nb::none(), "compute_kernel_config"_a = nb::none(),
        "program_config"_a = nb::none(), "dtype"_a = nb::none(), kBySums);
    operation(
        m, "rms_norm_post_all_gather",
        [](const Tensor& input, const Tensor& stats, float epsilon, const OptionalTensor& weight,
           const OptionalTensor& bias, const OptionalMemoryConfig& memory_config,
           const OptionalComputeKernelConfig& kernels, nb::handle config, const OptionalDataType& dtype,
           std::optional<bool> in_block) {
            require_default_config(config);
            return norm_post_all_gather(
                DistributedNorm::kRmsNorm, input, stats,
                {epsilon, weight, bias, memory_config, kernels, dtype, in_block.value_or(false)});
        },
        "input_tensor"_a, "stats"_a, nb::kw_only(), "epsilon"_a = 1e-12F, "weight"_a = nb::none(),
        "bias"_a = nb::none(), "memory_config"_a = nb::none(), "compute_kernel_config"_a = nb::none(),
        "program_config"_a = nb::none(), "dtype"_a = nb::none(), "use_2d_core_grid"_a = nb::none(), kBySums);
}

}  // namespace tilemeter::python
