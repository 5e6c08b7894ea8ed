// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/attach/ttnn/tensors.hpp"

#include <cstdlib>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <cxxabi.h>

#include "runtime/attach/ttnn/devices.hpp"
#include "runtime/attach/ttnn/thread_state.hpp"

namespace tilemeter::attach::ttnn {

namespace {

using OptionalTensor = std::optional<Tensor>;
static_assert(sizeof(OptionalTensor) == 32);

template <typename Write>
std::uint32_t text_written_by(Write write) {
    std::ostringstream out;
    write(out);
    return intern(out.str());
}

/// As a demangler writes types: a mangled name spells them in more than one way.
HeldType type_of_name(std::string_view name) {
    HeldType type;
    constexpr std::string_view kReference = "std::reference_wrapper<";
    if (name.starts_with(kReference) && name.ends_with('>')) {
        type.by_reference = true;
        name.remove_prefix(kReference.size());
        name.remove_suffix(1);
        if (name.ends_with(' ')) name.remove_suffix(1);
    }
    constexpr std::string_view kConst = " const";
    if (name.ends_with(kConst)) name.remove_suffix(kConst.size());
    struct Known {
        std::string_view begin;
        Holds holds;
    };
    constexpr std::array kKnown = {
        Known{"std::optional<ttnn::Tensor>", Holds::kOptional},
        Known{"std::optional<ttnn::Tensor const>", Holds::kOptional},
        Known{"std::vector<ttnn::Tensor, ", Holds::kTensors},
        Known{"std::vector<std::reference_wrapper<ttnn::Tensor", Holds::kReferences},
        Known{"std::vector<std::optional<ttnn::Tensor", Holds::kOptionals},
        Known{"std::array<ttnn::Tensor, 2ul>", Holds::kArray2},
        Known{"std::array<ttnn::Tensor, 3ul>", Holds::kArray3},
        Known{"std::array<ttnn::Tensor, 4ul>", Holds::kArray4},
        Known{"tt::tt_metal::internal::GraphFunctionAbort", Holds::kAborted},
    };
    if (name == "ttnn::Tensor") type.holds = Holds::kTensor;
    if (name == "tt::tt_metal::DataType" || name == "tt::tt_metal::Layout") type.text = TextOf::kByte;
    if (name == "tt::tt_metal::distributed::MeshDevice*") type.text = TextOf::kPointer;
    // By value it is behind a pointer, as larger ones are.
    if (name == "tt::tt_metal::Shape" && type.by_reference) type.text = TextOf::kShape;
    for (const Known& each : kKnown) {
        if (name.starts_with(each.begin)) type.holds = each.holds;
    }
    return type;
}
void emit_tensor(ThreadState& here, const Tensor& tensor,
                 void (*add)(std::uint8_t, const tilemeter_tensor*)) {
    if (tensor.attributes == nullptr) return;
    const bool on_device = api.tensor_storage(&tensor) == StorageType::kDevice;
    const Buffer* buffer = nullptr;
    const Buffer* own_buffer = nullptr;
    tilemeter_tensor made{};
    made.id = tensor.id;
    if (on_device && api.tensor_is_allocated(&tensor)) {
        const MeshBuffer* const memory = api.tensor_mesh_buffer(&tensor);
        buffer = own_buffer = api.mesh_buffer_backing(memory);
        if (own_buffer != nullptr) {
            if (const tilemeter_tensor* const known = here.tensors.find(tensor, own_buffer))
                return add(emitter_number, known);
        }
        const Device* const device = api.mesh_buffer_device(memory);
        made.device = static_cast<std::uint16_t>(api.device_id(device));
        if (own_buffer != nullptr) {
            made.has_buffer = 1;
            made.buffer = api.buffer_id(own_buffer);
        } else {
            made.is_view = 1;
            buffer = api.tensor_buffer(&tensor);
        }
        made.address = api.buffer_address(buffer);
        note_alive(buffer);
        meet(device, made.device);
    }
    made.type = here.tensor_types.of(tensor, buffer, on_device);
    if (own_buffer != nullptr) here.tensors.add(tensor, own_buffer, made);
    add(emitter_number, &made);
}
}  // namespace

std::uint32_t TensorTypes::make(const Tensor& tensor, const Key& key, std::span<const std::uint32_t> shape,
                                const MemoryConfig* config) {
    const std::vector<std::uint64_t> dimensions(shape.begin(), shape.end());
    tilemeter_tensor_type type{};
    type.shape = dimensions.data();
    type.rank = dimensions.size();
    const int dtype = key.dtype;
    const int layout = key.layout;
    type.dtype = text_written_by([&](std::ostream& out) { api.write_dtype(out, &dtype); });
    type.layout = text_written_by([&](std::ostream& out) { api.write_layout(out, &layout); });
    if (config != nullptr)
        type.memory_config =
            text_written_by([&](std::ostream& out) { api.write_memory_config(out, config); });
    type.on_device = key.on_device;
    type.memory = key.memory;
    type.buffer_layout = key.buffer_layout;
    type.size_bytes = api.tensor_volume(&tensor) * api.tensor_element_size(&tensor);
    type.buffer_size_bytes = key.buffer_size;
    return emit->intern_tensor_type(&type);
}

HeldType type_of(const std::type_info& type) {
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> name(
        abi::__cxa_demangle(type.name(), nullptr, nullptr, &status), &std::free);
    return type_of_name(name != nullptr ? name.get() : "");
}
const void* object_in(const std::any& value, bool by_reference, std::size_t size) {
    const auto& layout = reinterpret_cast<const AnyLayout&>(value);
    // A reference is a small object that is a pointer; what is larger is pointed to.
    if (by_reference || size > sizeof(void*)) return layout.storage;
    return &layout.storage;
}

void emit_tensors_in(ThreadState& here, const std::any& value, HeldType type,
                     void (*add)(std::uint8_t, const tilemeter_tensor*)) {
    const auto emit_optional = [&](const OptionalTensor& each) {
        if (each) emit_tensor(here, *each, add);
    };
    const void* const object = object_in(value, type.by_reference, sizeof(Tensor));
    if (object == nullptr) return;
    switch (type.holds) {
        case Holds::kTensor:
            return emit_tensor(here, *static_cast<const Tensor*>(object), add);
        case Holds::kOptional:
            return emit_optional(*static_cast<const OptionalTensor*>(object));
        case Holds::kTensors:
            for (const Tensor& each : *static_cast<const std::vector<Tensor>*>(object))
                emit_tensor(here, each, add);
            return;
        case Holds::kReferences:
            for (const Tensor* each : *static_cast<const std::vector<const Tensor*>*>(object))
                emit_tensor(here, *each, add);
            return;
        case Holds::kOptionals:
            for (const OptionalTensor& each : *static_cast<const std::vector<OptionalTensor>*>(object))
                emit_optional(each);
            return;
        case Holds::kArray2:
        case Holds::kArray3:
        case Holds::kArray4: {
            const auto count =
                static_cast<std::size_t>(type.holds) - static_cast<std::size_t>(Holds::kArray2) + 2;
            for (const Tensor& each : std::span(static_cast<const Tensor*>(object), count))
                emit_tensor(here, each, add);
            return;
        }
        case Holds::kOther:
        case Holds::kAborted:
            return;
    }
}
}  // namespace tilemeter::attach::ttnn
