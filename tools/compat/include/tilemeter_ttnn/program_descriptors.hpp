// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Programs that their callers describe, for generic_op: kernels, circular buffers and semaphores, with fields as TT-NN 0.81.1
// has them. Circular buffers and semaphores are planned; kernels do not run.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "tilemeter_ttnn/mesh.hpp"
#include "tilemeter_ttnn/tensor.hpp"
#include "tt_stl/reflection.hpp"
#include "tt_stl/small_vector.hpp"

namespace tt::tt_metal {

using KernelHandle = std::uint32_t;
using CBHandle = std::uintptr_t;

enum class DataMovementProcessor : std::uint8_t {
    RISCV_0 = 0,
    RISCV_1 = 1,
    RISCV_2 = 2,
    RISCV_3 = 3,
    RISCV_4 = 4,
    RISCV_5 = 5,
    RISCV_6 = 6,
    RISCV_7 = 7
};
enum NOC_MODE : std::uint8_t { DM_DEDICATED_NOC = 0, DM_DYNAMIC_NOC = 1 };
enum class KernelBuildOptLevel : std::uint8_t { O1, O2, O3, O0, Os, Ofast, Oz };

namespace experimental {
class GlobalCircularBuffer;
}

struct TileDescriptor {
    std::uint32_t height = 32;
    std::uint32_t width = 32;
    bool transpose = false;

    TileDescriptor() = default;
    TileDescriptor(const Tile& tile)  // NOLINT: a tile describes itself
        : height(tile.get_height()), width(tile.get_width()), transpose(tile.get_transpose_of_faces()) {}
    TileDescriptor(std::uint32_t height_, std::uint32_t width_, bool transpose_)
        : height(height_), width(width_), transpose(transpose_) {}
    bool operator==(const TileDescriptor&) const = default;
};

struct FaceGeometry {
    std::uint32_t face_r_dim = 16;
    std::uint32_t num_faces = 4;
    bool operator==(const FaceGeometry&) const = default;
};

struct CBFormatDescriptor {
    std::uint8_t buffer_index = 0;
    tt::DataFormat data_format = tt::DataFormat::Float32;
    std::uint32_t page_size = 0;
    std::optional<TileDescriptor> tile{};
    std::optional<FaceGeometry> face_geometry{};
};

struct CBDescriptor {
    using FormatDescriptors = ttsl::SmallVector<CBFormatDescriptor>;

    std::uint32_t total_size = 0;
    CoreRangeSet core_ranges{};
    FormatDescriptors format_descriptors{};
    FormatDescriptors remote_format_descriptors{};
    Buffer* buffer = nullptr;  ///< of one of the operation's tensors, in whose memory it lies
    std::uint32_t address_offset = 0;
    const experimental::GlobalCircularBuffer* global_circular_buffer = nullptr;
};

struct SemaphoreDescriptor {
    std::uint32_t id = 0;
    CoreType core_type = CoreType::WORKER;
    CoreRangeSet core_ranges{};
    std::uint32_t initial_value = 0;
};

struct ReaderConfigDescriptor {};
struct WriterConfigDescriptor {};
struct DataMovementConfigDescriptor {
    DataMovementProcessor processor = DataMovementProcessor::RISCV_0;
    NOC noc = NOC::RISCV_0_default;
    NOC_MODE noc_mode = NOC_MODE::DM_DEDICATED_NOC;
};
struct ComputeConfigDescriptor {
    using UnpackToDestModes = std::vector<UnpackToDestMode>;

    MathFidelity math_fidelity = MathFidelity::HiFi4;
    bool fp32_dest_acc_en = false;
    bool dst_full_sync_en = false;
    UnpackToDestModes unpack_to_dest_mode{};
    bool bfp8_pack_precise = false;
    bool math_approx_mode = false;
};

struct KernelDescriptor {
    using CompileTimeArgs = std::vector<std::uint32_t>;
    using NamedCompileTimeArgs = std::vector<std::pair<std::string, std::uint32_t>>;
    using Defines = std::vector<std::pair<std::string, std::string>>;
    using CoreRuntimeArgs = std::vector<std::uint32_t>;
    using RuntimeArgs = std::vector<std::pair<CoreCoord, CoreRuntimeArgs>>;
    using CommonRuntimeArgs = CoreRuntimeArgs;
    using ConfigDescriptor = std::variant<ReaderConfigDescriptor, WriterConfigDescriptor,
                                          DataMovementConfigDescriptor, ComputeConfigDescriptor>;
    enum class SourceType : std::uint8_t { FILE_PATH, SOURCE_CODE };

    /// Arguments by name, for whole kernels and for single cores.
    struct NamedArgs {
        std::vector<std::pair<std::string, std::uint32_t>> common;
        std::vector<std::pair<CoreCoord, std::vector<std::pair<std::string, std::uint32_t>>>> per_core;
    };
    /// An argument that is the address of a buffer: which one, and whose.
    struct BufferBinding {
        CoreCoord core;
        std::uint32_t arg_idx = 0;
        Buffer* buffer = nullptr;
    };
    struct CommonBufferBinding {
        std::uint32_t arg_idx = 0;
        Buffer* buffer = nullptr;
    };

    std::string kernel_source{};
    SourceType source_type = SourceType::FILE_PATH;
    CoreRangeSet core_ranges{};
    CompileTimeArgs compile_time_args{};
    NamedCompileTimeArgs named_compile_time_args{};
    Defines defines{};
    RuntimeArgs runtime_args{};
    CommonRuntimeArgs common_runtime_args{};
    NamedArgs blaze_named_args{};
    std::optional<KernelBuildOptLevel> opt_level = std::nullopt;
    ConfigDescriptor config{};
    std::vector<std::string> compiler_include_paths{};
    std::vector<BufferBinding> buffer_bindings{};
    std::vector<CommonBufferBinding> common_buffer_bindings{};
};

struct ProgramDescriptor {
    using KernelDescriptors = ttsl::SmallVector<KernelDescriptor>;
    using SemaphoreDescriptors = ttsl::SmallVector<SemaphoreDescriptor>;
    using CBDescriptors = ttsl::SmallVector<CBDescriptor>;

    KernelDescriptors kernels;
    SemaphoreDescriptors semaphores;
    CBDescriptors cbs;
    std::optional<std::uint64_t> custom_program_hash{};

    /// The lowest number below 16 that no semaphore of `core` has.
    std::optional<std::uint32_t> find_available_semaphore_id(const CoreCoord& core, CoreType core_type) const;
};

/// All programs as one. Throws std::runtime_error where cores of two of them overlap.
ProgramDescriptor merge_program_descriptors(const std::vector<ProgramDescriptor>& descriptors);

namespace experimental {
struct MeshProgramDescriptor {
    using MeshPrograms = std::vector<std::pair<distributed::MeshCoordinateRange, ProgramDescriptor>>;

    MeshPrograms mesh_programs;
    std::optional<std::uint64_t> custom_program_hash;
};
}  // namespace experimental

/// What a kernel is told of a buffer that it reaches by page: of an interleaved one its kind, of a sharded one also how it
/// is spread.
class TensorAccessorArgs {
public:
    TensorAccessorArgs() = default;
    explicit TensorAccessorArgs(const Buffer* buffer) : buffer_(buffer) {}
    explicit TensorAccessorArgs(const Buffer& buffer) : buffer_(&buffer) {}

    /// Throws std::runtime_error for a sharded buffer: its bank coordinates are those of hardware, which the model has not.
    std::vector<std::uint32_t> get_compile_time_args() const;
    std::vector<std::uint32_t> get_common_runtime_args() const { return {}; }
    void append_to(std::vector<std::uint32_t>& compile_time_args) const;

private:
    const Buffer* buffer_ = nullptr;
};

}  // namespace tt::tt_metal

namespace ttnn {

/// Runs the program on `io_tensors`: inputs, then what it writes. Gives the last. Throws std::runtime_error for what TT-NN
/// refuses.
Tensor generic_op(const std::vector<Tensor>& io_tensors,
                  const tt::tt_metal::ProgramDescriptor& program_descriptor);
/// The same on a mesh. Throws std::runtime_error unless each chip has a program of the same memory.
Tensor generic_op(const std::vector<Tensor>& io_tensors,
                  const tt::tt_metal::experimental::MeshProgramDescriptor& mesh_program_descriptor);

/// A circular buffer in the memory of a sharded tensor, of its cores unless others are named; 0 bytes: all of a shard.
tt::tt_metal::CBDescriptor cb_descriptor_from_sharded_tensor(
    std::uint8_t cb_index, const Tensor& tensor, std::uint32_t address_offset = 0,
    std::uint32_t total_size = 0,
    const std::optional<tt::tt_metal::CoreRangeSet>& core_ranges = std::nullopt);
/// Its address in its tensor's memory; without one, just the offset.
std::uint64_t get_cb_address(const tt::tt_metal::CBDescriptor& cb_descriptor);

}  // namespace ttnn
