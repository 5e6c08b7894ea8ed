// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/device/gradients/gradient.hpp"

#include <algorithm>

#include "capture/ir/error.hpp"
#include "runtime/trace/device/rules/lower_ttnn.hpp"
#include "runtime/trace/primitives/flat_builder.hpp"

namespace tilemeter::trace {

ir::Graph gradient_of_calls(const ir::Graph& calls, const Positions& wrt) {
    ir::Graph flat = lower_ttnn(calls);
    if (flat.results().size() != 1 || flat.type(flat.results()[0]).shape.elements() != 1)
        throw ir::Error(
            ir::ErrorKind::kGradNeedsScalar,
            calls.name() + ": found " +
                (flat.results().size() == 1 ? text_of(flat.type(flat.results()[0]))
                                            : std::to_string(flat.results().size()) + " results") +
                ", expected one tensor of one element");
    FlatBuilder to(flat);
    const ir::ValueId scalar = to.reshape(flat.results()[0], ir::Shape());
    flat.set_results(std::span(&scalar, 1));
    return value_and_grad(flat, wrt);
}

Placed place_gradient(const TracedProgram& traced, const Positions& wrt, PlaceOptions options) {
    const ir::Graph& calls = traced.graph();
    const auto is_wide = [&](ir::ValueId each) { return calls.type(each).element == ir::ElementType::kF32; };
    if (!options.dtype && std::ranges::none_of(calls.params(), is_wide)) options.dtype = DataType::BFLOAT16;
    return place(gradient_of_calls(calls, wrt), traced.device(), options);
}

}  // namespace tilemeter::trace
