// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/device/place/place.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <unordered_map>
#include <utility>

#include "capture/ir/control.hpp"
#include "capture/ir/error.hpp"
#include "capture/ir/order.hpp"
#include "capture/ir/verify.hpp"
#include "capture/record/private_log.hpp"
#include "capture/record/recorder.hpp"
#include "runtime/device/call_recorder.hpp"
#include "runtime/device/errors.hpp"
#include "runtime/device/planning.hpp"
#include "runtime/operations/core/call_watcher.hpp"
#include "runtime/trace/calls/lower.hpp"
#include "runtime/trace/device/place/place_body.hpp"
#include "runtime/trace/primitives/flat_operations.hpp"

namespace tilemeter::trace {

namespace {

using ir::Control;
using ir::ElementType;
using ir::Error;
using ir::ErrorKind;
using ir::Graph;
using ir::Integers;
using ir::TensorType;
using ir::ValueId;
using placement::Body;
using placement::Calls;
using placement::Slots;
using placement::Step;
using placement::Value;
using placement::Values;

std::string joined(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names)
        text += (text.empty() ? "" : ", ") + name;
    return text;
}

void require_type(const Graph& graph, std::size_t i, bool same_element, bool same_shape,
                  const std::string& found, const std::string& expected) {
    const std::string message = "input '" + std::string(graph.name_of(graph.params()[i])) + "': found " +
                                found + ", expected " + expected;
    if (!same_element) throw Error(ErrorKind::kElementTypeMismatch, message);
    if (!same_shape) throw Error(ErrorKind::kShapeMismatch, message);
}

void require_inputs(const Graph& graph, std::size_t found) {
    if (found != graph.params().size())
        throw Error(ErrorKind::kWrongArity, "found " + std::to_string(found) + " inputs, expected " +
                                                std::to_string(graph.params().size()));
}

}  // namespace

class Placed::Program {
public:
    Program(const Graph& graph, std::shared_ptr<Device> device, PlaceOptions options)
        : main_(lower(graph)), device_(std::move(device)), options_(std::move(options)) {
        if (options_.memory_config.is_sharded())
            throw Error(ErrorKind::kBadArgument, "memory_config: found " +
                                                     options_.memory_config.to_string() +
                                                     ", expected an interleaved one");
        if (options_.dtype && *options_.dtype != DataType::FLOAT32 && *options_.dtype != DataType::BFLOAT16)
            throw Error(ErrorKind::kBadArgument, "dtype: found " + std::string(name_of(*options_.dtype)) +
                                                     ", expected FLOAT32 or BFLOAT16");
        if (const auto error = ir::verify(main_, flat_operations())) throw *error;
        if (const std::vector<std::string> found = unplaceable(main_); !found.empty())
            throw Error(ErrorKind::kNoRule,
                        "found " + joined(found) + ", expected primitives that TT-NN calls compute");
        add(main_);
        {
            // Only asked whether TT-NN takes them: they are in no capture, traced function or record of gradients.
            const PlanningFrame frame;
            const ScopedPlanning planning(frame);
            const ScopedCallRecorder recorder(nullptr);
            const ScopedCallWatcher watcher(nullptr);
            std::optional<record::PrivateLog> log;
            if (record::recording()) log.emplace();
            record(main_);
        }
        Calls calls(device_, options_);
        for (auto& [flat, body] : bodies_)
            for (auto& [id, tensor] : body.constants)
                tensor = calls.constant(*body.graph->constant(id)).tensor;
    }

    [[nodiscard]] const Graph& main() const { return main_; }
    [[nodiscard]] const Graph& calls() const { return *bodies_.at(&main_).calls; }

    [[nodiscard]] TensorSpec spec_of(const TensorType& type) const {
        const Calls calls(device_, options_);
        return {Calls::shape_of(type.shape),
                calls.dtype_of(type.element),
                options_.layout,
                options_.memory_config,
                {}};
    }

    std::vector<Tensor> run(std::span<const Tensor> inputs) {
        Calls to(device_, options_);
        Values arguments;
        for (const Tensor& input : inputs)
            arguments.push_back(to.to_layout({input, {}}, Layout::TILE));
        std::vector<Tensor> results;
        for (const Value& result : run(bodies_.at(&main_), to, std::move(arguments)))
            results.push_back(to.to_layout(result, options_.layout).tensor);
        return results;
    }

    std::vector<ir::Constant> run(std::span<const ir::Constant> inputs) {
        Calls to(device_, options_);
        std::vector<Tensor> tensors;
        for (const ir::Constant& input : inputs)
            tensors.push_back(to.to_layout(to.constant(input), options_.layout).tensor);
        const std::vector<Tensor> found = run(tensors);
        std::vector<ir::Constant> results;
        for (std::size_t i = 0; i < found.size(); ++i) {
            const TensorType& type = main_.type(main_.results()[i]);
            const std::vector<double> values = to.read({found[i], {}});
            if (ir::is_float(type.element)) {
                results.push_back(ir::Constant::of(type.element, type.shape, std::span(values)));
                continue;
            }
            const std::vector<std::int64_t> integers(values.begin(), values.end());
            results.push_back(ir::Constant::of(type.element, type.shape, std::span(integers)));
        }
        return results;
    }

private:
    // ---- looking up

    void add(const Graph& graph) {
        if (bodies_.contains(&graph)) return;
        Body& body = bodies_[&graph];
        look_up(graph, body);
        // References to bodies survive new ones.
        for (const Step& step : body.steps)
            for (const ir::Subgraph& each : step.equation.subgraphs())
                add(*each.graph);
    }

    // ---- planning, which records the calls

    void record(const Graph& graph) {
        Body& body = bodies_.at(&graph);
        if (body.calls != nullptr) return;
        const Graph& from = *body.graph;
        for (const Step& step : body.steps)
            for (const ir::Subgraph& each : step.equation.subgraphs())
                record(*each.graph);
        auto made = std::make_shared<Graph>(from.name(), "ttnn");
        Calls to(device_, options_, made.get());
        Slots slots(body, to, &body.constants);
        for (const ValueId param : from.params()) {
            TensorSpec spec = spec_of(from.type(param));
            if (&graph != &main_) spec.layout = Layout::TILE;
            Value value = to.empty(spec);
            value.id = made->add_input(from.name_of(param), to.type_of(value.tensor));
            slots.set(param, to.to_layout(value, Layout::TILE));
        }
        for (const Step& step : body.steps) {
            if (step.is_deferred) continue;
            const Values results = guarded(step, [&] {
                return step.rule != nullptr ? run_rule(to, step, slots)
                                            : record_control(to, *made, step, slots);
            });
            finish(step, results, slots);
        }
        std::vector<ValueId> results;
        for (const ValueId result : from.results()) {
            Value value = leaving(to, slots.whole(result), from.type(result));
            if (&graph == &main_) value = to.to_layout(value, options_.layout);
            results.push_back(value.id);
        }
        made->set_results(results);
        body.calls = std::move(made);
    }

    Values record_control(Calls& to, Graph& made, const Step& step, Slots& slots) {
        std::vector<ValueId> operands;
        for (const ValueId operand : step.equation.operands())
            operands.push_back(leaving(to, slots.whole(operand), step.equation.graph().type(operand)).id);
        std::vector<ir::Subgraph> subgraphs;
        for (const ir::Subgraph& each : step.equation.subgraphs())
            subgraphs.push_back({each.name, bodies_.at(each.graph.get()).calls});
        Values results;
        std::vector<TensorType> types;
        for (const TensorType& type : step.types) {
            TensorSpec spec = spec_of(type);
            spec.layout = Layout::TILE;
            results.push_back(to.empty(spec));
            types.push_back(to.type_of(results.back().tensor));
        }
        const ir::ValueRange ids =
            made.append(step.equation.operation(), operands, types, step.equation.attributes(), subgraphs);
        for (std::size_t i = 0; i < results.size(); ++i)
            results[i].id = ids[i];
        return results;
    }

    // A refusal of TT-NN, with the primitive that asked for it.
    template <class Plan>
    static Values guarded(const Step& step, Plan plan) {
        try {
            return plan();
        } catch (const OutOfMemoryError&) {
            throw;
        } catch (const RuntimeError& error) {
            throw Error(ErrorKind::kNoRule, "found " + step.equation.operation() + " of " +
                                                operand_types(step) +
                                                ", expected one that TT-NN computes: " + error.what());
        }
    }

    static std::string operand_types(const Step& step) {
        std::vector<std::string> types;
        for (const ValueId operand : step.equation.operands())
            types.push_back(text_of(step.equation.graph().type(operand)));
        return types.empty() ? text_of(step.types.front()) : joined(types);
    }

    // ---- running

    static void finish(const Step& step, const Values& results, Slots& slots) {
        for (std::size_t i = 0; i < results.size(); ++i)
            slots.set(step.equation.results()[i], results[i]);
        for (const ValueId id : step.last_used)
            slots.release(id);
    }

    // A value that another graph takes: bools have one dtype there.
    static Value leaving(Calls& to, const Value& value, const TensorType& type) {
        return to.typecast(value, to.dtype_of(type.element));
    }

    Values run(const Body& body, Calls& to, Values arguments) {
        Slots slots(body, to, nullptr);
        const Graph& graph = *body.graph;
        for (std::size_t i = 0; i < arguments.size(); ++i)
            slots.set(graph.params()[i], std::move(arguments[i]));
        for (const Step& step : body.steps) {
            if (step.is_deferred) continue;
            finish(step, step.rule != nullptr ? run_rule(to, step, slots) : run_control(to, step, slots),
                   slots);
        }
        Values results;
        for (const ValueId result : graph.results())
            results.push_back(leaving(to, slots.whole(result), graph.type(result)));
        return results;
    }

    Values run_control(Calls& to, const Step& step, Slots& slots) {
        Values operands;
        for (const ValueId operand : step.equation.operands())
            operands.push_back(leaving(to, slots.whole(operand), step.equation.graph().type(operand)));
        switch (step.control) {
            case Control::kBranch: {
                const Body& branch = branch_of(to, step.equation, operands[0]);
                operands.erase(operands.begin());
                return run(branch, to, std::move(operands));
            }
            case Control::kWhile:
                return run_while(to, step.equation, std::move(operands));
            case Control::kScan:
                return run_scan(to, step, operands);
            default:
                return run(body_of(step.equation, ir::kBody), to, std::move(operands));
        }
    }

    const Body& body_of(const ir::Equation& equation, std::string_view name) const {
        return bodies_.at(equation.subgraph(name));
    }

    const Body& branch_of(Calls& to, const ir::Equation& equation, const Value& choice) const {
        const auto branches = equation.subgraphs();
        const auto number = static_cast<std::int64_t>(to.read(choice)[0]);
        const auto last = static_cast<std::int64_t>(branches.size()) - 1;
        const std::int64_t chosen =
            branches[0].name == ir::kThen ? (number != 0 ? 0 : 1) : std::clamp<std::int64_t>(number, 0, last);
        return bodies_.at(branches[static_cast<std::size_t>(chosen)].graph.get());
    }

    Values run_while(Calls& to, const ir::Equation& equation, Values arguments) {
        const auto consts = static_cast<std::ptrdiff_t>(
            control_operands(Control::kWhile, arguments.size(), equation.attributes()).consts);
        const Body& cond = body_of(equation, ir::kCond);
        const Body& body = body_of(equation, ir::kBody);
        while (to.read(run(cond, to, arguments)[0])[0] != 0) {
            Values carry = run(body, to, arguments);
            std::ranges::move(carry, arguments.begin() + consts);
        }
        arguments.erase(arguments.begin(), arguments.begin() + consts);
        return arguments;
    }

    Values run_scan(Calls& to, const Step& step, const Values& operands) {
        const ir::Attributes& attributes = step.equation.attributes();
        const auto parts = control_operands(Control::kScan, operands.size(), attributes);
        const auto length = attributes.get<std::int64_t>(ir::kLengthAttribute);
        const bool reverse = attributes.get_or(std::string_view(ir::kReverseAttribute), false);
        const Body& body = body_of(step.equation, ir::kBody);
        const std::size_t kept = parts.consts + parts.carry;
        std::vector<Values> stacks(step.types.size() - parts.carry, Values(static_cast<std::size_t>(length)));
        Values carry(operands.begin() + static_cast<std::ptrdiff_t>(parts.consts),
                     operands.begin() + static_cast<std::ptrdiff_t>(kept));
        for (std::int64_t trip = 0; trip < length; ++trip) {
            const std::int64_t row = reverse ? length - 1 - trip : trip;
            Values arguments(operands.begin(), operands.begin() + static_cast<std::ptrdiff_t>(parts.consts));
            std::ranges::move(carry, std::back_inserter(arguments));
            for (std::size_t i = kept; i < operands.size(); ++i)
                arguments.push_back(row_of(to, operands[i], row, body.graph->type(body.graph->params()[i])));
            Values results = run(body, to, std::move(arguments));
            for (std::size_t i = 0; i < stacks.size(); ++i) {
                const Value& result = results[parts.carry + i];
                Integers extents = result.extents();
                if (step.types[parts.carry + i].shape.rank() > 1) extents.insert(extents.begin(), 1);
                stacks[i][static_cast<std::size_t>(row)] = to.reshape(result, extents);
            }
            results.resize(parts.carry);
            carry = std::move(results);
        }
        for (const Values& stack : stacks)
            carry.push_back(to.concat(stack, 0));
        return carry;
    }

    static Value row_of(Calls& to, const Value& stacked, std::int64_t row, const TensorType& type) {
        Integers starts(stacked.shape().rank(), 0);
        Integers limits = stacked.extents();
        starts[0] = row;
        limits[0] = row + 1;
        return to.reshape(to.slice(stacked, starts, limits), placement::device_extents(type.shape));
    }

    Graph main_;
    std::shared_ptr<Device> device_;
    PlaceOptions options_;
    std::unordered_map<const Graph*, Body> bodies_;
};

Placed::Placed(std::unique_ptr<Program> program) : program_(std::move(program)) {}
Placed::Placed(Placed&&) noexcept = default;
Placed& Placed::operator=(Placed&&) noexcept = default;
Placed::~Placed() = default;

const ir::Graph& Placed::flat() const {
    return program_->main();
}

const ir::Graph& Placed::calls() const {
    return program_->calls();
}

std::vector<TensorSpec> Placed::inputs() const {
    std::vector<TensorSpec> specs;
    for (const ValueId param : flat().params())
        specs.push_back(program_->spec_of(flat().type(param)));
    return specs;
}

std::vector<Tensor> Placed::run(std::span<const Tensor> given) {
    require_inputs(flat(), given.size());
    const std::vector<TensorSpec> expected = inputs();
    for (std::size_t i = 0; i < given.size(); ++i) {
        const TensorSpec& found = given[i].spec();
        const auto text = [](const TensorSpec& spec) {
            return std::string(name_of(spec.dtype)) + " " + spec.shape.to_string();
        };
        require_type(flat(), i, found.dtype == expected[i].dtype, found.shape == expected[i].shape,
                     text(found), text(expected[i]));
    }
    return program_->run(given);
}

std::vector<ir::Constant> Placed::run(std::span<const ir::Constant> given) {
    require_inputs(flat(), given.size());
    for (std::size_t i = 0; i < given.size(); ++i) {
        const TensorType& expected = flat().type(flat().params()[i]);
        const TensorType& found = given[i].type();
        require_type(flat(), i, found.element == expected.element, found.shape == expected.shape,
                     text_of(found), text_of(expected));
    }
    return program_->run(given);
}

Placed place(const ir::Graph& graph, const std::shared_ptr<Device>& device, const PlaceOptions& options) {
    return Placed(std::make_unique<Placed::Program>(graph, device, options));
}

}  // namespace tilemeter::trace
