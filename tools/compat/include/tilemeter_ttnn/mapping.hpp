// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The spread of a tensor over the chips of a mesh, and the way back.

#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "tilemeter_ttnn/mapping_config.hpp"
#include "tilemeter_ttnn/mesh.hpp"
#include "tilemeter_ttnn/tensor.hpp"

namespace ttnn::distributed {
using tt::tt_metal::distributed::MeshComposerConfig;
using tt::tt_metal::distributed::MeshMapperConfig;

/// Spreads a host tensor over chips. These throw std::runtime_error where the placements do not fit the mesh.
class TensorToMesh {
public:
    static TensorToMesh create(const MeshDevice& mesh_device, const MeshMapperConfig& config);
    static TensorToMesh create(const MeshShape& mesh_shape, const MeshMapperConfig& config);
    /// The host tensor with a part for each chip, row by row. Throws std::runtime_error unless the parts are equal.
    Tensor operator()(const Tensor& tensor) const;
    const MeshMapperConfig& config() const { return config_; }

private:
    TensorToMesh(MeshShape shape, MeshMapperConfig config)
        : shape_(std::move(shape)), config_(std::move(config)) {}
    MeshShape shape_;
    MeshMapperConfig config_;
};

/// Puts the parts of chips together, on the host.
class MeshToTensor {
public:
    static MeshToTensor create(const MeshDevice& mesh_device, const MeshComposerConfig& config);
    Tensor compose(const Tensor& tensor) const;

private:
    MeshToTensor(MeshShape shape, MeshComposerConfig config)
        : shape_(std::move(shape)), config_(std::move(config)) {}
    MeshShape shape_;
    MeshComposerConfig config_;
};

std::unique_ptr<TensorToMesh> create_mesh_mapper(MeshDevice& mesh_device, const MeshMapperConfig& config);
std::unique_ptr<TensorToMesh> create_mesh_mapper(const MeshShape& mesh_shape, const MeshMapperConfig& config);
std::unique_ptr<TensorToMesh> replicate_tensor_to_mesh_mapper(MeshDevice& mesh_device);
/// Parts along `dim`: over all chips, or, with `cluster_axis`, over those of one axis of the mesh.
std::unique_ptr<TensorToMesh> shard_tensor_to_mesh_mapper(MeshDevice& mesh_device, int dim,
                                                          std::optional<int> cluster_axis = std::nullopt);
std::unique_ptr<MeshToTensor> create_mesh_composer(MeshDevice& mesh_device, const MeshComposerConfig& config);
std::unique_ptr<MeshToTensor> concat_mesh_to_tensor_composer(MeshDevice& mesh_device, int dim);
Tensor distribute_tensor(const Tensor& tensor, const TensorToMesh& mapper,
                         std::optional<std::reference_wrapper<MeshDevice>> mesh_device = std::nullopt,
                         std::optional<QueueId> queue = std::nullopt);
Tensor aggregate_tensor(const Tensor& tensor, const MeshToTensor& composer);
/// The tensors as the parts of one, on the chips of a mesh in their order; all of one shape.
Tensor from_host_shards(const std::vector<Tensor>& tensor_shards, const MeshShape& mesh_shape,
                        int shard_dim = 0);
}  // namespace ttnn::distributed
