// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A recorded call as rules read it: its tensors by the names of their parameters, all else that it was given by theirs.
// It is an equation of a graph (lowering_call.hpp) or of a record of gradients (gradient_call.hpp).

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "capture/ir/attributes.hpp"

namespace tilemeter::trace::rules {

using ir::Integers;

/// Calls visit for each of the names, which a separator parts.
template <typename Visit>
void for_each_name(std::string_view names, char separator, Visit visit) {
    while (!names.empty()) {
        const std::string_view name = names.substr(0, names.find(separator));
        visit(name);
        names.remove_prefix(std::min(names.size(), name.size() + 1));
    }
}

/// The numbers of a text such as "[0, 2]".
Integers numbers_in(std::string_view text);

/// 0, 1, 2 ... in all.
Integers all_axes(std::size_t rank);

/// Several names may be given, with bars: "input_tensor_a|input", of which the first that is there counts.
class CallReader {
public:
    /// "ttnn.softmax"
    [[nodiscard]] virtual std::string name() const = 0;
    /// The number of tensors that it was given.
    [[nodiscard]] virtual std::size_t size() const = 0;

    /// Among the operands, that of a parameter.
    [[nodiscard]] std::optional<std::size_t> position(std::string_view parameters) const;
    /// Throws as refuse() where there is none.
    [[nodiscard]] std::size_t at(std::string_view parameters) const;

    [[nodiscard]] bool has(std::string_view argument) const;
    /// A number or bool.
    [[nodiscard]] std::optional<double> find_number(std::string_view arguments) const;
    /// Throws as refuse() where there is none.
    [[nodiscard]] double number(std::string_view argument) const;
    [[nodiscard]] double number(std::string_view argument, double otherwise) const {
        return find_number(argument).value_or(otherwise);
    }
    /// As operations take it.
    [[nodiscard]] float single(std::string_view argument, double otherwise) const {
        return static_cast<float>(number(argument, otherwise));
    }
    [[nodiscard]] std::int64_t integer(std::string_view argument, std::int64_t otherwise) const {
        return static_cast<std::int64_t>(number(argument, static_cast<double>(otherwise)));
    }
    [[nodiscard]] bool flag(std::string_view argument, bool otherwise = false) const {
        return number(argument, otherwise ? 1.0 : 0.0) != 0.0;
    }
    /// Empty where it is no text.
    [[nodiscard]] std::string text(std::string_view argument) const;
    /// A list or one number; none: not given. Throws as refuse() where it is something else.
    [[nodiscard]] std::optional<Integers> integers(std::string_view argument) const;
    [[nodiscard]] std::vector<double> numbers(std::string_view argument) const;
    [[nodiscard]] std::optional<ir::Booleans> booleans(std::string_view argument) const;
    [[nodiscard]] std::vector<std::string> texts(std::string_view argument) const;
    /// An axis, counted from the front.
    [[nodiscard]] std::int64_t axis(std::string_view argument, std::int64_t otherwise,
                                    std::size_t rank) const;
    /// One, several, or all where none is given; counted from the front.
    [[nodiscard]] Integers axes(std::string_view argument, std::size_t rank) const;

    /// Throws ir::Error (kNoRule): the rule does not take such a call.
    [[noreturn]] void refuse(const std::string& why) const;
    void require(bool fits, const char* why) const {
        if (!fits) refuse(why);
    }

protected:
    /// `column`: of the table of rules, "lower" or "vjp".
    explicit CallReader(std::string_view column) : column_(column) {}
    ~CallReader() = default;

    /// Null: not given. `room` is for one that has to be made.
    virtual const ir::Attribute* argument(std::string_view name,
                                          std::optional<ir::Attribute>& room) const = 0;
    /// The parameter that an operand was given for; empty: not known.
    [[nodiscard]] virtual std::string_view parameter(std::size_t operand) const = 0;

private:
    template <typename T>
    std::optional<T> find(std::string_view name) const;

    std::string_view column_;
};

}  // namespace tilemeter::trace::rules
