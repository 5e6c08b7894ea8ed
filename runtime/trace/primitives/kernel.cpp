// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/primitives/internal/kernel.hpp"

#include <unordered_map>

namespace tilemeter::trace::internal {

Kernel find_kernel(std::string_view primitive) {
    static const std::unordered_map<std::string_view, Kernel> kKernels = [] {
        std::unordered_map<std::string_view, Kernel> all;
        for (const auto& part : {elementwise_kernels(), movement_kernels(), reduction_kernels(),
                                 product_kernels(), window_kernels(), index_kernels()})
            for (const NamedKernel& each : part)
                all.emplace(each.primitive, each.kernel);
        return all;
    }();
    const auto found = kKernels.find(primitive);
    return found == kKernels.end() ? nullptr : found->second;
}

}  // namespace tilemeter::trace::internal
