// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Refusals of the model in the form of TT-NN's, for its clients:
//
//     TT_FATAL @ eltwise.cpp:210: ttnn::add
//     info:
//     add: ...
//
// The place is that of the function that was called, the condition its name: the model's refusals have neither.

#pragma once

#include <exception>
#include <source_location>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

namespace tilemeter::compat {

/// A client's call of a function of TT-NN's, from its construction, in its thread. What processors threw when memory was freed
/// within it, in destructors, leaves the outermost one by end().
class ClientCall {
public:
    ClientCall();
    ~ClientCall();
    ClientCall(const ClientCall&) = delete;
    ClientCall& operator=(const ClientCall&) = delete;
    void end();

    /// Keeps the exception that is handled for the call that is open; false without one.
    static bool keep_thrown();

private:
    std::exception_ptr thrown_;
};

/// What TT_FATAL or TT_THROW throws. The model's exception, with its figures, is nested in it.
class Fatal : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Throws it for the exception that is handled, if that is one of the model's; others as they are.
[[noreturn]] void rethrow_as_fatal(std::string_view condition, const std::source_location& place);

/// Throws what TT_FATAL(condition, text) throws.
[[noreturn]] void refuse_as_fatal(std::string_view condition, const std::string& text,
                                  std::source_location place = std::source_location::current());
/// Throws what TT_THROW(text) throws.
[[noreturn]] void refuse_as_thrown(const std::string& text,
                                   std::source_location place = std::source_location::current());

/// Calls `function`; what the model refuses becomes Fatal.
template <typename Function>
auto as_fatal(std::string_view condition, const Function& function,
              std::source_location place = std::source_location::current()) {
    try {
        ClientCall call;
        if constexpr (std::is_void_v<decltype(function())>) {
            function();
            call.end();
        } else {
            auto result = function();
            call.end();
            return result;
        }
    } catch (...) {
        rethrow_as_fatal(condition, place);
    }
}

}  // namespace tilemeter::compat
