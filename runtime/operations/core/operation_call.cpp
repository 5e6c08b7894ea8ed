// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/core/operation_call.hpp"

#include "runtime/device/call_recorder.hpp"

namespace tilemeter::internal {

void note_call(const std::type_info& definition, const void* arguments) {
    if (CallRecorder* const recorder = call_recorder(); recorder != nullptr)
        recorder->on_call(definition, arguments);
}

template Tensor run_call(const CallSite& site, const void* arguments, CallBody<Tensor> body);
template std::vector<Tensor> run_call(const CallSite& site, const void* arguments,
                                      CallBody<std::vector<Tensor>> body);
template std::vector<std::optional<Tensor>> run_call(const CallSite& site, const void* arguments,
                                                     CallBody<std::vector<std::optional<Tensor>>> body);

}  // namespace tilemeter::internal
