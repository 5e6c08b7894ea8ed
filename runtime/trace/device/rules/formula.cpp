// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/device/rules/formula.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <string>
#include <vector>

#include "capture/ir/error.hpp"

namespace tilemeter::trace::lowering {

namespace {

using ir::ElementType;
using ir::ValueId;

struct BinaryOperator {
    std::string_view text;
    int rank;
    const char* primitive;  ///< or the direction of a comparison
    bool compares = false;
};
// Longer texts first.
constexpr std::array<BinaryOperator, 12> kOperators = {{{"||", 0, "or"},
                                                        {"&&", 1, "and"},
                                                        {"==", 2, "EQ", true},
                                                        {"!=", 2, "NE", true},
                                                        {"<=", 2, "LE", true},
                                                        {">=", 2, "GE", true},
                                                        {"<", 2, "LT", true},
                                                        {">", 2, "GT", true},
                                                        {"+", 3, "add"},
                                                        {"-", 3, "sub"},
                                                        {"*", 4, "mul"},
                                                        {"/", 4, "div"}}};
constexpr int kHighest = 5;

double computed(const BinaryOperator& operation, double a, double b) {
    switch (operation.text[0]) {
        case '+':
            return a + b;
        case '-':
            return a - b;
        case '*':
            return a * b;
        case '/':
            return a / b;
        case '|':
            return static_cast<double>(a != 0 || b != 0);
        case '&':
            return static_cast<double>(a != 0 && b != 0);
        case '=':
            return static_cast<double>(a == b);
        case '!':
            return static_cast<double>(a != b);
        case '<':
            return static_cast<double>(operation.text == "<" ? a < b : a <= b);
        default:
            return static_cast<double>(operation.text == ">" ? a > b : a >= b);
    }
}

double computed(std::string_view function, double x) {
    if (function == "exp") return std::exp(x);
    if (function == "log") return std::log(x);
    if (function == "sqrt") return std::sqrt(x);
    if (function == "abs") return std::abs(x);
    if (function == "floor") return std::floor(x);
    if (function == "cos") return std::cos(x);
    throw ir::Error(ir::ErrorKind::kBadArgument,
                    "formula: " + std::string(function) + " of a number is not there");
}

class Writer {
public:
    Writer(FlatBuilder& to, std::string_view text, const Lookup& lookup)
        : to_(to), text_(text), lookup_(lookup) {}

    Operand run() {
        const Operand result = expression(0);
        skip();
        if (at_ != text_.size()) fail("the end");
        return result;
    }

private:
    [[noreturn]] void fail(std::string_view expected) const {
        throw ir::Error(ir::ErrorKind::kBadArgument, "formula '" + std::string(text_) + "': expected " +
                                                         std::string(expected) + " at " +
                                                         std::to_string(at_));
    }
    void skip() {
        while (at_ < text_.size() && text_[at_] == ' ')
            ++at_;
    }
    bool take(std::string_view token) {
        skip();
        if (text_.substr(at_, token.size()) != token) return false;
        at_ += token.size();
        return true;
    }

    const BinaryOperator* next_operator() {
        skip();
        const auto found = std::ranges::find_if(
            kOperators, [&](const auto& each) { return text_.substr(at_).starts_with(each.text); });
        return found == kOperators.end() ? nullptr : &*found;
    }

    Operand expression(int rank) {
        if (rank == kHighest) return factor();
        Operand left = expression(rank + 1);
        for (const BinaryOperator* each = next_operator(); each != nullptr && each->rank == rank;
             each = next_operator()) {
            at_ += each->text.size();
            left = combined(*each, left, expression(rank + 1));
        }
        return left;
    }

    Operand factor() {
        if (take("-")) {
            const Operand value = factor();
            if (const double* number = std::get_if<double>(&value)) return -*number;
            return ValueId(to_.op("neg", {std::get<ValueId>(value)}));
        }
        if (take("(")) {
            const Operand value = expression(0);
            if (!take(")")) fail("')'");
            return value;
        }
        skip();
        if (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])) != 0) return number();
        std::size_t end = at_;
        while (end < text_.size() &&
               (std::isalnum(static_cast<unsigned char>(text_[end])) != 0 || text_[end] == '_'))
            ++end;
        if (end == at_) fail("an operand");
        const std::string_view name = text_.substr(at_, end - at_);
        at_ = end;
        if (!take("(")) return lookup_(name);
        std::vector<Operand> operands{expression(0)};
        while (take(","))
            operands.push_back(expression(0));
        if (!take(")")) fail("')'");
        return called(name, operands);
    }

    Operand number() {
        double value = 0;
        const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
        if (error != std::errc()) fail("a number");
        at_ = static_cast<std::size_t>(end - text_.data());
        return value;
    }

    // Numbers become tensors like those beside them; truth values become numbers beside numbers.
    void make_alike(std::vector<Operand>& operands) {
        const auto is_tensor = [](const Operand& each) { return std::holds_alternative<ValueId>(each); };
        const auto tensor = std::ranges::find_if(operands, is_tensor);
        if (tensor == operands.end()) return;
        ir::TensorType type = to_.type(std::get<ValueId>(*tensor));
        for (const Operand& each : operands)
            if (is_tensor(each) && to_.element(std::get<ValueId>(each)) != ElementType::kBool)
                type.element = to_.element(std::get<ValueId>(each));
        if (type.element == ElementType::kBool &&
            std::ranges::any_of(operands, [&](const Operand& each) { return !is_tensor(each); }))
            type.element = ElementType::kF32;
        for (Operand& each : operands) {
            if (is_tensor(each)) {
                each = to_.convert(std::get<ValueId>(each), type.element);
            } else {
                each = to_.full(type, std::get<double>(each));
            }
        }
    }

    Operand combined(const BinaryOperator& operation, const Operand& left, const Operand& right) {
        if (std::holds_alternative<double>(left) && std::holds_alternative<double>(right))
            return computed(operation, std::get<double>(left), std::get<double>(right));
        std::vector<Operand> both{left, right};
        const bool is_logical = operation.rank < 2;
        if (is_logical) {
            const bool is_left = std::holds_alternative<double>(left);
            if (is_left || std::holds_alternative<double>(right)) {
                const bool truth = std::get<double>(is_left ? left : right) != 0;
                const ValueId other = to_.truth(std::get<ValueId>(is_left ? right : left));
                const bool decides = truth == (operation.text == "||");
                return decides ? to_.full_like(other, truth ? 1 : 0) : other;
            }
            for (Operand& each : both)
                if (ValueId* const value = std::get_if<ValueId>(&each)) *value = to_.truth(*value);
        } else {
            // Sums and products of truth values are numbers.
            for (Operand& each : both)
                if (ValueId* const value = std::get_if<ValueId>(&each);
                    value != nullptr && !operation.compares && to_.element(*value) == ElementType::kBool &&
                    bool_count(both) == 2)
                    *value = to_.convert(*value, ElementType::kF32);
        }
        make_alike(both);
        const ValueId a = std::get<ValueId>(both[0]);
        const ValueId b = std::get<ValueId>(both[1]);
        if (operation.compares) return to_.compare(operation.primitive, a, b);
        return ValueId(to_.op(operation.primitive, {a, b}));
    }

    std::size_t bool_count(const std::vector<Operand>& operands) const {
        return static_cast<std::size_t>(std::ranges::count_if(operands, [&](const Operand& each) {
            const ValueId* const value = std::get_if<ValueId>(&each);
            return value != nullptr && to_.element(*value) == ElementType::kBool;
        }));
    }

    Operand called(std::string_view name, std::vector<Operand>& operands) {
        if (name == "select") return selected(operands);
        if (name == "max" || name == "min" || name == "pow" || name == "atan2" || name == "rem") {
            make_alike(operands);
            if (operands.size() != 2) fail("two operands");
            if (std::holds_alternative<double>(operands[0])) fail("a tensor");
            const char* const primitive = name == "max" ? "maximum" : name == "min" ? "minimum" : name.data();
            const std::string primitive_name =
                name == "max" || name == "min" ? std::string(primitive) : std::string(name);
            return ValueId(
                to_.op(primitive_name, {std::get<ValueId>(operands[0]), std::get<ValueId>(operands[1])}));
        }
        if (operands.size() != 1) fail("one operand");
        if (const double* number = std::get_if<double>(operands.data())) return computed(name, *number);
        const ValueId x = std::get<ValueId>(operands[0]);
        if (name == "trunc")
            return to_.select(to_.compare("LT", x, to_.full_like(x, 0)), to_.op("ceil", {x}),
                              to_.op("floor", {x}));
        if (name == "number") return to_.convert(x, ElementType::kF32);
        return ValueId(to_.op(name, {x}));
    }

    Operand selected(std::vector<Operand>& operands) {
        if (operands.size() != 3) fail("three operands");
        if (const double* number = std::get_if<double>(operands.data()))
            return *number != 0 ? operands[1] : operands[2];
        const ValueId condition = to_.truth(std::get<ValueId>(operands[0]));
        std::vector<Operand> both(operands.begin() + 1, operands.end());
        if (std::ranges::none_of(both,
                                 [](const Operand& each) { return std::holds_alternative<ValueId>(each); })) {
            const ir::TensorType type{ElementType::kF32, to_.shape(condition), {}};
            for (Operand& each : both)
                each = to_.full(type, std::get<double>(each));
        }
        make_alike(both);
        return to_.select(condition, std::get<ValueId>(both[0]), std::get<ValueId>(both[1]));
    }

    FlatBuilder& to_;
    const std::string_view text_;
    const Lookup& lookup_;
    std::size_t at_ = 0;
};

}  // namespace

Operand write_formula(FlatBuilder& to, std::string_view formula, const Lookup& lookup) {
    return Writer(to, formula, lookup).run();
}

bool takes_integers(std::string_view formula) {
    for (const char* const each : {"exp", "log", "sqrt", "sin", "cos", "tan", "erf", "cbrt", "gamma", "pow",
                                   "floor", "ceil", "trunc", "atan", "logistic", "."})
        if (formula.find(each) != std::string_view::npos) return false;
    return true;
}

}  // namespace tilemeter::trace::lowering
