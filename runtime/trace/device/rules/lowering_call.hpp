// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// What the lowering of one operation gets, and the tables of them, family by family.

#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/trace/primitives/flat_builder.hpp"

namespace tilemeter::trace::lowering {

using ir::ElementType;
using ir::Integers;
using ir::Shape;
using ir::TensorType;
using ir::ValueId;

/// The element type in flat graphs: f32 of floats, u32 of unsigned integers.
ElementType flat_element(ElementType element);

/// One call, its operands lowered.
class Call {
public:
    Call(FlatBuilder& builder, const ir::Equation& equation, std::string_view tensors,
         std::vector<ValueId> operands);

    FlatBuilder& to;

    /// "ttnn.softmax"
    const std::string& name() const { return equation_.operation(); }

    std::size_t size() const { return operands_.size(); }
    ValueId operator[](std::size_t operand) const;
    /// The tensor that was given for a parameter.
    std::optional<ValueId> find(std::string_view parameter) const;
    ValueId tensor(std::string_view parameter) const;

    std::size_t result_count() const { return equation_.results().size(); }
    TensorType type(std::size_t result = 0) const;
    Shape shape(std::size_t result = 0) const { return type(result).shape; }
    /// Of an operand as it is on the device.
    ElementType element_on_device(std::size_t operand) const;
    ElementType result_on_device(std::size_t result = 0) const;
    bool is_sharded(std::size_t operand) const;

    bool has(std::string_view argument) const { return equation_.attributes().find(argument) != nullptr; }
    /// A number or bool.
    std::optional<double> find_number(std::string_view argument) const;
    double number(std::string_view argument) const;
    double number(std::string_view argument, double otherwise) const;
    std::int64_t integer(std::string_view argument, std::int64_t otherwise) const;
    bool flag(std::string_view argument, bool otherwise = false) const;
    std::string text(std::string_view argument) const;
    /// A list or one number; none: not given.
    std::optional<Integers> integers(std::string_view argument) const;
    std::vector<double> numbers(std::string_view argument) const;
    const ir::Booleans* booleans(std::string_view argument) const;
    std::vector<std::string> texts(std::string_view argument) const;
    /// An axis, negative ones from the end.
    std::int64_t axis(std::string_view argument, std::int64_t otherwise, std::size_t rank) const;

    /// Throws ir::Error (kNoRule): the lowering does not take such a call.
    [[noreturn]] void refuse(const std::string& why) const;
    void require(bool fits, const char* why) const {
        if (!fits) refuse(why);
    }

    // ---- what many lowerings do
    ValueId as_float(ValueId value) const { return to.convert(value, ElementType::kF32); }
    /// As an element of the call's result; bool as 1 and 0.
    ValueId as_result(ValueId value, std::size_t result = 0) const;
    ValueId reshape_to_result(ValueId value, std::size_t result = 0) const;
    ValueId slice(ValueId value, std::int64_t axis, std::int64_t begin, std::int64_t end) const;
    ValueId slice(ValueId value, const Integers& begins, const Integers& ends,
                  const Integers& steps = {}) const;
    /// The value cut along `dim` into the call's results.
    std::vector<ValueId> parts(ValueId value) const;
    ValueId concat(const std::vector<ValueId>& values, std::int64_t axis) const;
    ValueId pad(ValueId value, const Integers& low, const Integers& high, double with) const;
    /// Of matrices, the dimensions in front repeated as NumPy does.
    ValueId matmul(ValueId a, ValueId b) const;
    ValueId swap(ValueId value, std::int64_t a, std::int64_t b) const;
    /// 0, 1, 2 ... along one axis of a shape.
    ValueId count(const Shape& shape, std::int64_t axis, ElementType element) const;
    ValueId softmax(ValueId value, std::int64_t axis) const;
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

private:
    const ir::Equation equation_;
    std::string_view tensors_;
    std::vector<ValueId> operands_;
};

using Values = std::vector<ValueId>;

struct Rule {
    const char* name;     ///< below ttnn
    const char* tensors;  ///< the parameters that are tensors, in order: "input_tensor weight bias"
    std::function<Values(const Call&)> lower;
};

std::vector<Rule> elementwise_rules();
std::vector<Rule> gradient_rules();
std::vector<Rule> reduction_rules();
std::vector<Rule> product_rules();
std::vector<Rule> normalization_rules();
std::vector<Rule> movement_rules();
std::vector<Rule> creation_rules();
std::vector<Rule> attention_rules();
std::vector<Rule> decoding_rules();
std::vector<Rule> training_rules();
std::vector<Rule> sliding_window_rules();
std::vector<Rule> sampling_rules();
std::vector<Rule> special_rules();
std::vector<Rule> paged_cache_rules();

}  // namespace tilemeter::trace::lowering
