// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Types of arguments: those that may be left out, and those that change nothing or are not modelled.

#pragma once

#include <optional>
#include <string>
#include <type_traits>

#include "runtime/operations/core/require.hpp"
#include "runtime/tensor/tensor.hpp"
#include "runtime/types/core_range.hpp"

namespace tilemeter {

using OptionalMemoryConfig = std::optional<MemoryConfig>;
using OptionalDataType = std::optional<DataType>;
using OptionalTensor = std::optional<Tensor>;
using OptionalCores = std::optional<CoreRangeSet>;

/// An argument that TT-NN takes and that changes nothing here: any value is accepted.
struct Ignored {};

/// An argument of TT-NN's that is not modelled: refused in call() unless it is None.
struct NotModelled {
    bool is_given = false;
};

/// Throws NotModelledError, in one line, if it is given.
inline void require_none(NotModelled value, const char* operation, const char* argument) {
    require_modelled(!value.is_given, operation, ": ", argument,
                     ": expected None, other values are not modelled");
}

/// An argument of which only TT-NN's default is modelled: None, an empty list, tiles of 32 x 32.
/// require_default() in call() refuses others.
struct OnlyDefault {
    std::string given{};   ///< another value as Python writes it; empty: the default
    bool is_list = false;  ///< the default is an empty list, else None
};
inline void require_default(const OnlyDefault& argument, const char* name) {
    require_modelled(argument.given.empty(), name, ": expected None, got ", argument.given,
                     ", which is not modelled");
}

/// Global semaphores, by which the chips of a collective tell each other how far they are. They are in memory already: what
/// counts is whether there are any.
struct GivenSemaphores {
    bool are_given = false;
};

/// None of these is listed by recorded scopes.
template <typename Value>
inline constexpr bool kIsNoArgument =
    std::is_same_v<Value, Ignored> || std::is_same_v<Value, NotModelled> ||
    std::is_same_v<Value, OnlyDefault> || std::is_same_v<Value, GivenSemaphores>;

}  // namespace tilemeter
