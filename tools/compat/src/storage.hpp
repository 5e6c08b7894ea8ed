// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Where the model's tensors lie, in TT-NN's types.

#pragma once

#include "runtime/tensor/tensor.hpp"
#include "tilemeter_ttnn/storage.hpp"

namespace tilemeter::compat {

::tt::tt_metal::TensorTopology topology_of(const Tensor& tensor);
/// REQUIRES: a tensor on the host.
::tt::tt_metal::HostStorage host_storage_of(const Tensor& tensor);

}  // namespace tilemeter::compat
