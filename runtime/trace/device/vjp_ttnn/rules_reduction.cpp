// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Reductions: the gradient of each element is that of what it went into.

#include <cmath>

#include "runtime/operations/creation/creation.hpp"
#include "runtime/operations/data_movement/repeat.hpp"
#include "runtime/operations/eltwise/binary.hpp"
#include "runtime/operations/moreh/moreh_reductions.hpp"
#include "runtime/operations/reduction/accumulation.hpp"
#include "runtime/trace/device/vjp_ttnn/rule.hpp"

namespace tilemeter::trace::backward {

namespace {

// None: all.
Integers reduced_axes(const Call& call) {
    const std::size_t rank = call.shape(0).rank();
    Integers axes = call.integers("dim").value_or(Integers{});
    if (axes.empty())
        for (std::size_t i = 0; i < rank; ++i)
            axes.push_back(static_cast<std::int64_t>(i));
    for (std::int64_t& axis : axes)
        if (axis < 0) axis += static_cast<std::int64_t>(rank);
    return axes;
}

ReduceDims given_dims(const Call& call) {
    const std::optional<Integers> dims = call.integers("dim");
    if (!dims) return std::nullopt;
    return std::vector<int>(dims->begin(), dims->end());
}

// `gradient`, of 1 along `axes`, repeated to `shape`. expand() would do it in rows: two tensors more, and rows that fill a
// core where they are long; moreh's program repeats tiles, whatever is reduced.
Tensor repeated(const Tensor& gradient, const Shape& shape, const Integers& axes) {
    const bool moreh_takes = gradient.dtype() == DataType::BFLOAT16 && gradient.layout() == Layout::TILE &&
                             !gradient.memory_config().is_sharded();
    if (!moreh_takes) return expand(Expand{.input_tensor = gradient, .output_shape = extents_of(shape)});
    const Tensor room = empty(Empty{.shape = shape,
                                    .dtype = gradient.dtype(),
                                    .layout = Layout::TILE,
                                    .device = gradient.shared_device(),
                                    .memory_config = gradient.memory_config()});
    return moreh_sum_backward(MorehSumBackward{.output_grad = gradient,
                                               .dim = std::vector<int>(axes.begin(), axes.end()),
                                               .keepdim = true,
                                               .input_grad = room});
}

void spread(Call& call, bool is_mean) {
    const Shape& shape = call.shape(0);
    Shape kept = shape;
    double count = 1;
    const Integers axes = reduced_axes(call);
    for (const std::int64_t axis : axes) {
        count *= shape[axis];
        kept.set(axis, 1);
    }
    Tensor gradient = call.gradient();
    const double factor = static_cast<double>(call.number("scalar", 1)) / (is_mean ? count : 1);
    if (factor != 1) gradient = multiply(gradient, Scalar(factor));
    gradient = reshaped(gradient, kept);
    if (kept != shape) gradient = repeated(gradient, shape, axes);
    call.give(0, gradient);
}

bool takes_reduction(const Call& call) {
    return is_floating_point(call.spec(0).dtype) && call.spec(0).layout == Layout::TILE && call.size() == 1;
}

bool takes_moreh(const Call& call) {
    return call.spec(0).dtype == DataType::BFLOAT16 && call.size() == 1 &&
           call.recorded().results.size() == 1;
}

}  // namespace

std::vector<Rule> reduction_rules() {
    return {
        {"sum", "", [](Call& call) { spread(call, false); }, takes_reduction},
        {"mean", "", [](Call& call) { spread(call, true); }, takes_reduction},
        {"moreh_sum", "input",
         [](Call& call) {
             call.give(0, moreh_sum_backward(MorehSumBackward{.output_grad = call.gradient(),
                                                              .input = call.operand(0),
                                                              .dim = given_dims(call),
                                                              .keepdim = call.flag("keepdim")}));
         },
         takes_moreh},
        {"moreh_mean", "",
         [](Call& call) {
             call.give(0, moreh_mean_backward(MorehMeanBackward{.output_grad = call.gradient(),
                                                                .dim = given_dims(call),
                                                                .keepdim = call.flag("keepdim"),
                                                                .input_grad_shape = call.shape(0)}));
         },
         takes_moreh},
        {"moreh_norm", "input result",
         [](Call& call) {
             call.give(0, moreh_norm_backward(MorehNormBackward{.input = call.operand(0),
                                                                .output = call.result(),
                                                                .output_grad = call.gradient(),
                                                                .p = call.number("p", 2),
                                                                .dim = given_dims(call),
                                                                .keepdim = call.flag("keepdim")}));
         },
         [](const Call& call) { return takes_moreh(call) && std::abs(call.number("p", 2)) < 1e30F; }},
        {"cumsum", "",
         [](Call& call) {
             call.give(0, cumsum(Cumsum{.input = call.gradient(),
                                        .dim = call.axis("dim", 0, call.shape(0).rank()),
                                        .reverse_order = !call.flag("reverse_order")}));
         },
         takes_reduction},
    };
}

}  // namespace tilemeter::trace::backward
