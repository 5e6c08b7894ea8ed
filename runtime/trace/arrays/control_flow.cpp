// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/arrays/control_flow.hpp"

#include <memory>
#include <utility>

#include "capture/ir/control.hpp"
#include "capture/ir/decide.hpp"
#include "runtime/trace/arrays/internal/body.hpp"
#include "runtime/trace/calls/call_operations.hpp"
#include "runtime/trace/primitives/constraints.hpp"

namespace tilemeter::trace {

using internal::all_captured;
using internal::ArrayAccess;
using internal::Body;
using ir::ElementType;
using ir::TensorType;

namespace {

[[noreturn]] void refuse(TraceErrorKind kind, const std::string& operation, const std::string& what,
                         std::vector<TensorType> types, std::string hint = {}) {
    throw TraceError(kind, operation + ": " + what,
                     {.operation = operation,
                      .types = std::move(types),
                      .location = current_location(),
                      .hint = std::move(hint)});
}

std::vector<Array> joined(std::initializer_list<std::span<const Array>> parts) {
    std::vector<Array> all;
    for (const auto part : parts)
        all.insert(all.end(), part.begin(), part.end());
    return all;
}

std::int64_t count_of(std::span<const Array> arrays) {
    return static_cast<std::int64_t>(arrays.size());
}

// A literal result takes the element type of what stands at its place elsewhere.
void adapt_literal(Body& body, std::size_t result, const TensorType& type) {
    const Array& array = body.results()[result];
    if (ArrayAccess::is_literal(array) && type.shape.rank() == 0)
        body.set_literal(result, internal::literal_beside(ArrayAccess::literal_element(array), type.element));
}

void check_choice(const char* operation, const Array& choice, bool by_number) {
    const TensorType& type = internal::type_of(choice);
    if (type.shape.rank() != 0)
        refuse(TraceErrorKind::kPredicateNotScalar, operation,
               "found a predicate of type " + text_of(type) + ", expected a scalar", {type});
    if (by_number ? !ir::is_integer(type.element) : type.element != ElementType::kBool)
        refuse(TraceErrorKind::kPredicateNotBool, operation,
               "found a predicate of type " + text_of(type) +
                   (by_number ? ", expected an integer" : ", expected bool[]"),
               {type}, by_number ? "" : "compare it: x != 0");
}

struct NamedFunction {
    std::string name;
    const Function* function;
};

std::vector<Array> choose(const char* name, const Array& choice, std::span<const NamedFunction> branches,
                          std::span<const Array> operands) {
    const std::vector<TensorType> types = internal::types_of(operands);
    std::vector<std::unique_ptr<Body>> bodies;
    std::vector<const Body*> pointers;
    for (const NamedFunction& branch : branches) {
        bodies.push_back(
            std::make_unique<Body>(std::string(name) + "_" + branch.name, *branch.function, types));
        pointers.push_back(bodies.back().get());
    }
    for (std::size_t i = 0; i < bodies[0]->results().size(); ++i)
        for (const auto& typed : bodies) {
            if (i >= typed->results().size() || ArrayAccess::is_literal(typed->results()[i])) continue;
            for (const auto& body : bodies)
                if (i < body->results().size()) adapt_literal(*body, i, typed->result_type(i));
            break;
        }
    const std::vector<Array> captured = all_captured(pointers);
    std::vector<ir::Subgraph> subgraphs;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        bodies[i]->finish();
        subgraphs.push_back({branches[i].name, bodies[i]->graph(captured, operands.size())});
    }
    return apply(operation_named(name), joined({std::span(&choice, 1), operands, captured}), {}, subgraphs);
}

// Values that a loop carries are of the same types before and after the body.
class Loop {
public:
    Loop(const char* operation, std::span<const Array> carry)
        : operation_(operation), carry_(carry.begin(), carry.end()), types_(internal::types_of(carry)) {}

    [[nodiscard]] const std::vector<TensorType>& types() const { return types_; }

    /// The body over carry and slices, traced; again where a literal that is carried takes another type.
    std::unique_ptr<Body> trace_body(const Function& function, std::span<const TensorType> slices) {
        for (;;) {
            std::vector<TensorType> types = types_;
            types.insert(types.end(), slices.begin(), slices.end());
            auto body = std::make_unique<Body>(std::string(operation_) + "_body", function, types);
            if (body->results().size() < carry_.size() ||
                (slices.empty() && !may_have_outputs_ && body->results().size() != carry_.size()))
                refuse(TraceErrorKind::kStructureMismatch, operation_,
                       "results of the body: found " + std::to_string(body->results().size()) +
                           ", expected " + (may_have_outputs_ ? "at least " : "") +
                           std::to_string(carry_.size()) + " carried values",
                       types_);
            bool is_settled = true;
            for (std::size_t i = 0; i < carry_.size(); ++i)
                is_settled = settle(*body, i) && is_settled;
            if (is_settled) return body;
        }
    }

    void allow_outputs() { may_have_outputs_ = true; }

    /// The values to begin with.
    [[nodiscard]] std::vector<Array> carry() const {
        std::vector<Array> values = carry_;
        for (std::size_t i = 0; i < values.size(); ++i)
            if (ArrayAccess::is_literal(values[i]))
                values[i] = ArrayAccess::typed_literal(values[i], types_[i].element);
        return values;
    }

private:
    // True if carried value `i` has its type; false: it has another one now.
    bool settle(Body& body, std::size_t i) {
        adapt_literal(body, i, types_[i]);
        const TensorType& after = body.result_type(i);
        if (after == types_[i]) return true;
        const bool may_adapt = ArrayAccess::is_literal(carry_[i]) && after.shape.rank() == 0 &&
                               promoted(after.element, types_[i].element) == after.element;
        if (!may_adapt)
            refuse(TraceErrorKind::kCarryTypeChanged, operation_,
                   "carried value " + std::to_string(i) + ": found " + text_of(after) +
                       " after the body, expected " + text_of(types_[i]) + " as before",
                   {types_[i], after});
        types_[i] = after;
        return false;
    }

    const char* operation_;
    std::vector<Array> carry_;
    std::vector<TensorType> types_;
    bool may_have_outputs_ = false;
};

std::int64_t scan_length(std::span<const Array> inputs, const ScanOptions& options) {
    std::optional<std::int64_t> length = options.length;
    std::string first = "length " + (length ? ir::Dim(*length).text() : "");
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const TensorType& type = internal::type_of(inputs[i]);
        if (type.shape.rank() == 0)
            refuse(TraceErrorKind::kLengthMismatch, "scan",
                   "input " + std::to_string(i) + ": found " + text_of(type) + ", expected rows", {type});
        if (length && !ir::is_equal(*length, type.shape[0], internal::current_constraints()))
            refuse(TraceErrorKind::kLengthMismatch, "scan",
                   "found " + first + " and input " + std::to_string(i) + " of " +
                       ir::Dim(type.shape[0]).text() + " rows, expected equal ones",
                   internal::types_of(inputs));
        if (!length) first = "input " + std::to_string(i) + " of " + ir::Dim(type.shape[0]).text() + " rows";
        if (!length) length = type.shape[0];
    }
    if (!length || ir::Dim(*length).is_negative_number())
        refuse(TraceErrorKind::kBadArgument, "scan",
               length ? "found length " + std::to_string(*length) + ", expected at least 0"
                      : "found neither inputs nor a length, expected one of them",
               {});
    return *length;
}

std::vector<Array> call_body(const char* operation, const Body& body, std::span<const Array> operands) {
    const ir::Subgraph subgraph{std::string(ir::kBody), body.graph()};
    return apply(operation_named(operation), joined({operands, body.captured()}), {},
                 std::span(&subgraph, 1));
}

}  // namespace

std::vector<Array> cond(const Array& predicate, const Function& then, const Function& otherwise,
                        std::span<const Array> operands) {
    check_choice("cond", predicate, false);
    const NamedFunction branches[] = {{std::string(ir::kThen), &then}, {std::string(ir::kElse), &otherwise}};
    return choose("cond", predicate, branches, operands);
}

std::vector<Array> switch_case(const Array& choice, std::span<const Function> branches,
                               std::span<const Array> operands) {
    check_choice("switch", choice, true);
    if (branches.empty())
        refuse(TraceErrorKind::kBadArgument, "switch", "found no branches, expected at least one", {});
    std::vector<NamedFunction> named;
    for (const Function& branch : branches)
        named.push_back({std::string(ir::kBranchPrefix) + std::to_string(named.size()), &branch});
    return choose("switch", choice, named, operands);
}

std::vector<Array> while_loop(const Function& condition, const Function& body, std::span<const Array> carry) {
    Loop loop("while", carry);
    const auto step = loop.trace_body(body, {});
    Body test("while_cond", condition, loop.types());
    if (test.results().size() != 1)
        refuse(TraceErrorKind::kStructureMismatch, "while",
               "results of the condition: found " + std::to_string(test.results().size()) +
                   ", expected one bool[]",
               {});
    check_choice("while", test.results()[0], false);
    const Body* const bodies[] = {&test, step.get()};
    const std::vector<Array> captured = all_captured(bodies);
    test.finish();
    step->finish();
    const ir::Subgraph subgraphs[] = {{std::string(ir::kCond), test.graph(captured, 0)},
                                      {std::string(ir::kBody), step->graph(captured, 0)}};
    return apply(operation_named("while"), joined({captured, loop.carry()}),
                 {{std::string(ir::kConstsAttribute), count_of(captured)}}, subgraphs);
}

std::vector<Array> scan(const Function& body, std::span<const Array> carry, std::span<const Array> inputs,
                        const ScanOptions& options) {
    const std::int64_t length = scan_length(inputs, options);
    std::vector<TensorType> rows = internal::types_of(inputs);
    for (TensorType& row : rows)
        row.shape = ir::Shape(row.shape.dims().subspan(1));
    Loop loop("scan", carry);
    loop.allow_outputs();
    const auto step = loop.trace_body(body, rows);
    step->finish();
    const std::vector<Array>& captured = step->captured();
    ir::Attributes attributes{{std::string(ir::kConstsAttribute), count_of(captured)},
                              {std::string(ir::kCarryAttribute), count_of(carry)},
                              {std::string(ir::kLengthAttribute), length}};
    if (options.reverse) attributes.set(ir::kReverseAttribute, true);
    const ir::Subgraph subgraph{std::string(ir::kBody), step->graph(captured, 0)};
    return apply(operation_named("scan"), joined({captured, loop.carry(), inputs}), attributes,
                 std::span(&subgraph, 1));
}

std::vector<Array> call(const std::string& name, const Function& function, std::span<const Array> operands) {
    Body body(name, function, internal::types_of(operands));
    body.finish();
    return call_body("call", body, operands);
}

std::vector<Array> checkpoint(const Function& function, std::span<const Array> operands) {
    Body body("checkpoint", function, internal::types_of(operands));
    body.finish();
    return call_body("checkpoint", body, operands);
}

}  // namespace tilemeter::trace
