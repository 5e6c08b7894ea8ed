// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Softmax along a dimension, and its forms that scale and mask their input first.
//
// compute_kernel_config: without fp32_dest_acc_en (the default has it) sums take 16 bits. numeric_stable:
// TT-NN subtracts the maximum first; values here are computed so in any case, the program's memory differs.

#pragma once

#include <cstdint>
#include <optional>
#include <tuple>

#include "runtime/operations/core/definition.hpp"
#include "runtime/operations/work/compute_kernel_config.hpp"
#include "runtime/types/core_range.hpp"

namespace tilemeter {

/// Softmax where the shards are: HEIGHT_SHARDED or one column of blocks, whole rows to a core. Sizes in
/// tiles.
struct SoftmaxShardedMultiCoreProgramConfig {
    CoreCoord compute_with_storage_grid_size;  ///< from the first core; one shard to each
    std::uint32_t subblock_w = 1;
    std::uint32_t block_h = 1;  ///< of a shard
    std::uint32_t block_w = 1;
};
/// None: rows are shared out among all cores, wherever they are stored.
using OptionalSoftmaxProgramConfig = std::optional<SoftmaxShardedMultiCoreProgramConfig>;

struct Softmax {
    Tensor input_tensor{};
    int dim = -1;
    OptionalMemoryConfig memory_config{};
    OptionalComputeKernelConfig compute_kernel_config{};
    bool numeric_stable = true;

    static constexpr OperationInfo kOperation{
        "softmax",
        "exp(x) divided by its sum along dim. TILE layout, floating point; shape and dtype of the input."};
    static constexpr auto kParameters = parameters(
        required<&Softmax::input_tensor>(), optional<&Softmax::dim>(), keyword<&Softmax::memory_config>(),
        unrecorded_keyword<&Softmax::compute_kernel_config>(), keyword<&Softmax::numeric_stable>());
    Tensor body() const;
};

inline constexpr Operation<Softmax> softmax;

/// Along the last of four dimensions.
struct SoftmaxInPlace {
    Tensor input_tensor{};
    int dim = -1;
    OptionalSoftmaxProgramConfig program_config{};
    OptionalComputeKernelConfig compute_kernel_config{};
    bool numeric_stable = true;

    static constexpr OperationInfo kOperation{
        "softmax_in_place", "softmax written over its input, which is returned.", "softmax"};
    static constexpr auto kParameters = parameters(
        required<&SoftmaxInPlace::input_tensor>(), optional<&SoftmaxInPlace::dim>(),
        unrecorded_keyword<&SoftmaxInPlace::program_config, &SoftmaxInPlace::compute_kernel_config>(),
        keyword<&SoftmaxInPlace::numeric_stable>());
    Tensor body() const;
};

inline constexpr Operation<SoftmaxInPlace> softmax_in_place;

/// Input [b, h, s, t]. mask [b, 1 or h, 1 or s, t], at most 32 rows high; of 32 rows that are not the input's
/// the first counts, or, with is_causal_mask (the mask differs by row), they repeat. scale: only with a mask.
struct ScaleMaskSoftmax {
    Tensor input_tensor{};
    std::optional<float> scale{};
    OptionalTensor mask{};
    OptionalMemoryConfig memory_config{};
    bool is_causal_mask = false;
    OptionalComputeKernelConfig compute_kernel_config{};
    bool numeric_stable = true;

    static constexpr OperationInfo kOperation{
        "scale_mask_softmax", "softmax(scale * input_tensor + mask) along the last of four dimensions."};
    static constexpr auto kParameters =
        parameters(required<&ScaleMaskSoftmax::input_tensor>(),
                   optional<&ScaleMaskSoftmax::scale, &ScaleMaskSoftmax::mask>(),
                   keyword<&ScaleMaskSoftmax::memory_config, &ScaleMaskSoftmax::is_causal_mask>(),
                   unrecorded_keyword<&ScaleMaskSoftmax::compute_kernel_config>(),
                   keyword<&ScaleMaskSoftmax::numeric_stable>());
    Tensor body() const;
};

inline constexpr Operation<ScaleMaskSoftmax> scale_mask_softmax;

/// Masks of any height; with a program_config the mask is interleaved, one for all heads, or in shards as the
/// input is.
struct ScaleMaskSoftmaxInPlace {
    Tensor input_tensor{};
    std::optional<float> scale{};
    OptionalTensor mask{};
    OptionalSoftmaxProgramConfig program_config{};
    bool is_causal_mask = false;
    OptionalComputeKernelConfig compute_kernel_config{};
    bool numeric_stable = false;

    static constexpr OperationInfo kOperation{
        "scale_mask_softmax_in_place", "scale_mask_softmax written over its input, which is returned."};
    static constexpr auto kParameters =
        parameters(required<&ScaleMaskSoftmaxInPlace::input_tensor>(),
                   optional<&ScaleMaskSoftmaxInPlace::scale, &ScaleMaskSoftmaxInPlace::mask>(),
                   unrecorded_keyword<&ScaleMaskSoftmaxInPlace::program_config>(),
                   keyword<&ScaleMaskSoftmaxInPlace::is_causal_mask>(),
                   unrecorded_keyword<&ScaleMaskSoftmaxInPlace::compute_kernel_config>(),
                   keyword<&ScaleMaskSoftmaxInPlace::numeric_stable>());
    Tensor body() const;
};

inline constexpr Operation<ScaleMaskSoftmaxInPlace> scale_mask_softmax_in_place;

/// The mask's rows repeat. Needs scale, mask and program_config.
struct ScaleCausalMaskHwDimsSoftmaxInPlace {
    Tensor input_tensor{};
    std::optional<float> scale{};
    OptionalTensor mask{};
    OptionalSoftmaxProgramConfig program_config{};
    OptionalComputeKernelConfig compute_kernel_config{};
    bool numeric_stable = false;

    static constexpr OperationInfo kOperation{
        "scale_causal_mask_hw_dims_softmax_in_place",
        "The same of shards, with one causal mask [1, 1, s, t] for all batches and heads."};
    static constexpr auto kParameters = parameters(
        required<&ScaleCausalMaskHwDimsSoftmaxInPlace::input_tensor>(),
        optional<&ScaleCausalMaskHwDimsSoftmaxInPlace::scale, &ScaleCausalMaskHwDimsSoftmaxInPlace::mask>(),
        unrecorded_keyword<&ScaleCausalMaskHwDimsSoftmaxInPlace::program_config,
                           &ScaleCausalMaskHwDimsSoftmaxInPlace::compute_kernel_config>(),
        keyword<&ScaleCausalMaskHwDimsSoftmaxInPlace::numeric_stable>());
    Tensor body() const;
};

inline constexpr Operation<ScaleCausalMaskHwDimsSoftmaxInPlace> scale_causal_mask_hw_dims_softmax_in_place;

namespace transformer {

/// Without a head_size nothing is divided.
struct AttentionSoftmax {
    Tensor tensor{};
    std::optional<std::uint32_t> head_size{};
    OptionalTensor attention_mask{};
    Ignored program_config{};
    std::optional<bool> causal_mask = false;
    OptionalMemoryConfig memory_config{};

    static constexpr OperationInfo kOperation{"transformer::attention_softmax",
                                              "softmax(tensor / sqrt(head_size) + attention_mask)."};
    static constexpr auto kParameters =
        parameters(required<&AttentionSoftmax::tensor>(),
                   keyword<&AttentionSoftmax::head_size, &AttentionSoftmax::attention_mask,
                           &AttentionSoftmax::program_config, &AttentionSoftmax::causal_mask,
                           &AttentionSoftmax::memory_config>());

    bool is_causal() const { return causal_mask.value_or(false); }
    auto recorded() const {
        return std::tuple(tensor, head_size, attention_mask, is_causal(), memory_config);
    }
    Tensor body() const;
};

inline constexpr Operation<AttentionSoftmax> attention_softmax;

/// Needs a mask. Shards are treated as other tensors are, as in TT-NN, which does not look at the program
/// config here.
struct AttentionSoftmaxInPlace {
    Tensor tensor{};
    std::optional<std::uint32_t> head_size{};
    OptionalTensor attention_mask{};
    Ignored program_config{};
    std::optional<bool> causal_mask = false;
    Ignored memory_config{};

    static constexpr OperationInfo kOperation{"transformer::attention_softmax_",
                                              "attention_softmax written over its input, which is returned."};
    static constexpr auto kParameters =
        parameters(required<&AttentionSoftmaxInPlace::tensor>(),
                   keyword<&AttentionSoftmaxInPlace::head_size, &AttentionSoftmaxInPlace::attention_mask,
                           &AttentionSoftmaxInPlace::program_config, &AttentionSoftmaxInPlace::causal_mask,
                           &AttentionSoftmaxInPlace::memory_config>());

    bool is_causal() const { return causal_mask.value_or(false); }
    auto recorded() const { return std::tuple(tensor, head_size, attention_mask, is_causal()); }
    Tensor body() const;
};

inline constexpr Operation<AttentionSoftmaxInPlace> attention_softmax_;

}  // namespace transformer

}  // namespace tilemeter
