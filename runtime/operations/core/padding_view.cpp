// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/core/padding_view.hpp"

#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "capture/record/text.hpp"
#include "capture/record/window.hpp"
#include "runtime/compute/rearrange.hpp"
#include "runtime/device/device.hpp"
#include "runtime/operations/core/operation_scope.hpp"

namespace tilemeter {

Tensor with_padding(const Tensor& tensor, const Shape& shape, float value) {
    static const record::TextId kName = record::intern("Tensor::reshape");
    TensorSpec spec = tensor.spec();
    spec.shape = shape;
    const Shape padded = spec.padded_shape();
    return in_scope(kName, std::tie(tensor, shape, padded), [&] {
        if (tensor.has_values() && record::shadow_epoch() == 0) {
            const std::vector<std::uint32_t> begin(shape.rank(), 0);
            ChipValues values;
            const auto all_chips = tensor.chip_values();
            for (const HostArray& stored : *all_chips)
                values.push_back(compute::padded(stored.reshaped(tensor.shape()), begin, shape, value));
            tensor.shared_buffer()->set_values(std::make_shared<const ChipValues>(std::move(values)));
        }
        return Tensor::on_device(std::move(spec), tensor.shared_buffer(), true);
    });
}

}  // namespace tilemeter
