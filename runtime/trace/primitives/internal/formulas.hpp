// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A rule's equations depend on types and attributes, and graphs have few of these: what it appended for one use is
// appended again for the others, value by value, without asking the rule and without inferring types.
//
//   Formulas formulas(graph);
//   formulas.begin({equation.operation_number(), equation.attributes_number()});
//   formulas.take(operands);
//   const auto& results = formulas.end(location, [&](std::vector<Value>& made) { made = rule(...); });
//
// Thread safety: outside locking.

#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "capture/ir/graph.hpp"

namespace tilemeter::trace::internal {

/// The hash of the keys of formulas and of other rows of numbers.
struct KeyHash {
    std::size_t operator()(const std::vector<std::uint32_t>& key) const {
        std::size_t hash = key.size();
        for (const std::uint32_t number : key)
            hash = (hash ^ number) * 0x9E3779B97F4A7C15U;
        return hash;
    }
};

class Formulas {
public:
    using Value = std::optional<ir::ValueId>;

    /// REQUIRES: the graph lives as long as this, and nothing takes its equations away
    explicit Formulas(ir::Graph& graph) : graph_(&graph) {}

    /// A use of a rule: what it depends on besides the values.
    void begin(std::initializer_list<std::uint32_t> what) {
        key_.assign(what);
        inputs_.clear();
    }
    void depends_on(std::uint32_t number) { key_.push_back(number); }
    /// A value that the rule gets; with none it depends on that.
    void take(ir::ValueId value);
    void take(Value value) {
        if (value)
            take(*value);
        else
            key_.push_back(kNone);
    }
    /// The same for one whose type, and which constant it is, the key has already.
    void take_known(ir::ValueId value) {
        key_.push_back(number_of(value));
        inputs_.push_back(value);
    }

    /// The outcome of the rule: it is asked the first time, `rule(made)`. Valid until the next use. `location`: an
    /// ir::Location or an ir::LocationOf.
    /// REQUIRES: the rule appends equations of the values it got, constants and each other
    template <class Location, class Rule>
    const std::vector<Value>& end(const Location& location, const Rule& rule) {
        const Formula* const known = find();
        if (known != nullptr) {
            append(*known, location);
            return made_;
        }
        const std::size_t first = graph_->equation_count();
        made_.clear();
        rule(made_);
        keep(first);
        return made_;
    }

private:
    static constexpr std::uint32_t kNone = ~std::uint32_t{0};

    /// An operand or a result: which input, which result that the formula has made, or the value itself.
    struct Reference {
        enum class Kind : std::uint8_t { kNone, kInput, kMade, kItself } kind = Kind::kNone;
        std::uint32_t number = 0;
    };
    struct Formula {
        bool can_repeat = true;
        struct Step {
            std::size_t equation;
            std::uint32_t operands;
        };
        std::vector<Step> steps{};
        std::vector<Reference> operands{};  ///< of all steps, one after the other
        std::vector<Reference> results{};
    };
    /// The number of an input among the inputs; of a new one their number.
    [[nodiscard]] std::uint32_t number_of(ir::ValueId value) const;
    const Formula* find() const;
    void keep(std::size_t first_equation);
    template <class Location>
    void append(const Formula& formula, const Location& location);

    ir::Graph* graph_;
    std::unordered_map<std::vector<std::uint32_t>, Formula, KeyHash> known_;
    std::vector<std::uint32_t> key_;
    std::vector<ir::ValueId> inputs_;
    std::vector<Value> made_;
    std::vector<ir::ValueId> steps_;     ///< results of the formula that is being appended
    std::vector<ir::ValueId> operands_;  ///< of a step of it
};

}  // namespace tilemeter::trace::internal
