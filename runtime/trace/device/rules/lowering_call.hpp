// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A call as its lowering reads it: its operands are values of a flat graph already.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "runtime/trace/device/rules/call_reader.hpp"
#include "runtime/trace/primitives/flat_builder.hpp"

namespace tilemeter::trace::lowering {

using ir::ElementType;
using ir::Integers;
using ir::Shape;
using ir::TensorType;
using ir::ValueId;

/// The element type in flat graphs: f32 of floats, u32 of unsigned integers.
ElementType flat_element(ElementType element);

/// The number of elements along these axes.
double count_of(const Shape& shape, const Integers& axes);

using Values = std::vector<ValueId>;

class Call final : public rules::CallReader {
public:
    /// `tensors`: the parameters that are tensors, in order, where the equation does not say which were given.
    Call(FlatBuilder& builder, const ir::Equation& equation, std::string_view tensors, Values operands);

    FlatBuilder& to;

    std::string name() const override { return equation_.operation(); }
    std::size_t size() const override { return operands_.size(); }
    ValueId operator[](std::size_t operand) const;
    /// The tensor that was given for a parameter.
    std::optional<ValueId> find(std::string_view parameters) const;
    ValueId tensor(std::string_view parameters) const { return operands_[at(parameters)]; }

    std::size_t result_count() const { return equation_.results().size(); }
    TensorType type(std::size_t result = 0) const;
    Shape shape(std::size_t result = 0) const { return type(result).shape; }
    /// The element type of an operand as it is on the device.
    ElementType element_on_device(std::size_t operand) const;
    ElementType result_on_device(std::size_t result = 0) const;
    bool is_sharded(std::size_t operand) const;
    bool is_in_tiles(std::size_t operand) const;

    // ---- what many lowerings do
    ValueId as_float(ValueId value) const { return to.convert(value, ElementType::kF32); }
    /// As an element of the call's result; bool as 1 and 0.
    ValueId as_result(ValueId value, std::size_t result = 0) const;
    ValueId reshape_to_result(ValueId value, std::size_t result = 0) const;
    ValueId slice(ValueId value, std::int64_t axis, std::int64_t begin, std::int64_t end) const;
    ValueId slice(ValueId value, const Integers& begins, const Integers& ends,
                  const Integers& steps = {}) const;
    /// The value cut along `dim` into the call's results.
    Values parts(ValueId value) const;
    ValueId concat(const Values& values, std::int64_t axis) const;
    ValueId pad(ValueId value, const Integers& low, const Integers& high, double with) const;
    /// The product of matrices, the dimensions in front repeated as NumPy does.
    ValueId matmul(ValueId a, ValueId b) const;
    ValueId swap(ValueId value, std::int64_t a, std::int64_t b) const;
    /// 0, 1, 2 ... along one axis of a shape.
    ValueId count(const Shape& shape, std::int64_t axis, ElementType element) const;
    /// Numbers that are known here: float or std::int32_t.
    template <typename T>
    ValueId constant(const Shape& shape, const std::vector<T>& values) const {
        constexpr ElementType kElement = std::is_same_v<T, float> ? ElementType::kF32 : ElementType::kI32;
        return to.graph().add_const(ir::Constant::of(kElement, shape, std::span<const T>(values)));
    }
    /// The largest along an axis; what is computed of it does not depend on it, so its derivative is left out.
    ValueId largest(ValueId value, std::int64_t axis) const;
    ValueId softmax(ValueId value, std::int64_t axis) const;
    /// The factor of products of queries and keys.
    double scale_of_scores(ValueId queries) const;
    /// Those products.
    ValueId scores(ValueId queries, ValueId keys) const;
    ValueId mean(ValueId value, const Integers& axes) const;
    /// Rows of a table, by numbers of any shape.
    ValueId rows(ValueId table, ValueId numbers) const;
    /// The place of each element of `index`, its number along the axis taken from there: [..., rank].
    ValueId places(ValueId index, std::int64_t axis) const;
    /// The elements at the places of `index`, of any extents that are not larger.
    ValueId take_along(ValueId value, ValueId index, std::int64_t axis) const;
    /// Each head [.., head, rows, width] for as many heads of queries as share it: `heads` in all.
    ValueId repeat_heads(ValueId value, std::int64_t heads) const;
    /// A function in TT-NN's notation of activations: "GELU(0)", or its name: "gelu".
    ValueId activation(ValueId value, std::string_view function) const;
    ValueId activation(ValueId value, std::string_view function, std::vector<double> parameters) const;
    /// All that an argument lists, one after the other.
    ValueId activations(ValueId value, std::string_view argument) const;
    /// Some operations fill the padding of their input's tiles first, which nothing here can see: a result beside their own is the
    /// input.
    Values with_filled_input(Values values) const;

private:
    const ir::Attribute* argument(std::string_view name,
                                  std::optional<ir::Attribute>& /*room*/) const override {
        return equation_.attributes().find(name);
    }
    std::string_view parameter(std::size_t operand) const override;
    /// The place of an operand on the device.
    const std::optional<ir::Place>& place(std::size_t operand) const;

    const ir::Equation equation_;
    std::string_view tensors_;
    Values operands_;
};

}  // namespace tilemeter::trace::lowering
