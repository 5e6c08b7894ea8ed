// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/core/definition.hpp"

namespace tilemeter {

const OperationName& LazyOperationName::intern() const {
    const OperationName* made = new OperationName(name_);
    const OperationName* earlier = nullptr;
    if (interned_.compare_exchange_strong(earlier, made, std::memory_order_acq_rel)) return *made;
    delete made;  // another thread was faster
    return *earlier;
}

}  // namespace tilemeter
