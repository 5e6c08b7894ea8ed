// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// In the place of PyTorch's ATen/core/ivalue.h, which is most of what the hooks would have to read: record_function.h, which
// includes it, has values in containers only, and the hooks look at none. A release for which that does not hold is compiled
// with PyTorch's own (tools/python/tilemeter/_src/live/library.py).

#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <c10/util/ArrayRef.h>

namespace c10 {

/// As large as PyTorch's.
struct IValue {
    std::uint64_t payload;
    std::uint64_t tag;
};

struct FunctionSchema;

}  // namespace c10

namespace at {
using c10::IValue;
}  // namespace at
