// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A call of a definition (definition.hpp) with its types erased: what happens around its body is code for each type of
// result, not for each operation.

#pragma once

#include <optional>
#include <type_traits>
#include <typeinfo>
#include <vector>

#include "runtime/operations/core/call_watcher.hpp"
#include "runtime/operations/core/operation_scope.hpp"

namespace tilemeter::internal {

/// Tells the recorder of a traced function, if the calling thread is in one, with what an operation is called.
void note_call(const std::type_info& definition, const void* arguments);

// The common part of a definition's calls.
struct CallSite {
    const std::type_info* definition;
    const OperationName& (*scope_name)(const void* arguments);
    void (*begin_scope)(record::TextId name, const void* arguments);
};

// The body of a call with its type erased.
template <typename Result>
struct CallBody {
    const void* context;
    Result (*run)(const void* context);

    Result operator()() const { return run(context); }
};

// Inlined into run_call(): a planned operation would pay 4 % for a call more.
template <typename Result>
[[gnu::always_inline]] inline Result run_in_operation(const CallSite& site, const void* arguments,
                                                      const CallBody<Result>& body) {
    const CallStyle style = call_style();
    const record::TextId name = site.scope_name(arguments).in_style(style);
    if (!record::recording()) {
        const ScopedUserOperation scope(name);
        return body();
    }
    note_call(*site.definition, arguments);
    record::end_functions_left_open();
    const ScopedUserOperation scope(name);
    if (style == CallStyle::kBare) [[unlikely]]
        return body();
    site.begin_scope(name, arguments);
    return run_in_scope(name, body);
}

template <typename Result>
Result run_call(const CallSite& site, const void* arguments, CallBody<Result> body) {
    if constexpr (std::is_void_v<Result>) {
        run_in_operation(site, arguments, body);
    } else {
        const WatchedCall watched(*site.definition, arguments);
        Result result = run_in_operation(site, arguments, body);
        watched.end(result);
        return result;
    }
}
extern template Tensor run_call(const CallSite& site, const void* arguments, CallBody<Tensor> body);
extern template std::vector<Tensor> run_call(const CallSite& site, const void* arguments,
                                             CallBody<std::vector<Tensor>> body);
extern template std::vector<std::optional<Tensor>> run_call(
    const CallSite& site, const void* arguments, CallBody<std::vector<std::optional<Tensor>>> body);

}  // namespace tilemeter::internal
