// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/device/rules/call_tensors.hpp"

#include "runtime/trace/device/record/internal/call_arguments.hpp"

namespace tilemeter::trace::backward {

const char* list_tensors(const std::type_info& definition, const void* arguments,
                         std::vector<GivenTensor>& tensors) {
    return internal::visit_tensors(
        definition, arguments,
        [](void* context, std::string_view parameter, bool is_output, const Tensor& tensor) {
            static_cast<std::vector<GivenTensor>*>(context)->push_back({parameter, is_output, &tensor});
        },
        &tensors);
}

}  // namespace tilemeter::trace::backward
