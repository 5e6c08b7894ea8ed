// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Dimensions, constraints, shapes and types that are texts of their own.

#include <string>
#include <string_view>

#include "capture/ir/error.hpp"
#include "capture/ir/internal/dimension_text.hpp"
#include "capture/ir/internal/quoted.hpp"
#include "capture/ir/internal/text_values.hpp"
#include "capture/ir/sizes.hpp"

namespace tilemeter::ir {
namespace {

// A dimension that is read from a text of its own has a column and no line.
template <class Step>
auto in_text(std::string_view text, const Step& step, std::string_view after = "an operator or the end") {
    try {
        internal::TextCursor cursor(text);
        if (const std::size_t comment = text.find("//"); comment != std::string_view::npos)
            cursor.refuse_at(comment, "floordiv(a, b) for a quotient rounded down");
        const auto result = step(cursor);
        if (cursor.next() != '\0' || !cursor.at_end()) cursor.refuse(after);
        return result;
    } catch (const Error& error) {
        std::string message = error.what();
        if (const auto column = message.find("column "); column != std::string::npos)
            message.erase(0, column);
        std::string quoted;
        internal::append_quoted(quoted, text);
        throw Error(ErrorKind::kSyntax, quoted + ": " + message);
    }
}

}  // namespace

Shape parse_shape(std::string_view text) {
    return in_text(text, [](internal::TextCursor& cursor) {
        Shape shape;
        if (cursor.next() == '\0') return shape;
        do {
            const std::size_t at = cursor.offset();
            const Dim dim = internal::read_dimension(cursor);
            if (dim.is_negative_number()) cursor.refuse_at(at, "a dimension of at least 0");
            shape.push_back(dim.value());
        } while (cursor.accept(','));
        return shape;
    });
}

TensorType parse_type(std::string_view text) {
    return in_text(text, internal::read_type, "the end");
}

Dim Dim::parse(std::string_view text) {
    return in_text(text, [](internal::TextCursor& cursor) { return internal::read_dimension(cursor); });
}

Constraint Constraint::parse(std::string_view text) {
    return in_text(text, [](internal::TextCursor& cursor) { return internal::read_constraint(cursor); });
}

}  // namespace tilemeter::ir
