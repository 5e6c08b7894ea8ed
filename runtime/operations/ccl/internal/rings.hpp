// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The chips of a mesh that exchange values, what each of them gets, and what the operations between them require.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runtime/device/device_description.hpp"
#include "runtime/operations/core/device_operation.hpp"
#include "runtime/tensor/tensor.hpp"

namespace tilemeter {

/// The largest load of a packet between chips, in bytes.
inline constexpr std::uint64_t kPacketBytes = 4352;
/// What goes before the load.
inline constexpr std::uint64_t kPacketHeaderBytes = 48;

/// A word on every core by which chips tell each other how far they are.
TensorSpec semaphore_spec(const DeviceDescription& device);

/// The chips that exchange values, by their places row by row in the mesh: those of each column along axis 0, of each row
/// along axis 1, all of them along none.
struct Rings {
    MeshShape mesh;
    std::optional<int> axis{};

    std::uint32_t size() const { return !axis ? mesh.size() : *axis == 0 ? mesh.rows : mesh.columns; }
    std::uint32_t count() const { return mesh.size() / size(); }
    std::size_t chip(std::size_t ring, std::size_t place) const {
        if (!axis) return place;
        return *axis == 0 ? place * mesh.columns + ring : ring * mesh.columns + place;
    }

    /// By chip, each ring's arrays one after the other along `dim`, or the last chip's first. `output`: of one chip.
    std::vector<HostArray> gather(ArraysView input_by_chip, std::size_t dim, const TensorSpec& output,
                                  bool reversed = false) const;
    /// By chip, its part along `dim` of the sum of its ring's arrays.
    std::vector<HostArray> scatter(ArraysView input_by_chip, std::size_t dim, const TensorSpec& output) const;
};

/// The results of a reduce_scatter among `ring_size` chips: the part of each chip, and the places of the sums of half
/// the way, one place for each of two directions.
struct ScatteredSpecs {
    TensorSpec part;
    TensorSpec halfway;
};
ScatteredSpecs scattered_specs(const TensorSpec& input, std::size_t dim, std::uint32_t ring_size,
                               const MemoryConfig& memory_config);

/// The links between two chips that a program uses, and in each direction of one the cores that work for it.
struct Links {
    std::uint32_t count = 1;
    std::optional<std::uint32_t> workers{};  ///< none: by how much goes over them

    static Links of(const DeviceDescription& device) { return {device.mesh.links}; }
};

/// The memory of a reduce_scatter's program on the cores that add up.
std::vector<ProgramMemory> reduce_scatter_buffers(const TensorSpec& input, const TensorSpec& part,
                                                  std::uint32_t ring_size, const Links& links,
                                                  const DeviceDescription& device);

/// Along which axes, one after the other, a collective goes that was asked for `cluster_axis`. Throws RuntimeError for
/// another axis than 0 and 1, and without a fabric.
std::vector<Rings> rings_of(const Tensor& input, std::optional<int> cluster_axis);

/// Throws RuntimeError.
void require_interleaved(const std::string& operation, const TensorSpec& input, const MemoryConfig& result);

/// Throws RuntimeError unless a reduce_scatter takes that input.
void require_scattered(const std::string& operation, const TensorSpec& input, std::size_t dim,
                       std::uint32_t ring_size, const MemoryConfig& result);

/// Throws RuntimeError where a reduce_scatter would have to cut tiles: into parts that are equal, but no whole tiles.
void require_whole_parts(const std::string& operation, const Shape& shape, std::size_t dim,
                         std::uint32_t chips);

/// The last dimension of which each chip can have as many whole tiles, if there is one.
std::optional<std::size_t> shared_dimension(const Shape& shape, std::uint32_t chips);

}  // namespace tilemeter
