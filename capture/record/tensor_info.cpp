// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/record/tensor_info.hpp"

#include "capture/record/internal/definition_table.hpp"

namespace tilemeter::record {

namespace {

using TensorInfoTable = internal::EncodedTable<TensorInfo, TensorSpecId>;

TensorInfoTable& tensor_infos() {
    static auto& the_table = *new TensorInfoTable(internal::DefinitionKind::kTensor);  // as the texts
    return the_table;
}

}  // namespace

TensorSpecId intern(const TensorInfo& info) {
    return tensor_infos().intern(info);
}
TensorInfo tensor_info_of(TensorSpecId id) {
    return tensor_infos().of(id);
}

namespace internal {
void publish_tensors() {
    tensor_infos().table().publish_all();
}
}  // namespace internal

}  // namespace tilemeter::record
