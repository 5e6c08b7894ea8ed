// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/reduction/losses.hpp"

#include <tuple>

#include "runtime/operations/core/operation_scope.hpp"
#include "runtime/operations/core/scoped_tensor.hpp"
#include "runtime/operations/eltwise/binary.hpp"
#include "runtime/operations/reduction/reduction.hpp"

namespace tilemeter {

namespace {

Tensor loss(const OperationName& name, const Tensor& reference, const Tensor& prediction,
            UnaryOpType of_difference, LossReductionMode reduction, const OptionalMemoryConfig& memory_config,
            const OptionalTensor& output_tensor) {
    const auto mode = static_cast<std::int64_t>(reduction);
    return in_operation(name, std::tie(reference, prediction, mode, memory_config, output_tensor), [&] {
        BinaryOptions options{std::nullopt, memory_config, output_tensor};
        options.activations = {{of_difference, {}}};
        const auto losses = [&] {
            return unscoped::binary(compute::BinaryKind::kSubtract, reference, prediction, options);
        };
        if (reduction == LossReductionMode::NONE) return losses();
        const ScopedTensor each(losses());
        return reduction == LossReductionMode::SUM ? unscoped::sum(*each, memory_config)
                                                   : unscoped::mean(*each, memory_config);
    });
}

}  // namespace

Tensor l1_loss(const Tensor& input_reference, const Tensor& input_prediction, LossReductionMode reduction,
               const OptionalMemoryConfig& memory_config, const OptionalTensor& output_tensor) {
    static const OperationName kName("l1_loss");
    return loss(kName, input_reference, input_prediction, UnaryOpType::ABS, reduction, memory_config,
                output_tensor);
}

Tensor mse_loss(const Tensor& input_reference, const Tensor& input_prediction, LossReductionMode reduction,
                const OptionalMemoryConfig& memory_config, const OptionalTensor& output_tensor) {
    static const OperationName kName("mse_loss");
    return loss(kName, input_reference, input_prediction, UnaryOpType::SQUARE, reduction, memory_config,
                output_tensor);
}

}  // namespace tilemeter
