// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Pooling of images: the largest value or the mean of each channel under a sliding window.
//
// Shapes: [batch, height, width, channels] or [1, 1, batch * height * width, channels] -> [1, 1, batch *
// output height * output width, channels]. The input is brought into L1 shards (applied_shard_scheme, or the
// layout that takes least of L1) unless it is in shards already; the result stays in L1 shards unless
// memory_config says otherwise. An input in DRAM that does not fit into L1 goes in slices
// (internal/dram_slices.hpp); the result is then [batch, output height, output width, channels] in DRAM.

#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

#include "runtime/operations/core/definition.hpp"
#include "runtime/operations/sliding_window/window_padding.hpp"
#include "runtime/operations/work/compute_kernel_config.hpp"

namespace tilemeter {

enum class PoolKind : std::uint8_t { kMax, kAverage };

/// The arguments of all poolings; each takes those in its table. Pairs: height and width.
struct Pool2dArguments {
    Tensor input_tensor{};
    std::uint32_t batch_size = 1;
    std::uint32_t input_h = 1;
    std::uint32_t input_w = 1;
    std::uint32_t channels = 1;
    std::array<std::uint32_t, 2> kernel_size{1, 1};
    std::array<std::uint32_t, 2> stride{1, 1};
    WindowPadding padding{};
    std::array<std::uint32_t, 2> dilation{1, 1};
    bool ceil_mode = false;
    OptionalMemoryConfig memory_config{};
    NotModelled dram_slice_config{};
    std::optional<TensorMemoryLayout::Value> applied_shard_scheme{};
    bool deallocate_input = false;
    bool reallocate_halo_output = true;
    DataType dtype = DataType::BFLOAT16;  ///< of the result; in TILE also BFLOAT8_B
    Layout output_layout = Layout::ROW_MAJOR;
    bool config_tensor_in_dram = false;  ///< tables of windows in DRAM, not in L1_SMALL

    // For means only.
    bool count_include_pad = true;
    std::optional<std::int32_t> divisor_override{};
    OptionalComputeKernelConfig compute_kernel_config{};

    auto recorded() const {
        return std::tie(input_tensor, batch_size, input_h, input_w, channels, ceil_mode, memory_config);
    }
};

struct MaxPool2dResult {
    Tensor values;
    OptionalTensor
        indices;  ///< row * input_w + column of each value in its image; uint16 or uint32, the values' shape
    std::vector<Tensor> tensors() const {
        return indices ? std::vector<Tensor>{values, *indices} : std::vector<Tensor>{values};
    }
};

struct MaxPool2d : Pool2dArguments {
    /// ROW_MAJOR and bfloat16 only, not in slices.
    bool return_indices = false;

    static constexpr OperationInfo kOperation{
        "max_pool2d",
        "The largest value of each channel under a sliding window: [1, 1, batch * output height * output "
        "width, channels] in L1 shards unless memory_config says otherwise; with return_indices also where "
        "in its image each lies, row * input_w + column, uint16."};
    static constexpr auto kParameters = parameters(
        required<&MaxPool2d::input_tensor, &MaxPool2d::batch_size, &MaxPool2d::input_h, &MaxPool2d::input_w,
                 &MaxPool2d::channels, &MaxPool2d::kernel_size, &MaxPool2d::stride, &MaxPool2d::padding,
                 &MaxPool2d::dilation>(),
        optional<&MaxPool2d::ceil_mode>(),
        keyword<&MaxPool2d::memory_config, &MaxPool2d::dram_slice_config, &MaxPool2d::applied_shard_scheme,
                &MaxPool2d::deallocate_input, &MaxPool2d::reallocate_halo_output, &MaxPool2d::return_indices,
                &MaxPool2d::dtype, &MaxPool2d::output_layout, &MaxPool2d::config_tensor_in_dram>());
    MaxPool2dResult call() const;
};

inline constexpr Operation<MaxPool2d> max_pool2d;

struct AvgPool2d : Pool2dArguments {
    static constexpr OperationInfo kOperation{
        "avg_pool2d", "The mean of each channel under a sliding window, as max_pool2d otherwise."};
    static constexpr auto kParameters = parameters(
        required<&AvgPool2d::input_tensor, &AvgPool2d::batch_size, &AvgPool2d::input_h, &AvgPool2d::input_w,
                 &AvgPool2d::channels, &AvgPool2d::kernel_size, &AvgPool2d::stride, &AvgPool2d::padding>(),
        optional<&AvgPool2d::ceil_mode, &AvgPool2d::count_include_pad, &AvgPool2d::divisor_override>(),
        keyword<&AvgPool2d::memory_config, &AvgPool2d::dram_slice_config, &AvgPool2d::applied_shard_scheme,
                &AvgPool2d::compute_kernel_config, &AvgPool2d::deallocate_input,
                &AvgPool2d::reallocate_halo_output, &AvgPool2d::dtype, &AvgPool2d::output_layout,
                &AvgPool2d::config_tensor_in_dram>());
    Tensor call() const;
};

inline constexpr Operation<AvgPool2d> avg_pool2d;

/// To images of a size: kernel, stride and padding follow from it, as PyTorch cuts images; sizes that no one
/// kernel and stride lead to are refused, as by TT-NN. Padding does not count in means.
template <PoolKind kKind>
struct AdaptivePool2d : Pool2dArguments {
    std::array<std::uint32_t, 2> output_size{1, 1};

    static constexpr OperationInfo kOperation =
        kKind == PoolKind::kMax
            ? OperationInfo{"adaptive_max_pool2d",
                            "The largest values of images cut into output_size windows: [1, 1, batch * output "
                            "height * output width, channels]."}
            : OperationInfo{"adaptive_avg_pool2d",
                            "The means of images cut into output_size windows, as adaptive_max_pool2d "
                            "otherwise."};
    static constexpr auto kParameters = parameters(
        required<&AdaptivePool2d::input_tensor, &AdaptivePool2d::batch_size, &AdaptivePool2d::input_h,
                 &AdaptivePool2d::input_w, &AdaptivePool2d::channels, &AdaptivePool2d::output_size>(),
        keyword<&AdaptivePool2d::memory_config, &AdaptivePool2d::dram_slice_config,
                &AdaptivePool2d::applied_shard_scheme, &AdaptivePool2d::deallocate_input>(),
        keyword<&AdaptivePool2d::reallocate_halo_output>("reallocate_output"),
        keyword<&AdaptivePool2d::compute_kernel_config>());
    Tensor call() const;
};

using AdaptiveMaxPool2d = AdaptivePool2d<PoolKind::kMax>;
using AdaptiveAvgPool2d = AdaptivePool2d<PoolKind::kAverage>;

inline constexpr Operation<AdaptiveMaxPool2d> adaptive_max_pool2d;
inline constexpr Operation<AdaptiveAvgPool2d> adaptive_avg_pool2d;

}  // namespace tilemeter
