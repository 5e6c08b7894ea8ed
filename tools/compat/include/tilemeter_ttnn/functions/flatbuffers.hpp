// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Tensors and what describes them as tables of FlatBuffers, in the form of TT-NN 0.81.1. The tables' types are those of the
// schemas that TT-NN's clients bring along; to_flatbuffer() is there where FlatBuffers is.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tilemeter_ttnn/tensor.hpp"

#if __has_include(<flatbuffers/flatbuffers.h>)
#include <flatbuffers/flatbuffers.h>
#endif

namespace ttnn {

namespace flatbuffer {
enum class DataType : std::uint8_t;
struct CoreRangeSet;
struct MemoryConfig;
struct OverlappedTensors;
struct Tensor;
struct TensorSpec;
}  // namespace flatbuffer

/// Values that stand `offset` bytes behind the first of a file's.
struct SerializedTensorBuffer {
    tt::tt_metal::HostBuffer buffer;
    std::uint64_t offset = 0;
};

/// A tensor of its own in the bytes of another one.
struct OverlappedTensorView {
    std::string name;
    Tensor fused_tensor;
    std::array<std::uint32_t, 2> tensor_shape{};
    std::array<std::uint32_t, 2> shard_shape{};
    CoreRangeSet core_range_set;
    DataType dtype = DataType::BFLOAT16;
    std::array<std::uint32_t, 2> tile_shape{};
    std::uint64_t byte_offset = 0;
    std::uint64_t total_size = 0;
};

/// Views of one tensor, in a file (.overlappedtensorbin). Throw std::runtime_error for other files, no views and those of
/// several tensors.
void dump_overlapped_tensors(const std::string& file_name, const std::vector<OverlappedTensorView>& views);
std::vector<OverlappedTensorView> load_overlapped_tensors(
    const std::string& file_name, tt::tt_metal::distributed::MeshDevice* device = nullptr);

flatbuffer::DataType to_flatbuffer(DataType dtype);

// Of tables in buffers that somebody has checked.
DataType from_flatbuffer(flatbuffer::DataType dtype);
CoreRangeSet from_flatbuffer(const flatbuffer::CoreRangeSet* table);
MemoryConfig from_flatbuffer(const flatbuffer::MemoryConfig* table);
tt::tt_metal::TensorSpec from_flatbuffer(const flatbuffer::TensorSpec* table);
/// A host tensor with a copy of its values in `tensor_data`, which holds all of the file's.
Tensor from_flatbuffer(const flatbuffer::Tensor* table, std::span<std::byte> tensor_data,
                       const tt::tt_metal::MemoryPin& memory_pin);
std::vector<OverlappedTensorView> overlapped_tensors_from_flatbuffer(
    const flatbuffer::OverlappedTensors* table, std::span<std::byte> tensor_data,
    const tt::tt_metal::MemoryPin& memory_pin);

/// All bytes of an open file, for reading, until the last owner goes. Throws std::runtime_error where they cannot be mapped.
std::shared_ptr<void> map_tensor_file(int fd, std::uint64_t file_size, std::string_view file_name);

namespace detail {
/// A builder of any version of FlatBuffers, as the library calls it. Children come before parents.
class FlatBufferCalls {
public:
    struct Field {
        std::uint16_t number = 0;
        std::uint8_t size = 0;  ///< bytes of a number; 0: a reference
        std::uint64_t value = 0;
    };

    FlatBufferCalls() = default;
    virtual ~FlatBufferCalls() = default;
    FlatBufferCalls(const FlatBufferCalls&) = delete;
    FlatBufferCalls& operator=(const FlatBufferCalls&) = delete;

    virtual std::uint32_t table(std::span<const Field> fields) = 0;
    virtual std::uint32_t numbers(std::span<const std::uint32_t> values) = 0;
    virtual std::uint32_t references(std::span<const std::uint32_t> places) = 0;
    virtual std::uint32_t pair(std::uint64_t first, std::uint64_t second) = 0;
    virtual std::uint32_t text(std::string_view value) = 0;
};
std::uint32_t write_cores(FlatBufferCalls& calls, const CoreRangeSet& cores);
std::uint32_t write_config(FlatBufferCalls& calls, const MemoryConfig& config);
std::uint32_t write_spec(FlatBufferCalls& calls, const tt::tt_metal::TensorSpec& spec);
std::uint32_t write_tensor(FlatBufferCalls& calls, const Tensor& tensor,
                           std::vector<SerializedTensorBuffer>& buffers);
std::uint32_t write_views(FlatBufferCalls& calls, const std::vector<OverlappedTensorView>& views,
                          std::vector<SerializedTensorBuffer>& buffers);
void write_tensor_file(const std::string& file_name, std::span<const std::byte> header,
                       std::span<const SerializedTensorBuffer> buffers);
}  // namespace detail

#ifdef FLATBUFFERS_VERSION_MAJOR

namespace detail {
class FlatBufferCallsOf final : public FlatBufferCalls {
public:
    explicit FlatBufferCallsOf(flatbuffers::FlatBufferBuilder& builder) : builder_(builder) {}

    std::uint32_t table(std::span<const Field> fields) override {
        const auto start = builder_.StartTable();
        for (const Field& each : fields) {
            const auto place = static_cast<flatbuffers::voffset_t>(4 + 2 * each.number);
            switch (each.size) {
                case 0:
                    builder_.AddOffset(place,
                                       flatbuffers::Offset<void>(static_cast<std::uint32_t>(each.value)));
                    break;
                case 1:
                    builder_.AddElement(place, static_cast<std::uint8_t>(each.value), std::uint8_t{0});
                    break;
                case 2:
                    builder_.AddElement(place, static_cast<std::uint16_t>(each.value), std::uint16_t{0});
                    break;
                case 4:
                    builder_.AddElement(place, static_cast<std::uint32_t>(each.value), std::uint32_t{0});
                    break;
                default:
                    builder_.AddElement(place, each.value, std::uint64_t{0});
            }
        }
        return builder_.EndTable(start);
    }
    std::uint32_t numbers(std::span<const std::uint32_t> values) override {
        return builder_.CreateVector(values.data(), values.size()).o;
    }
    std::uint32_t references(std::span<const std::uint32_t> places) override {
        const std::vector<flatbuffers::Offset<void>> offsets(places.begin(), places.end());
        return builder_.CreateVector(offsets.data(), offsets.size()).o;
    }
    std::uint32_t pair(std::uint64_t first, std::uint64_t second) override {
        return builder_.CreateStruct(std::array{first, second}).o;
    }
    std::uint32_t text(std::string_view value) override {
        return builder_.CreateString(value.data(), value.size()).o;
    }

private:
    flatbuffers::FlatBufferBuilder& builder_;
};
}  // namespace detail

inline flatbuffers::Offset<flatbuffer::CoreRangeSet> to_flatbuffer(flatbuffers::FlatBufferBuilder& builder,
                                                                   const CoreRangeSet& cores) {
    detail::FlatBufferCallsOf calls(builder);
    return detail::write_cores(calls, cores);
}
/// Throws std::runtime_error for shards of any number of dimensions.
inline flatbuffers::Offset<flatbuffer::MemoryConfig> to_flatbuffer(const MemoryConfig& config,
                                                                   flatbuffers::FlatBufferBuilder& builder) {
    detail::FlatBufferCallsOf calls(builder);
    return detail::write_config(calls, config);
}
inline flatbuffers::Offset<flatbuffer::TensorSpec> to_flatbuffer(const tt::tt_metal::TensorSpec& spec,
                                                                 flatbuffers::FlatBufferBuilder& builder) {
    detail::FlatBufferCallsOf calls(builder);
    return detail::write_spec(calls, spec);
}
/// Its values are added to `buffers`, behind those that are there.
inline flatbuffers::Offset<flatbuffer::Tensor> to_flatbuffer(const Tensor& tensor,
                                                             flatbuffers::FlatBufferBuilder& builder,
                                                             std::vector<SerializedTensorBuffer>& buffers) {
    detail::FlatBufferCallsOf calls(builder);
    return detail::write_tensor(calls, tensor, buffers);
}
/// Throws std::runtime_error for no views and those of several tensors.
inline flatbuffers::Offset<flatbuffer::OverlappedTensors> overlapped_tensors_to_flatbuffer(
    const std::vector<OverlappedTensorView>& views, flatbuffers::FlatBufferBuilder& builder,
    std::vector<SerializedTensorBuffer>& buffers) {
    detail::FlatBufferCallsOf calls(builder);
    return detail::write_views(calls, views, buffers);
}
/// A file of a finished builder and its values, as load_tensor_flatbuffer() reads it. Throws std::runtime_error where it cannot
/// be written, and nothing stays half-written.
inline void write_tensor_file(const std::string& file_name, const flatbuffers::FlatBufferBuilder& builder,
                              std::span<const SerializedTensorBuffer> buffers) {
    detail::write_tensor_file(
        file_name, std::as_bytes(std::span(builder.GetBufferPointer(), builder.GetSize())), buffers);
}

#endif

}  // namespace ttnn
