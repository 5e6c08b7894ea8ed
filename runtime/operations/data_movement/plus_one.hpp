// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// plus_one: counters of tokens, counted on.

#pragma once

#include "runtime/operations/core/definition.hpp"

namespace tilemeter {

struct PlusOne {
    Tensor input_tensor{};           ///< INT32 or UINT32, ROW_MAJOR
    OptionalCores sub_core_grids{};  ///< the first of them does it
    bool skip_negative_entries = false;

    static constexpr OperationInfo kOperation{"plus_one",
                                              "One more in place, returned. int32 or uint32, ROW_MAJOR."};
    static constexpr auto kParameters =
        parameters(required<&PlusOne::input_tensor>(), optional<&PlusOne::sub_core_grids>().unrecorded(),
                   optional<&PlusOne::skip_negative_entries>());
    Tensor body() const;
};

inline constexpr Operation<PlusOne> plus_one;

}  // namespace tilemeter
