// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A place in a text that is being parsed: looks at what comes next, moves on, or says where it found what instead
// of what.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "capture/ir/error.hpp"

namespace tilemeter::ir::internal {

class TextCursor {
public:
    explicit TextCursor(std::string_view text, std::size_t from = 0) : text_(text), at_(from) {}

    /// Throws Error (kSyntax): line, column, what comes next, what was expected.
    [[noreturn]] void refuse(std::string_view expected) const { refuse_at(at_, expected); }
    [[noreturn]] void refuse_at(std::size_t offset, std::string_view expected) const;
    /// "line 3, column 7: "
    [[nodiscard]] std::string position(std::size_t offset) const;

    /// Past blanks, line ends and comments.
    void skip_space();
    [[nodiscard]] bool at_end() const { return at_ == text_.size(); }
    [[nodiscard]] std::size_t offset() const { return at_; }
    [[nodiscard]] std::size_t size() const { return text_.size(); }
    /// '\0' at the end.
    [[nodiscard]] char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

    /// All of the following skip space first.

    /// True if the next character is this one; then it is past it.
    bool accept(char c);
    void expect(char c, std::string_view expected);
    /// A keyword, not followed by a letter, digit or underscore.
    bool accept(std::string_view word);
    [[nodiscard]] char next();

    /// Letters, digits and underscores; "" if another character comes first.
    std::string_view word();
    /// The characters that numbers, true, false, inf and nan(0x...) consist of.
    std::string_view number();
    /// A decimal count that fits.
    std::uint64_t count(std::string_view expected);
    /// A word that is an identifier, or a text between quotes.
    std::string name(std::string_view expected);
    /// A text between quotes.
    std::string quoted(std::string_view expected);
    /// As name(), with the characters that names of operations may have.
    std::string operation(std::string_view expected);

private:
    template <class Condition>
    std::string_view run_of(const Condition& condition);

    std::string_view text_;
    std::size_t at_;
};

}  // namespace tilemeter::ir::internal
