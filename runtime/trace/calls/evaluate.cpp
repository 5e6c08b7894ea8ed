// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/calls/evaluate.hpp"

#include <algorithm>
#include <deque>
#include <optional>
#include <type_traits>
#include <unordered_map>
#include <utility>

#include "capture/ir/control.hpp"
#include "capture/ir/error.hpp"
#include "capture/ir/order.hpp"
#include "capture/ir/verify.hpp"
#include "runtime/trace/calls/internal/custom_call.hpp"
#include "runtime/trace/calls/lower.hpp"
#include "runtime/trace/primitives/flat_operations.hpp"
#include "runtime/trace/primitives/internal/primitive.hpp"

namespace tilemeter::trace {

namespace {

using internal::Kernel;
using internal::KernelUse;
using ir::Constant;
using ir::Control;
using ir::Error;
using ir::ErrorKind;
using ir::Graph;
using ir::TensorType;
using ir::ValueId;
using Values = std::vector<Constant>;

/// One equation, looked up once.
struct Step {
    Kernel kernel;  ///< null: control, or custom
    std::optional<internal::CustomKernel> custom;
    Control control;
    ir::Equation equation;
    std::vector<TensorType> types;
    /// The operands that do not change from run to run; null: computed.
    std::vector<const Constant*> fixed{};
    bool is_needed = true;
    std::vector<ValueId> last_used{};  ///< values that no later equation and no result needs
};

// The graph is in order, its values as far as they are known.
struct Program {
    const Graph* graph;
    std::optional<Graph> sorted;
    std::vector<Step> steps;
    std::deque<Constant> scalars;  ///< for operands whose elements are all equal
    // Values of the run that goes on, kept for their room; graphs do not hold themselves, so there is one.
    std::vector<std::optional<Constant>> slots;
    std::vector<const Constant*> operands;
    Values results;
};

Constant row_of(const Constant& stacked, std::int64_t row) {
    const auto dims = stacked.type().shape.dims();
    TensorType type{stacked.type().element, ir::Shape(dims.subspan(1)), {}};
    const std::size_t bytes = ir::byte_size(type);
    // Shares the storage of the whole.
    return {std::move(type), Constant::Storage(stacked.storage(), stacked.storage().get() +
                                                                      static_cast<std::size_t>(row) * bytes)};
}

void require_input(const Graph& graph, std::size_t i, const Constant& input) {
    const TensorType& expected = graph.type(graph.params()[i]);
    if (input.type().element == expected.element && input.type().shape == expected.shape) return;
    const std::string found = "input '" + std::string(graph.name_of(graph.params()[i])) + "': found " +
                              text_of(input.type()) + ", expected " + text_of(expected);
    if (input.type().element != expected.element) throw Error(ErrorKind::kElementTypeMismatch, found);
    throw Error(ErrorKind::kShapeMismatch, found);
}

}  // namespace

class Evaluator::Programs {
public:
    explicit Programs(const Graph& graph) : main_(lower(graph)) {
        if (const auto error = ir::verify(main_, flat_operations())) throw *error;
        add(main_);
    }

    [[nodiscard]] const Graph& main() const { return main_; }

    template <class Arguments>
    Values run(const Graph& graph, Arguments&& arguments) {
        Program& program = programs_.at(&graph);
        const Graph& body = *program.graph;
        // Constants of the graph stay where they are; slots are for what is computed.
        std::vector<std::optional<Constant>>& slots = program.slots;
        slots.clear();
        slots.resize(body.value_count());
        for (std::size_t i = 0; i < arguments.size(); ++i)
            if constexpr (std::is_lvalue_reference_v<Arguments>)
                slots[index_of(body.params()[i])] = arguments[i];
            else
                slots[index_of(body.params()[i])] = std::move(arguments[i]);
        const auto value = [&](ValueId id) -> const Constant& {
            const Constant* const constant = body.constant(id);
            return constant != nullptr ? *constant : *slots[index_of(id)];
        };
        std::vector<const Constant*>& operands = program.operands;
        Values& results = program.results;
        for (const Step& step : program.steps) {
            if (!step.is_needed) continue;
            operands.clear();
            const std::span<const ValueId> given = step.equation.operands();
            for (std::size_t i = 0; i < given.size(); ++i)
                operands.push_back(step.fixed[i] != nullptr ? step.fixed[i] : &*slots[index_of(given[i])]);
            results.clear();
            if (step.kernel != nullptr)
                step.kernel(KernelUse{operands, step.equation.attributes(), step.types}, results);
            else if (step.custom)
                results = step.custom->run(operands, step.types);
            else
                results = run_control(step, operands);
            const ir::ValueRange defined = step.equation.results();
            for (std::size_t i = 0; i < results.size(); ++i)
                slots[index_of(defined[i])] = std::move(results[i]);
            for (const ValueId id : step.last_used)
                slots[index_of(id)].reset();
        }
        Values answer;
        answer.reserve(body.results().size());
        for (const ValueId result : body.results())
            answer.push_back(value(result));
        slots.clear();
        return answer;
    }

private:
    using Operands = std::vector<const Constant*>;

    static Values copies(const Operands& operands, std::size_t from) {
        Values values;
        for (std::size_t i = from; i < operands.size(); ++i)
            values.push_back(*operands[i]);
        return values;
    }

    Values run_control(const Step& step, const Operands& operands) {
        const ir::Equation& equation = step.equation;
        switch (step.control) {
            case Control::kBranch:
                return run(branch_of(equation, *operands[0]), copies(operands, 1));
            case Control::kWhile:
                return run_while(equation, operands);
            case Control::kScan:
                return run_scan(step, operands);
            default:
                return run(*equation.subgraph(ir::kBody), copies(operands, 0));
        }
    }

    static const Graph& branch_of(const ir::Equation& equation, const Constant& choice) {
        const auto branches = equation.subgraphs();
        const std::int64_t number = choice.integer_at(0);
        if (branches[0].name == ir::kThen) return *branches[number != 0 ? 0 : 1].graph;
        const auto last = static_cast<std::int64_t>(branches.size()) - 1;
        return *branches[static_cast<std::size_t>(std::clamp<std::int64_t>(number, 0, last))].graph;
    }

    Values run_while(const ir::Equation& equation, const Operands& operands) {
        const auto parts = control_operands(Control::kWhile, operands.size(), equation.attributes());
        const Graph& cond = *equation.subgraph(ir::kCond);
        const Graph& body = *equation.subgraph(ir::kBody);
        Values arguments = copies(operands, 0);
        while (run(cond, arguments)[0].integer_at(0) != 0) {
            Values carry = run(body, arguments);
            std::ranges::move(carry, arguments.begin() + static_cast<std::ptrdiff_t>(parts.consts));
        }
        arguments.erase(arguments.begin(), arguments.begin() + static_cast<std::ptrdiff_t>(parts.consts));
        return arguments;
    }

    Values run_scan(const Step& step, const Operands& operands) {
        const ir::Attributes& attributes = step.equation.attributes();
        const auto parts = control_operands(Control::kScan, operands.size(), attributes);
        const auto length = attributes.get<std::int64_t>(ir::kLengthAttribute);
        const bool reverse = attributes.get_or(std::string_view(ir::kReverseAttribute), false);
        const Graph& body = *step.equation.subgraph(ir::kBody);
        const std::size_t kept = parts.consts + parts.carry;
        std::vector<std::shared_ptr<std::byte[]>> stacks;
        for (std::size_t i = parts.carry; i < step.types.size(); ++i)
            stacks.push_back(std::make_shared<std::byte[]>(ir::byte_size(step.types[i])));
        Values carry;
        for (std::size_t i = parts.consts; i < kept; ++i)
            carry.push_back(*operands[i]);
        for (std::int64_t trip = 0; trip < length; ++trip) {
            const std::int64_t row = reverse ? length - 1 - trip : trip;
            Values arguments;
            arguments.reserve(operands.size());
            for (std::size_t i = 0; i < parts.consts; ++i)
                arguments.push_back(*operands[i]);
            std::ranges::move(carry, std::back_inserter(arguments));
            for (std::size_t i = kept; i < operands.size(); ++i)
                arguments.push_back(row_of(*operands[i], row));
            Values results = run(body, std::move(arguments));
            for (std::size_t i = 0; i < stacks.size(); ++i) {
                const auto bytes = results[parts.carry + i].bytes();
                std::ranges::copy(bytes, stacks[i].get() + static_cast<std::size_t>(row) * bytes.size());
            }
            results.erase(results.begin() + static_cast<std::ptrdiff_t>(parts.carry), results.end());
            carry = std::move(results);
        }
        for (std::size_t i = 0; i < stacks.size(); ++i)
            carry.emplace_back(step.types[parts.carry + i], stacks[i]);
        return carry;
    }

    void add(const Graph& graph) {
        if (programs_.contains(&graph)) return;
        Program& program = programs_[&graph];
        program.graph = &ir::in_order(graph, flat_operations(), program.sorted);
        const Graph& body = *program.graph;
        const auto operations = operations_of(body, flat_operations());
        program.steps.reserve(body.equation_count());
        for (const ir::Equation equation : body.equations()) {
            const Control control = operations[equation.operation_number()]->control;
            const internal::Primitive* const row = internal::find_primitive(equation.operation());
            Step step{row != nullptr ? row->compute.function() : nullptr, {}, control, equation, {}};
            if (equation.operation() == "custom_call")
                step.custom.emplace(equation);
            else if (step.kernel == nullptr && control == Control::kNone)
                throw Error(ErrorKind::kUnknownOperation,
                            equation.operation() +
                                ": found an operation without values, expected one that the host "
                                "can evaluate");
            for (std::size_t i = 0; i < equation.results().size(); ++i)
                step.types.push_back(body.type(equation.results()[i]));
            const bool takes_one = row != nullptr && row->takes_one_element;
            for (const ValueId operand : equation.operands()) {
                const Constant* fixed = takes_one ? one_element(program, operand) : nullptr;
                step.fixed.push_back(fixed != nullptr ? fixed : body.constant(operand));
            }
            program.steps.push_back(std::move(step));
            for (const ir::Subgraph& each : equation.subgraphs())
                add(*each.graph);
        }
        note_needed(program);
        note_last_uses(program);
    }

    // The element of an operand whose elements are all equal and known; null: they differ, or are computed.
    static const Constant* one_element(Program& program, ValueId operand) {
        const Graph& body = *program.graph;
        const TensorType& type = body.type(operand);
        if (type.shape.elements() <= 1) return nullptr;
        const std::size_t width = ir::element_bytes(type.element);
        const auto scalar_of = [&](const Constant& constant) {
            const TensorType scalar{type.element, {}, {}};
            return &program.scalars.emplace_back(Constant::copy_of(scalar, constant.bytes().first(width)));
        };
        if (const Constant* const constant = body.constant(operand)) {
            const auto bytes = constant->bytes();
            // Each element is the one before it.
            if (!std::ranges::equal(bytes.first(bytes.size() - width), bytes.subspan(width))) return nullptr;
            return scalar_of(*constant);
        }
        const ir::Definition definition = body.definition(operand);
        if (definition.kind != ir::ValueKind::kResult) return nullptr;
        const ir::Equation equation = body.equation(definition.index);
        if (equation.operation() == "full")
            return &program.scalars.emplace_back(
                Constant::scalar(type.element, equation.attributes().get<double>("value")));
        if (equation.operation() != "broadcast_in_dim") return nullptr;
        const Constant* const from = body.constant(equation.operands()[0]);
        return from != nullptr && from->type().shape.elements() == 1 ? scalar_of(*from) : nullptr;
    }

    // A value that is only spread for fixed operands need not be computed.
    static void note_needed(Program& program) {
        const Graph& body = *program.graph;
        std::vector<bool> is_used(body.value_count());
        for (const Step& step : program.steps)
            for (std::size_t i = 0; i < step.fixed.size(); ++i)
                if (step.fixed[i] == nullptr) is_used[index_of(step.equation.operands()[i])] = true;
        for (const ValueId result : body.results())
            is_used[index_of(result)] = true;
        for (Step& step : program.steps) {
            const std::string& name = step.equation.operation();
            if (name == "full" || name == "broadcast_in_dim")
                step.is_needed = is_used[index_of(step.equation.results()[0])];
        }
    }

    static void note_last_uses(Program& program) {
        const Graph& body = *program.graph;
        const std::vector<std::uint32_t> last = ir::last_uses(body);
        for (std::size_t i = 0; i < last.size(); ++i) {
            const auto id = static_cast<ValueId>(i);
            if (last[i] < program.steps.size() && body.constant(id) == nullptr)
                program.steps[last[i]].last_used.push_back(id);
        }
    }

    Graph main_;
    std::unordered_map<const Graph*, Program> programs_;
};

Evaluator::Evaluator(const ir::Graph& graph) : programs_(std::make_unique<Programs>(graph)) {}
Evaluator::~Evaluator() = default;
Evaluator::Evaluator(Evaluator&&) noexcept = default;
Evaluator& Evaluator::operator=(Evaluator&&) noexcept = default;

std::vector<ir::Constant> Evaluator::run(std::span<const ir::Constant> inputs) {
    const Graph& graph = programs_->main();
    if (inputs.size() != graph.params().size())
        throw Error(ErrorKind::kWrongArity, "found " + std::to_string(inputs.size()) + " inputs, expected " +
                                                std::to_string(graph.params().size()));
    for (std::size_t i = 0; i < inputs.size(); ++i)
        require_input(graph, i, inputs[i]);
    return programs_->run(graph, inputs);
}

std::vector<ir::Constant> Evaluator::run(const std::map<std::string, ir::Constant, std::less<>>& inputs) {
    const Graph& graph = programs_->main();
    Values ordered;
    for (const ValueId param : graph.params()) {
        const auto found = inputs.find(graph.name_of(param));
        if (found == inputs.end())
            throw Error(ErrorKind::kWrongName, "found no input '" + std::string(graph.name_of(param)) +
                                                   "', expected " + text_of(graph.type(param)));
        ordered.push_back(found->second);
    }
    for (const auto& [name, value] : inputs)
        if (graph.find_input(name) == nullptr)
            throw Error(ErrorKind::kWrongName,
                        "found input '" + name + "', expected only names of parameters");
    return run(ordered);
}

std::vector<ir::Constant> evaluate(const ir::Graph& graph, std::span<const ir::Constant> inputs) {
    return Evaluator(graph).run(inputs);
}

std::vector<ir::Constant> evaluate(const ir::Graph& graph,
                                   const std::map<std::string, ir::Constant, std::less<>>& inputs) {
    return Evaluator(graph).run(inputs);
}

}  // namespace tilemeter::trace
