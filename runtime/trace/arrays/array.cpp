// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/arrays/array.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "runtime/trace/arrays/internal/array_state.hpp"

namespace tilemeter::trace {

using internal::ArrayAccess;
using internal::FrameState;
using internal::Node;
using ir::Constant;
using ir::ElementType;
using ir::TensorType;

namespace internal {

std::atomic<std::int64_t> Node::live = 0;

Node::Node() {
    live.fetch_add(1, std::memory_order_relaxed);
}

Node::~Node() {
    live.fetch_sub(1, std::memory_order_relaxed);
    // Chains of pending operations are as long as programs are: no recursion.
    std::vector<Array> left = std::move(operands);
    while (!left.empty()) {
        Array last = std::move(left.back());
        left.pop_back();
        if (!ArrayAccess::is_node(last) || ArrayAccess::node_uses(last) != 1) continue;
        std::vector<Array> more = std::exchange(ArrayAccess::node(last).operands, {});
        std::ranges::move(more, std::back_inserter(left));
    }
}

void Node::set_values(std::vector<Constant> results) {
    values = std::move(results);
    operation = nullptr;
    types = {};
    attributes = {};
    subgraphs = {};
    // The operands' nodes go as in the destructor.
    Node gone;
    gone.operands = std::exchange(operands, {});
}

Array ArrayAccess::computed(Constant value) {
    auto node = std::make_shared<Node>();
    node->values.push_back(std::move(value));
    return of_node(std::move(node), 0);
}

const TensorType& type_of(const Array& array) {
    static const auto kScalars = [] {
        std::array<TensorType, static_cast<std::size_t>(ElementType::kCount)> types;
        for (std::size_t i = 0; i < types.size(); ++i)
            types[i].element = static_cast<ElementType>(i);
        return types;
    }();
    if (ArrayAccess::is_node(array)) {
        const Node& node = ArrayAccess::node(array);
        const std::size_t result = ArrayAccess::result(array);
        return node.is_evaluated() ? node.values[result].type() : node.types[result];
    }
    if (ArrayAccess::is_traced(array)) return ArrayAccess::frame(array).graph->type(array.traced_value());
    if (ArrayAccess::is_literal(array))
        return kScalars[static_cast<std::size_t>(ArrayAccess::literal_element(array))];
    throw TraceError(TraceErrorKind::kBadArgument, "found an array without a value");
}

std::vector<TensorType> types_of(std::span<const Array> arrays) {
    std::vector<TensorType> types;
    for (const Array& array : arrays)
        types.push_back(type_of(array));
    return types;
}

ir::Integers extents_of(const Array& array) {
    const ir::Shape shape = array.shape();
    return {shape.begin(), shape.end()};
}

void refuse_argument(const std::string& operation, const std::string& what, const Array& array,
                     Exception exception) {
    throw TraceError(TraceErrorKind::kBadArgument, operation + ": " + what,
                     {.operation = operation,
                      .types = {array.type()},
                      .location = current_location(),
                      .exception = exception});
}

}  // namespace internal

namespace {

std::string value_name(const Array& array) {
    return "value " + std::to_string(index_of(array.traced_value())) + " of '" +
           ArrayAccess::frame(array).function + "'";
}

std::string operation_of(const Array& array) {
    const ir::Graph& graph = *ArrayAccess::frame(array).graph;
    const ir::Definition definition = graph.definition(array.traced_value());
    return definition.kind == ir::ValueKind::kResult ? graph.equation(definition.index).operation()
                                                     : std::string("parameter");
}

// The elements of a traced value that is known, or null.
const Constant* known_value(const Array& array) {
    const FrameState& frame = ArrayAccess::frame(array);
    if (const Constant* const constant = frame.graph->constant(array.traced_value())) return constant;
    const std::size_t index = index_of(array.traced_value());
    return index < frame.values.size() && frame.values[index] ? &*frame.values[index] : nullptr;
}

void add_guard(const Array& array, const std::string& as, const Constant& answer, const std::string& said) {
    FrameState& frame = ArrayAccess::frame(array);
    if (frame.graph->constant(array.traced_value()) != nullptr) return;  // the same for all inputs
    ir::Location place = current_location();
    std::string text = as + " of " + operation_of(array) + " (" + value_name(array) + ") was " + said;
    if (!place.file.empty()) text += " (at " + text_of(place) + ")";
    frame.assumptions.push_back(text);
    frame.asked.push_back({{std::move(text), answer, std::move(place)}, array.traced_value()});
}

// The elements of a traced array as a program asks for them, or an error of this kind.
const Constant& concrete_value(const Array& array, TraceErrorKind kind, const std::string& as,
                               const std::string& hint) {
    internal::require_open(array, as);
    if (const Constant* const known = known_value(array)) return *known;
    const std::string operation = operation_of(array);
    throw TraceError(
        kind,
        operation + ": found " + as + " of a traced " + text_of(array.type()) +
            ", whose elements are not known while '" + ArrayAccess::frame(array).function + "' is traced",
        {.operation = operation, .types = {array.type()}, .location = current_location(), .hint = hint});
}

constexpr const char* kStaticHint = "make the argument static, or trace in concrete mode";

// The only element, of an array that is no literal.
Constant scalar_of(const Array& array, TraceErrorKind kind, const std::string& as, const std::string& hint) {
    Constant value = array.is_traced() ? concrete_value(array, kind, as, hint) : array.value();
    if (value.type().shape.elements() != 1)
        throw TraceError(TraceErrorKind::kBadArgument,
                         as + ": found " + text_of(value.type()) + ", expected one element",
                         {.types = {value.type()}, .location = current_location()});
    return value;
}

}  // namespace

namespace internal {

bool is_known(const Array& array) {
    return !array.is_traced() || known_value(array) != nullptr;
}

}  // namespace internal

Array::Array(const Constant& value) {
    *this = ArrayAccess::computed(value);
    ArrayAccess::node(*this).is_given = true;
}

Array Array::literal_of(std::uint64_t number) {
    Array literal(number);
    if (number > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
        literal.number_type_ = literal.element_ = ElementType::kU64;
    return literal;
}

Array Array::literal_beyond_64_bits(double number) {
    Array literal(number);
    literal.element_ = ElementType::kI64;
    return literal;
}

Array::State Array::state() const {
    return state_ == State::kPending && ArrayAccess::node(*this).is_evaluated() ? State::kEvaluated : state_;
}

TensorType Array::type() const {
    return internal::type_of(*this);
}

std::int64_t Array::length() const {
    const TensorType& type = internal::type_of(*this);
    if (type.shape.rank() == 0)
        throw TraceError(TraceErrorKind::kBadArgument, "length: found a scalar, expected a dimension",
                         {.types = {type}, .location = current_location()});
    if (!ir::Dim(type.shape[0]).is_number())
        throw TraceError(TraceErrorKind::kNeedsConcreteInt,
                         "length: found '" + ir::Dim(type.shape[0]).text() + "', expected a number",
                         {.types = {type},
                          .location = current_location(),
                          .hint = "shape[0] stays an expression; scan() goes through rows of any number"});
    return type.shape[0];
}

const Array& Array::eval() const {
    if (state() == State::kPending) {
        const Array* const self = this;
        internal::evaluate_pending(std::span(&self, 1));
    }
    return *this;
}

Constant Array::value() const {
    switch (state_) {
        case State::kLiteral:
            return ArrayAccess::literal(*this, element_);
        case State::kPending:
            return ArrayAccess::node(eval()).values[ArrayAccess::result(*this)];
        case State::kTraced: {
            Constant value =
                concrete_value(*this, TraceErrorKind::kNeedsConcreteArray, "the elements", kStaticHint);
            add_guard(*this, "the elements", value, text_of(value.type()));
            return value;
        }
        default:
            throw TraceError(TraceErrorKind::kBadArgument, "found an array without a value");
    }
}

bool Array::to_bool() const {
    if (state_ == State::kLiteral)
        return number_type_ == ElementType::kF64 ? number_.real != 0 : number_.integer != 0;
    const Constant value = scalar_of(
        *this, TraceErrorKind::kNeedsConcreteBool, "bool",
        "use cond() or where() for a choice that values make, make the argument static, or trace in "
        "concrete mode");
    const bool answer =
        ir::is_float(value.type().element) ? value.double_at(0) != 0 : value.integer_at(0) != 0;
    if (is_traced()) add_guard(*this, "bool", Constant::scalar(answer), answer ? "true" : "false");
    return answer;
}

std::int64_t Array::to_int() const {
    if (state_ == State::kLiteral)
        return number_type_ == ElementType::kF64 ? static_cast<std::int64_t>(number_.real) : number_.integer;
    const Constant value = scalar_of(*this, TraceErrorKind::kNeedsConcreteInt, "int", kStaticHint);
    const std::int64_t answer = value.integer_at(0);
    if (is_traced())
        add_guard(*this, "int", Constant::scalar(ElementType::kI64, answer), std::to_string(answer));
    return answer;
}

double Array::to_float() const {
    if (state_ == State::kLiteral) return ArrayAccess::literal(*this, ElementType::kF64).double_at(0);
    const Constant value = scalar_of(*this, TraceErrorKind::kNeedsConcreteFloat, "float", kStaticHint);
    const double answer = value.double_at(0);
    if (is_traced())
        add_guard(*this, "float", Constant::scalar(ElementType::kF64, answer), std::to_string(answer));
    return answer;
}

std::string Array::repr() const {
    if (state_ == State::kEmpty) return "Array()";
    if (is_traced()) {
        const FrameState& frame = ArrayAccess::frame(*this);
        return "Array(" + text_of(type()) + ", " + value_name(*this) +
               (frame.is_open ? (frame.mode == Mode::kConcrete ? ", concrete)" : ", abstract)") : ", ended)");
    }
    const Constant elements = value();
    constexpr std::int64_t kShown = 16;
    const std::int64_t count = elements.type().shape.elements();
    std::string text = "Array(" + text_of(elements.type()) + ", [";
    for (std::int64_t i = 0; i < std::min(count, kShown); ++i) {
        if (i != 0) text += ", ";
        const auto at = static_cast<std::size_t>(i);
        if (ir::is_float(elements.type().element)) {
            std::array<char, 32> digits{};
            std::snprintf(digits.data(), digits.size(), "%.8g", elements.double_at(at));
            text += digits.data();
        } else if (elements.type().element == ElementType::kBool) {
            text += elements.integer_at(at) != 0 ? "true" : "false";
        } else {
            text += std::to_string(elements.integer_at(at));
        }
    }
    return text + (count > kShown ? ", ...])" : "])");
}

}  // namespace tilemeter::trace
