// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/core/scoped_tensor.hpp"
#include "runtime/operations/data_movement/typecast.hpp"
#include "runtime/operations/eltwise/binary.hpp"
#include "runtime/operations/matmul/matmul.hpp"

namespace tilemeter {

Tensor Addmm::body() const {
    require(alpha != 0.0F, "alpha parameter cannot be 0");
    const Shape& shape = input_tensor.shape();
    require(shape.rank() == 2 && shape[0] == mat1_tensor.shape()[0] && shape[1] == mat2_tensor.shape()[-1],
            "input_tensor must have shape matching one of result of mat1_tensor @ mat2_tensor");
    require(!dtype || !optional_output_tensor || *dtype == optional_output_tensor->dtype(),
            "Type mismatch between optional output tensor DataType::",
            optional_output_tensor ? name_of(optional_output_tensor->dtype()) : "",
            " & output tensor DataType::", dtype ? name_of(*dtype) : "");
    // All of it is of the result's type.
    const DataType made = dtype                    ? *dtype
                          : optional_output_tensor ? optional_output_tensor->dtype()
                                                   : mat1_tensor.dtype();
    const Tensor product = unscoped::matmul(mat1_tensor, mat2_tensor, memory_config, made, program_config,
                                            compute_kernel_config, core_grid, optional_output_tensor);
    BinaryOptions in_place, to_made;
    in_place.output_tensor = product;
    in_place.dtype = to_made.dtype = made;
    if (alpha != 1.0F) unscoped::binary(compute::BinaryKind::kMultiply, product, Scalar(alpha), in_place);
    if (beta == 0.0F) return product;
    if (beta == 1.0F && input_tensor.dtype() == made) {
        unscoped::binary(compute::BinaryKind::kAdd, product, input_tensor, in_place);
        return product;
    }
    const ScopedTensor added(
        beta == 1.0F ? unscoped::typecast(input_tensor, made)
                     : unscoped::binary(compute::BinaryKind::kMultiply, input_tensor, Scalar(beta), to_made));
    unscoped::binary(compute::BinaryKind::kAdd, product, *added, in_place);
    return product;
}

}  // namespace tilemeter
