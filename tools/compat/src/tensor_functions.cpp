// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tilemeter_ttnn/functions/tensor_functions.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>
#include <utility>

#include "runtime/tensor/tensor.hpp"
#include "tilemeter_ttnn/core_functions.hpp"
#include "tilemeter_ttnn/functions/data_movement_helpers.hpp"
#include "tools/compat/src/arguments.hpp"
#include "tools/compat/src/model.hpp"

namespace ttnn {

namespace {

using tilemeter::HostArray;
using tilemeter::compat::call;
using tilemeter::compat::returned;
using tilemeter::compat::to_argument;
using tilemeter::compat::to_model;
using Sizes = std::vector<std::uint32_t>;

Sizes sizes_of(const Shape& shape) {
    return {shape.begin(), shape.end()};
}

HostArray values_of(const Tensor& tensor, const char* function) {
    const tilemeter::Tensor& model = tensor.model();
    if (model.storage_type() != tilemeter::StorageType::HOST || !model.has_values())
        throw std::runtime_error(std::string(function) +
                                 ": expected a tensor with values on the host, found another one");
    return model.values();
}

// The elements of `from` from `source` on, as many as `count` says along each dimension, at `target` among those of `to`.
HostArray copied(const HostArray& from, const Sizes& source, HostArray to, const Sizes& target,
                 const Sizes& count) {
    const std::size_t element = from.stored_element_size();
    const auto number = [&](const tilemeter::Shape& shape, const Sizes& begin, const Sizes& place) {
        std::size_t in_whole = 0;
        for (std::size_t axis = 0; axis < place.size(); ++axis)
            in_whole = in_whole * shape.dimensions()[axis] + begin[axis] + place[axis];
        return in_whole * element;
    };
    Sizes place(count.size(), 0);
    if (std::ranges::find(count, 0U) != count.end()) return to;
    for (bool is_done = false; !is_done;) {
        std::ranges::copy(
            from.bytes().subspan(number(from.shape(), source, place), element),
            to.bytes().begin() + static_cast<std::ptrdiff_t>(number(to.shape(), target, place)));
        is_done = true;
        for (std::size_t axis = place.size(); axis-- > 0;) {
            if (++place[axis] < count[axis]) {
                is_done = false;
                break;
            }
            place[axis] = 0;
        }
    }
    return to;
}

Tensor with_shape(const Tensor& tensor, const Shape& shape, HostArray values) {
    tilemeter::TensorSpec spec = tensor.model().spec();
    spec.shape = to_model(shape);
    return tilemeter::compat::from_model(tilemeter::Tensor::on_host(std::move(spec), std::move(values)));
}

void require_inside(const char* function, const Shape& start, const Sizes& count, const Shape& whole) {
    bool is_inside = start.rank() == whole.rank() && count.size() == whole.rank();
    for (std::size_t axis = 0; is_inside && axis < count.size(); ++axis)
        is_inside = start.view()[axis] <= whole.view()[axis] &&
                    count[axis] <= whole.view()[axis] - start.view()[axis];
    if (!is_inside) throw std::runtime_error(std::string(function) + ": expected a part within the whole");
}

}  // namespace

Tensor pad(const Tensor& input_tensor, const Shape& output_shape, const Shape& start, float value) {
    const HostArray values = values_of(input_tensor, "pad");
    const Sizes count = sizes_of(input_tensor.logical_shape());
    require_inside("pad", start, count, output_shape);
    const tilemeter::Shape shape = to_model(output_shape);
    HostArray filled =
        HostArray::from_floats(std::vector<float>(shape.volume(), value), values.dtype(), shape);
    return with_shape(input_tensor, output_shape,
                      copied(values, Sizes(count.size(), 0), std::move(filled), sizes_of(start), count));
}

Tensor unpad(const Tensor& input_tensor, const Shape& start, const Shape& end) {
    const HostArray values = values_of(input_tensor, "unpad");
    Sizes count = sizes_of(end);
    for (std::size_t axis = 0; axis < count.size() && axis < start.rank(); ++axis) {
        if (start.view()[axis] > count[axis])
            throw std::runtime_error("unpad: expected an end behind the start");
        count[axis] -= start.view()[axis];
    }
    require_inside("unpad", start, count, input_tensor.logical_shape());
    HostArray part(values.dtype(), tilemeter::Shape(std::span<const std::uint32_t>(count)));
    return with_shape(input_tensor, Shape(count),
                      copied(values, sizes_of(start), std::move(part), Sizes(count.size(), 0), count));
}

Tensor pad_to_tile(const Tensor& input_tensor, float value) {
    const Shape& shape = input_tensor.logical_shape();
    return pad(input_tensor, operations::data_movement::pad_to_tile_shape(shape),
               Shape(Sizes(shape.rank(), 0)), value);
}

Tensor unpad_from_tile(const Tensor& input_tensor, const Shape& output_shape) {
    return unpad(input_tensor, Shape(Sizes(output_shape.rank(), 0)), output_shape);
}

Tensor create_device_tensor(const tt::tt_metal::TensorSpec& tensor_spec,
                            tt::tt_metal::distributed::MeshDevice* mesh_device,
                            std::optional<tt::tt_metal::TensorTopology> topology) {
    using Shard = tt::tt_metal::distributed::MeshMapperConfig::Shard;
    if (topology && std::ranges::any_of(topology->placements(),
                                        [](const auto& each) { return std::holds_alternative<Shard>(each); }))
        throw std::runtime_error(
            "create_device_tensor: topology: expected a copy on every chip, found parts; tensors become parts "
            "by a mesh mapper");
    return create_device_tensor(tensor_spec, mesh_device);
}

Tensor reshape_on_device(const Tensor& input_tensor, std::span<const std::int32_t> shape,
                         const std::optional<MemoryConfig>& memory_config) {
    if (shape.size() != 4)
        throw std::runtime_error("reshape_on_device: shape: expected four dimensions, found " +
                                 std::to_string(shape.size()));
    return returned<Tensor>(call("reshape_on_device", {{"input_tensor", to_argument(input_tensor)},
                                                       {"W", to_argument(shape[0])},
                                                       {"Z", to_argument(shape[1])},
                                                       {"Y", to_argument(shape[2])},
                                                       {"X", to_argument(shape[3])},
                                                       {"memory_config", to_argument(memory_config)}}));
}

Tensor reshape_on_device(const Tensor& input_tensor, const Shape& shape,
                         const std::optional<MemoryConfig>& memory_config) {
    return reshape_on_device(input_tensor, std::vector<std::int32_t>(shape.begin(), shape.end()),
                             memory_config);
}

CoreRangeSet cores_to_corerangeset(const std::vector<CoreCoord>& cores) {
    std::vector<CoreRange> ranges;
    for (const CoreCoord& each : cores)
        ranges.emplace_back(each, each);
    return CoreRangeSet(std::move(ranges));
}

namespace distributed {

DistributionMode compute_distribution_mode(const std::optional<MeshShape>& mesh_shape_override,
                                           const MeshShape& device_shape) {
    if (!mesh_shape_override) return DistributionMode::SUBMESH;
    if (mesh_shape_override->dims() != device_shape.dims()) return DistributionMode::ROW_MAJOR;
    for (std::size_t axis = 0; axis < device_shape.dims(); ++axis)
        if (mesh_shape_override->view()[axis] > device_shape.view()[axis]) return DistributionMode::ROW_MAJOR;
    return DistributionMode::SUBMESH;
}

std::vector<MeshCoordinate> compute_distribution_to_mesh_mapping(const MeshShape& distribution_shape,
                                                                 const MeshShape& mesh_shape) {
    const std::size_t count = distribution_shape.mesh_size();
    if (count > mesh_shape.mesh_size())
        throw std::runtime_error("compute_distribution_to_mesh_mapping: " + std::to_string(count) +
                                 " parts for " + std::to_string(mesh_shape.mesh_size()) + " chips");
    std::vector<MeshCoordinate> places;
    const bool is_submesh =
        compute_distribution_mode(distribution_shape, mesh_shape) == DistributionMode::SUBMESH;
    const MeshCoordinateRange range(is_submesh ? distribution_shape : mesh_shape);
    for (const MeshCoordinate& each : range)
        if (places.size() < count) places.push_back(each);
    return places;
}

std::shared_ptr<MeshDevice> open_mesh_device(std::size_t l1_small_size, std::size_t trace_region_size,
                                             std::size_t num_command_queues,
                                             const tt::tt_metal::DispatchCoreConfig& dispatch_core_config,
                                             const std::optional<MeshShape>& mesh_shape,
                                             const std::optional<MeshCoordinate>& offset,
                                             const std::vector<int>& physical_device_ids,
                                             std::size_t worker_l1_size) {
    return MeshDevice::create(
        tt::tt_metal::distributed::MeshDeviceConfig(mesh_shape, offset, physical_device_ids), l1_small_size,
        trace_region_size, num_command_queues, dispatch_core_config, {}, worker_l1_size);
}

}  // namespace distributed

namespace operations::normalization {
CoreGrid core_grid_from_shard_bounding_box(const CoreRange& box) {
    const CoreCoord size = box.grid_size();
    return {size.x, size.y};
}
}  // namespace operations::normalization

}  // namespace ttnn
