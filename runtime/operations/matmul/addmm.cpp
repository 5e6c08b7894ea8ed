// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/core/scoped_tensor.hpp"
#include "runtime/operations/eltwise/binary.hpp"
#include "runtime/operations/matmul/matmul.hpp"

namespace tilemeter {

Tensor Addmm::body() const {
    require(alpha != 0.0F, "alpha parameter cannot be 0");
    const Tensor product = unscoped::matmul(mat1_tensor, mat2_tensor, memory_config, dtype, program_config,
                                            compute_kernel_config, core_grid, optional_output_tensor);
    BinaryOptions in_place;
    in_place.output_tensor = product;
    if (alpha != 1.0F) unscoped::binary(compute::BinaryKind::kMultiply, product, Scalar(alpha), in_place);
    if (beta == 0.0F) return product;
    const ScopedTensor scaled(
        beta == 1.0F ? Tensor()
                     : unscoped::binary(compute::BinaryKind::kMultiply, input_tensor, Scalar(beta), {}));
    unscoped::binary(compute::BinaryKind::kAdd, product, beta == 1.0F ? input_tensor : *scaled, in_place);
    return product;
}

}  // namespace tilemeter
