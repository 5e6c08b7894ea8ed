// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/arrays/frame.hpp"

#include <utility>

#include "capture/ir/passes/passes.hpp"
#include "runtime/trace/arrays/internal/array_state.hpp"
#include "runtime/trace/calls/call_operations.hpp"
#include "runtime/trace/calls/evaluate.hpp"
#include "runtime/trace/primitives/constraints.hpp"

namespace tilemeter::trace {

using internal::ArrayAccess;
using internal::FrameState;
using internal::Node;
using ir::Constant;
using ir::ValueId;

namespace {

thread_local const std::shared_ptr<FrameState>* t_innermost = nullptr;

// The refusal of a traced value, with the place where it was made and why it can't be used.
[[noreturn]] void refuse_escaped(const Array& array, const std::string& operation, const std::string& why) {
    const FrameState& frame = ArrayAccess::frame(array);
    const ir::Graph& graph = *frame.graph;
    const ir::Definition definition = graph.definition(array.traced_value());
    std::string born = "parameter '" + std::string(graph.name_of(array.traced_value())) + "'";
    if (definition.kind == ir::ValueKind::kResult) {
        const ir::Equation equation = graph.equation(definition.index);
        born = "the result of '" + equation.operation() + "'";
        if (const std::string place = text_of(equation.location()); !place.empty()) born += " at " + place;
    }
    throw TraceError(TraceErrorKind::kEscapedTracer,
                     operation + ": found " + born + ", " + text_of(graph.type(array.traced_value())) +
                         ", of the traced function '" + frame.function + "', " + why,
                     {.operation = operation,
                      .types = {graph.type(array.traced_value())},
                      .location = current_location(),
                      .hint = "return the value from '" + frame.function + "' instead of storing it"});
}

ValueId capture(FrameState& frame, const Array& array) {
    const auto [known, is_new] = frame.captured_ids.try_emplace(ArrayAccess::key(array));
    if (is_new) {
        known->second =
            frame.graph->add_input("c" + std::to_string(frame.captured.size()), internal::type_of(array));
        frame.captured.push_back(array);
    }
    return known->second;
}

void remember(FrameState& frame, ValueId value, const Constant& constant) {
    frame.values.resize(frame.graph->value_count());
    frame.values[index_of(value)] = constant;
}

ir::Graph without_dead_code(ir::Graph graph, std::span<const ValueId> results) {
    graph.set_results(results);
    return remove_dead_code(graph, call_operations()).graph;
}

}  // namespace

namespace internal {

const std::shared_ptr<FrameState>* innermost_frame() {
    return t_innermost;
}

const ir::Constraints* current_constraints() {
    return t_innermost == nullptr ? nullptr : (*t_innermost)->graph->constraints();
}

FramePause::FramePause() : paused_(std::exchange(t_innermost, nullptr)) {}

FramePause::~FramePause() {
    t_innermost = paused_;
}

void open_frame(const std::shared_ptr<FrameState>& state) {
    state->depth = t_innermost == nullptr ? 1 : (*t_innermost)->depth + 1;
    if (state->depth > ir::Graph::kMaxDepth)
        throw TraceError(
            TraceErrorKind::kRecursion,
            "'" + state->function + "': found " + std::to_string(state->depth) +
                " traces inside of each other, expected at most " + std::to_string(ir::Graph::kMaxDepth),
            {.location = current_location(),
             .hint = "a function that calls itself needs an end that does not depend on values"});
    if (t_innermost != nullptr && state->graph->constraints() == nullptr)
        state->graph->set_constraints((*t_innermost)->graph->shared_constraints());
    state->outer = t_innermost;
    t_innermost = &state;
}

void close_frame(const std::shared_ptr<FrameState>& state) {
    if (!state->is_open) return;
    state->is_open = false;
    // The innermost one, unless frames are closed out of order.
    for (auto* link = &t_innermost; *link != nullptr; link = &(**link)->outer)
        if (**link == state) {
            *link = state->outer;
            break;
        }
    state->outer = nullptr;
}

void require_open(const Array& array, const std::string& operation) {
    const FrameState& frame = ArrayAccess::frame(array);
    if (!frame.is_open) refuse_escaped(array, operation, "which has ended");
    if (frame.thread != std::this_thread::get_id())
        refuse_escaped(array, operation, "which is traced in another thread");
}

ValueId value_in(const std::shared_ptr<FrameState>& frame, const Array& array,
                 ir::ElementType literal_element) {
    if (ArrayAccess::is_traced(array)) {
        if (&ArrayAccess::frame(array) == frame.get() && frame->is_open) [[likely]]
            return array.traced_value();
        require_open(array, "'" + frame->function + "'");
        if (!frame->is_body) refuse_escaped(array, "'" + frame->function + "'", "which is traced around it");
        return capture(*frame, array);
    }
    if (ArrayAccess::is_literal(array))
        return frame->graph->add_const(ArrayAccess::literal(array, literal_element));
    if (ArrayAccess::is_empty(array))
        throw TraceError(TraceErrorKind::kBadArgument, "found an array without a value",
                         {.location = current_location()});
    const Node& node = ArrayAccess::node(array);
    if (frame->is_body && !(node.is_given && type_of(array).shape.rank() == 0)) return capture(*frame, array);
    return frame->graph->add_const(array.value());
}

}  // namespace internal

Frame::Frame(std::string function, Mode mode, ir::ConstraintsPtr constraints)
    : state_(std::make_shared<FrameState>()) {
    state_->graph = std::make_shared<ir::Graph>(function, std::string(kCall));
    state_->graph->set_constraints(std::move(constraints));
    state_->function = std::move(function);
    state_->mode = mode;
    internal::open_frame(state_);
}

Frame::~Frame() {
    internal::close_frame(state_);
}

const ir::Graph& Frame::graph() const {
    return *state_->graph;
}

Array Frame::add_input(std::string_view name, const ir::TensorType& type) {
    if (state_->mode == Mode::kConcrete)
        throw TraceError(
            TraceErrorKind::kBadArgument,
            "parameter '" + std::string(name) + "': found a type, expected a value in concrete mode");
    return ArrayAccess::traced(state_, state_->graph->add_input(name, type));
}

Array Frame::add_input(std::string_view name, const Constant& value) {
    const ValueId input = state_->graph->add_input(name, value.type());
    if (state_->mode == Mode::kConcrete) remember(*state_, input, value);
    return ArrayAccess::traced(state_, input);
}

TracedGraph Frame::close(std::span<const Array> results) {
    std::vector<ValueId> ids;
    TracedGraph traced;
    for (std::size_t i = 0; i < results.size(); ++i) {
        if (results[i].state() == Array::State::kEmpty)
            throw TraceError(TraceErrorKind::kBadResult,
                             "'" + state_->function + "': result " + std::to_string(i) +
                                 ": found nothing, expected an array",
                             {.location = current_location()});
        ids.push_back(internal::value_in(
            state_, results[i],
            ArrayAccess::is_literal(results[i]) ? results[i].element() : ir::ElementType::kF64));
        if (state_->mode != Mode::kConcrete) continue;
        const Constant* const constant = state_->graph->constant(ids.back());
        traced.values.push_back(constant != nullptr ? *constant
                                                    : state_->values[index_of(ids.back())].value());
    }
    internal::close_frame(state_);
    state_->values.clear();
    traced.graph = std::make_shared<const ir::Graph>(without_dead_code(*state_->graph, ids));
    traced.assumptions = std::move(state_->assumptions);
    if (!state_->asked.empty()) {
        std::vector<ValueId> asked;
        for (FrameState::Asked& each : state_->asked) {
            asked.push_back(each.value);
            traced.guards.push_back(std::move(each.guard));
        }
        traced.guard_graph = std::make_shared<const ir::Graph>(without_dead_code(*state_->graph, asked));
        state_->asked.clear();
    }
    return traced;
}

const ir::Constraints* current_constraints() {
    return internal::current_constraints();
}

bool Frame::is_open() {
    return t_innermost != nullptr;
}

void note_assumption(std::string text) {
    if (t_innermost != nullptr) (*t_innermost)->assumptions.push_back(std::move(text));
}

const Guard* first_failed_guard(const TracedGraph& traced, std::span<const Constant> inputs) {
    if (traced.guard_graph == nullptr) return nullptr;
    return internal::first_failed_guard(traced.guards, evaluate(*traced.guard_graph, inputs));
}

namespace internal {

namespace {

// True if a value answers as the program asked: for the whole of it, or for bool, int or float of its one element.
bool answers(const Constant& expected, const Constant& value) {
    if (expected.type() == value.type()) return expected == value;
    const bool is_real = ir::is_float(value.type().element);
    switch (expected.type().element) {
        case ir::ElementType::kBool:
            return (is_real ? value.double_at(0) != 0 : value.integer_at(0) != 0) ==
                   (expected.integer_at(0) != 0);
        case ir::ElementType::kI64:
            return value.integer_at(0) == expected.integer_at(0);
        default:
            return value.double_at(0) == expected.double_at(0);
    }
}

}  // namespace

const Guard* first_failed_guard(std::span<const Guard> guards, std::span<const Constant> values) {
    for (std::size_t i = 0; i < guards.size(); ++i)
        if (!answers(guards[i].answer, values[i])) return &guards[i];
    return nullptr;
}

}  // namespace internal
}  // namespace tilemeter::trace
