// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <numeric>
#include <ostream>
#include <stdexcept>

#include "tilemeter_ttnn/configs.hpp"
#include "tilemeter_ttnn/mesh.hpp"
#include "tilemeter_ttnn/tensor_spec.hpp"
#include "tools/compat/src/arguments.hpp"
#include "tools/compat/src/model.hpp"

namespace tt::tt_metal {

namespace {

using tilemeter::compat::to_model;

template <typename Numbers>
std::string in_brackets(const Numbers& numbers) {
    std::string text = "[";
    for (const auto each : numbers)
        text += (text.size() > 1 ? ", " : "") + std::to_string(each);
    return text + "]";
}

std::size_t place_of(std::int64_t index, std::size_t rank) {
    const std::int64_t place = index < 0 ? index + static_cast<std::int64_t>(rank) : index;
    if (place < 0 || place >= static_cast<std::int64_t>(rank))
        throw std::runtime_error("Index is out of bounds for the rank, should be between 0 and " +
                                 std::to_string(rank - 1) + " however is " + std::to_string(index));
    return static_cast<std::size_t>(place);
}

}  // namespace

bool is_floating_point(DataType dtype) {
    return tilemeter::is_floating_point(to_model(dtype));
}
bool is_block_float(DataType dtype) {
    return tilemeter::is_block_float(to_model(dtype));
}

std::uint64_t Shape::volume() const {
    return std::accumulate(begin(), end(), std::uint64_t{1}, std::multiplies<>());
}

std::uint32_t Shape::operator[](std::int32_t index) const {
    // Dimensions in front of the first one are 1: eight are seen.
    if (index < 0 && static_cast<std::size_t>(-index) > rank() && -index <= 8) return 1;
    return dimensions_[place_of(index, rank())];
}

std::uint32_t& Shape::operator[](std::int32_t index) {
    return dimensions_[place_of(index, rank())];
}

std::uint32_t Shape::get_normalized_index(std::int64_t index) const {
    return static_cast<std::uint32_t>(place_of(index, rank()));
}

Shape::Array4D Shape::to_array_4D() const {
    if (rank() != 4)
        throw std::runtime_error("to_array_4D is only valid for 4D shapes! Called for " + in_brackets(*this));
    return {dimensions_[0], dimensions_[1], dimensions_[2], dimensions_[3]};
}

Shape Shape::to_rank(std::size_t rank) const {
    Container dimensions(rank, 1);
    for (std::size_t i = 0; i < this->rank(); ++i) {
        const std::size_t from_end = this->rank() - i;
        if (from_end <= rank)
            dimensions[rank - from_end] = dimensions_[i];
        else if (dimensions_[i] != 1)
            throw std::runtime_error("Can't convert shape rank " + in_brackets(*this) + " to " +
                                     std::to_string(rank));
    }
    return Shape(std::move(dimensions));
}

std::ostream& operator<<(std::ostream& out, const Shape& shape) {
    return out << "Shape(" << in_brackets(shape) << ")";
}

Strides compute_strides(const Shape& shape) {
    Strides strides(shape.rank(), 1);
    for (std::size_t i = shape.rank(); i-- > 1;)
        strides[i - 1] = strides[i] * shape.view()[i];
    return strides;
}

MemoryConfig::MemoryConfig(BufferType buffer_type, std::optional<NdShardSpec> nd_shard_spec)
    : memory_layout_(nd_shard_spec ? TensorMemoryLayout::ND_SHARDED : TensorMemoryLayout::INTERLEAVED),
      buffer_type_(buffer_type),
      nd_shard_spec_(std::move(nd_shard_spec)),
      created_with_nd_shard_spec_(nd_shard_spec_.has_value()) {}

MemoryConfig::MemoryConfig(TensorMemoryLayout memory_layout, BufferType buffer_type,
                           std::optional<ShardSpec> shard_spec)
    : memory_layout_(memory_layout), buffer_type_(buffer_type), shard_spec_(std::move(shard_spec)) {}

bool operator==(const MemoryConfig& a, const MemoryConfig& b) {
    return a.memory_layout_ == b.memory_layout_ && a.buffer_type_ == b.buffer_type_ &&
           a.shard_spec_ == b.shard_spec_ && a.nd_shard_spec_ == b.nd_shard_spec_;
}

std::ostream& operator<<(std::ostream& out, const ShardSpec& spec) {
    return out << "ShardSpec(grid=" << spec.grid.str() << ",shape=" << in_brackets(spec.shape) << ")";
}
std::ostream& operator<<(std::ostream& out, const MemoryConfig& config) {
    return out << to_model(config).to_string();
}

Tile::Tile(std::array<std::uint32_t, 2> tile_shape, bool transpose_tile)
    : Tile(tile_shape, {std::min(tile_shape[0], 16U), std::min(tile_shape[1], 16U)}, transpose_tile) {}

Tile::Tile(std::array<std::uint32_t, 2> tile_shape, std::array<std::uint32_t, 2> face_shape,
           bool transpose_tile)
    : tile_shape_(tile_shape),
      face_shape_(face_shape),
      num_faces_(tile_shape[0] * tile_shape[1] / std::max(1U, face_shape[0] * face_shape[1])),
      transpose_(transpose_tile) {
    const auto is_size = [](std::uint32_t size) {
        return size >= 1 && size <= 32 && (size & (size - 1)) == 0;
    };
    if (!is_size(tile_shape[0]) || (tile_shape[1] != 16 && tile_shape[1] != 32))
        throw std::runtime_error("Tile size is not valid for our hardware: " + in_brackets(tile_shape));
}

std::uint32_t Tile::get_tile_size(const tt::DataFormat& format) const {
    const auto elements = get_tile_hw();
    switch (format) {
        case tt::DataFormat::Bfp2:
        case tt::DataFormat::Bfp2_b:
            return elements / 4 + elements / 16;
        case tt::DataFormat::Bfp4:
        case tt::DataFormat::Bfp4_b:
            return elements / 2 + elements / 16;
        case tt::DataFormat::Bfp8:
        case tt::DataFormat::Bfp8_b:
            return elements + elements / 16;
        case tt::DataFormat::Float16:
        case tt::DataFormat::Float16_b:
        case tt::DataFormat::UInt16:
        case tt::DataFormat::RawUInt16:
            return elements * 2;
        case tt::DataFormat::Float32:
        case tt::DataFormat::Tf32:
        case tt::DataFormat::Int32:
        case tt::DataFormat::UInt32:
        case tt::DataFormat::RawUInt32:
            return elements * 4;
        case tt::DataFormat::Int8:
        case tt::DataFormat::Lf8:
        case tt::DataFormat::UInt8:
        case tt::DataFormat::RawUInt8:
        case tt::DataFormat::Fp8_e4m3:
            return elements;
        case tt::DataFormat::Invalid:
            break;
    }
    throw std::runtime_error("Tile::get_tile_size: expected a format, found Invalid");
}

TensorLayout TensorLayout::fromPaddedShape(DataType dtype, const PageConfig& page_config,
                                           const MemoryConfig& memory_config, const Shape& logical_shape,
                                           const Shape& padded_shape) {
    TensorLayout layout(dtype, page_config, memory_config);
    if (layout.compute_padded_shape(logical_shape) == padded_shape || padded_shape.rank() == 0) return layout;
    ttsl::SmallVector<std::uint32_t> alignment(padded_shape.begin(), padded_shape.end());
    return {dtype, page_config, memory_config, Alignment(std::move(alignment))};
}

Shape TensorLayout::compute_padded_shape(const Shape& shape) const {
    return TensorSpec(shape, *this).padded_shape();
}

TensorSpec::TensorSpec(Shape logical_shape, TensorLayout tensor_layout)
    : logical_shape_(std::move(logical_shape)), tensor_layout_(std::move(tensor_layout)) {
    padded_shape_ = tilemeter::compat::from_model(to_model(*this).padded_shape());
}

std::size_t TensorSpec::compute_packed_buffer_size_bytes() const {
    return tilemeter::page_geometry(to_model(*this)).size_bytes();
}
std::size_t TensorSpec::compute_page_size_bytes() const {
    return tilemeter::page_geometry(to_model(*this)).page_size_bytes;
}
std::ostream& operator<<(std::ostream& out, const TensorSpec& spec) {
    return out << tilemeter::argument_text(to_model(spec), false);
}

namespace distributed {

std::size_t MeshShape::mesh_size() const {
    return std::accumulate(begin(), end(), std::size_t{1}, std::multiplies<>());
}
std::size_t MeshShape::get_stride(std::size_t dimension) const {
    std::size_t stride = 1;
    for (std::size_t i = dims(); i-- > dimension + 1;)
        stride *= dimensions_[i];
    return stride;
}
bool MeshShape::is_line_topology() const {
    return std::ranges::count_if(dimensions_, [](std::uint32_t size) { return size != 1; }) <= 1;
}
std::uint32_t MeshShape::operator[](std::int32_t index) const {
    return dimensions_[place_of(index, dims())];
}
std::uint32_t& MeshShape::operator[](std::int32_t index) {
    return dimensions_[place_of(index, dims())];
}
std::ostream& operator<<(std::ostream& out, const MeshShape& shape) {
    return out << "MeshShape(" << in_brackets(shape) << ")";
}

MeshCoordinate MeshCoordinate::zero_coordinate(std::size_t dimensions) {
    return MeshCoordinate(std::vector<std::uint32_t>(dimensions, 0));
}
std::uint32_t MeshCoordinate::operator[](std::int32_t index) const {
    return places_[place_of(index, dims())];
}
std::uint32_t& MeshCoordinate::operator[](std::int32_t index) {
    return places_[place_of(index, dims())];
}
std::size_t MeshCoordinate::to_linear_index(const MeshShape& shape) const {
    if (shape.dims() != dims())
        throw std::runtime_error("Shape dimensions do not match: " + std::to_string(shape.dims()) + " and " +
                                 std::to_string(dims()));
    std::size_t number = 0;
    for (std::size_t i = 0; i < dims(); ++i) {
        if (places_[i] >= shape.view()[i])
            throw std::runtime_error("Coordinate " + in_brackets(places_) + " is out of bounds for shape " +
                                     in_brackets(shape));
        number += places_[i] * shape.get_stride(i);
    }
    return number;
}
std::ostream& operator<<(std::ostream& out, const MeshCoordinate& place) {
    return out << "MeshCoordinate(" << in_brackets(place.coords()) << ")";
}

MeshCoordinateRange::MeshCoordinateRange(const MeshShape& shape)
    : start_(MeshCoordinate::zero_coordinate(shape.dims())), end_(shape.view()) {
    for (std::size_t i = 0; i < shape.dims(); ++i)
        --end_[static_cast<std::int32_t>(i)];
}
MeshShape MeshCoordinateRange::shape() const {
    ttsl::SmallVector<std::uint32_t> sizes;
    for (std::size_t i = 0; i < dims(); ++i)
        sizes.push_back(end_.coords()[i] - start_.coords()[i] + 1);
    return MeshShape(std::move(sizes));
}
bool MeshCoordinateRange::contains(const MeshCoordinate& place) const {
    for (std::size_t i = 0; i < dims(); ++i)
        if (place.coords()[i] < start_.coords()[i] || place.coords()[i] > end_.coords()[i]) return false;
    return true;
}
bool MeshCoordinateRange::contains(const MeshCoordinateRange& other) const {
    return contains(other.start_) && contains(other.end_);
}
MeshCoordinateRange::Iterator& MeshCoordinateRange::Iterator::operator++() {
    ++number_;
    for (std::size_t i = range_->dims(); i-- > 0;) {
        std::uint32_t& place = current_[static_cast<std::int32_t>(i)];
        if (place < range_->end_.coords()[i]) {
            ++place;
            break;
        }
        place = range_->start_.coords()[i];
    }
    return *this;
}

}  // namespace distributed
}  // namespace tt::tt_metal

namespace ttnn::operations::unary::utils {

EltwiseUnaryWithParam string_to_unary_with_param(const std::string& name) {
    return tilemeter::compat::from_model(tilemeter::string_to_unary_with_param(name));
}

}  // namespace ttnn::operations::unary::utils
