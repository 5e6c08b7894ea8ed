// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/device/allocation.hpp"

namespace tilemeter {

record::TextId& ScopedUserOperation::current() {
    static constinit thread_local record::TextId the_operation = record::TextId::kNone;
    return the_operation;
}

}  // namespace tilemeter
