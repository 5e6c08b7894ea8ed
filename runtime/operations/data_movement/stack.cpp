// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/data_movement/stack.hpp"

#include <deque>

#include "runtime/operations/core/require.hpp"
#include "runtime/operations/core/scoped_tensor.hpp"
#include "runtime/operations/data_movement/concat.hpp"
#include "runtime/operations/data_movement/reshape.hpp"

namespace tilemeter {

Tensor Stack::body() const {
    const std::vector<Tensor>& tensors = input_tensors;
    require(!tensors.empty(), "stack: tensors: expected at least one, got none");
    const Shape shape = tensors.front().shape();
    const auto places = static_cast<std::int64_t>(shape.rank()) + 1;
    require(dim >= -places && dim < places, "stack: dim: expected ", -places, " to ", places - 1, ", got ",
            dim);
    const auto place = static_cast<std::size_t>(dim < 0 ? dim + places : dim);
    Shape wider;
    for (std::size_t i = 0; i < static_cast<std::size_t>(places); ++i)
        wider.push_back(i == place ? 1 : shape.dimensions()[i < place ? i : i - 1]);
    std::deque<ScopedTensor> parts;
    std::vector<Tensor> joined;
    for (const Tensor& tensor : tensors) {
        require(tensor.shape() == shape, "stack: tensors: expected ", shape, " each, got ", tensor.shape());
        joined.push_back(*parts.emplace_back(unscoped::reshape(tensor, wider)));
    }
    Tensor result = unscoped::concat(joined, static_cast<std::int64_t>(place));
    joined.clear();
    return result;
}

}  // namespace tilemeter
