// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/reduction/losses.hpp"

#include "runtime/operations/core/scoped_tensor.hpp"
#include "runtime/operations/eltwise/binary.hpp"
#include "runtime/operations/reduction/reduction.hpp"

namespace tilemeter {

template <std::size_t Row>
Tensor Loss<Row>::body() const {
    BinaryOptions options{std::nullopt, memory_config, output_tensor};
    options.activations = {{kLosses[Row].of_difference, {}}};
    const auto losses = [&] {
        return unscoped::binary(compute::BinaryKind::kSubtract, input_reference, input_prediction, options);
    };
    if (reduction == LossReductionMode::NONE) return losses();
    const ScopedTensor each(losses());
    return reduction == LossReductionMode::SUM ? unscoped::sum(*each, memory_config)
                                               : unscoped::mean(*each, memory_config);
}
template struct Loss<0>;
template struct Loss<1>;

}  // namespace tilemeter
