// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <tuple>

#include "runtime/device/errors.hpp"
#include "runtime/operations/core/operation_scope.hpp"
#include "runtime/operations/core/scoped_tensor.hpp"
#include "runtime/operations/eltwise/binary.hpp"
#include "runtime/operations/matmul/matmul.hpp"

namespace tilemeter {

Tensor addmm(const Tensor& input_tensor, const Tensor& mat1_tensor, const Tensor& mat2_tensor, float alpha,
             float beta, const OptionalMemoryConfig& memory_config, const OptionalDataType& dtype,
             const OptionalProgramConfig& program_config,
             const OptionalComputeKernelConfig& compute_kernel_config, const OptionalCoreGrid& core_grid,
             const OptionalTensor& optional_output_tensor) {
    static const OperationName kName("addmm");
    return in_operation(
        kName, std::tie(input_tensor, mat1_tensor, mat2_tensor, alpha, beta, memory_config, dtype), [&] {
            if (alpha == 0.0F) throw RuntimeError("alpha parameter cannot be 0");
            const Tensor product =
                unscoped::matmul(mat1_tensor, mat2_tensor, memory_config, dtype, program_config,
                                 compute_kernel_config, core_grid, optional_output_tensor);
            BinaryOptions in_place;
            in_place.output_tensor = product;
            if (alpha != 1.0F)
                unscoped::binary(compute::BinaryKind::kMultiply, product, Scalar(alpha), in_place);
            if (beta == 0.0F) return product;
            const ScopedTensor scaled(beta == 1.0F ? Tensor()
                                                   : unscoped::binary(compute::BinaryKind::kMultiply,
                                                                      input_tensor, Scalar(beta), {}));
            unscoped::binary(compute::BinaryKind::kAdd, product, beta == 1.0F ? input_tensor : *scaled,
                             in_place);
            return product;
        });
}

}  // namespace tilemeter
