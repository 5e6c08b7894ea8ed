// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/ir/decide.hpp"

#include <algorithm>
#include <memory>
#include <mutex>
#include <unordered_map>

#include <isl/ctx.h>
#include <isl/options.h>
#include <isl/set.h>

#include "capture/ir/error.hpp"

namespace tilemeter::ir {

namespace {

/// Conditions on names in isl's words. Names get words of their own, so that none is a keyword.
class Conditions {
public:
    explicit Conditions(const Constraints* constraints) {
        if (constraints == nullptr) return;
        for (const Constraint& each : *constraints) {
            const std::string left = text_of(each.left);
            const std::string right = text_of(each.right);
            switch (each.relation) {
                case Relation::kEqual:
                    add(left + " = " + right);
                    break;
                case Relation::kGreaterEqual:
                    add(left + " >= " + right);
                    break;
                case Relation::kLessEqual:
                    add(left + " <= " + right);
                    break;
                case Relation::kGreater:
                    add(left + " > " + right);
                    break;
                case Relation::kLess:
                    add(left + " < " + right);
                    break;
            }
        }
    }

    void add(const std::string& condition) {
        if (!conditions_.empty()) conditions_ += " and ";
        conditions_ += condition;
    }

    std::string text_of(Dim dim) {
        if (dim.is_number()) return std::to_string(dim.value());
        std::string text;
        for (const DimTerm& term : terms_of(dim)) {
            if (!text.empty()) text += " + ";
            text += "(" + std::to_string(term.coefficient);
            if (!term.factors.empty()) text += " * " + text_of(term.factors);
            text += ")";
        }
        return text.empty() ? "0" : "(" + text + ")";
    }

    /// True if some sizes keep all conditions; nothing where isl gave up.
    [[nodiscard]] std::optional<bool> can_hold() const {
        std::string text = "[";
        for (std::size_t i = 0; i < words_.size(); ++i)
            text += (i == 0 ? "p" : ", p") + std::to_string(i);
        text += "] -> { : " + conditions_ + bounds_ + " }";
        if (conditions_.empty() && bounds_.empty()) return true;
        constexpr unsigned long kMostOperations = 2'000'000;
        const std::unique_ptr<isl_ctx, decltype(&isl_ctx_free)> context(isl_ctx_alloc(), &isl_ctx_free);
        isl_options_set_on_error(context.get(), ISL_ON_ERROR_CONTINUE);
        isl_ctx_set_max_operations(context.get(), kMostOperations);
        isl_set* const set = isl_set_read_from_str(context.get(), text.c_str());
        if (set == nullptr) return std::nullopt;
        const isl_bool is_empty = isl_set_is_empty(set);
        isl_set_free(set);
        if (is_empty == isl_bool_error) return std::nullopt;
        return is_empty == isl_bool_false;
    }

private:
    std::string text_of(const std::vector<const DimFactor*>& factors) {
        if (factors.size() == 1) {
            const DimFactor& factor = *factors[0];
            switch (factor.kind) {
                case DimFactor::Kind::kName:
                    return word_of(factor.text, true);
                case DimFactor::Kind::kFloorDiv:
                    if (!factor.operands[1].is_number()) return word_of(factor.text, false);
                    return "floord(" + text_of(factor.operands[0]) + ", " +
                           std::to_string(factor.operands[1].value()) + ")";
                case DimFactor::Kind::kMin:
                case DimFactor::Kind::kMax: {
                    std::string text = text_of(factor.operands[0]);
                    for (std::size_t i = 1; i < factor.operands.size(); ++i) {
                        std::string longer = factor.kind == DimFactor::Kind::kMin ? "min(" : "max(";
                        longer += text;
                        longer += ", ";
                        longer += text_of(factor.operands[i]);
                        longer += ")";
                        text = std::move(longer);
                    }
                    return text;
                }
            }
        }
        const bool are_names = std::ranges::all_of(
            factors, [](const DimFactor* each) { return each->kind == DimFactor::Kind::kName; });
        std::string product;
        for (const DimFactor* const each : factors)
            product += (product.empty() ? "" : "*") + each->text;
        const bool is_new = !words_.contains(product);
        const std::string word = word_of(product, are_names);
        // A product of whole numbers from 1 is at least the sum of two parts of it, less 1.
        if (is_new && are_names) {
            const std::string first = text_of(std::vector(factors.begin(), factors.begin() + 1));
            const std::string rest = text_of(std::vector(factors.begin() + 1, factors.end()));
            bounds_ += " and " + word + " >= " + first + " + " + rest + " - 1";
        }
        return word;
    }

    std::string word_of(const std::string& text, bool is_positive) {
        const auto [at, is_new] = words_.try_emplace(text, words_.size());
        const std::string word = "p" + std::to_string(at->second);
        if (is_new && is_positive) bounds_ += " and " + word + " >= 1";
        return word;
    }

    std::unordered_map<std::string, std::size_t> words_;
    std::string conditions_;
    std::string bounds_;  ///< each with " and " before it
};

/// The answer for `dim` in `relation` to 0 ("=", ">", ">="), by what its two sides can be.
Answer decided(Dim dim, const std::string& relation, const std::string& opposite,
               const Constraints* constraints) {
    const auto can = [&](const std::string& condition) {
        Conditions conditions(constraints);
        conditions.add(conditions.text_of(dim) + condition);
        return conditions.can_hold();
    };
    if (can(opposite) == false) return Answer::kYes;
    return can(relation) == false ? Answer::kNo : Answer::kUnknown;
}

/// Without the names that are factors of every term: they are positive, so the sign stays.
Dim without_common_names(Dim dim) {
    const std::vector<DimTerm> terms = terms_of(dim);
    if (terms.empty()) return dim;
    for (const DimFactor* const factor : terms[0].factors) {
        if (factor->kind != DimFactor::Kind::kName) continue;
        const bool is_common = std::ranges::all_of(terms, [&](const DimTerm& term) {
            return std::ranges::find(term.factors, factor) != term.factors.end();
        });
        if (is_common) return without_common_names(exact_quotient(dim, Dim::named(factor->text)).value());
    }
    return dim;
}

/// Answers that were found, by question. Constraints are compared by their texts.
class Memory {
public:
    static Memory& instance() {
        static Memory memory;
        return memory;
    }

    template <class Find>
    Answer answer(std::string question, const Constraints* constraints, const Find& find) {
        if (constraints != nullptr)
            for (const Constraint& each : *constraints)
                question += ", " + each.text();
        {
            const std::lock_guard lock(mutex_);
            if (const auto known = answers_.find(question); known != answers_.end()) return known->second;
        }
        const Answer answer = find();
        const std::lock_guard lock(mutex_);
        constexpr std::size_t kMostAnswers = 100'000;
        if (answers_.size() >= kMostAnswers) answers_.clear();
        answers_.emplace(std::move(question), answer);
        return answer;
    }

private:
    std::mutex mutex_;
    std::unordered_map<std::string, Answer> answers_;
};

Answer known(bool is_so) {
    return is_so ? Answer::kYes : Answer::kNo;
}

}  // namespace

Answer equal(Dim a, Dim b, const Constraints* constraints) {
    if (a == b) return Answer::kYes;
    const Dim distance = without_common_names(a - b);
    if (distance.is_number()) return known(distance.value() == 0);
    return Memory::instance().answer(distance.text() + " == 0", constraints,
                                     [&] { return decided(distance, " = 0", " != 0", constraints); });
}

Answer less(Dim a, Dim b, const Constraints* constraints) {
    const Dim distance = without_common_names(b - a);
    if (distance.is_number()) return known(distance.value() > 0);
    return Memory::instance().answer(distance.text() + " > 0", constraints,
                                     [&] { return decided(distance, " > 0", " <= 0", constraints); });
}

Answer less_equal(Dim a, Dim b, const Constraints* constraints) {
    const Answer more = less(b, a, constraints);
    if (more == Answer::kUnknown) return more;
    return known(more == Answer::kNo);
}

Answer divides(Dim divisor, Dim a, const Constraints* constraints) {
    if (a == Dim(0)) return Answer::kYes;
    if (divisor == Dim(0)) return Answer::kNo;
    if (exact_quotient(a, divisor)) return Answer::kYes;
    const Dim rest = mod(a, divisor);
    if (rest.is_number()) return known(rest.value() == 0);
    return equal(rest, 0, constraints);
}

Answer can_hold(const Constraints& constraints) {
    return Memory::instance().answer("possible", &constraints, [&] {
        const std::optional<bool> found = Conditions(&constraints).can_hold();
        return found ? known(*found) : Answer::kUnknown;
    });
}

bool is_same(const TensorType& a, const TensorType& b, const Constraints* constraints) {
    if (a == b) return true;
    if (a.element != b.element || a.place != b.place || a.shape.rank() != b.shape.rank()) return false;
    for (std::size_t i = 0; i < a.shape.rank(); ++i)
        if (!is_equal(a.shape[i], b.shape[i], constraints)) return false;
    return true;
}

// ---- sizes from shapes

namespace {

/// dim = per * name + rest, where all else in it is known.
struct Linear {
    std::string name;
    Dim per;
    Dim rest;
};

// The only unknown name, if the dimension is linear in it; nothing where it is not, or where there are several.
std::optional<Linear> linear_in(Dim dim, const std::set<std::string>& known) {
    std::optional<std::string> name;
    for (const std::string& each : dim.names()) {
        if (known.contains(each)) continue;
        if (name) return std::nullopt;
        name = each;
    }
    if (!name) return std::nullopt;
    Linear linear{*name, 0, 0};
    for (const DimTerm& term : terms_of(dim)) {
        Dim product(term.coefficient);
        std::size_t powers = 0;
        for (const DimFactor* const factor : term.factors) {
            if (factor->kind == DimFactor::Kind::kName && factor->text == *name) {
                ++powers;
                continue;
            }
            Dim part =
                factor->kind == DimFactor::Kind::kName ? Dim::named(factor->text) : factor->operands[0];
            for (std::size_t i = 1; i < factor->operands.size(); ++i)
                part = factor->kind == DimFactor::Kind::kFloorDiv ? floordiv(part, factor->operands[i])
                       : factor->kind == DimFactor::Kind::kMin    ? min(part, factor->operands[i])
                                                                  : max(part, factor->operands[i]);
            if (part.names().contains(*name)) return std::nullopt;
            product = product * part;
        }
        if (powers > 1) return std::nullopt;
        (powers == 1 ? linear.per : linear.rest) += product;
    }
    return linear;
}

}  // namespace

void SizeSolver::require_solvable(const std::set<std::string>& names) const {
    std::set<std::string> known;
    std::vector<Dim> dims;
    for (const Known& each : known_)
        dims.push_back(each.dim);
    if (constraints_ != nullptr)
        for (const Constraint& each : *constraints_)
            if (each.relation == Relation::kEqual) dims.push_back(each.left - each.right);
    for (bool is_more = true; is_more;) {
        is_more = false;
        for (const Dim dim : dims)
            if (const auto linear = linear_in(dim, known)) {
                known.insert(linear->name);
                is_more = true;
            }
    }
    for (const std::string& name : names) {
        if (known.contains(name)) continue;
        std::string found;
        for (const Known& each : known_)
            if (each.dim.names().contains(name))
                found += (found.empty() ? "" : ", ") + each.where + " is '" + each.dim.text() + "'";
        throw Error(ErrorKind::kBadArgument, "the size of '" + name +
                                                 "' can't be found from the arguments' shapes: " +
                                                 (found.empty() ? "found it in none of them" : found) +
                                                 ", expected a dimension that is linear in it");
    }
}

Sizes SizeSolver::solve(std::span<const std::int64_t> numbers) const {
    Sizes sizes;
    std::set<std::string> known;
    const auto number_of = [&](Dim dim) { return dim.at(sizes); };
    const auto set = [&](const Linear& linear, std::int64_t number, const std::string& where) {
        const std::int64_t per = number_of(linear.per);
        const std::int64_t distance = number - number_of(linear.rest);
        if (per == 0 || distance % per != 0 || distance / per < 1)
            throw Error(
                ErrorKind::kShapeMismatch,
                where + ", expected a size that is made by a whole number from 1 for '" + linear.name + "'");
        sizes[linear.name] = distance / per;
        known.insert(linear.name);
    };
    const auto found = [&](std::size_t i) {
        return known_[i].where + ": found " + std::to_string(numbers[i]) + " for '" + known_[i].dim.text() +
               "'";
    };
    for (bool is_more = true; is_more;) {
        is_more = false;
        for (std::size_t i = 0; i < known_.size(); ++i)
            if (const auto linear = linear_in(known_[i].dim, known)) {
                set(*linear, numbers[i], found(i));
                is_more = true;
            }
        if (constraints_ == nullptr) continue;
        for (const Constraint& each : *constraints_)
            if (each.relation == Relation::kEqual)
                if (const auto linear = linear_in(each.left - each.right, known)) {
                    set(*linear, 0, "constraint " + each.text());
                    is_more = true;
                }
    }
    const auto text_of_sizes = [&] {
        std::string text;
        for (const auto& [name, size] : sizes)
            text += (text.empty() ? "" : ", ") + name + " = " + std::to_string(size);
        return text;
    };
    for (std::size_t i = 0; i < known_.size(); ++i) {
        const std::int64_t expected = number_of(known_[i].dim);
        if (expected == numbers[i]) continue;
        throw Error(ErrorKind::kShapeMismatch,
                    known_[i].dim.is_number()
                        ? known_[i].where + ": found " + std::to_string(numbers[i]) + ", expected " +
                              std::to_string(expected)
                        : found(i) + ", expected " + std::to_string(expected) + " since " + text_of_sizes());
    }
    if (constraints_ != nullptr)
        for (const Constraint& each : *constraints_)
            if (!each.holds(sizes))
                throw Error(ErrorKind::kBadArgument,
                            "found " + text_of_sizes() + ", expected sizes with " + each.text());
    return sizes;
}

}  // namespace tilemeter::ir
