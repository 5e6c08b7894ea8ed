// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// sparse_matmul: products of some batches only.
//
// A tensor of zeros and others, `sparsity`, says which are made; the rest of the result is zero. What its elements stand for:
//
//     b is sparse         all pairs of a batch of a and one of b: a [..., M, K], b [..., K, N] -> [batches of a, of b, M, N]
//     a is sparse         the batches of a, each with the batch of b that is its remainder -> [batches of a, M, N]
//     both                batches of both, as many -> [batches of b, M, N]
//
// Layout TILE, floating point dtypes; dtype of the result: that of a unless given; memory: DRAM interleaved unless given.
// Throws RuntimeError (shapes that do not fit each other, the config or the sparsity), OutOfMemoryError.

#pragma once

#include <cstdint>
#include <optional>

#include "runtime/operations/core/definition.hpp"
#include "runtime/operations/matmul/matmul.hpp"
#include "runtime/operations/matmul/matmul_program_config.hpp"
#include "runtime/operations/work/compute_kernel_config.hpp"

namespace tilemeter {

struct SparseMatmul {
    Tensor input_tensor_a{};
    Tensor input_tensor_b{};
    Tensor sparsity{};  ///< ROW_MAJOR
    OptionalProgramConfig program_config{};
    std::optional<std::uint32_t> nnz{};  ///< the number of products that are made; must be right
    bool is_input_a_sparse = false;
    bool is_input_b_sparse = true;
    OptionalMemoryConfig memory_config{};
    OptionalDataType dtype{};
    OptionalComputeKernelConfig compute_kernel_config{};
    OnlyDefault core_grid{};
    OutputTile output_tile{};
    OnlyDefault optional_output_tensor{};
    OnlyDefault global_cb{};
    Ignored sub_device_id{};
    OnlyDefault indices{};
    OnlyDefault bias{};

    static constexpr OperationInfo kOperation{
        "sparse_matmul",
        "Products of the batches where sparsity is not zero, zeros for all others. program_config: "
        "MatmulMultiCoreReuseMultiCast1DProgramConfig with mcast_in0."};
    static constexpr auto kParameters = parameters(
        required<&SparseMatmul::input_tensor_a, &SparseMatmul::input_tensor_b>(),
        required_keyword<&SparseMatmul::sparsity>(),
        required_keyword<&SparseMatmul::program_config>().unrecorded(),
        keyword<&SparseMatmul::nnz, &SparseMatmul::is_input_a_sparse, &SparseMatmul::is_input_b_sparse,
                &SparseMatmul::memory_config, &SparseMatmul::dtype>(),
        unrecorded_keyword<&SparseMatmul::compute_kernel_config>(),
        keyword<&SparseMatmul::core_grid, &SparseMatmul::output_tile, &SparseMatmul::optional_output_tensor,
                &SparseMatmul::global_cb, &SparseMatmul::sub_device_id, &SparseMatmul::indices,
                &SparseMatmul::bias>());

    Tensor body() const;
};

inline constexpr Operation<SparseMatmul> sparse_matmul;

}  // namespace tilemeter
