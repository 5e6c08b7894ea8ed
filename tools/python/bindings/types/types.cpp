// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Values that describe tensors: element types, layouts, shapes, cores, memory configs.

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>
#include <vector>

#include <nanobind/make_iterator.h>
#include <nanobind/operators.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/set.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "runtime/device/device.hpp"
#include "runtime/operations/core/program_key.hpp"
#include "runtime/types/tensor_spec.hpp"
#include "tools/python/bindings/base/bind.hpp"
#include "tools/python/bindings/types/config_of_tensor.hpp"
#include "tools/python/bindings/types/tile_of.hpp"

namespace tilemeter::python {

using namespace nanobind::literals;  // NOLINT(google-build-using-namespace): "name"_a

namespace {

// TT-NN's words.
std::uint64_t size_of_element(DataType dtype) {
    if (is_block_float(dtype)) throw std::invalid_argument("datum for bfp2, bfp4, bfp8 is invalid");
    return element_size(dtype);
}

/// As it stands in the text of a memory config.
std::string shard_spec_text(const ShardSpec& spec) {
    const std::string config =
        MemoryConfig{TensorMemoryLayout::HEIGHT_SHARDED, BufferType::L1, spec}.to_string();
    const std::size_t begin = config.find("ShardSpec{");
    return config.substr(begin, config.find(",nd_shard_spec=") - begin);
}

/// Equal values have equal hashes: both come from what tells programs apart.
template <typename Value>
Py_hash_t hash_of(const Value& value) {
    ProgramKey key;
    key.append(value);
    return static_cast<Py_hash_t>(std::hash<std::string>()(key.bytes()) >> 1);
}

/// Programs of a tensor's config and of a caller's are two, but the configs are equal.
Py_hash_t hash_of_equal(TensorSpec spec) {
    spec.memory_config = spec.memory_config.made_anew();
    return hash_of(spec);
}

std::string text_of(CoreCoord core) {
    return std::to_string(core.x) + "-" + std::to_string(core.y);
}

/// True if all cores of `inner` lie in `outer`: rectangles or sets.
template <typename Outer>
bool holds(const Outer& outer, const CoreRangeSet& inner) {
    const std::vector<CoreCoord> cores = cores_of(inner);
    return std::all_of(cores.begin(), cores.end(), [&](CoreCoord core) { return outer.contains(core); });
}

/// Callers expect TT-NN's kind of error.
CoreRangeSet set_of(const std::vector<CoreRange>& ranges) {
    try {
        return CoreRangeSet(ranges);
    } catch (const std::invalid_argument& error) {
        throw std::runtime_error(error.what());
    }
}

Shape shape_of(const std::vector<std::uint32_t>& dimensions) {
    return Shape(std::span<const std::uint32_t>(dimensions));
}

void bind_enums(nb::module_& m) {
    nb::enum_<DataType>(m, "DataType", "Type of a tensor's elements.")
        .value("BFLOAT16", DataType::BFLOAT16)
        .value("FLOAT32", DataType::FLOAT32)
        .value("UINT32", DataType::UINT32)
        .value("BFLOAT8_B", DataType::BFLOAT8_B)
        .value("BFLOAT4_B", DataType::BFLOAT4_B)
        .value("UINT8", DataType::UINT8)
        .value("UINT16", DataType::UINT16)
        .value("INT32", DataType::INT32);
    nb::enum_<Layout>(m, "Layout", "What a page is: a row, or a tile of 32 x 32 elements.")
        .value("ROW_MAJOR", Layout::ROW_MAJOR)
        .value("TILE", Layout::TILE);
    nb::enum_<BufferType::Value>(m, "BufferType", "Which memory of the device.")
        .value("DRAM", BufferType::DRAM)
        .value("L1", BufferType::L1)
        .value("SYSTEM_MEMORY", BufferType::SYSTEM_MEMORY)
        .value("L1_SMALL", BufferType::L1_SMALL)
        .value("TRACE", BufferType::TRACE);
    nb::enum_<TensorMemoryLayout::Value>(m, "TensorMemoryLayout",
                                         "How a tensor is spread over banks or cores.")
        .value("INTERLEAVED", TensorMemoryLayout::INTERLEAVED)
        .value("SINGLE_BANK", TensorMemoryLayout::SINGLE_BANK)
        .value("HEIGHT_SHARDED", TensorMemoryLayout::HEIGHT_SHARDED)
        .value("WIDTH_SHARDED", TensorMemoryLayout::WIDTH_SHARDED)
        .value("BLOCK_SHARDED", TensorMemoryLayout::BLOCK_SHARDED)
        .value("ND_SHARDED", TensorMemoryLayout::ND_SHARDED);
    nb::enum_<ShardOrientation>(m, "ShardOrientation", "In which order shards walk the cores.")
        .value("ROW_MAJOR", ShardOrientation::ROW_MAJOR)
        .value("COL_MAJOR", ShardOrientation::COL_MAJOR);
    m.def("element_size", &size_of_element, "dtype"_a,
          "Bytes of one element; ValueError for the block formats, whose elements share exponents.");
    m.def("tile_size", nb::overload_cast<DataType>(&tile_size), "dtype"_a,
          "Bytes of one tile of 32 x 32 elements.");
    m.def(
        "size_of_tile",
        [](DataType dtype, const std::array<std::uint32_t, 2>& shape) {
            return tile_size(dtype, Tile{shape[0], shape[1]});
        },
        "dtype"_a, "tile_shape"_a, "Bytes of one tile of so many rows and columns.");
}

void bind_shape(nb::module_& m) {
    nb::class_<Shape>(m, "Shape", "Dimensions of a tensor, outermost first.")
        .def(
            "__init__",
            [](Shape* self, const std::vector<std::uint32_t>& shape) { new (self) Shape(shape_of(shape)); },
            "shape"_a)
        .def_prop_ro("rank", &Shape::rank, "Number of dimensions.")
        .def("to_rank", &Shape::to_rank, "rank"_a,
             "The same elements as exactly `rank` dimensions: ones in front, or leading dimensions "
             "multiplied.")
        .def("volume", &Shape::volume, "Number of elements.")
        .def("__len__", &Shape::rank)
        .def("__getitem__",
             [](const Shape& self, std::int64_t index) {
                 const auto rank = static_cast<std::int64_t>(self.rank());
                 if (index < -rank || index >= rank) throw nb::index_error("Shape index out of range");
                 return self[index];
             })
        .def("__getitem__",
             [](const Shape& self, const nb::slice& slice) {
                 const auto [start, stop, step, length] = slice.compute(self.rank());
                 std::vector<std::uint32_t> taken;
                 for (std::size_t i = 0; i < length; ++i)
                     taken.push_back(self[start + static_cast<std::int64_t>(i) * step]);
                 return shape_of(taken);
             })
        .def("__iter__",
             [](const Shape& self) {
                 nb::list dimensions;
                 for (const std::uint32_t dimension : self.dimensions())
                     dimensions.append(dimension);
                 return nb::iter(dimensions);
             })
        .def("__eq__",
             [](const Shape& self, const nb::object& other) {
                 if (nb::isinstance<Shape>(other)) return self == nb::cast<const Shape&>(other);
                 std::vector<std::uint32_t> dimensions;
                 return nb::try_cast(other, dimensions) && self.rank() == dimensions.size() &&
                        self == shape_of(dimensions);
             })
        .def("__hash__", [](const Shape& self) { return hash_of(self); })
        .def("__repr__", &Shape::to_string);
    nb::implicitly_convertible<nb::list, Shape>();
    nb::implicitly_convertible<nb::tuple, Shape>();
}

void bind_cores(nb::module_& m) {
    nb::class_<CoreCoord>(m, "CoreCoord", "A core: x counts columns, y rows, from 0.")
        .def(nb::init<std::uint32_t, std::uint32_t>(), "x"_a, "y"_a)
        .def("__init__",
             [](CoreCoord* self, const std::tuple<std::uint32_t, std::uint32_t>& xy) {
                 new (self) CoreCoord{std::get<0>(xy), std::get<1>(xy)};
             })
        .def_ro("x", &CoreCoord::x)
        .def_ro("y", &CoreCoord::y)
        .def(
            "__eq__", [](CoreCoord a, CoreCoord b) { return a == b; }, nb::is_operator())
        .def(
            "__lt__", [](CoreCoord a, CoreCoord b) { return a < b; }, nb::is_operator())
        .def("__hash__", [](CoreCoord self) { return hash_of(self); })
        .def("__repr__", [](CoreCoord self) { return text_of(self); });
    nb::implicitly_convertible<nb::tuple, CoreCoord>();
    nb::implicitly_convertible<nb::list, CoreCoord>();
    nb::class_<CoreRange>(m, "CoreRange", "A rectangle of cores, both corners inclusive.")
        .def(
            "__init__",
            [](CoreRange* self, CoreCoord start, CoreCoord end) {
                if (end.x < start.x || end.y < start.y) {
                    throw std::runtime_error("Invalid core range for start_coord: " + text_of(start) +
                                             ", end_coord: " + text_of(end) +
                                             ": expected an end at or beyond the start");
                }
                new (self) CoreRange{start, end};
            },
            "start"_a, "end"_a, "Raises RuntimeError for an end before the start.")
        .def_ro("start", &CoreRange::start)
        .def_ro("end", &CoreRange::end)
        .def("size", &CoreRange::size, "Number of cores.")
        .def("contains", &CoreRange::contains, "core"_a, "Whether a core lies in it.")
        .def(
            "contains", [](const CoreRange& self, const CoreRange& other) { return holds(self, other); },
            "core_range"_a, "Whether all cores of a rectangle lie in it.")
        .def(
            "contains", [](const CoreRange& self, const CoreRangeSet& other) { return holds(self, other); },
            "core_range_set"_a, "Whether all cores of a set lie in it.")
        .def(
            "grid_size",
            [](const CoreRange& self) {
                return CoreCoord{self.end.x - self.start.x + 1, self.end.y - self.start.y + 1};
            },
            "Columns and rows of cores.")
        .def(
            "__eq__", [](const CoreRange& a, const CoreRange& b) { return a == b; }, nb::is_operator())
        .def("__hash__", [](const CoreRange& self) { return hash_of(CoreRangeSet(self)); })
        .def("__repr__", &CoreRange::to_string);
    nb::class_<CoreRangeSet>(m, "CoreRangeSet", "Rectangles of cores that do not overlap.")
        .def(
            "__init__",
            [](CoreRangeSet* self, const std::vector<CoreRange>& ranges) {
                new (self) CoreRangeSet(set_of(ranges));
            },
            "core_ranges"_a, "Raises RuntimeError for rectangles that overlap.")
        .def("__init__",
             [](CoreRangeSet* self, const nb::set& ranges) {
                 std::vector<CoreRange> list;
                 for (const nb::handle range : ranges)
                     list.push_back(nb::cast<CoreRange>(range));
                 // A Python set has no order; ours is that of the cores.
                 std::sort(list.begin(), list.end(), [](const CoreRange& a, const CoreRange& b) {
                     return std::tie(a.start.y, a.start.x) < std::tie(b.start.y, b.start.x);
                 });
                 new (self) CoreRangeSet(set_of(list));
             })
        .def(
            "ranges",
            [](const CoreRangeSet& self) {
                return std::vector<CoreRange>(self.ranges().begin(), self.ranges().end());
            },
            "Its rectangles, as they were given.")
        .def("num_cores", &CoreRangeSet::num_cores, "Number of cores in all rectangles.")
        .def(
            "size", [](const CoreRangeSet& self) { return self.ranges().size(); }, "Number of rectangles.")
        .def("empty", &CoreRangeSet::empty, "Whether it has no core.")
        .def("contains", nb::overload_cast<CoreCoord>(&CoreRangeSet::contains, nb::const_), "core"_a,
             "Whether a core lies in one of its rectangles.")
        .def(
            "contains", [](const CoreRangeSet& self, const CoreRange& other) { return holds(self, other); },
            "core_range"_a, "Whether all cores of a rectangle lie in it.")
        .def(
            "contains",
            [](const CoreRangeSet& self, const CoreRangeSet& other) { return holds(self, other); },
            "core_range_set"_a, "Whether all cores of a set lie in it.")
        .def(
            "merge",
            [](const CoreRangeSet& self, const CoreRangeSet& other) {
                std::vector<CoreCoord> cores = cores_of(self);
                for (const CoreCoord core : cores_of(other))
                    if (!self.contains(core)) cores.push_back(core);
                return merge_cores(std::move(cores));
            },
            "other"_a, "The cores of both, rows of equal extent as one rectangle.")
        .def(
            "subtract",
            [](const CoreRangeSet& self, const CoreRangeSet& other) {
                std::vector<CoreCoord> cores = cores_of(self);
                cores.erase(std::remove_if(cores.begin(), cores.end(),
                                           [&](CoreCoord core) { return other.contains(core); }),
                            cores.end());
                return merge_cores(std::move(cores));
            },
            "other"_a, "Its cores without those of another, rows of equal extent as one rectangle.")
        .def(
            "bounding_box",
            [](const CoreRangeSet& self) {
                if (self.empty()) throw nb::value_error("bounding_box: the set has no cores");
                return self.bounding_box();
            },
            "The smallest rectangle around all. Raises ValueError for an empty set.")
        .def(
            "__eq__", [](const CoreRangeSet& a, const CoreRangeSet& b) { return a == b; }, nb::is_operator())
        .def("__hash__", [](const CoreRangeSet& self) { return hash_of(self); })
        .def("__repr__", &CoreRangeSet::to_string);
}

/// The tile of the package's Tile, or none.
Tile given_tile(nb::handle tile, Layout layout) {
    if (tile.is_none()) return {};
    if (!nb::hasattr(tile, "tile_shape")) throw nb::next_overload();
    return tile_of(nb::cast<std::array<std::uint32_t, 2>>(tile.attr("tile_shape")), layout);
}

std::optional<NdShardSpec> given_shards(const std::shared_ptr<const NdShardSpec>& shards) {
    return shards ? std::optional(*shards) : std::nullopt;
}

void bind_memory_config(nb::module_& m) {
    nb::class_<ShardSpec>(m, "ShardSpec", "One shard per core of a grid.")
        .def(
            "__init__",
            [](ShardSpec* self, const CoreRangeSet& grid, const std::array<std::uint32_t, 2>& shape,
               ShardOrientation orientation) {
                new (self) ShardSpec{grid, shape, orientation};
            },
            "grid"_a, "shard_shape"_a, "shard_orientation"_a = ShardOrientation::ROW_MAJOR)
        .def_rw("grid", &ShardSpec::grid)
        .def_prop_rw(
            "shape",
            [](const ShardSpec& self) {
                return std::vector<std::uint32_t>{self.shape[0], self.shape[1]};
            },
            [](ShardSpec& self, const std::array<std::uint32_t, 2>& shape) { self.shape = shape; },
            "Rows and columns of one shard, in elements.")
        .def_rw("orientation", &ShardSpec::orientation)
        .def(
            "num_cores", [](const ShardSpec& self) { return self.grid.num_cores(); },
            "Number of cores of the grid: of shards.")
        .def(
            "__eq__", [](const ShardSpec& a, const ShardSpec& b) { return a == b; }, nb::is_operator())
        .def("__hash__",
             [](const ShardSpec& self) { return hash_of(self.grid) ^ self.shape[0] ^ self.shape[1]; })
        .def("__repr__", &shard_spec_text);
    nb::enum_<ShardDistributionStrategy>(m, "ShardDistributionStrategy",
                                         "How shards of any number of dimensions go to cores.")
        .value("ROUND_ROBIN_1D", ShardDistributionStrategy::ROUND_ROBIN_1D)
        .value("GRID_2D", ShardDistributionStrategy::GRID_2D)
        .value("CONTIGUOUS_1D", ShardDistributionStrategy::CONTIGUOUS_1D);
    nb::class_<NdShardSpec>(m, "NdShardSpec",
                            "Shards of any number of dimensions, which go to the cores of a grid.")
        .def(
            "__init__",
            [](NdShardSpec* self, const Shape& shape, const CoreRangeSet& grid, ShardOrientation orientation,
               ShardDistributionStrategy strategy) {
                new (self) NdShardSpec{shape, grid, orientation, strategy};
            },
            "shard_shape"_a, "grid"_a, "orientation"_a = ShardOrientation::ROW_MAJOR,
            "shard_distribution_strategy"_a = ShardDistributionStrategy::ROUND_ROBIN_1D)
        .def_ro("shard_shape", &NdShardSpec::shape, "Of one shard, in elements.")
        .def_ro("grid", &NdShardSpec::grid)
        .def_ro("orientation", &NdShardSpec::orientation)
        .def_ro("shard_distribution_strategy", &NdShardSpec::strategy)
        .def(
            "num_cores", [](const NdShardSpec& self) { return self.grid.num_cores(); },
            "Number of cores of the grid.")
        .def(
            "__eq__", [](const NdShardSpec& a, const NdShardSpec& b) { return a == b; }, nb::is_operator())
        .def("__hash__", [](const NdShardSpec& self) { return hash_of(self.shape) ^ hash_of(self.grid); })
        .def("__repr__", &NdShardSpec::to_string);
    nb::class_<MemoryConfig>(m, "MemoryConfig",
                             "Where a tensor lies and how it is spread over banks or cores.")
        .def(
            "__init__",
            [](MemoryConfig* self, TensorMemoryLayout::Value memory_layout, BufferType::Value buffer_type,
               const std::optional<ShardSpec>& shard_spec) {
                new (self) MemoryConfig{memory_layout, buffer_type, shard_spec};
            },
            "memory_layout"_a = TensorMemoryLayout::INTERLEAVED, "buffer_type"_a = BufferType::DRAM,
            "shard_spec"_a = nb::none())
        .def(
            "__init__",
            [](MemoryConfig* self, BufferType::Value buffer_type, const NdShardSpec& nd_shard_spec) {
                new (self) MemoryConfig{TensorMemoryLayout::ND_SHARDED, buffer_type, std::nullopt,
                                        std::make_shared<const NdShardSpec>(nd_shard_spec)};
            },
            "buffer_type"_a, "nd_shard_spec"_a)
        .def_ro("memory_layout", &MemoryConfig::memory_layout)
        .def_ro("buffer_type", &MemoryConfig::buffer_type)
        .def_ro("shard_spec", &MemoryConfig::shard_spec)
        .def_prop_ro("interleaved", [](const MemoryConfig& self) { return !self.is_sharded(); })
        .def("is_sharded", &MemoryConfig::is_sharded, "Whether it spreads a tensor over cores in shards.")
        .def_prop_ro(
            "nd_shard_spec", [](const MemoryConfig& self) { return given_shards(self.nd_shard_spec); },
            "What it was made with, or None.")
        .def(
            "__eq__", [](const MemoryConfig& a, const MemoryConfig& b) { return a == b; }, nb::is_operator())
        .def("__hash__", [](const MemoryConfig& self) { return hash_of(self.made_anew()); })
        .def("__repr__", [](const MemoryConfig& self) { return self.to_string(); });
    nb::class_<ConfigOfTensor, MemoryConfig>(m, "ConfigOfTensor", "The memory config of a tensor.")
        .def_prop_ro(
            "nd_shard_spec", [](const ConfigOfTensor& self) { return given_shards(self.as_nd_shards()); },
            "Its shards as those of any number of dimensions; None: it has none.")
        .def("__repr__", [](const ConfigOfTensor& self) { return self.to_string(true); });
    m.attr("DRAM_MEMORY_CONFIG") = nb::cast(DRAM_MEMORY_CONFIG);
    m.attr("L1_MEMORY_CONFIG") = nb::cast(L1_MEMORY_CONFIG);
    m.attr("L1_SMALL_MEMORY_CONFIG") = nb::cast(L1_SMALL_MEMORY_CONFIG);
    nb::class_<TensorSpec>(m, "TensorSpec", "What a tensor is without its values.")
        .def(
            "__init__",
            [](TensorSpec* self, const Shape& shape, DataType dtype, Layout layout,
               BufferType::Value buffer_type, nb::handle tile) {
                new (self) TensorSpec{shape,  dtype,
                                      layout, {TensorMemoryLayout::INTERLEAVED, buffer_type, std::nullopt},
                                      {},     given_tile(tile, layout)};
            },
            "shape"_a, "dtype"_a, "layout"_a, "buffer_type"_a = BufferType::DRAM, "tile"_a = nb::none())
        .def(
            "__init__",
            [](TensorSpec* self, const Shape& shape, DataType dtype, Layout layout,
               TensorMemoryLayout::Value memory_layout, const std::optional<ShardSpec>& shard_spec,
               BufferType::Value buffer_type, nb::handle tile) {
                new (self) TensorSpec{shape,  dtype,
                                      layout, {memory_layout, buffer_type, shard_spec},
                                      {},     given_tile(tile, layout)};
            },
            "shape"_a, "dtype"_a, "layout"_a, "memory_layout"_a, "shard_spec"_a = nb::none(),
            "buffer_type"_a = BufferType::DRAM, "tile"_a = nb::none())
        .def(
            "__init__",
            [](TensorSpec* self, const Shape& shape, DataType dtype, Layout layout,
               const NdShardSpec& nd_shard_spec, BufferType::Value buffer_type, nb::handle tile) {
                new (self)
                    TensorSpec(placed_shards({shape,
                                              dtype,
                                              layout,
                                              {TensorMemoryLayout::ND_SHARDED, buffer_type, std::nullopt,
                                               std::make_shared<const NdShardSpec>(nd_shard_spec)},
                                              {},
                                              given_tile(tile, layout)}));
            },
            "shape"_a, "dtype"_a, "layout"_a, "nd_shard_spec"_a, "buffer_type"_a = BufferType::DRAM,
            "tile"_a = nb::none())
        .def_ro("shape", &TensorSpec::shape)
        .def_ro("dtype", &TensorSpec::dtype)
        .def_ro("layout", &TensorSpec::layout)
        .def_ro("memory_config", &TensorSpec::memory_config)
        .def_prop_ro("padded_shape", &TensorSpec::padded_shape, "The shape with its tiles filled up.")
        .def_prop_ro(
            "_tile_shape",
            [](const TensorSpec& self) {
                return std::array<std::uint32_t, 2>{self.tile.height, self.tile.width};
            },
            "Rows and columns of a tile.")
        .def(
            "__eq__", [](const TensorSpec& a, const TensorSpec& b) { return a == b; }, nb::is_operator())
        .def("__hash__", [](const TensorSpec& self) { return hash_of_equal(self); });
}

}  // namespace

void bind_types(nb::module_& module) {
    bind_enums(module);
    bind_shape(module);
    bind_cores(module);
    bind_memory_config(module);
}

}  // namespace tilemeter::python
