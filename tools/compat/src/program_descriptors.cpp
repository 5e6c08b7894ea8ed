// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tilemeter_ttnn/program_descriptors.hpp"

#include <algorithm>
#include <set>
#include <sstream>
#include <stdexcept>

#include "runtime/operations/generic/generic_op.hpp"
#include "tools/compat/src/model.hpp"

namespace tt::tt_metal {

namespace {

constexpr std::uint32_t kMaxSemaphores = 16;

std::set<std::pair<std::size_t, std::size_t>> cores_of_kernels(const ProgramDescriptor& program) {
    std::set<std::pair<std::size_t, std::size_t>> cores;
    for (const KernelDescriptor& kernel : program.kernels)
        for (const CoreCoord& core : corerange_to_cores(kernel.core_ranges))
            cores.emplace(core.x, core.y);
    return cores;
}

}  // namespace

std::optional<std::uint32_t> ProgramDescriptor::find_available_semaphore_id(const CoreCoord& core,
                                                                            CoreType core_type) const {
    for (std::uint32_t id = 0; id < kMaxSemaphores; ++id) {
        const bool is_taken = std::ranges::any_of(semaphores, [&](const SemaphoreDescriptor& each) {
            return each.id == id && each.core_type == core_type && each.core_ranges.contains(core);
        });
        if (!is_taken) return id;
    }
    return std::nullopt;
}

ProgramDescriptor merge_program_descriptors(const std::vector<ProgramDescriptor>& descriptors) {
    ProgramDescriptor merged;
    std::set<std::pair<std::size_t, std::size_t>> taken;
    for (std::size_t number = 0; number < descriptors.size(); ++number) {
        const ProgramDescriptor& each = descriptors[number];
        for (const auto& core : cores_of_kernels(each))
            if (!taken.insert(core).second)
                throw std::runtime_error("Cannot merge ProgramDescriptors: kernels of descriptor " +
                                         std::to_string(number) + " and of an earlier one share core " +
                                         std::to_string(core.first) + "-" + std::to_string(core.second));
        merged.kernels.insert(merged.kernels.end(), each.kernels.begin(), each.kernels.end());
        merged.semaphores.insert(merged.semaphores.end(), each.semaphores.begin(), each.semaphores.end());
        merged.cbs.insert(merged.cbs.end(), each.cbs.begin(), each.cbs.end());
    }
    return merged;
}

std::vector<std::uint32_t> TensorAccessorArgs::get_compile_time_args() const {
    if (buffer_ == nullptr) return {};
    if (buffer_->buffer_layout() != TensorMemoryLayout::INTERLEAVED)
        throw std::runtime_error(
            "TensorAccessorArgs: of sharded tensors, which need the device's own coordinates: not modelled");
    constexpr std::uint32_t kInDram = 2;
    return {buffer_->is_dram() ? kInDram : 0, static_cast<std::uint32_t>(buffer_->aligned_page_size())};
}

void TensorAccessorArgs::append_to(std::vector<std::uint32_t>& compile_time_args) const {
    const std::vector<std::uint32_t> args = get_compile_time_args();
    compile_time_args.insert(compile_time_args.end(), args.begin(), args.end());
}

}  // namespace tt::tt_metal

namespace ttnn {

namespace {

namespace metal = tt::tt_metal;
using tilemeter::compat::from_model;
using tilemeter::compat::to_model;

// Texts as TT-NN writes descriptors in traces: runtime arguments, of which one program may have many, stand in none.
class DescriptorText {
public:
    std::string of(const metal::ProgramDescriptor& program) {
        out_ << "ProgramDescriptor(";
        list(program.kernels);
        out_ << ", ";
        list(program.semaphores);
        out_ << ", ";
        list(program.cbs);
        out_ << ", ";
        if (program.custom_program_hash)
            out_ << *program.custom_program_hash;
        else
            out_ << "std::nullopt";
        out_ << ")";
        return out_.str();
    }

private:
    template <typename List>
    void list(const List& values) {
        out_ << "SmallVector([";
        const char* comma = "";
        for (const auto& each : values) {
            out_ << comma;
            add(each);
            comma = ", ";
        }
        out_ << "])";
    }
    template <typename List>
    void braced(const List& values) {
        out_ << "{";
        const char* comma = "";
        for (const auto& each : values) {
            out_ << comma;
            add(each);
            comma = ", ";
        }
        out_ << "}";
    }
    void add(std::uint32_t value) { out_ << value; }
    void add(const std::string& value) { out_ << value; }
    void add(metal::UnpackToDestMode mode) {
        out_ << (mode == metal::UnpackToDestMode::UnpackToDestFp32 ? "UnpackToDestFp32" : "Default");
    }
    template <typename First, typename Second>
    void add(const std::pair<First, Second>& pair) {
        out_ << "{";
        add(pair.first);
        out_ << ", ";
        add(pair.second);
        out_ << "}";
    }
    void add(const metal::CBFormatDescriptor& format) {
        out_ << "CBFormatDescriptor(buffer_index=" << unsigned{format.buffer_index}
             << ",data_format=" << format.data_format << ",page_size=" << format.page_size << ",tile=";
        if (format.tile)
            out_ << "TileDescriptor(" << format.tile->height << "x" << format.tile->width << ")";
        else
            out_ << "std::nullopt";
        out_ << ",face_geometry=";
        if (format.face_geometry)
            out_ << "FaceGeometry(face_r_dim=" << format.face_geometry->face_r_dim
                 << ",num_faces=" << format.face_geometry->num_faces << ")";
        else
            out_ << "std::nullopt";
        out_ << ")";
    }
    void add(const metal::CBDescriptor& buffer) {
        out_ << "CBDescriptor(total_size=" << buffer.total_size << ",core_ranges=" << buffer.core_ranges
             << ",format_descriptors=";
        list(buffer.format_descriptors);
        out_ << ",remote_format_descriptors=";
        list(buffer.remote_format_descriptors);
        out_ << ",buffer=" << (buffer.buffer != nullptr ? 1 : 0)
             << ",address_offset=" << buffer.address_offset << ")";
    }
    void add(const metal::SemaphoreDescriptor& semaphore) {
        out_ << "SemaphoreDescriptor(id=" << semaphore.id
             << ",core_type=CoreType::" << (semaphore.core_type == tt::CoreType::WORKER ? "WORKER" : "ETH")
             << ",core_ranges=" << semaphore.core_ranges << ",initial_value=" << semaphore.initial_value
             << ")";
    }
    void add(const metal::KernelDescriptor::ConfigDescriptor& config) {
        if (std::holds_alternative<metal::ReaderConfigDescriptor>(config)) {
            out_ << "ReaderConfigDescriptor()";
        } else if (std::holds_alternative<metal::WriterConfigDescriptor>(config)) {
            out_ << "WriterConfigDescriptor()";
        } else if (const auto* moves = std::get_if<metal::DataMovementConfigDescriptor>(&config)) {
            out_ << "DataMovementConfigDescriptor(processor=RISCV_" << static_cast<int>(moves->processor)
                 << ",noc=" << (moves->noc == metal::NOC::NOC_0 ? "NOC_0" : "NOC_1") << ",noc_mode="
                 << (moves->noc_mode == metal::NOC_MODE::DM_DEDICATED_NOC ? "DM_DEDICATED_NOC"
                                                                          : "DM_DYNAMIC_NOC")
                 << ")";
        } else {
            const auto& computes = std::get<metal::ComputeConfigDescriptor>(config);
            out_ << "ComputeConfigDescriptor(math_fidelity=" << computes.math_fidelity
                 << ",fp32_dest_acc_en=" << computes.fp32_dest_acc_en
                 << ",dst_full_sync_en=" << computes.dst_full_sync_en << ",unpack_to_dest_mode=";
            braced(computes.unpack_to_dest_mode);
            out_ << ",bfp8_pack_precise=" << computes.bfp8_pack_precise
                 << ",math_approx_mode=" << computes.math_approx_mode << ")";
        }
    }
    void add(const metal::KernelDescriptor& kernel) {
        out_ << "KernelDescriptor(kernel_source=" << kernel.kernel_source << ",source_type=SourceType::"
             << (kernel.source_type == metal::KernelDescriptor::SourceType::FILE_PATH ? "FILE_PATH"
                                                                                      : "SOURCE_CODE")
             << ",core_ranges=" << kernel.core_ranges << ",compile_time_args=";
        braced(kernel.compile_time_args);
        out_ << ",named_compile_time_args=";
        braced(kernel.named_compile_time_args);
        out_ << ",defines=";
        braced(kernel.defines);
        out_ << ",config=";
        add(kernel.config);
        out_ << ",compiler_include_paths=";
        braced(kernel.compiler_include_paths);
        out_ << ")";
    }

    std::ostringstream out_;
};

// The network that a kernel shares with no other of its core.
std::optional<std::uint32_t> own_noc(const metal::KernelDescriptor::ConfigDescriptor& config) {
    if (std::holds_alternative<metal::ReaderConfigDescriptor>(config)) return 0;
    if (std::holds_alternative<metal::WriterConfigDescriptor>(config)) return 1;
    const auto* moves = std::get_if<metal::DataMovementConfigDescriptor>(&config);
    if (moves == nullptr || moves->noc_mode != metal::NOC_MODE::DM_DEDICATED_NOC) return std::nullopt;
    return static_cast<std::uint32_t>(moves->noc);
}

std::optional<tilemeter::Tensor> tensor_of(const metal::Buffer* buffer,
                                           const std::vector<Tensor>& io_tensors) {
    if (buffer == nullptr) return std::nullopt;
    for (const Tensor& each : io_tensors) {
        const metal::Buffer* its = each.buffer();
        if (its == buffer || (its != nullptr && its->address() == buffer->address() &&
                              its->buffer_type() == buffer->buffer_type()))
            return each.model();
    }
    throw std::runtime_error(
        "generic_op: CBDescriptor.buffer: expected the buffer of one of io_tensors, got another one");
}

tilemeter::ProgramDescription described(const std::vector<Tensor>& io_tensors,
                                        const metal::ProgramDescriptor& program) {
    tilemeter::ProgramDescription description;
    for (const metal::KernelDescriptor& each : program.kernels)
        description.kernels.push_back({each.kernel_source, to_model(each.core_ranges), own_noc(each.config)});
    for (const metal::SemaphoreDescriptor& each : program.semaphores)
        description.semaphores.push_back({each.id, to_model(each.core_ranges)});
    for (const metal::CBDescriptor& each : program.cbs) {
        if (!each.remote_format_descriptors.empty() || each.global_circular_buffer != nullptr)
            throw std::runtime_error("generic_op: global circular buffers are not modelled");
        description.circular_buffers.push_back({each.total_size,
                                                to_model(each.core_ranges),
                                                {},
                                                tensor_of(each.buffer, io_tensors),
                                                each.address_offset});
        for (const metal::CBFormatDescriptor& format : each.format_descriptors)
            description.circular_buffers.back().formats.push_back({format.buffer_index, format.page_size});
    }
    description.text = DescriptorText().of(program);
    return description;
}

Tensor run(const std::vector<Tensor>& io_tensors, const tilemeter::ProgramDescription& program) {
    std::vector<tilemeter::Tensor> tensors;
    for (const Tensor& each : io_tensors)
        tensors.push_back(each.model());
    return from_model(tilemeter::generic_op(tensors, program));
}

}  // namespace

Tensor generic_op(const std::vector<Tensor>& io_tensors, const metal::ProgramDescriptor& program_descriptor) {
    return run(io_tensors, described(io_tensors, program_descriptor));
}

Tensor generic_op(const std::vector<Tensor>& io_tensors,
                  const metal::experimental::MeshProgramDescriptor& mesh_program_descriptor) {
    const auto& programs = mesh_program_descriptor.mesh_programs;
    if (programs.empty()) throw std::runtime_error("generic_op: expected a program, got none");
    const std::string text = DescriptorText().of(programs.front().second);
    for (const auto& [range, program] : programs)
        if (DescriptorText().of(program) != text)
            throw std::runtime_error(
                "MeshProgramDescriptor: expected one program for all chips, got several that differ: not modelled");
    tilemeter::ProgramDescription description = described(io_tensors, programs.front().second);
    std::ostringstream where;
    where << programs.front().first.start_coord() << ", " << programs.front().first.end_coord();
    description.text = "{{" + where.str() + ", " + text + "}}";
    return run(io_tensors, description);
}

metal::CBDescriptor cb_descriptor_from_sharded_tensor(std::uint8_t cb_index, const Tensor& tensor,
                                                      std::uint32_t address_offset, std::uint32_t total_size,
                                                      const std::optional<metal::CoreRangeSet>& core_ranges) {
    if (!tensor.shard_spec() || tensor.buffer() == nullptr)
        throw std::runtime_error(
            "cb_descriptor_from_sharded_tensor: tensor: expected a sharded one on a device, got another one");
    const metal::ShardSpec& shards = *tensor.shard_spec();
    const bool is_tiled = tensor.layout() == Layout::TILE;
    const metal::Tile tile = tensor.tensor_spec().tile();
    const tt::DataFormat format = metal::datatype_to_dataformat_converter(tensor.dtype());
    const std::uint32_t per_core = is_tiled ? shards.numel() / tile.get_tile_hw() * tile.get_tile_size(format)
                                            : shards.numel() * tensor.element_size();
    metal::CBDescriptor made;
    made.total_size = total_size != 0 ? total_size : per_core;
    made.core_ranges = core_ranges.value_or(shards.grid);
    made.format_descriptors.push_back(
        {cb_index, format, static_cast<std::uint32_t>(tensor.buffer()->page_size()),
         is_tiled ? std::optional(metal::TileDescriptor(tile)) : std::nullopt, std::nullopt});
    made.buffer = tensor.buffer();
    made.address_offset = address_offset;
    return made;
}

std::uint64_t get_cb_address(const metal::CBDescriptor& cb_descriptor) {
    return (cb_descriptor.buffer != nullptr ? cb_descriptor.buffer->address() : 0) +
           cb_descriptor.address_offset;
}

}  // namespace ttnn
