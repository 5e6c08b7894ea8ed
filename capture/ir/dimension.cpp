// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/ir/dimension.hpp"

#include <algorithm>
#include <deque>
#include <mutex>
#include <numeric>
#include <shared_mutex>
#include <unordered_map>

#include "capture/ir/error.hpp"
#include "capture/ir/internal/hash.hpp"
#include "capture/ir/internal/quoted.hpp"

namespace tilemeter::ir {

namespace {

using Factors = std::vector<const DimFactor*>;

constexpr std::size_t kMostTerms = 1000;
constexpr std::size_t kMostFactors = 64;

[[noreturn]] void refuse_size() {
    throw Error(ErrorKind::kTooLarge,
                "found a dimension of more than 1000 terms, 64 factors or 63 bits, expected a shorter one");
}

/// More factors first, then by their texts: an order that does not depend on what came first in the process.
struct BeforeInText {
    bool operator()(const Factors& a, const Factors& b) const {
        if (a.size() != b.size()) return a.size() > b.size();
        return std::ranges::lexicographical_compare(a, b, {}, &DimFactor::text, &DimFactor::text);
    }
};

/// Coefficients by factors; none is 0.
using Polynomial = std::map<Factors, std::int64_t, BeforeInText>;

std::int64_t checked_sum(std::int64_t a, std::int64_t b) {
    if (__builtin_add_overflow(a, b, &a)) refuse_size();
    return a;
}

std::int64_t checked_product(std::int64_t a, std::int64_t b) {
    if (__builtin_mul_overflow(a, b, &a)) refuse_size();
    return a;
}

std::int64_t floor_quotient(std::int64_t a, std::int64_t b) {
    if (b == 0 || (b == -1 && a == std::numeric_limits<std::int64_t>::min()))
        throw Error(ErrorKind::kBadArgument, "found a dimension divided by " + std::to_string(b) +
                                                 ", expected a divisor other than 0");
    return a / b - ((a % b != 0 && (a < 0) != (b < 0)) ? 1 : 0);
}

void add_term(Polynomial& to, const Factors& factors, std::int64_t coefficient) {
    if (coefficient == 0) return;
    const auto [at, is_new] = to.try_emplace(factors, coefficient);
    if (!is_new) {
        at->second = checked_sum(at->second, coefficient);
        if (at->second == 0) to.erase(at);
    }
    if (to.size() > kMostTerms) refuse_size();
}

void add(Polynomial& to, const Polynomial& other, std::int64_t times = 1) {
    for (const auto& [factors, coefficient] : other)
        add_term(to, factors, checked_product(coefficient, times));
}

Polynomial product_of(const Polynomial& a, const Polynomial& b) {
    Polynomial product;
    for (const auto& [left, x] : a)
        for (const auto& [right, y] : b) {
            Factors factors(left.size() + right.size());
            std::ranges::merge(left, right, factors.begin(), {}, &DimFactor::text, &DimFactor::text);
            if (factors.size() > kMostFactors) refuse_size();
            add_term(product, factors, checked_product(x, y));
        }
    return product;
}

Polynomial number_polynomial(std::int64_t value) {
    Polynomial polynomial;
    add_term(polynomial, {}, value);
    return polynomial;
}

bool is_number(const Polynomial& polynomial) {
    return polynomial.empty() || (polynomial.size() == 1 && polynomial.begin()->first.empty());
}

std::int64_t number_in(const Polynomial& polynomial) {
    const auto found = polynomial.find({});
    return found == polynomial.end() ? 0 : found->second;
}

/// The factors of `a` without those of `b`, none where `b` has one that `a` lacks.
std::optional<Factors> without(const Factors& a, const Factors& b) {
    if (!std::ranges::includes(a, b, {}, &DimFactor::text, &DimFactor::text)) return std::nullopt;
    Factors rest;
    std::ranges::set_difference(a, b, std::back_inserter(rest), {}, &DimFactor::text, &DimFactor::text);
    return rest;
}

// By long division, the leading term first.
std::optional<Polynomial> quotient_of(Polynomial a, const Polynomial& b) {
    if (b.empty()) return std::nullopt;
    const auto& [leading, divisor] = *b.begin();
    Polynomial quotient;
    while (!a.empty()) {
        const auto& [factors, coefficient] = *a.begin();
        const std::optional<Factors> rest = without(factors, leading);
        if (!rest || coefficient % divisor != 0) return std::nullopt;
        const Polynomial term{{*rest, coefficient / divisor}};
        add(quotient, term);
        add(a, product_of(term, b), -1);
        if (a.size() > kMostTerms) return std::nullopt;
    }
    return quotient;
}

std::string text_of(const Polynomial& polynomial);

/// The expressions and atoms of the process.
class Table {
public:
    static Table& instance() {
        // Never destroyed: statics of others hold dimensions.
        static Table* const kTable = new Table;  // NOLINT(cppcoreguidelines-owning-memory)
        return *kTable;
    }

    std::int64_t value_of(const Polynomial& polynomial) {
        const std::string text = text_of(polynomial);
        const std::unique_lock lock(mutex_);
        const auto [at, is_new] = by_text_.try_emplace(text, expressions_.size());
        if (is_new) {
            if (expressions_.size() >> kNumberBits != 0) refuse_size();
            expressions_.push_back({polynomial, text, coded(expressions_.size(), text)});
        }
        return expressions_[at->second].value;
    }

    const Polynomial& polynomial(std::int64_t value) const { return entry(value).polynomial; }
    /// Null if there is none.
    const std::string* text(std::int64_t value) const {
        const Entry* const found = find(value);
        return found == nullptr ? nullptr : &found->text;
    }

    const DimFactor* factor(DimFactor::Kind kind, std::string text, std::vector<Dim> operands) {
        const std::unique_lock lock(mutex_);
        const auto found = factors_.find(text);
        if (found != factors_.end()) return &found->second;
        return &factors_.try_emplace(text, DimFactor{kind, text, std::move(operands)}).first->second;
    }

private:
    struct Entry {
        Polynomial polynomial;
        std::string text;
        std::int64_t value;
    };

    static constexpr unsigned kNumberBits = 24;
    static constexpr unsigned kCheckBits = 36;

    // From the least number up: a checksum of the text over the place in the table, and a gap between neighbours.
    static std::int64_t coded(std::size_t number, const std::string& text) {
        const std::uint64_t check =
            internal::hashed(number, std::string_view(text)) & ((std::uint64_t{1} << kCheckBits) - 1);
        return static_cast<std::int64_t>((std::uint64_t{1} << 63) | (check << kNumberBits) | number);
    }

    const Entry* find(std::int64_t value) const {
        const auto number = static_cast<std::size_t>(static_cast<std::uint64_t>(value) &
                                                     ((std::uint64_t{1} << kNumberBits) - 1));
        const std::shared_lock lock(mutex_);
        const bool is_there = number < expressions_.size() && expressions_[number].value == value;
        return is_there ? &expressions_[number] : nullptr;
    }

    const Entry& entry(std::int64_t value) const {
        const Entry* const found = find(value);
        if (found == nullptr)
            throw Error(ErrorKind::kBadArgument,
                        "found a dimension that arithmetic on 64 bits made of an expression, expected an "
                        "operation that knows sizes without a number");
        return *found;
    }

    mutable std::shared_mutex mutex_;
    std::deque<Entry> expressions_;  // references stay valid
    std::unordered_map<std::string, std::size_t> by_text_;
    std::map<std::string, DimFactor> factors_;
};

Polynomial polynomial_of(Dim dim) {
    return dim.is_number() ? number_polynomial(dim.value()) : Table::instance().polynomial(dim.value());
}

Dim dim_of(const Polynomial& polynomial) {
    if (is_number(polynomial)) {
        const Dim dim(number_in(polynomial));
        if (!dim.is_number() || dim.value() >= -Dim::kLeastNumber) refuse_size();
        return dim;
    }
    return {Table::instance().value_of(polynomial)};
}

Polynomial atom(DimFactor::Kind kind, std::string_view function, std::vector<Dim> operands) {
    std::string text(function);
    for (std::size_t i = 0; i < operands.size(); ++i)
        text += (i == 0 ? "(" : ", ") + operands[i].text();
    return {{{Table::instance().factor(kind, text + ")", std::move(operands))}, 1}};
}

void append_term(std::string& to, std::int64_t coefficient, const std::string& factors) {
    const bool is_negative = coefficient < 0;
    if (to.empty())
        to = is_negative ? "-" : "";
    else
        to += is_negative ? " - " : " + ";
    std::string magnitude = std::to_string(coefficient);
    if (is_negative) magnitude.erase(0, 1);
    if (factors.empty())
        to += magnitude;
    else
        to += magnitude == "1" ? factors : magnitude + "*" + factors;
}

/// "2*mod(b, 3)" stands for 2*b - 6*floordiv(b, 3) where that takes fewer terms away than it puts there.
struct Remainder {
    std::int64_t times;
    std::string text;
};

std::vector<Remainder> take_remainders(Polynomial& polynomial) {
    std::vector<Remainder> taken;
    const Polynomial all = polynomial;
    for (const auto& [factors, coefficient] : all) {
        if (factors.size() != 1 || factors[0]->kind != DimFactor::Kind::kFloorDiv) continue;
        const Dim divisor = factors[0]->operands[1];
        if (!divisor.is_number() || coefficient % divisor.value() != 0) continue;
        const std::int64_t times = -(coefficient / divisor.value());
        Polynomial rest = polynomial;
        add_term(rest, factors, -coefficient);
        add(rest, polynomial_of(factors[0]->operands[0]), -times);
        if (rest.size() + 1 >= polynomial.size()) continue;
        polynomial = std::move(rest);
        taken.push_back(
            {times, "mod(" + factors[0]->operands[0].text() + ", " + std::to_string(divisor.value()) + ")"});
    }
    return taken;
}

std::string text_of(const Polynomial& polynomial) {
    Polynomial rest = polynomial;
    const std::vector<Remainder> remainders = take_remainders(rest);
    std::string text;
    const auto append = [&](const Factors& factors, std::int64_t coefficient) {
        std::string product;
        for (const DimFactor* const factor : factors)
            product += (product.empty() ? "" : "*") + factor->text;
        append_term(text, coefficient, product);
    };
    // A term that begins with a minus does not stand first where another can.
    const auto first =
        std::ranges::find_if(rest, [](const auto& term) { return term.second > 0 && !term.first.empty(); });
    if (first != rest.end()) append(first->first, first->second);
    for (auto at = rest.begin(); at != rest.end(); ++at)
        if (at != first && !at->first.empty()) append(at->first, at->second);
    for (const Remainder& each : remainders)
        append_term(text, each.times, each.text);
    if (const std::int64_t number = number_in(rest); number != 0) append({}, number);
    return text;
}

Polynomial floor_quotient(const Polynomial& a, Dim by) {
    const Polynomial b = polynomial_of(by);
    if (b.empty()) return number_polynomial(floor_quotient(1, 0));  // refuses
    if (const std::optional<Polynomial> quotient = quotient_of(a, b)) return *quotient;
    if (!is_number(b)) {
        // Terms that a divisor of one term divides come out.
        Polynomial quotient;
        Polynomial rest = a;
        if (b.size() == 1)
            for (const auto& [factors, coefficient] : a)
                if (const auto left = without(factors, b.begin()->first);
                    left && coefficient % b.begin()->second == 0) {
                    add_term(quotient, *left, coefficient / b.begin()->second);
                    add_term(rest, factors, -coefficient);
                }
        add(quotient, atom(DimFactor::Kind::kFloorDiv, "floordiv", {dim_of(rest), by}));
        return quotient;
    }
    std::int64_t divisor = number_in(b);
    if (divisor < 0) {
        Polynomial negative;
        add(negative, a, -1);
        return floor_quotient(negative, Dim(-divisor));
    }
    // Multiples of the divisor come out of each coefficient; what all others share with it is divided away.
    Polynomial quotient;
    Polynomial rest;
    std::int64_t shared = divisor;
    for (const auto& [factors, coefficient] : a) {
        const std::int64_t times = floor_quotient(coefficient, divisor);
        add_term(quotient, factors, times);
        add_term(rest, factors, coefficient - times * divisor);
        if (!factors.empty()) shared = std::gcd(shared, coefficient - times * divisor);
    }
    if (is_number(rest)) return quotient;  // 0 <= rest < divisor
    Polynomial smaller;
    for (const auto& [factors, coefficient] : rest)
        add_term(smaller, factors,
                 factors.empty() ? floor_quotient(coefficient, shared) : coefficient / shared);
    divisor /= shared;
    // floordiv(floordiv(x, k), l) is floordiv(x, k*l).
    const auto& [factors, coefficient] = *smaller.begin();
    if (smaller.size() == 1 && coefficient == 1 && factors.size() == 1 &&
        factors[0]->kind == DimFactor::Kind::kFloorDiv && factors[0]->operands[1].is_number() &&
        factors[0]->operands[1].value() > 0) {
        add(quotient, floor_quotient(polynomial_of(factors[0]->operands[0]),
                                     Dim(checked_product(factors[0]->operands[1].value(), divisor))));
        return quotient;
    }
    add(quotient, atom(DimFactor::Kind::kFloorDiv, "floordiv", {dim_of(smaller), Dim(divisor)}));
    return quotient;
}

// Operands of one kind side by side, each once, in order of their texts; of those that differ by a number one stays.
Dim extreme(DimFactor::Kind kind, Dim a, Dim b) {
    const bool is_max = kind == DimFactor::Kind::kMax;
    std::vector<Dim> parts;
    const auto add_part = [&](Dim part) {
        for (Dim& other : parts) {
            const Dim distance = part - other;
            if (!distance.is_number()) continue;
            if ((distance.value() > 0) == is_max) other = part;
            return;
        }
        parts.push_back(part);
    };
    for (const Dim each : {a, b}) {
        const std::vector<DimTerm> terms = terms_of(each);
        const bool is_same_kind = terms.size() == 1 && terms[0].coefficient == 1 &&
                                  terms[0].factors.size() == 1 && terms[0].factors[0]->kind == kind;
        if (is_same_kind)
            for (const Dim part : terms[0].factors[0]->operands)
                add_part(part);
        else
            add_part(each);
    }
    if (parts.size() == 1) return parts[0];
    std::ranges::sort(parts, {}, [](Dim part) { return part.text(); });
    return dim_of(atom(kind, is_max ? "max" : "min", parts));
}

}  // namespace

Dim Dim::named(std::string_view name) {
    if (!internal::is_dimension_name(name)) {
        std::string found;
        internal::append_quoted(found, name);
        throw Error(
            ErrorKind::kBadArgument,
            "found " + found +
                " as the name of a dimension, expected a letter, then letters, digits and underscores");
    }
    return dim_of({{{Table::instance().factor(DimFactor::Kind::kName, std::string(name), {})}, 1}});
}

std::int64_t Dim::number() const {
    if (is_number()) return value_;
    throw Error(ErrorKind::kBadArgument, "found the dimension '" + text() +
                                             "', expected a number: at() puts sizes in the place of names");
}

std::string Dim::text() const {
    const std::string* const text = is_number() ? nullptr : Table::instance().text(value_);
    return text == nullptr ? std::to_string(value_) : *text;
}

bool Dim::is_expression() const {
    return !is_number() && Table::instance().text(value_) != nullptr;
}

std::set<std::string> Dim::names() const {
    std::set<std::string> names;
    for (const DimTerm& term : terms_of(*this))
        for (const DimFactor* const factor : term.factors) {
            if (factor->kind == DimFactor::Kind::kName) names.insert(factor->text);
            for (const Dim operand : factor->operands)
                names.merge(operand.names());
        }
    return names;
}

Dim Dim::with(const std::function<std::optional<Dim>(const std::string&)>& by) const {
    if (is_number()) return *this;
    const auto factor_with = [&](const DimFactor& factor) -> Dim {
        if (factor.kind == DimFactor::Kind::kName) {
            if (const std::optional<Dim> other = by(factor.text)) return *other;
            return named(factor.text);
        }
        Dim result = factor.operands[0].with(by);
        for (std::size_t i = 1; i < factor.operands.size(); ++i) {
            const Dim next = factor.operands[i].with(by);
            result = factor.kind == DimFactor::Kind::kFloorDiv ? floordiv(result, next)
                     : factor.kind == DimFactor::Kind::kMin    ? ir::min(result, next)
                                                               : ir::max(result, next);
        }
        return result;
    };
    Polynomial total;
    for (const DimTerm& term : terms_of(*this)) {
        Polynomial product = number_polynomial(term.coefficient);
        for (const DimFactor* const factor : term.factors)
            product = product_of(product, polynomial_of(factor_with(*factor)));
        add(total, product);
    }
    return dim_of(total);
}

std::int64_t Dim::at(const Sizes& sizes) const {
    const Dim result = with([&](const std::string& name) -> std::optional<Dim> {
        const auto found = sizes.find(name);
        if (found == sizes.end())
            throw Error(ErrorKind::kBadArgument, "found no size for '" + name + "' in '" + text() + "'");
        return Dim(found->second);
    });
    return result.number();
}

namespace internal {

Dim checked_sum(Dim a, Dim b, std::int64_t sign) {
    Polynomial total = polynomial_of(a);
    add(total, polynomial_of(b), sign);
    return dim_of(total);
}

Dim checked_product(Dim a, Dim b) {
    return dim_of(product_of(polynomial_of(a), polynomial_of(b)));
}

}  // namespace internal

Dim floordiv(Dim a, Dim b) {
    if (a.is_number() && b.is_number()) return {floor_quotient(a.value(), b.value())};
    return dim_of(floor_quotient(polynomial_of(a), b));
}

Dim ceildiv(Dim a, Dim b) {
    return floordiv(a + b - 1, b);
}

Dim mod(Dim a, Dim b) {
    return a - b * floordiv(a, b);
}

Dim min(Dim a, Dim b) {
    if (a.is_number() && b.is_number()) return std::min(a.value(), b.value());
    return extreme(DimFactor::Kind::kMin, a, b);
}

Dim max(Dim a, Dim b) {
    if (a.is_number() && b.is_number()) return std::max(a.value(), b.value());
    return extreme(DimFactor::Kind::kMax, a, b);
}

std::optional<Dim> exact_quotient(Dim a, Dim b) {
    if (const auto quotient = quotient_of(polynomial_of(a), polynomial_of(b))) return dim_of(*quotient);
    return std::nullopt;
}

std::vector<DimTerm> terms_of(Dim dim) {
    std::vector<DimTerm> terms;
    for (const auto& [factors, coefficient] : polynomial_of(dim))
        terms.push_back({coefficient, factors});
    return terms;
}

// ---- constraints

namespace {

constexpr std::pair<Relation, std::string_view> kRelations[] = {{Relation::kEqual, "=="},
                                                                {Relation::kGreaterEqual, ">="},
                                                                {Relation::kLessEqual, "<="},
                                                                {Relation::kGreater, ">"},
                                                                {Relation::kLess, "<"}};

}  // namespace

std::string Constraint::text() const {
    for (const auto& [each, sign] : kRelations)
        if (each == relation) return left.text() + " " + std::string(sign) + " " + right.text();
    return {};
}

bool Constraint::holds(const Sizes& sizes) const {
    const std::int64_t a = left.at(sizes);
    const std::int64_t b = right.at(sizes);
    switch (relation) {
        case Relation::kEqual:
            return a == b;
        case Relation::kGreaterEqual:
            return a >= b;
        case Relation::kLessEqual:
            return a <= b;
        case Relation::kGreater:
            return a > b;
        case Relation::kLess:
            return a < b;
    }
    return false;
}

}  // namespace tilemeter::ir
