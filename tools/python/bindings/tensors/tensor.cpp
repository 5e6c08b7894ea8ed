// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "capture/record/window.hpp"
#include "runtime/device/call_recorder.hpp"
#include "runtime/device/device.hpp"
#include "runtime/device/device_description.hpp"
#include "runtime/device/freed_views.hpp"
#include "runtime/device/metal_trace.hpp"
#include "runtime/device/planning.hpp"
#include "runtime/operations/core/call_watcher.hpp"
#include "runtime/operations/core/host_transfer.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/planned_values.hpp"
#include "runtime/operations/data_movement/layout_conversion.hpp"
#include "runtime/operations/data_movement/reshape.hpp"
#include "runtime/operations/data_movement/upload_and_convert.hpp"
#include "runtime/tensor/stored_values.hpp"
#include "tools/python/bindings/base/bind.hpp"
#include "tools/python/bindings/base/operation.hpp"
#include "tools/python/bindings/base/python_place.hpp"
#include "tools/python/bindings/base/tensor_handle.hpp"
#include "tools/python/bindings/tensors/tensor_values.hpp"
#include "tools/python/bindings/types/config_of_tensor.hpp"
#include "tools/python/bindings/types/tile_of.hpp"

namespace tilemeter::python {

TensorHandle::~TensorHandle() {
    try {
        if (!tensor_.is_last_owner()) return;
        drop_around_traces(tensor_.buffer(), [this] { tensor_.deallocate(false); });
    } catch (...) {  // NOLINT: garbage collection has nobody to tell
    }
}

namespace {

/// Values for one chip or for all of a device.
Tensor host_tensor(const std::vector<AnyArray>& arrays, const std::optional<DataType>& dtype,
                   const std::optional<Shape>& shape, Layout layout,
                   const std::optional<MemoryConfig>& memory_config,
                   const std::optional<std::array<std::uint32_t, 2>>& tile_shape) {
    if (arrays.empty()) throw nb::value_error("expected at least one array");
    const nb::gil_scoped_release unlocked;
    ChipValues values;
    for (const AnyArray& array : arrays)
        values.push_back(host_array_of(array, dtype, shape));
    TensorSpec spec{values.front().shape(), values.front().dtype(), layout,
                    memory_config.value_or(DRAM_MEMORY_CONFIG)};
    if (is_block_float(spec.dtype)) spec.layout = Layout::TILE;
    if (tile_shape) spec.tile = tile_of(*tile_shape, spec.layout);
    return Tensor::on_host(std::move(spec), std::move(values));
}

/// The maker of tensors for Python's constructor: the package says it (set_tensor_maker). Lives as long as the process.
nb::object& tensor_maker() {
    static auto* const maker = new nb::object();
    return *maker;
}

/// Throws TracingError, naming the operation, where the calling thread traces a function and does not know the values. What
/// is used after its trace is refused where its values are read.
void require_known(const Tensor& tensor, const char* operation) {
    if (!traces_function() || !tensor.is_allocated()) return;
    if (tensor.storage_type() == StorageType::HOST && tensor.has_values()) return;
    throw TracingError(TracingErrorKind::kNeedsConcreteArray,
                       std::string(operation) + ": the values of tensor " + tensor.shape().to_string() +
                           " are not known while a function is traced; hint: return the tensor from the "
                           "function and read it afterwards");
}

void bind_values(nb::class_<TensorHandle>& tensor) {
    tensor
        .def(
            "_require_known",
            [](const TensorHandle& self, const char* operation) { require_known(self.tensor(), operation); },
            "operation"_a)
        .def("__bool__",
             [](const TensorHandle& self) {
                 require_known(self.tensor(), "bool");
                 return true;  // as of any object
             })
        .def(
            "_values",
            [](const TensorHandle& self, std::size_t chip) {
                require_known(self.tensor(), "values");
                return numpy_of(self.tensor(), chip);
            },
            "chip"_a = 0,
            "The values as a NumPy array; bfloat16 and the block formats as float32. `chip` counts the chips "
            "of a mesh.")
        .def("__dlpack__",
             [](const TensorHandle& self, const nb::kwargs&) {
                 require_known(self.tensor(), "__dlpack__");
                 return dlpack_of(self.tensor(), 0);
             })
        .def("__dlpack_device__", [](const TensorHandle&) { return nb::make_tuple(1, 0); })
        .def(
            "num_chips_with_values",
            [](const TensorHandle& self) {
                const auto values = self.tensor().chip_values();
                return values ? values->size() : 0;
            },
            "1 where all chips of a mesh hold the same values, else the number of chips; 0 where there are no values.")
        .def_prop_ro(
            "_chip", [](const TensorHandle& self) { return self.tensor().chip(); },
            "The chip of a mesh that it is the part of; None: of all.")
        .def(
            "_distribution",
            [](const TensorHandle& self)
                -> std::optional<std::pair<std::vector<std::uint32_t>, std::vector<std::optional<int>>>> {
                const auto& spread = self.tensor().distribution();
                if (!spread) return std::nullopt;
                return std::pair{spread->parts, spread->dimensions};
            },
            "Parts along each axis over which it was spread, and the dimensions that were cut.")
        .def(
            "_set_distribution",
            [](TensorHandle& self, std::vector<std::uint32_t> parts,
               std::vector<std::optional<int>> dimensions) {
                self.tensor().set_distribution(std::make_shared<const Distribution>(
                    Distribution{std::move(parts), std::move(dimensions)}));
            },
            "parts"_a, "dimensions"_a);
}

}  // namespace

void bind_tensor(nb::module_& module) {
    nb::enum_<StorageType>(module, "StorageType", "Where a tensor's values are.")
        .value("HOST", StorageType::HOST)
        .value("DEVICE", StorageType::DEVICE);
    nb::class_<TensorHandle> tensor(
        module, "Tensor",
        "A tensor: values on the host, or memory on a device.\n\nThe memory is freed by "
        "deallocate() or when Python drops the last object of it.");
    tensor
        .def_prop_ro("tensor_id",
                     [](const TensorHandle& self) { return static_cast<std::uint64_t>(self.tensor().id()); })
        .def_prop_ro("shape", [](const TensorHandle& self) { return self.tensor().shape(); })
        .def_prop_ro("padded_shape", [](const TensorHandle& self) { return self.tensor().padded_shape(); })
        .def_prop_ro("dtype", [](const TensorHandle& self) { return self.tensor().dtype(); })
        .def_prop_ro("layout", [](const TensorHandle& self) { return self.tensor().layout(); })
        .def_prop_ro("spec", [](const TensorHandle& self) { return self.tensor().spec(); })
        .def(
            "memory_config",
            [](const TensorHandle& self) { return ConfigOfTensor{self.tensor().memory_config()}; },
            "Where it lies; of a host tensor where it goes by default.")
        .def(
            "storage_type", [](const TensorHandle& self) { return self.tensor().storage_type(); },
            "HOST or DEVICE.")
        .def(
            "is_sharded", [](const TensorHandle& self) { return self.tensor().is_sharded(); },
            "Whether it lies on a device in shards.")
        .def(
            "is_allocated", [](const TensorHandle& self) { return self.tensor().is_allocated(); },
            "Whether the tensor has its values or its memory.")
        .def(
            "device",
            [](const TensorHandle& self) -> std::shared_ptr<Device> {
                if (self.tensor().storage_type() == StorageType::HOST) return nullptr;
                return self.tensor().shared_device();
            },
            "The device it lies on; None for a host tensor.")
        .def(
            "logical_volume", [](const TensorHandle& self) { return self.tensor().shape().volume(); },
            "Number of elements.")
        .def(
            "volume", [](const TensorHandle& self) { return self.tensor().padded_shape().volume(); },
            "Number of elements with the tiles filled up.")
        .def(
            "element_size", [](const TensorHandle& self) { return element_size(self.tensor().dtype()); },
            "Bytes of one element.")
        .def(
            "buffer_address",
            [](const TensorHandle& self) {
                const Tensor& own = self.tensor();
                if (own.storage_type() == StorageType::DEVICE && !own.is_allocated())
                    throw std::runtime_error("Tensor is not allocated.");
                return own.buffer().address();
            },
            "Address of its device memory in every bank. Raises RuntimeError for a host tensor and without "
            "memory.")
        .def(
            "buffer_unique_id",
            [](const TensorHandle& self) {
                return reinterpret_cast<std::uintptr_t>(&self.tensor().buffer());
            },
            "A number of its device memory; that of another tensor only where they share the memory.")
        .def(
            "buffer_num_pages",
            [](const TensorHandle& self) {
                const Buffer& buffer = self.tensor().buffer();
                return buffer.size_bytes() / buffer.page_size_bytes();
            },
            "Number of pages of its device memory: tiles, or rows.")
        .def(
            "buffer_page_size",
            [](const TensorHandle& self) { return self.tensor().buffer().page_size_bytes(); },
            "Bytes of one page of its device memory.")
        .def(
            "buffer_size", [](const TensorHandle& self) { return self.tensor().buffer().size_bytes(); },
            "Bytes of its device memory, all banks together.")
        .def(
            "buffer_size_per_bank",
            [](const TensorHandle& self) { return self.tensor().buffer().size_per_bank_bytes(); },
            "Bytes of its device memory in each bank.")
        .def(
            "deallocate",
            [](TensorHandle& self, bool force) {
                // As when Python drops it: nothing happens, and no trace of it, unless there is memory to
                // free.
                if (self.tensor().storage_type() == StorageType::HOST || !self.tensor().is_allocated())
                    return;
                const FreeingAt place(place_of_free(self.tensor()));
                self.tensor().deallocate(force);
            },
            "force"_a = false, "Frees the device memory; with force also for other tensors that share it.")
        .def("_padding", [](const TensorHandle& self) { return padding_of(self.tensor().chip_values()); })
        .def(
            "_note_padding",
            [](const TensorHandle& self, float padding) {
                note_padding(self.tensor().chip_values(), padding);
            },
            "padding"_a)
        .def_prop_ro("_is_padded_to_tiles", &TensorHandle::is_padded_to_tiles)
        .def("_padded_to_tiles", &TensorHandle::padded_to_tiles)
        .def(
            "_to_layout",
            [](const TensorHandle& self, Layout layout) {
                // TT-NN shows no operation that a user called; who follows a function's calls needs one.
                const bool is_followed = call_recorder() != nullptr || call_watcher() != nullptr;
                return is_followed ? to_layout(self.tensor(), layout)
                                   : unscoped::to_layout(self.tensor(), layout);
            },
            "layout"_a, nb::call_guard<Unlocked, PythonCall>())
        .def("_reshape",
             [](const TensorHandle& self, const std::vector<std::int64_t>& shape) {
                 return unscoped::reshape(self.tensor(), resolve_shape(self.tensor(), shape));
             })
        .def("__init__",
             [](TensorHandle* self, const TensorHandle& other) { new (self) TensorHandle(other.tensor()); })
        .def(
            "__init__",
            [](TensorHandle* self, const nb::args& arguments, const nb::kwargs& named) {
                const nb::object made = tensor_maker()(*arguments, **named);
                new (self) TensorHandle(nb::cast<const TensorHandle&>(made).tensor());
            },
            "An array (or numbers and a shape), then dtype, device, layout and memory config, told by their "
            "types.")
        .def_prop_ro(
            "_tile_shape",
            [](const TensorHandle& self) {
                const Tile tile = self.tensor().spec().tile;
                return std::array<std::uint32_t, 2>{tile.height, tile.width};
            },
            "Rows and columns of a tile.")
        .def("_text", [](const TensorHandle& self) { return self.tensor().to_string(); });
    bind_values(tensor);
    module.def(
        "set_tensor_maker", [](nb::callable maker) { tensor_maker() = std::move(maker); }, "maker"_a,
        "Makes `maker` give the tensor for the constructor's arguments.");
    module.def("host_tensor", &host_tensor, "arrays"_a, "dtype"_a = nb::none(), "shape"_a = nb::none(),
               "layout"_a = Layout::ROW_MAJOR, "memory_config"_a = nb::none(), "tile_shape"_a = nb::none(),
               "A host tensor from arrays: one for all chips, or one per chip. memory_config: where it goes "
               "by default. tile_shape: rows and columns of a tile, unless 32 x 32.");
    module.def(
        "with_layout",
        [](const Tensor& host, Layout layout) {
            TensorSpec spec = host.spec();
            spec.layout = layout;
            spec.tile = kWholeTile;
            spec.memory_config = DRAM_MEMORY_CONFIG;  // as TT-NN's: what it makes anew goes to DRAM
            return changed_on_host(host, std::move(spec), [](const HostArray& values) { return values; });
        },
        "tensor"_a, "layout"_a, "A host tensor in another layout.");
    module.def(
        "host_to_layout",
        [](const Tensor& host, Layout layout) { return unscoped::host_to_layout(host, layout); }, "tensor"_a,
        "layout"_a, "The same, with the functions that TT-NN shows.");
    module.def(
        "with_dtype",
        [](const Tensor& host, DataType dtype) {
            const nb::gil_scoped_release unlocked;
            TensorSpec spec = host.spec();
            spec.dtype = dtype;
            if (is_block_float(dtype)) spec.layout = Layout::TILE;
            return changed_on_host(host, std::move(spec),
                                   [dtype](const HostArray& values) { return values.converted(dtype); });
        },
        "tensor"_a, "dtype"_a, "A host tensor with its values in another type.");
    module.def(
        "overwrite",
        [](const Tensor& host, const Tensor& device_tensor, bool of_some_cores) {
            overwrite(host, device_tensor, of_some_cores ? CopiedShards::kOfSomeCores : CopiedShards::kAll);
            if (of_some_cores && !device_tensor.is_sharded() && device_tensor.has_values()) {
                device_tensor.buffer().set_values(uncomputed_values(
                    "copy_host_to_device_tensor_partial wrote into interleaved memory, and what TT-NN "
                    "writes of that is not known"));
            }
        },
        "host"_a, "device_tensor"_a, "of_some_cores"_a = false,
        "Gives a device tensor the values of a host tensor of its shape, type and layout. of_some_cores: the host tensor has "
        "what stays on other cores, too.");
    module.def(
        "replace_host_values",
        [](TensorHandle& host, const Tensor& device) {
            const Tensor& own = host.tensor();
            if (own.storage_type() != StorageType::HOST || own.shape() != device.shape() ||
                own.dtype() != device.dtype() || own.layout() != device.layout()) {
                throw nb::value_error(
                    ("expected a host tensor as " + device.to_string() + ", got " + own.to_string()).c_str());
            }
            require_known(device, "copy_device_to_host_tensor");
            if (device.has_values()) host.tensor() = Tensor::on_host(own.spec(), *device.chip_values());
        },
        "host"_a, "device"_a, "Gives a host tensor the values of a device tensor of its kind.");
    module.def(
        "create_device_tensor",
        [](const TensorSpec& spec, const std::shared_ptr<Device>& device) {
            return create_device_tensor(spec, device);
        },
        "spec"_a, "device"_a, "A tensor without values. Raises OutOfMemoryError.");
    module.def("upload", &upload, nb::call_guard<nb::gil_scoped_release>(), "tensor"_a, "device"_a,
               "memory_config"_a);
    module.def("upload_and_convert", &upload_and_convert, nb::call_guard<nb::gil_scoped_release>(),
               "tensor"_a, "device"_a, "memory_config"_a, "dtype"_a, "layout"_a,
               "A host tensor on a device, and there in another dtype and layout.");
    module.def("part_of_chip", &Tensor::of_chip, "tensor"_a, "chip"_a,
               "What one chip has of a device tensor.");
    module.def(
        "whole_of_chip_part",
        [](const Tensor& part) {
            Tensor whole = Tensor::on_device(part.spec(), part.shared_buffer(), part.is_view());
            whole.set_distribution(part.distribution());
            return whole;
        },
        "part"_a, "The device tensor that a chip's part is of.");
    module.def(
        "shares_buffer",
        [](const Tensor& a, const Tensor& b) {
            return a.storage_type() == StorageType::DEVICE && b.storage_type() == StorageType::DEVICE &&
                   a.shared_buffer() == b.shared_buffer();
        },
        "a"_a, "b"_a, "Whether two tensors are the same memory of a device.");
    module.def("download", &download, nb::call_guard<nb::gil_scoped_release>(), "tensor"_a);
}

}  // namespace tilemeter::python
