// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// What lies under tensors: the memory of a device as bytes, parts of chips as a whole, the cores of shards.

#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "tilemeter_ttnn/enums.hpp"
#include "tilemeter_ttnn/storage.hpp"
#include "tilemeter_ttnn/tensor.hpp"
#include "tt_stl/optional_reference.hpp"

namespace ttnn {

/// The tensor in `tensor`, for as long as that lives; none where there is none. Throws std::runtime_error for one on the host.
ttsl::optional_reference<const tt::tt_metal::MeshTensor> as_optional_mesh_tensor(
    const std::optional<Tensor>& tensor);

/// Another tensor, with an id of its own, in the same memory.
Tensor set_tensor_id(const Tensor& tensor);
/// The memory of a device tensor as one of another layout, without any change to what lies there. Throws std::runtime_error
/// for a tensor on the host, and where the other layout takes another number of bytes.
Tensor unchecked_reinterpret_layout(const Tensor& tensor, Layout layout);

// Bytes of a device tensor as they lie in its rows, one pointer for all chips: those of a mesh get and have the same ones. Throw
// std::runtime_error for a tensor on the host, for none or several pointers, and as copy_to_device and copy_to_host do.
void write_buffer(QueueId queue, Tensor& to, std::vector<std::shared_ptr<void>> from,
                  const std::optional<tt::tt_metal::BufferRegion>& region = std::nullopt);
/// Throws for an `offset`, too.
void read_buffer(QueueId queue, Tensor& from, std::vector<std::shared_ptr<void>> to,
                 const std::optional<tt::tt_metal::BufferRegion>& region = std::nullopt,
                 std::size_t offset = 0, bool blocking = true);

/// The cores that hold shards, in the order of the shards; for shards in DRAM those that read its banks best. Throws
/// std::runtime_error for a tensor without shards, and on the host.
std::vector<CoreCoord> get_optimal_worker_cores_for_sharded_tensor(
    const Tensor& tensor, tt::tt_metal::NOC noc = tt::tt_metal::NOC::RISCV_0_default);

namespace distributed {
/// The tensor whose parts get_device_tensors() gave. Throws std::runtime_error for those of several tensors, for a part twice,
/// for some of the parts, and on the host.
Tensor combine_device_tensors(const std::vector<Tensor>& tensor_shards, int shard_dim = 0);
}  // namespace distributed

}  // namespace ttnn
