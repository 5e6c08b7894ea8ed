// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tilemeter_ttnn/functions/serialization.hpp"

#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <utility>

#include <sys/mman.h>

#include "runtime/types/rounding.hpp"
#include "tilemeter_ttnn/functions/flatbuffers.hpp"
#include "tools/compat/src/fatal.hpp"
#include "tools/compat/src/flatbuffer.hpp"
#include "tools/compat/src/helpers/tensor_tables.hpp"

namespace ttnn {

namespace {

namespace metal = tt::tt_metal;
using tilemeter::compat::Bytes;
using tilemeter::compat::cores_of;
using tilemeter::compat::cores_table;
using tilemeter::compat::FlatBufferBytes;
using tilemeter::compat::FlatBufferTable;
using tilemeter::compat::packed_tensor;
using tilemeter::compat::PackedBuffer;
using tilemeter::compat::PackedTensor;
using tilemeter::compat::refuse_as_fatal;
using tilemeter::compat::tensor_of;
using Writer = tilemeter::compat::FlatBufferWriter;

// Values begin at multiples of this in the file.
constexpr std::uint64_t kAlignment = 64;

// A file: the header's size, the header, values. Nothing stays half-written.
void write_file(const std::string& function, const std::string& file_name, std::span<const std::byte> header,
                std::span<const PackedBuffer> buffers) {
    const std::string unfinished = file_name + ".part";
    std::ofstream file(unfinished, std::ios::binary);
    std::uint64_t written = 0;
    const auto write = [&](const void* from, std::uint64_t size) {
        file.write(static_cast<const char*>(from), static_cast<std::streamsize>(size));
        written += size;
    };
    const auto fill_up_to = [&](std::uint64_t place) {
        const std::array<char, kAlignment> zeros{};
        while (written < place)
            write(zeros.data(), std::min<std::uint64_t>(zeros.size(), place - written));
    };
    const std::uint64_t header_size =
        tilemeter::round_up(sizeof(std::uint64_t) + header.size(), kAlignment) - sizeof(std::uint64_t);
    write(&header_size, sizeof header_size);
    write(header.data(), header.size());
    for (const PackedBuffer& each : buffers) {
        fill_up_to(sizeof header_size + header_size + each.offset);
        write(each.bytes.data(), each.bytes.size());
    }
    file.close();
    std::error_code error;
    if (file) std::filesystem::rename(unfinished, file_name, error);
    if (!file || error) {
        std::error_code ignored;
        std::filesystem::remove(unfinished, ignored);
        throw std::runtime_error(function + ": " + file_name + ": cannot be written");
    }
}

struct FileParts {
    FlatBufferTable root;
    std::span<const std::byte> data;
};

FileParts parts_of(std::span<const std::byte> bytes) {
    std::uint64_t header_size = 0;
    if (bytes.size() < sizeof header_size) throw std::runtime_error("it is too small for a header");
    std::memcpy(&header_size, bytes.data(), sizeof header_size);
    if (header_size > bytes.size() - sizeof header_size)
        throw std::runtime_error("its header of " + std::to_string(header_size) + " bytes is cut off");
    return {FlatBufferTable::root(bytes.subspan(sizeof header_size, header_size)),
            bytes.subspan(sizeof header_size + header_size)};
}

/// What `read` makes of a file. Its refusals name the file.
template <typename Read>
auto read_file(const std::string& function, const std::string& file_name, const char* expected,
               const Read& read) {
    std::ifstream file(file_name, std::ios::binary);
    if (!file) throw std::runtime_error(function + ": " + file_name + ": cannot be read");
    const std::vector<char> bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    try {
        return read(parts_of(std::as_bytes(std::span(bytes))));
    } catch (const std::runtime_error& error) {
        throw std::runtime_error(function + ": " + file_name + ": expected " + expected + ": " +
                                 error.what());
    }
}

Writer::Child views_table(const std::vector<OverlappedTensorView>& views, const Writer::Child& fused) {
    return [&views, fused](Writer& writer) {
        std::vector<Writer::Child> children;
        for (const OverlappedTensorView& view : views)
            children.push_back([&view](Writer& inner) {
                const auto name =
                    Writer::reference([&view](Writer& innermost) { return innermost.text(view.name); });
                return inner.table(
                    {name, Writer::number(4, view.tensor_shape[0]), Writer::number(4, view.tensor_shape[1]),
                     Writer::number(4, view.shard_shape[0]), Writer::number(4, view.shard_shape[1]),
                     Writer::reference(cores_table(view.core_range_set)),
                     Writer::number(1, static_cast<std::uint64_t>(view.dtype)),
                     Writer::number(4, view.tile_shape[0]), Writer::number(4, view.tile_shape[1]),
                     Writer::number(8, view.byte_offset), Writer::number(8, view.total_size)});
            });
        return writer.table({Writer::reference(fused),
                             Writer::reference([children](Writer& inner) { return inner.list(children); })});
    };
}

std::vector<OverlappedTensorView> views_of(const FlatBufferTable& root, const Tensor& fused) {
    std::vector<OverlappedTensorView> views;
    for (const FlatBufferTable& each : root.tables(1)) {
        const auto sizes = [&](std::size_t field) {
            return std::array{each.number<std::uint32_t>(field), each.number<std::uint32_t>(field + 1)};
        };
        views.push_back({each.text(0), fused, sizes(1), sizes(3), cores_of(each.table(5)),
                         static_cast<metal::DataType>(each.number<std::uint8_t>(6)), sizes(7),
                         each.number<std::uint64_t>(9), each.number<std::uint64_t>(10)});
    }
    return views;
}

void require_views(const char* function, const std::vector<OverlappedTensorView>& views) {
    if (views.empty())
        refuse_as_fatal(function, std::string(function) + ": views: expected at least one, found none");
    for (const OverlappedTensorView& each : views)
        if (each.fused_tensor.id() != views[0].fused_tensor.id())
            refuse_as_fatal(function, std::string(function) +
                                          ": views: expected those of one tensor, found "
                                          "several");
}

void require_extension(const char* function, const std::string& file_name) {
    if (!file_name.ends_with(".overlappedtensorbin"))
        refuse_as_fatal(function, "File " + file_name + " must have .overlappedtensorbin extension");
}

// Writes children before their parents, as builders want it.
class BuilderWriter final : public Writer {
public:
    explicit BuilderWriter(detail::FlatBufferCalls& calls) : calls_(calls) {}

    std::uint32_t table(const std::vector<Field>& fields) override {
        std::vector<detail::FlatBufferCalls::Field> written;
        for (std::size_t i = 0; i < fields.size(); ++i) {
            const auto number = static_cast<std::uint16_t>(i);
            if (fields[i].size != 0)
                written.push_back({number, static_cast<std::uint8_t>(fields[i].size), fields[i].value});
            else if (fields[i].child)
                written.push_back({number, 0, fields[i].child(*this)});
        }
        return calls_.table(written);
    }
    std::uint32_t numbers(std::span<const std::uint32_t> values) override { return calls_.numbers(values); }
    std::uint32_t list(const std::vector<Child>& children) override {
        std::vector<std::uint32_t> references;
        for (const Child& each : children)
            references.push_back(each(*this));
        return calls_.references(references);
    }
    std::uint32_t pair(std::uint64_t first, std::uint64_t second) override {
        return calls_.pair(first, second);
    }
    std::uint32_t text(std::string_view value) override { return calls_.text(value); }

private:
    detail::FlatBufferCalls& calls_;
};

/// The tensor's table; its values stand behind those that are there.
Writer::Child add_buffers(const Tensor& tensor, std::vector<SerializedTensorBuffer>& buffers) {
    std::uint64_t end = 0;
    for (const SerializedTensorBuffer& each : buffers)
        end = std::max(end, tilemeter::round_up(each.offset + each.buffer.view_bytes().size(), kAlignment));
    PackedTensor packed = packed_tensor(tensor, end, kAlignment);
    for (PackedBuffer& each : packed.buffers)
        buffers.push_back({metal::HostBuffer(std::move(each.bytes)), each.offset});
    return packed.table;
}

}  // namespace

namespace detail {

std::uint32_t write_cores(FlatBufferCalls& calls, const CoreRangeSet& cores) {
    BuilderWriter writer(calls);
    return cores_table(cores)(writer);
}
std::uint32_t write_config(FlatBufferCalls& calls, const MemoryConfig& config) {
    BuilderWriter writer(calls);
    return tilemeter::compat::config_table(config)(writer);
}
std::uint32_t write_spec(FlatBufferCalls& calls, const metal::TensorSpec& spec) {
    BuilderWriter writer(calls);
    return tilemeter::compat::spec_table(spec)(writer);
}
std::uint32_t write_tensor(FlatBufferCalls& calls, const Tensor& tensor,
                           std::vector<SerializedTensorBuffer>& buffers) {
    BuilderWriter writer(calls);
    return add_buffers(tensor, buffers)(writer);
}
std::uint32_t write_views(FlatBufferCalls& calls, const std::vector<OverlappedTensorView>& views,
                          std::vector<SerializedTensorBuffer>& buffers) {
    require_views("overlapped_tensors_to_flatbuffer", views);
    BuilderWriter writer(calls);
    return views_table(views, add_buffers(views[0].fused_tensor, buffers))(writer);
}
void write_tensor_file(const std::string& file_name, std::span<const std::byte> header,
                       std::span<const SerializedTensorBuffer> buffers) {
    std::vector<PackedBuffer> packed;
    for (const SerializedTensorBuffer& each : buffers) {
        const auto bytes = each.buffer.view_bytes();
        packed.push_back({each.offset, Bytes(bytes.begin(), bytes.end())});
    }
    std::ranges::sort(packed, {}, &PackedBuffer::offset);
    write_file("write_tensor_file", file_name, header, packed);
}

}  // namespace detail

flatbuffer::DataType to_flatbuffer(DataType dtype) {
    if (dtype >= DataType::INVALID)
        refuse_as_fatal("to_flatbuffer", "to_flatbuffer: dtype: expected one of a tensor's, found another");
    return static_cast<flatbuffer::DataType>(dtype);
}
DataType from_flatbuffer(flatbuffer::DataType dtype) {
    if (static_cast<DataType>(dtype) >= DataType::INVALID)
        refuse_as_fatal("from_flatbuffer",
                        "from_flatbuffer: dtype: expected one of a tensor's, found another");
    return static_cast<DataType>(dtype);
}
CoreRangeSet from_flatbuffer(const flatbuffer::CoreRangeSet* table) {
    return cores_of(FlatBufferTable::in_memory(table));
}
MemoryConfig from_flatbuffer(const flatbuffer::MemoryConfig* table) {
    return tilemeter::compat::config_of(FlatBufferTable::in_memory(table));
}
metal::TensorSpec from_flatbuffer(const flatbuffer::TensorSpec* table) {
    return tilemeter::compat::spec_of(FlatBufferTable::in_memory(table));
}
Tensor from_flatbuffer(const flatbuffer::Tensor* table, std::span<std::byte> tensor_data,
                       const metal::MemoryPin& /*memory_pin*/) {
    return tensor_of(FlatBufferTable::in_memory(table), tensor_data);
}
std::vector<OverlappedTensorView> overlapped_tensors_from_flatbuffer(
    const flatbuffer::OverlappedTensors* table, std::span<std::byte> tensor_data,
    const metal::MemoryPin& /*memory_pin*/) {
    const FlatBufferTable root = FlatBufferTable::in_memory(table);
    return views_of(root, tensor_of(root.table(0), tensor_data));
}

std::shared_ptr<void> map_tensor_file(int fd, std::uint64_t file_size, std::string_view file_name) {
    void* const memory = mmap(nullptr, file_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (memory == MAP_FAILED)
        throw std::runtime_error("map_tensor_file: " + std::string(file_name) + ": cannot be mapped");
    return {memory, [file_size](void* mapped) { munmap(mapped, file_size); }};
}

void dump_tensor_flatbuffer(const std::string& file_name, const Tensor& tensor, DumpTensorMode /*mode*/) {
    FlatBufferBytes header;
    PackedTensor packed;
    Bytes bytes;
    try {
        packed = packed_tensor(tensor, 0, kAlignment);
        bytes = header.finish(packed.table);
    } catch (const std::runtime_error& error) {
        throw std::runtime_error("dump_tensor_flatbuffer: " + file_name + ": " + error.what());
    }
    write_file("dump_tensor_flatbuffer", file_name, bytes, packed.buffers);
}

Tensor load_tensor_flatbuffer(const std::string& file_name, metal::distributed::MeshDevice* device) {
    return read_file("load_tensor_flatbuffer", file_name, "a tensor's file", [&](const FileParts& parts) {
        const Tensor tensor = tensor_of(parts.root, parts.data);
        return device == nullptr ? tensor : tensor.to_device(device, tensor.memory_config());
    });
}

void dump_overlapped_tensors(const std::string& file_name, const std::vector<OverlappedTensorView>& views) {
    require_extension("dump_overlapped_tensors", file_name);
    require_views("dump_overlapped_tensors", views);
    const PackedTensor packed = packed_tensor(views[0].fused_tensor, 0, kAlignment);
    FlatBufferBytes header;
    write_file("dump_overlapped_tensors", file_name, header.finish(views_table(views, packed.table)),
               packed.buffers);
}

std::vector<OverlappedTensorView> load_overlapped_tensors(const std::string& file_name,
                                                          metal::distributed::MeshDevice* device) {
    require_extension("load_overlapped_tensors", file_name);
    return read_file("load_overlapped_tensors", file_name, "a file of views", [&](const FileParts& parts) {
        const Tensor fused = tensor_of(parts.root.table(0), parts.data);
        return views_of(parts.root,
                        device == nullptr ? fused : fused.to_device(device, fused.memory_config()));
    });
}

}  // namespace ttnn
