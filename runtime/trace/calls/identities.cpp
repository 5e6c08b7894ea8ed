// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>
#include <unordered_map>

#include "runtime/trace/calls/simplify.hpp"

namespace tilemeter::trace {

namespace {

using ir::Attributes;
using ir::Constant;
using ir::Equation;
using ir::Integers;
using ir::RewriteSite;
using ir::TensorType;
using ir::ValueId;

// One equation as the identities look at it.
class Use {
public:
    explicit Use(const RewriteSite& site) : site_(site) {}

    [[nodiscard]] std::size_t size() const { return site_.operands.size(); }
    [[nodiscard]] ValueId operator[](std::size_t i) const { return site_.operands[i]; }
    [[nodiscard]] const Attributes& attributes() const { return site_.equation.attributes(); }
    [[nodiscard]] const TensorType& type() const {
        return site_.equation.graph().type(site_.equation.results()[0]);
    }
    [[nodiscard]] const TensorType& type(ValueId value) const { return site_.to.type(value); }
    [[nodiscard]] ir::Graph& to() const { return site_.to; }
    [[nodiscard]] const std::string& operation() const { return site_.equation.operation(); }
    [[nodiscard]] const ir::Location& location() const { return site_.equation.location(); }

    /// The equation behind operand i, if it is one of this operation.
    [[nodiscard]] std::optional<Equation> made_by(std::size_t i, std::string_view operation) const {
        const ir::Definition definition = site_.to.definition(site_.operands[i]);
        if (definition.kind != ir::ValueKind::kResult) return std::nullopt;
        const Equation equation = site_.to.equation(definition.index);
        if (equation.operation() != operation) return std::nullopt;
        return equation;
    }

    /// True if all elements of operand i are this number, to the bit.
    [[nodiscard]] bool is_all(std::size_t i, double number) const {
        if (const Constant* const constant = site_.to.constant(site_.operands[i])) {
            const auto count = static_cast<std::size_t>(constant->type().shape.elements());
            for (std::size_t k = 0; k < count; ++k)
                if (!is_same(constant->double_at(k), number)) return false;
            return count > 0;
        }
        if (const auto full = made_by(i, "full"))
            return is_same(full->attributes().get<double>("value"), number);
        for (const char* const spread : {"broadcast_in_dim", "broadcast_to"})
            if (const auto broadcast = made_by(i, spread))
                if (const Constant* const scalar = site_.to.constant(broadcast->operands()[0]))
                    return scalar->type().shape.rank() == 0 && is_same(scalar->double_at(0), number);
        return false;
    }

private:
    static bool is_same(double a, double b) { return a == b && std::signbit(a) == std::signbit(b); }

    const RewriteSite& site_;
};

using Answer = std::optional<ValueId>;
using Identity = Answer (*)(const Use& use);

// Operand i where operand `other` is all this number.
Answer operand_beside(const Use& use, std::size_t i, std::size_t other, double number) {
    if (use.is_all(other, number)) return use[i];
    return std::nullopt;
}

// The zero of integers is 0; of floats x + 0.0 changes -0.0, x + -0.0 nothing.
Answer add(const Use& use) {
    const double zero = ir::is_float(use.type().element) ? -0.0 : 0.0;
    if (use.type().element == ir::ElementType::kBool) return std::nullopt;
    if (const Answer x = operand_beside(use, 0, 1, zero)) return x;
    return operand_beside(use, 1, 0, zero);
}

Answer sub(const Use& use) {
    return operand_beside(use, 0, 1, 0.0);
}

Answer mul(const Use& use) {
    if (const Answer x = operand_beside(use, 0, 1, 1.0)) return x;
    return operand_beside(use, 1, 0, 1.0);
}

Answer div(const Use& use) {
    return operand_beside(use, 0, 1, 1.0);
}

Answer operand(const Use& use) {
    return use[0];
}

Answer copy(const Use& use) {
    if (use.attributes().get_or("stop_gradient", false)) return std::nullopt;
    return use[0];
}

// f(f(x)) = x
Answer inverse_of_itself(const Use& use) {
    if (const auto inner = use.made_by(0, use.operation())) return inner->operands()[0];
    return std::nullopt;
}

Answer reversed_twice(const Use& use) {
    if (const auto inner = use.made_by(0, use.operation()); inner && inner->attributes() == use.attributes())
        return inner->operands()[0];
    return std::nullopt;
}

// f(f(x)) = f(x)
Answer idempotent(const Use& use) {
    if (use.made_by(0, use.operation())) return use[0];
    return std::nullopt;
}

Answer of_equal_operands(const Use& use) {
    if (use[0] == use[1]) return use[0];
    return std::nullopt;
}

Answer select(const Use& use) {
    if (use[1] == use[2]) return use[1];
    const ir::ElementType predicate = use.type(use[0]).element;
    if (predicate != ir::ElementType::kBool) return std::nullopt;
    if (use.is_all(0, 1)) return use[1];
    if (use.is_all(0, 0)) return use[2];
    return std::nullopt;
}

// A conversion to the same type changes nothing; nor does one back from a type that holds all values.
bool holds_all_values(ir::ElementType wide, ir::ElementType narrow) {
    using ir::ElementType;
    if (wide == ElementType::kF64) return narrow != ElementType::kI64 && narrow != ElementType::kU64;
    if (wide == ElementType::kF32)
        return narrow == ElementType::kF16 || narrow == ElementType::kBF16 || narrow == ElementType::kBool ||
               (ir::is_integer(narrow) && ir::element_bytes(narrow) <= 2);
    if (ir::is_signed_integer(wide))
        return narrow == ElementType::kBool ||
               (ir::is_integer(narrow) && ir::element_bytes(narrow) < ir::element_bytes(wide));
    if (ir::is_unsigned_integer(wide))
        return narrow == ElementType::kBool ||
               (ir::is_unsigned_integer(narrow) && ir::element_bytes(narrow) < ir::element_bytes(wide));
    return false;
}

Answer convert(const Use& use) {
    if (use.type(use[0]) == use.type()) return use[0];
    const auto inner = use.made_by(0, "convert");
    if (!inner) return std::nullopt;
    const ValueId x = inner->operands()[0];
    const bool is_block =
        ir::is_block_float(use.type(use[0]).element) || ir::is_block_float(use.type().element);
    if (!is_block && use.type(x) == use.type() &&
        holds_all_values(use.type(use[0]).element, use.type().element))
        return x;
    return std::nullopt;
}

Answer if_same_type(const Use& use) {
    if (use.type(use[0]) == use.type()) return use[0];
    return std::nullopt;
}

Answer reshape(const Use& use) {
    if (const Answer same = if_same_type(use)) return same;
    const auto inner = use.made_by(0, "reshape");
    if (!inner) return std::nullopt;
    const ValueId x = inner->operands()[0];
    if (use.type(x) == use.type()) return x;
    const Attributes shape{{"shape", Integers(use.type().shape.begin(), use.type().shape.end())}};
    const std::vector<TensorType> types{use.type()};
    return ValueId(use.to().append("reshape", std::vector{x}, types, shape, {}, use.location()));
}

Integers perm_of(const Attributes& attributes, std::size_t rank) {
    Integers perm(rank);
    std::iota(perm.rbegin(), perm.rend(), 0);
    if (attributes.find("perm") != nullptr) perm = attributes.get<Integers>("perm");
    for (std::int64_t& axis : perm)
        if (axis < 0) axis += static_cast<std::int64_t>(rank);
    return perm;
}

Answer transpose(const Use& use) {
    const std::size_t rank = use.type().shape.rank();
    const Integers outer = perm_of(use.attributes(), rank);
    if (std::ranges::is_sorted(outer)) return use[0];
    const auto inner = use.made_by(0, "transpose");
    if (!inner) return std::nullopt;
    const Integers first = perm_of(inner->attributes(), rank);
    const ValueId x = inner->operands()[0];
    Integers both;
    for (const std::int64_t axis : outer)
        both.push_back(first[static_cast<std::size_t>(axis)]);
    if (std::ranges::is_sorted(both)) return x;
    const std::vector<TensorType> types{use.type()};
    return ValueId(use.to().append("transpose", std::vector{x}, types, {{"perm", both}}, {}, use.location()));
}

Answer broadcast_in_dim(const Use& use) {
    if (use.type(use[0]) == use.type() && std::ranges::is_sorted(use.attributes().get<Integers>("dims")))
        return use[0];
    return std::nullopt;
}

Answer pad(const Use& use) {
    const auto is_zero = [](std::int64_t x) { return x == 0; };
    for (const char* const name : {"low", "high", "interior"})
        if (!std::ranges::all_of(use.attributes().get_or<Integers>(name, {}), is_zero)) return std::nullopt;
    return use[0];
}

Answer concatenate(const Use& use) {
    if (use.size() == 1) return use[0];
    return std::nullopt;
}

Answer reverse(const Use& use) {
    if (use.operation() == "reverse" && use.attributes().get<Integers>("dims").empty()) return use[0];
    return reversed_twice(use);
}

// Names of calls and of primitives; those that both sets have mean the same.
const std::unordered_map<std::string_view, Identity> kIdentities = {
    {"add", add},
    {"sub", sub},
    {"mul", mul},
    {"div", div},
    {"pow", div},
    {"identity", operand},
    {"copy", copy},
    {"neg", inverse_of_itself},
    {"not", inverse_of_itself},
    {"logical_not", inverse_of_itself},
    {"abs", idempotent},
    {"relu", idempotent},
    {"floor", idempotent},
    {"ceil", idempotent},
    {"round", idempotent},
    {"round_even", idempotent},
    {"round_away", idempotent},
    {"sign", idempotent},
    {"stop_gradient", idempotent},
    {"maximum", of_equal_operands},
    {"minimum", of_equal_operands},
    {"and", of_equal_operands},
    {"or", of_equal_operands},
    {"logical_and", of_equal_operands},
    {"logical_or", of_equal_operands},
    {"select", select},
    {"where", select},
    {"convert", convert},
    {"reshape", reshape},
    {"transpose", transpose},
    {"broadcast_to", if_same_type},
    {"broadcast_in_dim", broadcast_in_dim},
    {"slice", if_same_type},
    {"pad", pad},
    {"concat", concatenate},
    {"concatenate", concatenate},
    {"reverse", reverse},
    {"flip", reversed_twice},
};

}  // namespace

ir::PassResult simplify_identities(const ir::Graph& graph) {
    return rewrite(graph, operations_for(graph), [](const RewriteSite& site, std::vector<ValueId>& results) {
        const auto found = kIdentities.find(site.equation.operation());
        if (found == kIdentities.end() || site.operation == nullptr) return false;
        const Use use(site);
        const Answer answer = found->second(use);
        // Broadcasting and promotion may have made more of the operand.
        if (!answer || site.to.type(*answer) != use.type()) return false;
        results.push_back(*answer);
        return true;
    });
}

}  // namespace tilemeter::trace
