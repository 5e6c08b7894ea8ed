// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/eltwise/concat_backward.hpp"

#include <string>
#include <tuple>
#include <vector>

#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/core/scoped_tensor.hpp"
#include "runtime/operations/data_movement/slice.hpp"

namespace tilemeter {

namespace {

void require_arguments(const ConcatGradient& call) {
    const RequiredOutputs& wanted = call.are_required_outputs;
    require(wanted.size() == 2, "concat_bw: are_required_outputs: expected 2, got ", wanted.size());
    require(wanted[0] || wanted[1], "At least one gradient is expected to be calculated.");
    const auto rank_of = [](const Tensor& tensor) { return tensor.shape().rank(); };
    const auto& [grad, a, b] = std::tie(call.grad_tensor, call.input_tensor_a, call.input_tensor_b);
    require(rank_of(grad) == 4 && rank_of(a) == 4 && rank_of(b) == 4, [&] {
        return "concat_bw expects rank-4 tensors, got grad rank " + std::to_string(rank_of(grad)) +
               ", input rank " + std::to_string(rank_of(a)) + ", other rank " + std::to_string(rank_of(b));
    });
}

/// The tensor that an input's gradient is written to, which may be given; none where no gradient is wanted.
Tensor output_for(const Tensor& input, bool is_wanted, const OptionalTensor& given,
                  const OptionalMemoryConfig& memory_config) {
    if (!is_wanted) return {};
    if (given) return *given;
    TensorSpec spec = input.spec();
    if (memory_config) spec.memory_config = *memory_config;
    return create_device_tensor(spec, input.shared_device());
}

}  // namespace

Gradients ConcatGradient::body() const {
    require_arguments(*this);
    const bool wants_a = are_required_outputs[0], wants_b = are_required_outputs[1];
    const Shape& whole = grad_tensor.shape();
    const Shape& first = input_tensor_a.shape();
    const std::size_t position = first.position(dim);
    ScopedTensor a(output_for(input_tensor_a, wants_a, input_a_grad, memory_config));
    ScopedTensor b(output_for(input_tensor_b, wants_b, input_b_grad, memory_config));
    std::vector<std::uint32_t> begin(whole.rank(), 0);
    std::vector<std::uint32_t> end(first.dimensions().begin(), first.dimensions().end());
    if (wants_a) unscoped::slice_into(grad_tensor, begin, end, *a);
    begin[position] = end[position];
    end.assign(whole.dimensions().begin(), whole.dimensions().end());
    if (wants_b) unscoped::slice_into(grad_tensor, begin, end, *b);
    return Gradients{wants_a ? OptionalTensor(a.take()) : std::nullopt,
                     wants_b ? OptionalTensor(b.take()) : std::nullopt};
}

}  // namespace tilemeter
