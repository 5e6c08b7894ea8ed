// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/core/padding_view.hpp"

#include <tuple>
#include <utility>
#include <vector>

#include "capture/record/text.hpp"
#include "runtime/compute/rearrange.hpp"
#include "runtime/device/device.hpp"
#include "runtime/operations/core/operation_scope.hpp"
#include "runtime/operations/core/planned_values.hpp"

namespace tilemeter {

Tensor with_padding(const Tensor& tensor, const Shape& shape, float value) {
    static const record::TextId kName = record::intern("Tensor::reshape");
    TensorSpec spec = tensor.spec();
    spec.shape = shape;
    const Shape padded = spec.padded_shape();
    return in_scope(kName, std::tie(tensor, shape, padded), [&] {
        const std::vector<std::uint32_t> begin(shape.rank(), 0);
        change_values(tensor, [begin, shape, value](const HostArray& values) {
            return compute::padded(values, begin, shape, value);
        });
        return Tensor::on_device(std::move(spec), tensor.shared_buffer(), true);
    });
}

}  // namespace tilemeter
