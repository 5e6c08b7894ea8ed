// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Flat primitives as TT-NN calls: a rule for each, in one table for each family.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "runtime/trace/device/place/place_calls.hpp"

namespace tilemeter::trace::placement {

using ir::ElementType;
using ir::TensorType;

/// One equation of the flat graph with its operands on the device.
class Use {
public:
    Use(Calls& calls, ir::Equation equation, std::span<const TensorType> types)
        : to(calls), equation_(equation), types_(types) {}
    virtual ~Use() = default;

    Calls& to;

    [[nodiscard]] std::size_t size() const { return equation_.operands().size(); }
    /// The type of the operand, in the flat graph.
    [[nodiscard]] const TensorType& type(std::size_t operand) const {
        return equation_.graph().type(equation_.operands()[operand]);
    }
    [[nodiscard]] const ir::Shape& shape(std::size_t operand) const { return type(operand).shape; }
    /// The type of a result.
    [[nodiscard]] const TensorType& result(std::size_t i = 0) const { return types_[i]; }
    [[nodiscard]] const ir::Attributes& attributes() const { return equation_.attributes(); }
    [[nodiscard]] Integers integers(std::string_view name) const { return attributes().get<Integers>(name); }
    [[nodiscard]] Integers integers(std::string_view name, std::size_t count, std::int64_t otherwise) const {
        return attributes().get_or<Integers>(name, Integers(count, otherwise));
    }
    [[nodiscard]] std::int64_t integer(std::string_view name) const {
        return attributes().get<std::int64_t>(name);
    }

    /// The operand with its shape.
    virtual Value operator[](std::size_t operand) = 0;
    /// The operand's elements in their order, under any shape.
    virtual Value elements(std::size_t operand) = 0;
    /// The operand, with 1 for extents along which it repeats itself: TT-NN's calls of several operands repeat them.
    virtual Value spread(std::size_t operand) = 0;
    /// The number that all elements are, where that is known and can be an argument of a call.
    [[nodiscard]] virtual std::optional<double> number(std::size_t operand) const = 0;

private:
    ir::Equation equation_;
    std::span<const TensorType> types_;
};

/// Appends the results. Their dtypes and shapes need not be the primitive's: who calls brings them there.
using Rule = void (*)(Use& use, Values& results);

enum Elements : std::uint8_t { kFloats = 1, kSigned = 2, kUnsigned = 4, kBools = 8 };
inline constexpr unsigned kIntegers = kSigned | kUnsigned;
inline constexpr unsigned kNumbers = kFloats | kIntegers;
inline constexpr unsigned kAll = kNumbers | kBools;

struct NamedRule {
    std::string_view primitive;
    unsigned elements;  ///< of the first operand, or of the result where there is none
    Rule rule;
};
std::span<const NamedRule> elementwise_rules();
std::span<const NamedRule> shape_rules();
std::span<const NamedRule> reduction_rules();
std::span<const NamedRule> index_rules();

/// Null if there is none.
const NamedRule* find_rule(std::string_view primitive);

// ---- what rules of several families need

inline Integers integers_of(const ir::Shape& shape) {
    return {shape.begin(), shape.end()};
}
/// On the device: a scalar has one dimension.
inline Integers device_extents(const ir::Shape& shape) {
    return shape.rank() == 0 ? Integers{1} : integers_of(shape);
}

/// True if broadcast_in_dim leaves the order of its operand's dimensions.
bool keeps_order(const ir::Attributes& attributes);
/// An operand of broadcast_in_dim of shape `from`, with the result's rank, its dimensions in order, and 1 where it
/// repeats itself. REQUIRES: `x` has that shape, or keeps_order() and its elements are in their order
Value unexpanded(Calls& to, const Value& x, const ir::Shape& from, const ir::Attributes& attributes);

/// The elements of `x` along an axis that `places` ([n], UINT32) names.
Value take(Calls& to, const Value& x, std::size_t axis, const Value& places);

/// One after the other combined by halves: [outer, n, inner] to [outer, 1, inner].
template <class Combine>
Value fold_axis(Calls& to, Value x, Combine combine) {
    while (x.extent(1) > 1) {
        const std::int64_t n = x.extent(1);
        const std::int64_t half = n / 2;
        const auto part = [&](std::int64_t from, std::int64_t until) {
            return to.slice(x, {0, from, 0}, {x.extent(0), until, x.extent(2)});
        };
        const Value both = combine(part(0, half), part(half, 2 * half));
        x = n % 2 == 0 ? both : to.concat({both, part(n - 1, n)}, 1);
    }
    return x;
}

}  // namespace tilemeter::trace::placement
