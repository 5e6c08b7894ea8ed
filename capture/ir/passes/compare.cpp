// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/ir/passes/compare.hpp"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "capture/ir/internal/hash.hpp"

namespace tilemeter::ir {

namespace {

using internal::hashed;

class Comparison {
public:
    explicit Comparison(Detail detail) : detail_(detail) {}

    bool equal(const Graph& a, const Graph& b) {
        if (&a == &b || !seen_.emplace(&a, &b).second)
            return true;  // whoever came first says no, if it is no
        return Pair(*this, a, b).equal();
    }

private:
    class Pair {
    public:
        Pair(Comparison& whole, const Graph& a, const Graph& b)
            : whole_(whole), a_(a), b_(b), same_constants_(a.constants().size(), kNone) {}

        bool equal() {
            if (whole_.detail_ >= Detail::kNames &&
                (a_.name() != b_.name() || a_.operation_set() != b_.operation_set()))
                return false;
            return a_.equation_count() == b_.equation_count() && equal_constraints() && equal_params() &&
                   equal_values(a_.results(), b_.results()) && equal_equations();
        }

    private:
        static constexpr std::uint32_t kNone = ~std::uint32_t{0};

        bool equal_constraints() const {
            if (a_.constraints() == b_.constraints()) return true;
            return a_.constraints() != nullptr && b_.constraints() != nullptr &&
                   *a_.constraints() == *b_.constraints();
        }

        bool equal_params() const {
            return std::ranges::equal(a_.params(), b_.params(), [&](ValueId left, ValueId right) {
                return a_.type(left) == b_.type(right) && equal_names(left, right);
            });
        }

        bool equal_names(ValueId left, ValueId right) const {
            return whole_.detail_ < Detail::kNames || a_.name_of(left) == b_.name_of(right);
        }

        bool equal_values(std::span<const ValueId> left, std::span<const ValueId> right) {
            return std::ranges::equal(left, right, [&](ValueId x, ValueId y) { return equal_value(x, y); });
        }

        bool equal_value(ValueId left, ValueId right) {
            if (!a_.has(left) || !b_.has(right)) return a_.has(left) == b_.has(right);
            const Definition x = a_.definition(left);
            const Definition y = b_.definition(right);
            if (x.kind != ValueKind::kConstant) return x == y;
            if (y.kind != ValueKind::kConstant) return false;
            // Compared once, however often they are used.
            if (same_constants_[x.index] == y.index) return true;
            if (!(a_.constants()[x.index] == b_.constants()[y.index]) || !equal_names(left, right))
                return false;
            same_constants_[x.index] = y.index;
            return true;
        }

        bool equal_equations() {
            for (std::size_t i = 0; i < a_.equation_count(); ++i)
                if (!equal_equation(a_.equation(i), b_.equation(i))) return false;
            return true;
        }

        bool equal_equation(const Equation& x, const Equation& y) {
            if (x.operation() != y.operation() || x.results().size() != y.results().size() ||
                !equal_values(x.operands(), y.operands()) || !(x.attributes() == y.attributes()))
                return false;
            for (std::size_t i = 0; i < x.results().size(); ++i)
                if (a_.type(x.results()[i]) != b_.type(y.results()[i]) ||
                    !equal_names(x.results()[i], y.results()[i]))
                    return false;
            if (whole_.detail_ >= Detail::kLocations && !(x.location() == y.location())) return false;
            return std::ranges::equal(
                x.subgraphs(), y.subgraphs(), [&](const Subgraph& left, const Subgraph& right) {
                    return left.name == right.name && whole_.equal(*left.graph, *right.graph);
                });
        }

        Comparison& whole_;
        const Graph& a_;
        const Graph& b_;
        std::vector<std::uint32_t> same_constants_;  ///< of a's constants, the last of b's that was equal
    };

    Detail detail_;
    std::set<std::pair<const Graph*, const Graph*>> seen_;
};

class Hashes {
public:
    std::uint64_t of(const Graph& graph) {
        if (const auto found = known_.find(&graph); found != known_.end()) return found->second;
        std::vector<std::uint64_t> constants;
        for (const Constant& constant : graph.constants())
            constants.push_back(hash_of(constant));
        const auto hash_of_value = [&](std::uint64_t seed, ValueId value) {
            if (!graph.has(value)) return hashed(seed, 0);
            const Definition definition = graph.definition(value);
            if (definition.kind == ValueKind::kConstant) return hashed(seed, constants[definition.index]);
            return hashed(hashed(seed, definition.index), definition.result + 1);
        };
        std::uint64_t hash = hashed(graph.equation_count(), graph.params().size());
        if (graph.constraints() != nullptr)
            for (const Constraint& each : *graph.constraints())
                hash = hashed(hash, each.text());
        for (const ValueId param : graph.params())
            hash = hashed(hash, hash_of(graph.type(param)));
        for (const ValueId result : graph.results())
            hash = hash_of_value(hash, result);
        for (const Equation equation : graph.equations()) {
            hash = hashed(hash, equation.operation());
            for (const ValueId operand : equation.operands())
                hash = hash_of_value(hash, operand);
            if (!equation.attributes().empty()) hash = hashed(hash, hash_of(equation.attributes()));
            for (std::size_t i = 0; i < equation.results().size(); ++i)
                hash = hashed(hash, hash_of(graph.type(equation.results()[i])));
            for (const Subgraph& each : equation.subgraphs())
                hash = hashed(hashed(hash, each.name), of(*each.graph));
        }
        known_.emplace(&graph, hash);
        return hash;
    }

private:
    std::unordered_map<const Graph*, std::uint64_t> known_;
};

}  // namespace

bool equal(const Graph& a, const Graph& b, Detail detail) {
    return Comparison(detail).equal(a, b);
}

std::uint64_t structural_hash(const Graph& graph) {
    return Hashes().of(graph);
}

}  // namespace tilemeter::ir
