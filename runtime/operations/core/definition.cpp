// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/core/definition.hpp"

#include "runtime/device/call_recorder.hpp"

namespace tilemeter {

const OperationName& LazyOperationName::intern() const {
    const OperationName* made = new OperationName(name_);
    const OperationName* earlier = nullptr;
    if (interned_.compare_exchange_strong(earlier, made, std::memory_order_acq_rel)) return *made;
    delete made;  // another thread was faster
    return *earlier;
}

void internal::note_call(const std::type_info& definition, const void* arguments) {
    if (CallRecorder* const recorder = call_recorder(); recorder != nullptr)
        recorder->on_call(definition, arguments);
}

template Tensor internal::run_call(const CallSite& site, const void* arguments, CallBody<Tensor> body);
template std::vector<Tensor> internal::run_call(const CallSite& site, const void* arguments,
                                                CallBody<std::vector<Tensor>> body);
template std::vector<std::optional<Tensor>> internal::run_call(
    const CallSite& site, const void* arguments, CallBody<std::vector<std::optional<Tensor>>> body);

}  // namespace tilemeter
