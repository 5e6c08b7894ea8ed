// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// One use of an operation, as its inference sees it: with the operation's name, for messages.

#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "capture/ir/error.hpp"
#include "capture/ir/operation_set.hpp"

namespace tilemeter::trace::internal {

using ir::AttributeKind;
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
};

using Rule = std::function<void(const Site& site, Types& types)>;

/// The rule as the inference of the operation of this name.
inline ir::Infer inference(std::string name, Rule rule) {
    return [name = std::move(name), rule = std::move(rule)](const ir::OperationUse& use, Types& types) {
        rule(Site{name, use}, types);
    };
}

/// Adds what both sets have to hold graphs: call, checkpoint, cond, while, scan.
void add_control_operations(ir::OperationSet& set);

/// "[2,3]"
template <class Numbers>
std::string text_of(const Numbers& numbers) {
    std::string text = "[";
    for (const auto number : numbers)
        text += (text.size() > 1 ? "," : "") + std::to_string(number);
    return text + "]";
}

}  // namespace tilemeter::trace::internal
