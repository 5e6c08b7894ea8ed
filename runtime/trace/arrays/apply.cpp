// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/arrays/apply.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <unordered_map>
#include <utility>

#include "capture/ir/effects.hpp"
#include "runtime/trace/arrays/internal/array_state.hpp"
#include "runtime/trace/calls/call_operations.hpp"

namespace tilemeter::trace {

using internal::ArrayAccess;
using internal::FrameState;
using internal::Node;
using ir::ElementType;
using ir::ValueId;

namespace {

std::atomic<LocationSource> g_source = nullptr;
/// The place of a thread.
struct Here {
    ir::Location place;  ///< filled by the source again and again
    std::string scope;
};
// Made where it is needed first: what threads have of their own lies in a room that libraries loaded late share.
thread_local std::unique_ptr<Here> t_here;

Here& here() {
    if (t_here == nullptr) t_here = std::make_unique<Here>();
    return *t_here;
}

const ir::Location& place_now() {
    const LocationSource source = g_source.load(std::memory_order_relaxed);
    if (source == nullptr && (t_here == nullptr || t_here->scope.empty())) [[likely]] {
        static const ir::Location kNowhere;
        return kNowhere;
    }
    auto& [place, scope] = here();
    if (source == nullptr || !source(place)) {
        place.file.clear();
        place.line = 0;
    }
    if (place.scope != scope) place.scope = scope;
    return place;
}

/// Operands as values of a graph; few need no allocation.
class Ids {
public:
    explicit Ids(std::size_t count) : count_(count) {
        if (count > near_.size()) far_.resize(count);
    }
    ValueId& operator[](std::size_t i) { return data()[i]; }
    [[nodiscard]] std::span<const ValueId> span() { return {data(), count_}; }

private:
    ValueId* data() { return count_ > near_.size() ? far_.data() : near_.data(); }

    std::size_t count_;
    std::array<ValueId, 8> near_;
    std::vector<ValueId> far_;
};

/// A graph whose values are there for their types alone: inference asks graphs.
class TypeTable {
public:
    ValueId operator()(const ir::TensorType& type) {
        const std::uint64_t hash = hash_of(type);
        const auto [first, last] = known_.equal_range(hash);
        for (auto known = first; known != last; ++known)
            if (graph_.type(known->second) == type) return known->second;
        const ValueId value = graph_.append("type", {}, std::span(&type, 1));
        known_.emplace(hash, value);
        return value;
    }
    [[nodiscard]] const ir::Graph& graph() const { return graph_; }

    /// Forgets the types when there are many.
    void shrink() {
        constexpr std::size_t kMost = 4096;
        if (graph_.value_count() < kMost) return;
        graph_ = ir::Graph();
        known_.clear();
    }

private:
    ir::Graph graph_;
    std::unordered_multimap<std::uint64_t, ValueId> known_;
};

/// The results of an operation: values with consecutive numbers.
struct Recorded {
    std::shared_ptr<FrameState> frame;  ///< null: a pending node
    std::shared_ptr<Node> node;
    std::size_t first;
    std::size_t count;
    bool is_weak = false;

    [[nodiscard]] Array operator[](std::size_t i) const {
        if (frame != nullptr) {
            const auto value = static_cast<ValueId>(first + i);
            const ElementType element = frame->graph->type(value).element;
            const Array array = ArrayAccess::traced(frame, value);
            const bool is_number = element == ElementType::kF64 || element == ElementType::kI64;
            return is_weak && is_number ? ArrayAccess::weak(array, element) : array;
        }
        return ArrayAccess::of_node(node, i);
    }
};

ElementType element_for(const ir::Operation& operation, std::span<const Array* const> operands,
                        std::size_t i) {
    return ArrayAccess::takes_element(*operands[i]) ? internal::literal_element(operation, operands, i)
                                                    : ElementType::kF64;
}

void compute_along(FrameState& frame, const ir::Operation& operation, std::span<const ValueId> operands,
                   const ir::Attributes& attributes, std::span<const ir::Subgraph> subgraphs,
                   ir::ValueRange results) {
    std::vector<ir::Constant> values;
    for (const ValueId operand : operands) {
        const ir::Constant* const constant = frame.graph->constant(operand);
        values.push_back(constant != nullptr ? *constant : frame.values[index_of(operand)].value());
    }
    std::vector<ir::TensorType> types;
    for (std::size_t i = 0; i < results.size(); ++i)
        types.push_back(frame.graph->type(results[i]));
    std::vector<ir::Constant> computed = internal::compute(operation, values, types, attributes, subgraphs);
    frame.values.resize(frame.graph->value_count());
    for (std::size_t i = 0; i < results.size(); ++i)
        frame.values[index_of(results[i])] = std::move(computed[i]);
}

// A weak value as an element of the type that it takes.
ValueId as_element(FrameState& frame, ValueId value, ElementType element) {
    if (frame.graph->type(value).element == element) return value;
    static const ir::Operation& kConvert = operation_named("convert");
    const ir::Attributes attributes{{"dtype", element}};
    const ir::ValueRange results =
        add_op(*frame.graph, kConvert, std::span(&value, 1), attributes, {}, place_now());
    if (frame.mode == Mode::kConcrete)
        compute_along(frame, kConvert, std::span(&value, 1), attributes, {}, results);
    return results.first;
}

Recorded record_traced(const std::shared_ptr<FrameState>& frame, const ir::Operation& operation,
                       std::span<const Array* const> operands, const ir::Attributes& attributes,
                       std::span<const ir::Subgraph> subgraphs) {
    Ids ids(operands.size());
    bool is_weak = operation.control == ir::Control::kNone && operation.name != "convert";
    bool has_weak = false;
    for (std::size_t i = 0; i < operands.size(); ++i) {
        const ElementType element = element_for(operation, operands, i);
        ids[i] = internal::value_in(frame, *operands[i], element);
        is_weak = is_weak && ArrayAccess::takes_element(*operands[i]);
        if (!ArrayAccess::is_weak(*operands[i])) continue;
        has_weak = true;
        ids[i] = as_element(*frame, ids[i], element);
    }
    const ir::ValueRange results =
        add_op(*frame->graph, operation, ids.span(), attributes, subgraphs, place_now());
    if (frame->mode == Mode::kConcrete)
        compute_along(*frame, operation, ids.span(), attributes, subgraphs, results);
    return {frame, nullptr, index_of(results.first), results.size(), is_weak && has_weak};
}

bool has_effects(const ir::Operation& operation, std::span<const ir::Subgraph> subgraphs) {
    if (operation.effects != ir::Effects::kNone) return true;
    if (subgraphs.empty()) return false;
    ir::EffectFinder effects(call_operations());
    return std::ranges::any_of(subgraphs,
                               [&](const ir::Subgraph& each) { return effects.has_effects(*each.graph); });
}

Recorded record_pending(const ir::Operation& operation, std::span<const Array* const> operands,
                        const ir::Attributes& attributes, std::span<const ir::Subgraph> subgraphs) {
    // Not in the thread's own storage, which a process has little of for libraries that it loads late: TT-NN's need some.
    thread_local const auto t_table = std::make_unique<TypeTable>();
    TypeTable& t_types = *t_table;
    t_types.shrink();
    auto node = std::make_shared<Node>();
    node->operands.reserve(operands.size());
    Ids ids(operands.size());
    for (std::size_t i = 0; i < operands.size(); ++i) {
        const Array& operand = *operands[i];
        if (operand.is_traced()) internal::require_open(operand, operation.name);
        node->operands.push_back(
            ArrayAccess::is_literal(operand)
                ? ArrayAccess::typed_literal(operand, internal::literal_element(operation, operands, i))
                : operand);
        ids[i] = t_types(internal::type_of(node->operands.back()));
    }
    const ir::OperationUse use{t_types.graph(), ids.span(), attributes, subgraphs};
    check_use(operation, use);
    infer(operation, use, node->types);
    node->operation = &operation;
    node->attributes = attributes;
    node->subgraphs.assign(subgraphs.begin(), subgraphs.end());
    node->location = place_now();
    const std::size_t count = node->types.size();
    if (has_effects(operation, subgraphs)) {
        // Visible effects happen now, whether somebody asks for a result or not.
        const Array result = ArrayAccess::of_node(node, 0);
        const Array* const pointer = &result;
        internal::evaluate_pending(std::span(&pointer, 1));
    }
    return {nullptr, std::move(node), 0, count};
}

/// Comparisons with an integer that the other operand's type does not hold are true or false for all elements: what is
/// recorded compares with the type's nearest number instead.
struct Comparison {
    const char* name;
    const char* with_largest;   ///< the operation with an integer above the type on the right
    const char* with_smallest;  ///< the same with one below it
};
constexpr std::array<Comparison, 6> kComparisons = {{{"eq", "gt", "lt"},
                                                     {"ne", "le", "ge"},
                                                     {"lt", "le", "lt"},
                                                     {"le", "le", "lt"},
                                                     {"gt", "gt", "ge"},
                                                     {"ge", "gt", "ge"}}};
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kTurned = {
    {{"lt", "gt"}, {"le", "ge"}, {"gt", "lt"}, {"ge", "le"}}};

std::string_view turned(std::string_view comparison) {
    for (const auto& [name, other] : kTurned)
        if (name == comparison) return other;
    return comparison;
}

/// The operand that is an integer outside of the type it would take, or nothing.
std::optional<std::size_t> first_outside(const ir::Operation& operation,
                                         std::span<const Array* const> operands) {
    for (std::size_t i = 0; i < operands.size(); ++i)
        if (ArrayAccess::is_literal(*operands[i]) && !ArrayAccess::fits_all(*operands[i]) &&
            !ArrayAccess::fits(*operands[i], internal::literal_element(operation, operands, i)))
            return i;
    return {};
}

Recorded record(const ir::Operation& operation, std::span<const Array* const> operands,
                const ir::Attributes& attributes, std::span<const ir::Subgraph> subgraphs);

Recorded record_outside(const ir::Operation& operation, std::span<const Array* const> operands,
                        std::size_t i) {
    const ElementType element = internal::literal_element(operation, operands, i);
    const Array& number = *operands[i];
    const std::string_view asked = i == 1 ? std::string_view(operation.name) : turned(operation.name);
    const auto* const known = std::ranges::find(kComparisons, asked, &Comparison::name);
    if (known == kComparisons.end() || ArrayAccess::is_literal(*operands[1 - i])) {
        ErrorDetails details = internal::details_of(operation.name, operands);
        details.exception = Exception::kOverflow;
        throw TraceError(TraceErrorKind::kBadArgument,
                         "found integer " + ArrayAccess::text_of_literal(number) + " out of bounds for " +
                             internal::numpy_name(element),
                         std::move(details));
    }
    const bool is_small = ArrayAccess::is_negative(number);
    const Array nearest(internal::limit_of(element, is_small));
    const Array* const both[] = {operands[1 - i], &nearest};
    return record(operation_named(is_small ? known->with_smallest : known->with_largest), both, {}, {});
}

Recorded record(const ir::Operation& operation, std::span<const Array* const> operands,
                const ir::Attributes& attributes, std::span<const ir::Subgraph> subgraphs) {
    if (const auto outside = first_outside(operation, operands))
        return record_outside(operation, operands, *outside);
    try {
        const auto* const frame = internal::innermost_frame();
        return frame != nullptr ? record_traced(*frame, operation, operands, attributes, subgraphs)
                                : record_pending(operation, operands, attributes, subgraphs);
    } catch (const ir::Error& error) {
        throw TraceError(error, internal::details_of(operation.name, operands));
    }
}

}  // namespace

namespace internal {

ErrorDetails details_of(const std::string& operation, std::span<const Array* const> operands) {
    ErrorDetails details{.operation = operation, .location = place_now()};
    for (const Array* const operand : operands)
        if (!ArrayAccess::is_empty(*operand)) details.types.push_back(type_of(*operand));
    return details;
}

ElementType literal_beside(ElementType literal, ElementType peer) {
    if (literal == ElementType::kBool) return literal;
    if (ir::is_float(peer)) return peer;
    return ir::is_integer(literal) && ir::is_integer(peer) ? peer : literal;
}

bool ArrayAccess::fits(const Array& literal, ElementType element) {
    if (fits_all(literal) || !ir::is_integer(element)) return true;
    if (literal.number_type_ == ElementType::kF64) return false;
    if (literal.number_type_ == ElementType::kU64) return element == ElementType::kU64;
    const std::int64_t number = literal.number_.integer;
    const auto bits = static_cast<int>(8 * ir::element_bytes(element));
    if (ir::is_unsigned_integer(element)) return number >= 0 && (bits == 64 || number >> bits == 0);
    return bits == 64 || number >> (bits - 1) == (number < 0 ? -1 : 0);
}

bool ArrayAccess::is_negative(const Array& literal) {
    if (literal.number_type_ == ElementType::kF64) return literal.number_.real < 0;
    return literal.number_type_ == ElementType::kI64 && literal.number_.integer < 0;
}

std::string ArrayAccess::text_of_literal(const Array& literal) {
    if (literal.number_type_ == ElementType::kU64)
        return std::to_string(static_cast<std::uint64_t>(literal.number_.integer));
    if (literal.number_type_ == ElementType::kI64) return std::to_string(literal.number_.integer);
    std::array<char, 32> digits{};
    std::snprintf(digits.data(), digits.size(), "%.17g", literal.number_.real);
    return digits.data();
}

ir::Constant limit_of(ElementType element, bool is_smallest) {
    const auto bits = static_cast<int>(8 * ir::element_bytes(element));
    const bool is_signed = ir::is_signed_integer(element);
    const std::int64_t largest =
        !is_signed && bits == 64
            ? -1  // all bits
            : static_cast<std::int64_t>((std::uint64_t{1} << (is_signed ? bits - 1 : bits)) - 1);
    return ir::Constant::scalar(element, !is_smallest ? largest : is_signed ? -largest - 1 : 0);
}

std::string numpy_name(ElementType element) {
    const std::string bits = std::to_string(8 * ir::element_bytes(element));
    return (ir::is_signed_integer(element) ? "int" : "uint") + bits;
}

ElementType literal_element(const ir::Operation& operation, std::span<const Array* const> operands,
                            std::size_t i) {
    // Operands of one group are computed with each other; places and choices are groups of their own.
    enum class Group : std::uint8_t { kAll, kWhere, kIndexed, kUpdated, kNone };
    static const std::unordered_map<std::string_view, Group> kGroups = {
        {"where", Group::kWhere},  {"gather", Group::kNone},           {"embedding", Group::kNone},
        {"one_hot", Group::kNone}, {"dynamic_slice", Group::kIndexed}, {"dynamic_update", Group::kUpdated}};
    const auto found = kGroups.find(operation.name);
    Group group = found == kGroups.end() ? Group::kAll : found->second;
    if (operation.control != ir::Control::kNone) group = Group::kNone;
    const auto group_of = [&](std::size_t operand) -> std::size_t {
        switch (group) {
            case Group::kAll:
                return 0;
            case Group::kWhere:
            case Group::kIndexed:
                return operand == 0 ? 0 : 1;
            case Group::kUpdated:
                return operand < 2 ? 0 : 1;
            case Group::kNone:
                return operand;
        }
        return 0;
    };
    std::optional<ElementType> peer;
    for (std::size_t k = 0; k < operands.size(); ++k) {
        if (group_of(k) != group_of(i) || ArrayAccess::takes_element(*operands[k])) continue;
        const ElementType element = type_of(*operands[k]).element;
        peer = peer ? promoted(*peer, element) : element;
    }
    const ElementType own = ArrayAccess::literal_element(*operands[i]);
    if (peer) return literal_beside(own, *peer);
    const bool is_index = own == ElementType::kI64 && ArrayAccess::is_literal(*operands[i]) &&
                          (group == Group::kIndexed || group == Group::kUpdated);
    return is_index ? ElementType::kI32 : own;
}

}  // namespace internal

const ir::Operation& operation_named(std::string_view name) {
    if (const ir::Operation* const found = call_operations().find(name)) return *found;
    throw TraceError(TraceErrorKind::kBadArgument,
                     "found operation '" + std::string(name) + "', expected one that is known",
                     {.location = place_now()});
}

std::vector<Array> apply(const ir::Operation& operation, std::span<const Array> operands,
                         const ir::Attributes& attributes, std::span<const ir::Subgraph> subgraphs) {
    std::vector<const Array*> pointers;
    pointers.reserve(operands.size());
    for (const Array& operand : operands)
        pointers.push_back(&operand);
    const Recorded recorded = record(operation, pointers, attributes, subgraphs);
    std::vector<Array> results;
    results.reserve(recorded.count);
    for (std::size_t i = 0; i < recorded.count; ++i)
        results.push_back(recorded[i]);
    return results;
}

std::vector<Array> apply(std::string_view operation, std::span<const Array> operands,
                         const ir::Attributes& attributes, std::span<const ir::Subgraph> subgraphs) {
    return apply(operation_named(operation), operands, attributes, subgraphs);
}

Array apply_one(const ir::Operation& operation, std::initializer_list<const Array*> operands,
                const ir::Attributes& attributes) {
    return record(operation, std::span(operands.begin(), operands.size()), attributes, {})[0];
}

Array apply_one(const ir::Operation& operation, std::span<const Array* const> operands,
                const ir::Attributes& attributes) {
    return record(operation, operands, attributes, {})[0];
}

void set_location_source(LocationSource source) {
    g_source.store(source, std::memory_order_relaxed);
}

LocationSource location_source() {
    return g_source.load(std::memory_order_relaxed);
}

Scope::Scope(std::string_view name) : length_(here().scope.size()) {
    std::string& scope = here().scope;
    if (!scope.empty()) scope += '/';
    scope += name;
}

Scope::~Scope() {
    here().scope.resize(length_);
}

ir::Location current_location() {
    return place_now();
}

}  // namespace tilemeter::trace
