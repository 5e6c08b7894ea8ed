// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// matmul, linear, addmm: matrix products.
//
// Shapes: a [..., M, K], b [..., K, N] (after transpose_a, transpose_b) -> [..., M, N]. Batch dimensions are
// equal, or all 1 on one side. A vector counts as a row on the left and a column on the right; its dimension
// is gone from the result. Layout TILE, floating point dtypes, which may differ; sums in float32.
// memory_config of the result: DRAM interleaved unless given. dtype of the result: that of `a` unless given.
// program_config: how the product is spread over cores; chosen by TT-NN's rules unless given.
// core_grid: the part of the grid that the choice may use. activation: applied to the result.
// bias: one row [1, N] is added by the program itself where it can, anything else that broadcasts after it.
// All throw RuntimeError (shapes, dtypes, layouts, a config that does not fit), OutOfMemoryError.

#pragma once

#include <optional>
#include <string>

#include "runtime/operations/core/definition.hpp"
#include "runtime/operations/matmul/matmul_program_config.hpp"
#include "runtime/operations/work/compute_kernel_config.hpp"

namespace tilemeter {

using OptionalProgramConfig = std::optional<MatmulProgramConfig>;

/// The tile of a result, which has to be that of its operands: rows of the first, columns of the second.
struct OutputTile {
    std::optional<Tile> tile;
};
template <>
inline constexpr bool kIsNoArgument<OutputTile> = true;

struct Matmul {
    Tensor input_tensor_a{};
    Tensor input_tensor_b{};
    bool transpose_a = false;
    bool transpose_b = false;
    OptionalMemoryConfig memory_config{};
    OptionalDataType dtype{};
    OptionalProgramConfig program_config{};
    std::optional<std::string> activation{};
    OptionalComputeKernelConfig compute_kernel_config{};
    OptionalCoreGrid core_grid{};
    OutputTile output_tile{};
    OptionalTensor optional_output_tensor{};
    OnlyDefault global_cb{};
    Ignored sub_device_id{};
    OnlyDefault prefetcher_pipes{.is_list = true};

    static constexpr OperationInfo kOperation{
        "matmul",
        "a [..., M, K] times b [..., K, N] -> [..., M, N], after transpose_a and transpose_b. TILE layout, "
        "floating point. Result: DRAM interleaved and dtype of a unless given. activation: 'relu', 'gelu', "
        "'silu', ..."};
    static constexpr auto kParameters = parameters(
        required<&Matmul::input_tensor_a, &Matmul::input_tensor_b>(),
        keyword<&Matmul::transpose_a, &Matmul::transpose_b, &Matmul::memory_config, &Matmul::dtype>(),
        unrecorded_keyword<&Matmul::program_config>(), keyword<&Matmul::activation>(),
        unrecorded_keyword<&Matmul::compute_kernel_config, &Matmul::core_grid>(),
        keyword<&Matmul::output_tile>(), unrecorded_keyword<&Matmul::optional_output_tensor>().output(),
        keyword<&Matmul::global_cb, &Matmul::sub_device_id, &Matmul::prefetcher_pipes>());

    Tensor call() const;
};

/// matmul, plus bias.
struct Linear {
    Tensor input_tensor_a{};
    Tensor input_tensor_b{};
    OptionalTensor bias{};
    bool transpose_a = false;
    bool transpose_b = false;
    OptionalMemoryConfig memory_config{};
    OptionalDataType dtype{};
    OptionalProgramConfig program_config{};
    std::optional<std::string> activation{};
    OptionalComputeKernelConfig compute_kernel_config{};
    OptionalCoreGrid core_grid{};
    OutputTile output_tile{};
    OptionalTensor optional_output_tensor{};
    OnlyDefault global_cb{};
    Ignored sub_device_id{};
    OnlyDefault prefetcher_pipes{.is_list = true};
    OnlyDefault in0_column_offset{};

    static constexpr OperationInfo kOperation{
        "linear", "matmul plus bias, one row [1, N] or anything that broadcasts, then activation.", "matmul"};
    static constexpr auto kParameters = parameters(
        required<&Linear::input_tensor_a, &Linear::input_tensor_b>(),
        keyword<&Linear::bias, &Linear::transpose_a, &Linear::transpose_b, &Linear::memory_config,
                &Linear::dtype>(),
        unrecorded_keyword<&Linear::program_config>(), keyword<&Linear::activation>(),
        unrecorded_keyword<&Linear::compute_kernel_config, &Linear::core_grid>(),
        keyword<&Linear::output_tile>(), unrecorded_keyword<&Linear::optional_output_tensor>().output(),
        keyword<&Linear::global_cb, &Linear::sub_device_id, &Linear::prefetcher_pipes,
                &Linear::in0_column_offset>());

    Tensor call() const;
};

/// beta * input + alpha * (mat1 @ mat2). The sum is written over the product, whose shape `input_tensor` has: two
/// dimensions. dtype: the given output's, else that of `mat1_tensor`.
struct Addmm {
    Tensor input_tensor{};
    Tensor mat1_tensor{};
    Tensor mat2_tensor{};
    float alpha = 1.0F;
    float beta = 1.0F;
    OptionalMemoryConfig memory_config{};
    OptionalDataType dtype{};
    OptionalProgramConfig program_config{};
    OptionalComputeKernelConfig compute_kernel_config{};
    OptionalCoreGrid core_grid{};
    Ignored output_tile{};
    OptionalTensor optional_output_tensor{};

    static constexpr OperationInfo kOperation{"addmm", "beta * input + alpha * (mat1 @ mat2)."};
    static constexpr auto kParameters = parameters(
        required<&Addmm::input_tensor, &Addmm::mat1_tensor, &Addmm::mat2_tensor>(),
        keyword<&Addmm::alpha, &Addmm::beta, &Addmm::memory_config, &Addmm::dtype>(),
        unrecorded_keyword<&Addmm::program_config, &Addmm::compute_kernel_config, &Addmm::core_grid>(),
        keyword<&Addmm::output_tile>(), unrecorded_keyword<&Addmm::optional_output_tensor>().output());

    Tensor body() const;
};

inline constexpr Operation<Matmul> matmul;
inline constexpr Operation<Linear> linear;
inline constexpr Operation<Addmm> addmm;

namespace unscoped {
/// As part of another operation: without a scope of its own, the activation by its type.
Tensor linear(const Tensor& input_tensor_a, const Tensor& input_tensor_b, const OptionalTensor& bias,
              const OptionalMemoryConfig& memory_config, DataType dtype,
              const OptionalProgramConfig& program_config, const std::optional<UnaryWithParam>& activation,
              const DeviceComputeKernelConfig& compute);
Tensor matmul(const Tensor& input_tensor_a, const Tensor& input_tensor_b,
              const OptionalMemoryConfig& memory_config, const OptionalDataType& dtype,
              const OptionalProgramConfig& program_config,
              const OptionalComputeKernelConfig& compute_kernel_config, const OptionalCoreGrid& core_grid,
              const OptionalTensor& output);
}  // namespace unscoped

}  // namespace tilemeter
