// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/device/rules/call_reader.hpp"

#include <cctype>
#include <numeric>
#include <variant>

#include "capture/ir/error.hpp"

namespace tilemeter::trace::rules {

Integers numbers_in(std::string_view text) {
    Integers numbers;
    bool is_in_number = false;
    for (const char each : text) {
        const bool is_digit = std::isdigit(static_cast<unsigned char>(each)) != 0;
        if (is_digit && !is_in_number) numbers.push_back(0);
        if (is_digit) numbers.back() = numbers.back() * 10 + (each - '0');
        is_in_number = is_digit;
    }
    return numbers;
}

Integers all_axes(std::size_t rank) {
    Integers axes(rank);
    std::iota(axes.begin(), axes.end(), 0);
    return axes;
}

std::optional<std::size_t> CallReader::position(std::string_view parameters) const {
    std::optional<std::size_t> found;
    for_each_name(parameters, '|', [&](std::string_view name) {
        for (std::size_t i = 0; i < size() && !found; ++i)
            if (parameter(i) == name) found = i;
    });
    return found;
}

std::size_t CallReader::at(std::string_view parameters) const {
    const std::optional<std::size_t> found = position(parameters);
    if (!found) refuse(std::string(parameters) + " is missing: it is not given, or lies on the host");
    return *found;
}

template <typename T>
std::optional<T> CallReader::find(std::string_view name) const {
    std::optional<ir::Attribute> room;
    const ir::Attribute* const found = argument(name, room);
    const T* const value = found == nullptr ? nullptr : std::get_if<T>(found);
    return value == nullptr ? std::nullopt : std::optional(*value);
}

bool CallReader::has(std::string_view name) const {
    std::optional<ir::Attribute> room;
    return argument(name, room) != nullptr;
}

std::optional<double> CallReader::find_number(std::string_view arguments) const {
    std::optional<double> number;
    for_each_name(arguments, '|', [&](std::string_view name) {
        if (number) return;
        std::optional<ir::Attribute> room;
        const ir::Attribute* const found = argument(name, room);
        if (found == nullptr) return;
        if (const auto* integer = std::get_if<std::int64_t>(found)) number = static_cast<double>(*integer);
        if (const auto* real = std::get_if<double>(found)) number = *real;
        if (const auto* truth = std::get_if<bool>(found)) number = *truth ? 1.0 : 0.0;
    });
    return number;
}

double CallReader::number(std::string_view argument) const {
    const std::optional<double> found = find_number(argument);
    if (!found) refuse(std::string(argument) + " is missing");
    return *found;
}

std::string CallReader::text(std::string_view argument) const {
    return find<std::string>(argument).value_or(std::string());
}

std::optional<Integers> CallReader::integers(std::string_view argument) const {
    if (const auto one = find<std::int64_t>(argument)) return Integers{*one};
    std::optional<Integers> list = find<Integers>(argument);
    if (!list && has(argument)) refuse(std::string(argument) + " is no list of integers");
    return list;
}

std::vector<double> CallReader::numbers(std::string_view argument) const {
    if (auto list = find<ir::Floats>(argument)) return *std::move(list);
    if (const auto list = find<Integers>(argument)) return {list->begin(), list->end()};
    return has(argument) ? std::vector{number(argument)} : std::vector<double>();
}

std::optional<ir::Booleans> CallReader::booleans(std::string_view argument) const {
    return find<ir::Booleans>(argument);
}

std::vector<std::string> CallReader::texts(std::string_view argument) const {
    if (auto list = find<ir::Strings>(argument)) return *std::move(list);
    return has(argument) ? std::vector{text(argument)} : std::vector<std::string>();
}

std::int64_t CallReader::axis(std::string_view argument, std::int64_t otherwise, std::size_t rank) const {
    const std::int64_t axis = integer(argument, otherwise);
    return axis < 0 ? axis + static_cast<std::int64_t>(rank) : axis;
}

Integers CallReader::axes(std::string_view argument, std::size_t rank) const {
    Integers axes = integers(argument).value_or(Integers());
    if (axes.empty()) return all_axes(rank);
    for (std::int64_t& axis : axes)
        if (axis < 0) axis += static_cast<std::int64_t>(rank);
    return axes;
}

void CallReader::refuse(const std::string& why) const {
    throw ir::Error(ir::ErrorKind::kNoRule,
                    name() + ": no " + std::string(column_) + " rule for such a call: " + why);
}

}  // namespace tilemeter::trace::rules
