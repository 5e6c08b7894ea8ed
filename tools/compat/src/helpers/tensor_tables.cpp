// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/compat/src/helpers/tensor_tables.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "runtime/operations/core/host_transfer.hpp"
#include "runtime/tensor/tensor.hpp"
#include "runtime/types/rounding.hpp"
#include "tools/compat/src/model.hpp"
#include "tools/compat/src/storage.hpp"

namespace tilemeter::compat {

namespace {

using Writer = FlatBufferWriter;

constexpr std::uint32_t kFaceSide = 16;

// For each place of the padded tensor as it lies in memory, tile by tile and in a tile face by face, the number of its
// element row by row; none where it is padding.
class PhysicalOrder {
public:
    explicit PhysicalOrder(const metal::TensorSpec& spec) {
        const auto sizes = [](const metal::Shape& shape) {
            const std::uint64_t width = shape.rank() > 0 ? shape[-1] : 1;
            const std::uint64_t height = shape.rank() > 1 ? shape[-2] : 1;
            return std::array{shape.volume() / std::max<std::uint64_t>(1, width * height), height, width};
        };
        const auto [count, height, width] = sizes(spec.padded_shape());
        const auto [logical_count, logical_height, logical_width] = sizes(spec.logical_shape());
        is_tiled_ = spec.layout() == metal::Layout::TILE;
        const std::uint64_t tile_height = is_tiled_ ? spec.tile().get_height() : 1;
        const std::uint64_t tile_width = is_tiled_ ? spec.tile().get_width() : width;
        const std::uint64_t face_height = is_tiled_ ? std::min<std::uint64_t>(kFaceSide, tile_height) : 1;
        const std::uint64_t face_width = is_tiled_ ? std::min<std::uint64_t>(kFaceSide, tile_width) : width;
        const auto add = [&](std::uint64_t matrix, std::uint64_t y, std::uint64_t x) {
            const bool is_element = matrix < logical_count && y < logical_height && x < logical_width;
            elements_.push_back(
                is_element ? static_cast<std::int64_t>((matrix * logical_height + y) * logical_width + x)
                           : -1);
        };
        for (std::uint64_t matrix = 0; matrix < count; ++matrix)
            for (std::uint64_t y = 0; y < height; y += tile_height)
                for (std::uint64_t x = 0; x < width; x += tile_width)
                    for (std::uint64_t face_y = 0; face_y < tile_height; face_y += face_height)
                        for (std::uint64_t face_x = 0; face_x < tile_width; face_x += face_width)
                            for (std::uint64_t row = 0; row < face_height; ++row)
                                for (std::uint64_t column = 0; column < face_width; ++column)
                                    add(matrix, y + face_y + row, x + face_x + column);
        tile_volume_ = is_tiled_ ? tile_height * tile_width : elements_.size();
    }

    const std::vector<std::int64_t>& elements() const { return elements_; }
    std::uint64_t tile_volume() const { return tile_volume_; }

private:
    std::vector<std::int64_t> elements_;
    bool is_tiled_ = false;
    std::uint64_t tile_volume_ = 0;
};

// Bits of an element's sign and magnitude in a block format: its exponent is that of the largest of 16 neighbours.
std::uint32_t bits_of(DataType dtype) {
    return dtype == DataType::BFLOAT8_B ? 8 : 4;
}

std::uint64_t bytes_of_block_tile(std::uint64_t volume, std::uint32_t bits) {
    return volume / kFaceSide + volume * bits / 8;
}

Bytes packed_blocks(const std::vector<float>& values, const PhysicalOrder& order, std::uint32_t bits) {
    const std::uint64_t volume = order.tile_volume();
    const std::uint64_t tile_bytes = bytes_of_block_tile(volume, bits);
    const std::vector<std::int64_t>& elements = order.elements();
    Bytes bytes(elements.size() / volume * tile_bytes);
    const auto value_at = [&](std::uint64_t i) {
        return elements[i] < 0 ? 0.0F : values[static_cast<std::size_t>(elements[i])];
    };
    const int digits = static_cast<int>(bits) - 2;  // of the magnitude, behind its first
    for (std::uint64_t first = 0; first < elements.size(); first += kFaceSide) {
        const std::uint64_t tile = first / volume, in_tile = first % volume;
        std::uint32_t exponent = 0;
        for (std::uint64_t i = first; i < first + kFaceSide; ++i)
            exponent = std::max(exponent, std::bit_cast<std::uint32_t>(value_at(i)) >> 23U & 0xffU);
        bytes[tile * tile_bytes + in_tile / kFaceSide] = static_cast<std::byte>(exponent);
        for (std::uint64_t i = 0; i < kFaceSide; ++i) {
            const float value = value_at(first + i);
            const double unit = std::ldexp(1.0, static_cast<int>(exponent) - 127 - digits);
            const auto most = (1U << (bits - 1)) - 1;
            const auto magnitude = std::min<std::uint32_t>(
                most,
                exponent == 0 ? 0U : static_cast<std::uint32_t>(std::nearbyint(std::abs(value) / unit)));
            const std::uint32_t sign = std::signbit(value) && magnitude != 0 ? 1U << (bits - 1) : 0U;
            const std::uint64_t bit = (in_tile + i) * bits;
            bytes[tile * tile_bytes + volume / kFaceSide + bit / 8] |=
                static_cast<std::byte>((sign | magnitude) << bit % 8);
        }
    }
    return bytes;
}

std::vector<float> unpacked_blocks(std::span<const std::byte> bytes, const PhysicalOrder& order,
                                   std::uint64_t count, std::uint32_t bits) {
    const std::uint64_t volume = order.tile_volume();
    const std::uint64_t tile_bytes = bytes_of_block_tile(volume, bits);
    std::vector<float> values(count);
    for (std::uint64_t i = 0; i < order.elements().size(); ++i) {
        const std::int64_t element = order.elements()[i];
        if (element < 0) continue;
        const std::uint64_t tile = i / volume, in_tile = i % volume;
        const auto exponent = static_cast<int>(bytes[tile * tile_bytes + in_tile / kFaceSide]);
        const std::uint64_t bit = in_tile * bits;
        const auto stored =
            static_cast<std::uint32_t>(bytes[tile * tile_bytes + volume / kFaceSide + bit / 8]) >> bit % 8 &
            ((1U << bits) - 1);
        const std::uint32_t magnitude = stored & ((1U << (bits - 1)) - 1);
        const double value =
            std::ldexp(static_cast<double>(magnitude), exponent - 127 - (static_cast<int>(bits) - 2));
        values[static_cast<std::size_t>(element)] =
            static_cast<float>((stored >> (bits - 1)) != 0 ? -value : value);
    }
    return values;
}

Bytes packed(const HostArray& array, const PhysicalOrder& order) {
    if (is_block_float(array.dtype())) return packed_blocks(array.to_floats(), order, bits_of(array.dtype()));
    const std::uint64_t size = array.stored_element_size();
    Bytes bytes(order.elements().size() * size);
    for (std::size_t i = 0; i < order.elements().size(); ++i)
        if (order.elements()[i] >= 0)
            std::memcpy(&bytes[i * size],
                        &array.bytes()[static_cast<std::size_t>(order.elements()[i]) * size], size);
    return bytes;
}

std::uint64_t packed_size(const TensorSpec& spec, const PhysicalOrder& order) {
    if (is_block_float(spec.dtype))
        return order.elements().size() / order.tile_volume() *
               bytes_of_block_tile(order.tile_volume(), bits_of(spec.dtype));
    return order.elements().size() * element_size(spec.dtype);
}

HostArray unpacked(std::span<const std::byte> bytes, const TensorSpec& spec, const PhysicalOrder& order) {
    if (is_block_float(spec.dtype))
        return HostArray::from_floats(unpacked_blocks(bytes, order, spec.shape.volume(), bits_of(spec.dtype)),
                                      spec.dtype, spec.shape);
    HostArray array(spec.dtype, spec.shape);
    const std::uint64_t size = array.stored_element_size();
    for (std::size_t i = 0; i < order.elements().size(); ++i)
        if (order.elements()[i] >= 0)
            std::memcpy(&array.bytes()[static_cast<std::size_t>(order.elements()[i]) * size],
                        &bytes[i * size], size);
    return array;
}

// Tables of the header, in the order of their fields in TT-NN's schema.
Writer::Child core_table(const metal::CoreCoord& core) {
    return [core](Writer& writer) {
        return writer.table({Writer::number(4, core.x), Writer::number(4, core.y)});
    };
}

}  // namespace

Writer::Child cores_table(const metal::CoreRangeSet& cores) {
    return [cores](Writer& writer) {
        std::vector<Writer::Child> ranges;
        for (const metal::CoreRange& each : cores.ranges())
            ranges.push_back([each](Writer& inner) {
                return inner.table({Writer::reference(core_table(each.start_coord)),
                                    Writer::reference(core_table(each.end_coord))});
            });
        return writer.table({Writer::reference([ranges](Writer& inner) { return inner.list(ranges); })});
    };
}

namespace {

Writer::Field numbers_field(std::vector<std::uint32_t> values) {
    return Writer::reference([values = std::move(values)](Writer& writer) { return writer.numbers(values); });
}

std::vector<std::uint32_t> values_of(std::span<const std::uint32_t> values) {
    return {values.begin(), values.end()};
}

}  // namespace

Writer::Child config_table(const metal::MemoryConfig& config) {
    if (config.created_with_nd_shard_spec())
        throw std::runtime_error("shards of any number of dimensions are not written to files");
    return [config](Writer& writer) {
        Writer::Field shards = Writer::none();
        if (const auto& spec = config.shard_spec())
            shards = Writer::reference([spec](Writer& inner) {
                return inner.table({Writer::reference(cores_table(spec->grid)),
                                    Writer::number(4, spec->shape[0]), Writer::number(4, spec->shape[1]),
                                    Writer::number(1, static_cast<std::uint64_t>(spec->orientation))});
            });
        return writer.table({Writer::number(2, static_cast<std::uint64_t>(config.memory_layout())),
                             Writer::number(2, static_cast<std::uint64_t>(config.buffer_type())), shards});
    };
}

namespace {

Writer::Child layout_table(const metal::TensorSpec& spec) {
    return [spec](Writer& writer) {
        const bool is_tiled = spec.layout() == metal::Layout::TILE;
        const metal::Tile tile = spec.tile();
        const auto page = Writer::reference([is_tiled, tile](Writer& inner) {
            if (!is_tiled) return inner.table({});
            return inner.table({Writer::reference([tile](Writer& innermost) {
                return innermost.table({Writer::number(4, tile.get_height()),
                                        Writer::number(4, tile.get_width()),
                                        Writer::number(1, tile.get_transpose_of_faces() ? 1 : 0)});
            })});
        });
        std::vector<std::uint32_t> alignment = values_of(spec.tensor_layout().get_alignment().view());
        if (alignment.empty() && is_tiled) alignment = {tile.get_height(), tile.get_width()};
        if (alignment.empty()) alignment = {1};
        return writer.table({Writer::number(1, static_cast<std::uint64_t>(spec.data_type())),
                             Writer::number(1, is_tiled ? 2 : 1), page,
                             Writer::reference(config_table(spec.memory_config())),
                             numbers_field(std::move(alignment))});
    };
}

}  // namespace

Writer::Child spec_table(const metal::TensorSpec& spec) {
    return [spec](Writer& writer) {
        return writer.table(
            {numbers_field(values_of(spec.logical_shape().view())), Writer::reference(layout_table(spec))});
    };
}

namespace {

struct Part {
    std::vector<std::uint32_t> place;
    std::uint64_t offset;
    std::uint64_t size;
};

Writer::Child tensor_table(const metal::TensorSpec& spec, const metal::TensorTopology& topology,
                           const std::vector<std::uint32_t>& mesh, const std::vector<Part>& parts) {
    return [=](Writer& writer) {
        const auto spec_field = Writer::reference(spec_table(spec));
        const auto mesh_field =
            Writer::reference([&](Writer& inner) { return inner.table({numbers_field(mesh)}); });
        std::vector<Writer::Child> shards;
        for (const Part& part : parts)
            shards.push_back([part](Writer& inner) {
                const auto bytes = Writer::reference(
                    [&](Writer& innermost) { return innermost.pair(part.offset, part.size); });
                const auto place = Writer::reference(
                    [&](Writer& innermost) { return innermost.table({numbers_field(part.place)}); });
                return inner.table({Writer::number(1, 1), bytes, place});
            });
        const auto shards_field = Writer::reference([&](Writer& inner) { return inner.list(shards); });
        const auto topology_field = Writer::reference([&](Writer& inner) {
            std::vector<Writer::Child> placements, places;
            for (const auto& each : topology.placements())
                placements.push_back([each](Writer& innermost) {
                    const auto* shard = std::get_if<metal::distributed::MeshMapperConfig::Shard>(&each);
                    const std::int32_t dim = shard != nullptr ? shard->dim : -1;
                    return innermost.table({Writer::number(1, shard != nullptr ? 1 : 0),
                                            Writer::number(4, static_cast<std::uint32_t>(dim))});
                });
            for (const metal::distributed::MeshCoordinate& each : topology.mesh_coords())
                places.push_back([each](Writer& innermost) {
                    return innermost.table({numbers_field(values_of(each.coords()))});
                });
            const auto shape = Writer::reference([&](Writer& innermost) {
                return innermost.table({numbers_field(values_of(topology.distribution_shape().view()))});
            });
            return inner.table(
                {shape, Writer::reference([&](Writer& innermost) { return innermost.list(placements); }),
                 Writer::reference([&](Writer& innermost) { return innermost.list(places); })});
        });
        return writer.table({spec_field, mesh_field, shards_field, topology_field});
    };
}

}  // namespace

metal::CoreRangeSet cores_of(const FlatBufferTable& table) {
    std::vector<metal::CoreRange> ranges;
    for (const FlatBufferTable& each : table.tables(0)) {
        const auto core = [&](std::size_t field) {
            const FlatBufferTable place = each.table(field);
            return metal::CoreCoord(place.number<std::uint32_t>(0), place.number<std::uint32_t>(1));
        };
        ranges.emplace_back(core(0), core(1));
    }
    return metal::CoreRangeSet(std::move(ranges));
}

metal::MemoryConfig config_of(const FlatBufferTable& table) {
    const auto layout = static_cast<metal::TensorMemoryLayout>(table.number<std::uint16_t>(0));
    const auto type = static_cast<metal::BufferType>(table.number<std::uint16_t>(1));
    if (layout == metal::TensorMemoryLayout::ND_SHARDED)
        throw std::runtime_error("shards of any number of dimensions are not read from files");
    std::optional<metal::ShardSpec> shards;
    if (table.has(2)) {
        const FlatBufferTable spec = table.table(2);
        shards.emplace(cores_of(spec.table(0)),
                       std::array{spec.number<std::uint32_t>(1), spec.number<std::uint32_t>(2)},
                       static_cast<metal::ShardOrientation>(spec.number<std::uint8_t>(3)));
    }
    return metal::MemoryConfig(layout, type, std::move(shards));
}

metal::TensorSpec spec_of(const FlatBufferTable& table) {
    const FlatBufferTable layout = table.table(1);
    const auto dtype = static_cast<metal::DataType>(layout.number<std::uint8_t>(0));
    if (dtype >= metal::DataType::INVALID) throw std::runtime_error("its data type is unknown");
    const bool is_tiled = layout.number<std::uint8_t>(1) == 2;
    std::optional<metal::Tile> tile;
    if (is_tiled && layout.table(2).has(0)) {
        const FlatBufferTable sizes = layout.table(2).table(0);
        tile.emplace(std::array{sizes.number<std::uint32_t>(0), sizes.number<std::uint32_t>(1)});
    }
    const metal::PageConfig page(is_tiled ? metal::Layout::TILE : metal::Layout::ROW_MAJOR, tile);
    std::vector<std::uint32_t> alignment = layout.has(4) ? layout.numbers(4) : std::vector<std::uint32_t>();
    const bool is_usual =
        std::ranges::all_of(alignment, [](std::uint32_t each) { return each == 1; }) || is_tiled;
    return {metal::Shape(table.numbers(0)),
            metal::TensorLayout(
                dtype, page, config_of(layout.table(3)),
                is_usual ? metal::Alignment() : metal::Alignment(std::span<const std::uint32_t>(alignment)))};
}

::ttnn::Tensor tensor_of(const FlatBufferTable& table, std::span<const std::byte> data) {
    const metal::TensorSpec spec = spec_of(table.table(0));
    const TensorSpec model = to_model(spec);
    if (spec.padded_shape().volume() / 8 > data.size()) throw std::runtime_error("its values are cut off");
    const PhysicalOrder order(spec);
    ChipValues values;
    for (const FlatBufferTable& shard : table.tables(2)) {
        const auto [offset, size] = shard.pair(1);
        if (offset > data.size() || size > data.size() - offset)
            throw std::runtime_error("its values are cut off");
        if (size != packed_size(model, order))
            throw std::runtime_error("expected " + std::to_string(packed_size(model, order)) +
                                     " bytes of values, found " + std::to_string(size));
        values.push_back(unpacked(data.subspan(offset, size), model, order));
    }
    if (values.empty()) throw std::runtime_error("it has no values");
    Tensor tensor = Tensor::on_host(model, std::move(values));
    if (table.has(3)) {
        const FlatBufferTable topology = table.table(3);
        Distribution distribution{topology.table(0).numbers(0), {}};
        bool is_cut = false;
        for (const FlatBufferTable& each : topology.tables(1)) {
            const bool is_shard = each.number<std::uint8_t>(0) == 1;
            is_cut |= is_shard;
            distribution.dimensions.push_back(is_shard ? std::optional<int>(each.number<std::int32_t>(1))
                                                       : std::nullopt);
        }
        if (is_cut) tensor.set_distribution(std::make_shared<const Distribution>(std::move(distribution)));
    }
    return from_model(std::move(tensor));
}

PackedTensor packed_tensor(const ::ttnn::Tensor& tensor, std::uint64_t first_offset,
                           std::uint64_t alignment) {
    const Tensor& model = tensor.model();
    const Tensor host = model.storage_type() == StorageType::HOST ? model : download(model);
    const metal::TensorTopology topology = topology_of(model);
    const metal::TensorSpec spec = from_model(model.spec());
    const PhysicalOrder order(spec);
    std::vector<std::uint32_t> mesh = values_of(topology.distribution_shape().view());
    if (mesh.size() == 1) mesh.insert(mesh.begin(), 1);
    const metal::distributed::MeshShape shape{std::span<const std::uint32_t>(mesh)};
    PackedTensor whole;
    std::vector<Part> parts;
    const std::size_t different =
        topology.placements().empty() || !host.has_values() ? 1 : host.chip_values()->size();
    const std::uint64_t size = packed_size(host.spec(), order);
    const std::uint64_t step = round_up(size, alignment);
    for (std::size_t chip = 0; chip < different; ++chip)
        whole.buffers.push_back({first_offset + chip * step, packed(host.values(chip), order)});
    for (const metal::distributed::MeshCoordinate& each : metal::distributed::MeshCoordinateRange(shape)) {
        const std::size_t chip = each.to_linear_index(shape);
        parts.push_back(
            {values_of(each.coords()), first_offset + std::min(chip, different - 1) * step, size});
    }
    whole.table = tensor_table(spec, topology, mesh, parts);
    return whole;
}

}  // namespace tilemeter::compat
