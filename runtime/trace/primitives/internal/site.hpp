// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// One use of an operation, as its inference sees it: with the operation's name, for messages.

#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "capture/ir/decide.hpp"
#include "capture/ir/error.hpp"
#include "capture/ir/operation_set.hpp"

namespace tilemeter::trace::internal {

using ir::AttributeKind;
using ir::Dim;
using ir::ElementType;
using ir::ErrorKind;
using ir::Integers;
using ir::Shape;
using ir::TensorType;
using Types = std::vector<TensorType>;

struct Site {
    const std::string& name;
    const ir::OperationUse& use;

    [[nodiscard]] std::size_t size() const { return use.size(); }
    [[nodiscard]] const TensorType& type(std::size_t i) const { return use.type(i); }
    [[nodiscard]] const Shape& shape(std::size_t i) const { return use.type(i).shape; }
    [[nodiscard]] std::int64_t rank(std::size_t i) const {
        return static_cast<std::int64_t>(shape(i).rank());
    }
    [[nodiscard]] const Integers& integers(std::string_view attribute) const {
        return use.attributes.get<Integers>(attribute);
    }
    [[nodiscard]] std::int64_t integer(std::string_view attribute) const {
        return use.attributes.get<std::int64_t>(attribute);
    }

    [[noreturn]] void refuse(ErrorKind kind, const std::string& what) const {
        throw ir::Error(kind, name + ": " + what);
    }
    /// The text is made where it is needed: inference is on the way of every equation.
    template <class Text>
    void require(bool condition, ErrorKind kind, const Text& text) const {
        if (!condition) [[unlikely]]
            refuse(kind, text());
    }

    // ---- dimensions, which may be expressions: what holds for some sizes alone is refused, saying what it is

    [[nodiscard]] const ir::Constraints* constraints() const { return use.graph.constraints(); }
    [[nodiscard]] bool equal(Dim a, Dim b) const { return ir::is_equal(a, b, constraints()); }
    [[nodiscard]] bool at_most(Dim a, Dim b) const { return ir::is_less_equal(a, b, constraints()); }
    [[nodiscard]] bool equal(const Shape& a, const Shape& b) const {
        return a == b || (a.rank() == b.rank() && std::equal(a.begin(), a.end(), b.begin(),
                                                             [&](Dim x, Dim y) { return equal(x, y); }));
    }
    template <class Text>
    void require_equal(Dim a, Dim b, ErrorKind kind, const Text& text) const {
        if (!equal(a, b)) [[unlikely]]
            refuse(kind, text() + open_question(a, "==", b));
    }
    template <class Text>
    void require_equal(const Shape& a, const Shape& b, ErrorKind kind, const Text& text) const {
        if (equal(a, b)) [[likely]]
            return;
        std::string question;
        for (std::size_t i = 0; a.rank() == b.rank() && i < a.rank() && question.empty(); ++i)
            if (!equal(Dim(a[i]), Dim(b[i]))) question = open_question(a[i], "==", b[i]);
        refuse(kind, text() + question);
    }
    template <class Text>
    void require_at_most(Dim a, Dim b, ErrorKind kind, const Text& text) const {
        if (!at_most(a, b)) [[unlikely]]
            refuse(kind, text() + open_question(a, "<=", b));
    }
    /// "; b == n would have to hold for all sizes"; empty for numbers.
    static std::string open_question(Dim a, const char* relation, Dim b) {
        if (a.is_number() && b.is_number()) return {};
        return "; " + a.text() + " " + relation + " " + b.text() + " would have to hold for all sizes";
    }
};

/// The product of the dimensions. Of numbers as Shape::elements().
inline Dim elements_of(const Shape& shape) {
    if (std::all_of(shape.begin(), shape.end(), [](Dim dim) { return dim.is_number(); }))
        return shape.elements();
    Dim product(1);
    for (const std::int64_t dim : shape)
        product = product * Dim(dim);
    return product;
}

/// Appends the types of the results.
using Infer = void (*)(const Site& site, Types& types);

/// The rule as the inference of the operation of this name.
inline ir::Infer inference(std::string name, Infer rule) {
    return [name = std::move(name), rule](const ir::OperationUse& use, Types& types) {
        rule(Site{name, use}, types);
    };
}

/// True if the axis is one of these.
inline bool contains(const Integers& axes, std::int64_t axis) {
    return std::ranges::find(axes, axis) != axes.end();
}

/// "[2,3]"
template <class Numbers>
std::string text_of(const Numbers& numbers) {
    std::string text = "[";
    for (const auto number : numbers)
        text += (text.size() > 1 ? "," : "") + ir::Dim(number).text();
    return text + "]";
}

}  // namespace tilemeter::trace::internal
