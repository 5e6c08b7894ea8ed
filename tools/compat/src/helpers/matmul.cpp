// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <string>

#include "runtime/device/device.hpp"
#include "runtime/operations/core/free_l1.hpp"
#include "runtime/operations/matmul/matmul_config_choice.hpp"
#include "runtime/tensor/tensor.hpp"
#include "tilemeter_ttnn/functions/matmul_helpers.hpp"
#include "tools/compat/src/arguments.hpp"
#include "tools/compat/src/fatal.hpp"
#include "tools/compat/src/model.hpp"

namespace ttnn::operations::matmul {

namespace {

using tilemeter::compat::as_fatal;
using tilemeter::compat::from_model;
using tilemeter::compat::refuse_as_fatal;
using tilemeter::compat::to_model;

/// A row of tiles of so many bytes.
std::optional<tilemeter::TensorSpec> bias_of(std::uint32_t tile_bytes, std::uint32_t columns) {
    using tilemeter::DataType;
    if (tile_bytes == 0) return std::nullopt;
    for (const DataType dtype :
         {DataType::BFLOAT16, DataType::FLOAT32, DataType::BFLOAT8_B, DataType::BFLOAT4_B})
        if (tilemeter::tile_size(dtype) == tile_bytes)
            return tilemeter::TensorSpec{tilemeter::Shape{1, columns}, dtype, tilemeter::Layout::TILE, {}};
    refuse_as_fatal("get_program_config",
                    "get_program_config: bias_single_tile_size: expected bytes of a tile of "
                    "32x32, found " +
                        std::to_string(tile_bytes));
}

tilemeter::MatmulProblem problem_of(const char* function, const Tensor& a, const Tensor& b,
                                    const prim::MatmulParams& params) {
    for (const Tensor* each : {&a, &b})
        if (each->device() == nullptr)
            refuse_as_fatal(function,
                            std::string(function) + ": expected tensors on a device, found one on the host");
    tilemeter::MatmulProblem problem;
    problem.a = a.model().spec();
    problem.b = b.model().spec();
    problem.transpose_a = params.transpose_a;
    problem.transpose_b = params.transpose_b;
    problem.output_memory_config = to_model(params.output_mem_config);
    problem.output_dtype = to_model(params.output_dtype.value_or(a.dtype()));
    problem.accumulates_in_fp32 =
        params.compute_kernel_config && params.compute_kernel_config->fp32_dest_acc_en;
    problem.packs_into_l1 = params.compute_kernel_config && params.compute_kernel_config->packer_l1_acc;
    return problem;
}

MatmulProgramConfig chosen(const char* function, tilemeter::MatmulProblem problem,
                           std::uint32_t bias_single_tile_size, tilemeter::MatmulChoiceInput input,
                           const Tensor& a) {
    return as_fatal(function, [&] {
        problem.bias = bias_of(bias_single_tile_size, problem.logical_shape_b()[-1]);
        tilemeter::require_valid(problem);
        input.l1_space_bytes = tilemeter::free_l1_below_tensors(a.model().device());
        return from_model(tilemeter::choose_matmul_program_config(problem, input));
    });
}

}  // namespace

MatmulProgramConfig get_program_config(const Tensor& input_tensor_a, const Tensor& input_tensor_b,
                                       bool transpose_a, bool transpose_b,
                                       std::uint32_t bias_single_tile_size,
                                       const prim::MatmulParams& attributes) {
    if (attributes.program_config) return *attributes.program_config;
    prim::MatmulParams params = attributes;
    params.transpose_a = transpose_a;
    params.transpose_b = transpose_b;
    tilemeter::MatmulProblem problem =
        problem_of("get_program_config", input_tensor_a, input_tensor_b, params);
    tilemeter::MatmulChoiceInput input;
    if (params.user_core_coord)
        input.core_grid =
            tilemeter::CoreGrid{to_model(*params.user_core_coord).x, to_model(*params.user_core_coord).y};
    if (params.user_fused_activation) input.activation = to_model(*params.user_fused_activation);
    input.run_batched = params.user_run_batched;
    input.device_grid = input_tensor_a.model().device().description().compute_grid;
    return chosen("get_program_config", std::move(problem), bias_single_tile_size, input, input_tensor_a);
}

MatmulProgramConfig create_simple_matmul_program_config(
    const Tensor& input_tensor_a, const Tensor& input_tensor_b, bool transpose_a, bool transpose_b,
    std::uint32_t bias_single_tile_size,
    const std::optional<const ComputeKernelConfig>& compute_kernel_config,
    const CoreCoord& compute_with_storage_grid_size, const MemoryConfig& mem_config,
    tt::tt_metal::DataType output_dtype) {
    constexpr const char* kName = "create_simple_matmul_program_config";
    prim::MatmulParams params;
    params.transpose_a = transpose_a;
    params.transpose_b = transpose_b;
    params.output_mem_config = mem_config;
    params.output_dtype = output_dtype;
    if (compute_kernel_config) params.compute_kernel_config = *compute_kernel_config;
    tilemeter::MatmulProblem problem = problem_of(kName, input_tensor_a, input_tensor_b, params);
    if (input_tensor_a.is_sharded())
        refuse_as_fatal(kName, std::string(kName) + ": input_tensor_a: expected interleaved, found shards");
    tilemeter::MatmulChoiceInput input;
    input.device_grid = to_model(compute_with_storage_grid_size);
    return chosen(kName, std::move(problem), bias_single_tile_size, input, input_tensor_a);
}

void addmm_validate(const Tensor& input_tensor, const Tensor& mat1_tensor, const Tensor& mat2_tensor,
                    float alpha, float /*beta*/) {
    if (alpha == 0.0F) refuse_as_fatal("alpha != 0.0", "alpha parameter cannot be 0");
    const Shape& shape = input_tensor.logical_shape();
    if (shape.rank() != 2 || shape[0] != mat1_tensor.logical_shape()[0] ||
        shape[1] != mat2_tensor.logical_shape()[-1])
        refuse_as_fatal("input_tensor.logical_shape()",
                        "input_tensor must have shape matching one of result of mat1_tensor @ mat2_tensor");
}

}  // namespace ttnn::operations::matmul
