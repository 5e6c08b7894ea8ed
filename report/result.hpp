// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace tilemeter::report {

// Bad input or a hostile environment, as a value: which file, where in it, what was expected, what was found.
// Empty parts are left out of the message.
struct Error {
    std::string file;
    std::string position;  // "byte 4711", "node 17, params.address"
    std::string expected;
    std::string found;
    bool wrong_usage = false;  // the call was wrong, whatever is in the files: a command's exit status is 2

    [[nodiscard]] std::string message() const;  // always one line, valid UTF-8
};

// Either a T or the reason why there is none.
template <class T>
class [[nodiscard]] Result {
public:
    Result(T value) : state_(std::move(value)) {}
    Result(Error error) : state_(std::move(error)) {}

    [[nodiscard]] bool ok() const { return state_.index() == 0; }
    explicit operator bool() const { return ok(); }
    // REQUIRES: ok()
    T& value() & { return *std::get_if<0>(&state_); }
    const T& value() const& { return *std::get_if<0>(&state_); }
    T&& value() && { return std::move(*std::get_if<0>(&state_)); }
    T& operator*() & { return value(); }
    T* operator->() { return &value(); }
    // REQUIRES: !ok()
    [[nodiscard]] const Error& error() const { return *std::get_if<1>(&state_); }

private:
    std::variant<T, Error> state_;
};

// A Result without a value: success costs no allocation.
class [[nodiscard]] Status {
public:
    Status() = default;
    Status(Error error) : error_(std::move(error)) {}

    [[nodiscard]] bool ok() const { return !error_.has_value(); }
    explicit operator bool() const { return ok(); }
    // REQUIRES: !ok()
    [[nodiscard]] const Error& error() const { return *error_; }

private:
    std::optional<Error> error_;
};

}  // namespace tilemeter::report
