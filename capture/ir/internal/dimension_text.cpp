// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/ir/internal/dimension_text.hpp"

#include <string>

#include "capture/ir/error.hpp"
#include "capture/ir/internal/quoted.hpp"

namespace tilemeter::ir::internal {
namespace {

/// Expressions in a text. Recursion is bounded.
class DimensionReader {
public:
    explicit DimensionReader(TextCursor& cursor) : cursor_(cursor) {}

    Dim sum() {
        const std::size_t at = cursor_.offset();
        if (++depth_ > kMostDepth) cursor_.refuse("a dimension that nests less");
        Dim total = product();
        for (;;) {
            if (cursor_.accept('+'))
                total = checked(at, [&] { return checked_sum(total, product()); });
            else if (cursor_.accept('-'))
                total = checked(at, [&] { return checked_sum(total, checked_product(-1, product())); });
            else
                break;
        }
        --depth_;
        return total;
    }

private:
    static constexpr int kMostDepth = 32;
    static constexpr std::uint64_t kMostPower = 64;

    // The position of what is too large, or divided by 0.
    template <class Step>
    Dim checked(std::size_t at, const Step& step) {
        try {
            return step();
        } catch (const Error& error) {
            if (error.kind() == ErrorKind::kSyntax) throw;
            throw Error(ErrorKind::kSyntax, cursor_.position(at) + error.what());
        }
    }

    Dim product() {
        const std::size_t at = cursor_.offset();
        Dim total = power();
        while (cursor_.accept('*'))
            total = checked(at, [&] { return checked_product(total, power()); });
        return total;
    }

    Dim power() {
        bool is_negative = false;
        while (cursor_.accept('-'))
            is_negative = !is_negative;
        const std::size_t at = cursor_.offset();
        Dim base = primary();
        if (cursor_.accept('^')) {
            const std::size_t exponent_at = cursor_.offset();
            const std::uint64_t exponent = cursor_.count("an exponent");
            if (exponent > kMostPower) cursor_.refuse_at(exponent_at, "an exponent up to 64");
            Dim result(1);
            for (std::uint64_t i = 0; i < exponent; ++i)
                result = checked(at, [&] { return checked_product(result, base); });
            base = result;
        }
        return is_negative ? checked(at, [&] { return -base; }) : base;
    }

    Dim primary() {
        if (cursor_.accept('(')) {
            const Dim inner = sum();
            cursor_.expect(')', "')'");
            return inner;
        }
        const char next = cursor_.next();
        if (is_digit(next)) {
            const std::size_t at = cursor_.offset();
            const std::uint64_t number = cursor_.count("a number below 2^62");
            if (number >= static_cast<std::uint64_t>(-Dim::kLeastNumber))
                cursor_.refuse_at(at, "a number below 2^62");
            return {static_cast<std::int64_t>(number)};
        }
        if (!is_name_start(next)) cursor_.refuse("a number or the name of a dimension");
        const std::size_t at = cursor_.offset();
        const std::string word(cursor_.word());
        if (is_dimension_name(word)) return Dim::named(word);
        cursor_.expect('(', "'(' and the operands of " + word);
        Dim result = sum();
        std::size_t count = 1;
        while (cursor_.accept(',')) {
            const Dim next_operand = sum();
            ++count;
            result = checked(at, [&] {
                return word == "min"   ? ir::min(result, next_operand)
                       : word == "max" ? ir::max(result, next_operand)
                       : word == "mod" ? ir::mod(result, next_operand)
                                       : ir::floordiv(result, next_operand);
            });
        }
        cursor_.expect(')', "',' or ')'");
        const bool is_extreme = word == "min" || word == "max";
        if (is_extreme ? count < 2 : count != 2)
            cursor_.refuse_at(at, is_extreme ? "at least two operands" : "two operands");
        return result;
    }

    TextCursor& cursor_;
    int depth_ = 0;
};

}  // namespace

Dim read_dimension(TextCursor& cursor) {
    cursor.skip_space();
    return DimensionReader(cursor).sum();
}

Constraint read_constraint(TextCursor& cursor) {
    const Dim left = read_dimension(cursor);
    Relation relation = Relation::kEqual;
    if (cursor.accept('>')) {
        relation = cursor.accept('=') ? Relation::kGreaterEqual : Relation::kGreater;
    } else if (cursor.accept('<')) {
        relation = cursor.accept('=') ? Relation::kLessEqual : Relation::kLess;
    } else {
        cursor.expect('=', "'==', '>=', '<=', '>' or '<'");
        cursor.expect('=', "'=='");
    }
    return {left, relation, read_dimension(cursor)};
}

}  // namespace tilemeter::ir::internal
