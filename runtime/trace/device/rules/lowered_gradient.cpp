// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <numeric>

#include "capture/ir/error.hpp"
#include "capture/ir/passes/passes.hpp"
#include "runtime/device/device.hpp"
#include "runtime/device/metal_trace.hpp"
#include "runtime/trace/calls/simplify.hpp"
#include "runtime/trace/derivatives/derivatives.hpp"
#include "runtime/trace/device/place/place.hpp"
#include "runtime/trace/device/place/place_calls.hpp"
#include "runtime/trace/device/rules/lower_ttnn.hpp"
#include "runtime/trace/device/rules/rule.hpp"
#include "runtime/types/runtime_error.hpp"

namespace tilemeter::trace::rules {

namespace {

ir::TensorType type_of(const CallValue& value) {
    const MemoryConfig& config = value.spec().memory_config;
    return {placement::element_of(value.spec().dtype), ir::Shape(extents_of(value.spec().shape)),
            ir::Place{value.device()->description().name, std::string(name_of(value.spec().layout)),
                      config.is_sharded() ? "SHARDED" : std::string(name_of(config.buffer_type))}};
}

// The call alone.
ir::Graph graph_of(const Call& call) {
    ir::Graph graph("gradient of " + call.name(), "ttnn");
    std::vector<ir::ValueId> operands;
    ir::Strings names;
    for (const CallValue& each : call.recorded().operands) {
        operands.push_back(graph.add_input("input_" + std::to_string(operands.size()), type_of(each)));
        names.emplace_back(each.parameter);
    }
    std::vector<ir::TensorType> types;
    for (const CallValue& each : call.recorded().results)
        if (each.is_there()) types.push_back(type_of(each));
    ir::Attributes attributes = call.attributes();
    if (attributes.find("operands") != nullptr) attributes.set("operands", names);
    // As operations say it that are told which they shall make.
    ir::Booleans made;
    for (const CallValue& each : call.recorded().results)
        made.push_back(each.is_there());
    if (types.size() < made.size() && attributes.find("are_required_outputs") == nullptr)
        attributes.set("are_required_outputs", made);
    const ir::ValueRange results = graph.append(call.name(), operands, types, attributes);
    std::vector<ir::ValueId> floats;
    for (std::size_t i = 0; i < types.size(); ++i)
        if (ir::is_float(types[i].element)) floats.push_back(results[i]);
    graph.set_results(floats);
    return graph;
}

bool is_narrow(const CallValue& value) {
    return !value.is_there() || value.spec().dtype != DataType::FLOAT32;
}

Tensor as_spec(const Tensor& tensor, const TensorSpec& spec) {
    return reshaped(as_dtype(as_tiles(interleaved(tensor)), spec.dtype), spec.shape);
}

void run_lowered_back(Call& call) {
    const RecordedCall& recorded = call.recorded();
    const ir::Graph flat = lower_ttnn(graph_of(call));
    Positions wrt;
    for (std::size_t i = 0; i < call.size(); ++i)
        if (call.wants(i)) wrt.push_back(i);
    const ir::Graph both = vjp(flat, wrt);
    std::vector<std::size_t> last(wrt.size());
    std::iota(last.begin(), last.end(), flat.results().size());
    const ir::Graph gradient = simplify(ir::with_results(both, last));

    PlaceOptions options;
    if (std::ranges::all_of(recorded.operands, is_narrow) && std::ranges::all_of(recorded.results, is_narrow))
        options.dtype = DataType::BFLOAT16;
    const MemoryConfig& place_of_value = recorded.operands[wrt.front()].spec().memory_config;
    if (!place_of_value.is_sharded()) options.memory_config = place_of_value;
    Placed placed = place(gradient, recorded.operands[wrt.front()].device(), options);
    const std::vector<TensorSpec> specs = placed.inputs();
    std::vector<Tensor> inputs;
    for (std::size_t i = 0; i < call.size(); ++i)
        inputs.push_back(as_spec(call.operand(i), specs[i]));
    for (std::size_t i = 0; i < recorded.results.size(); ++i)
        if (recorded.results[i].is_there() && is_floating_point(recorded.results[i].spec().dtype))
            inputs.push_back(as_spec(call.gradient(i), specs[inputs.size()]));
    const std::vector<Tensor> gradients = placed.run(std::span<const Tensor>(inputs));
    for (std::size_t i = 0; i < wrt.size(); ++i)
        call.give(wrt[i], gradients[i]);
}

// The host writes what is constant in it.
void lowered_back(Call& call) {
    try {
        run_lowered_back(call);
    } catch (const RuntimeError& error) {
        const CallValue& result = call.recorded().results.front();
        if (!result.is_there() || !result.device()->traces().is_recording()) throw;
        throw ir::Error(ir::ErrorKind::kNoRule,
                        call.name() +
                            ": no vjp rule, and the gradient of its lowering can't be captured in "
                            "a metal trace: " +
                            error.what());
    }
}

}  // namespace

const Gradient& lowered_gradient() {
    static const Gradient kGradient{"", lowered_back};
    return kGradient;
}

}  // namespace tilemeter::trace::rules
