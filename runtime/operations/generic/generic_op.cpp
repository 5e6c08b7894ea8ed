// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/generic/generic_op.hpp"

#include <algorithm>
#include <set>
#include <span>
#include <tuple>
#include <utility>

#include "runtime/device/buffer.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/operation_scope.hpp"
#include "runtime/operations/core/planned_values.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/work/program_pieces.hpp"
#include "runtime/tensor/stored_values.hpp"

namespace tilemeter {

namespace {

constexpr std::uint32_t kMaxSemaphores = 16;  // of a program, on each core

// "0-0", as TT-NN writes a core.
std::string text_of(CoreCoord core) {
    return std::to_string(core.x) + "-" + std::to_string(core.y);
}

/// The program, with the tensors of its circular buffers as numbers among its operands.
struct GenericOp {
    static constexpr std::string_view kName = "GenericOpDeviceOperation";
    static constexpr std::string_view kAttributesName = "MeshProgramDescriptor";

    ProgramDescription
        program;  ///< without tensors: it outlives the call, in the program cache and in traces
    std::vector<ProgramMemory> memory;
    std::size_t num_extra = 0;  ///< operands beyond the caller's, whose memory circular buffers lie in

    auto attributes() const { return std::tie(program.text); }
    auto key_attributes() const {
        std::vector<int> owners;
        for (const ProgramMemory& piece : memory)
            owners.push_back(piece.shared_with);
        return std::tuple(program.text, program.num_results, std::move(owners));
    }

    void validate(SpecsView, const DeviceDescription& device) const {
        for (const DescribedCircularBuffer& buffer : program.circular_buffers) {
            require_inside(buffer.cores, device, "a circular buffer");
            for (const auto& format : buffer.formats) {
                require(format.page_size_bytes != 0 && buffer.total_size_bytes % format.page_size_bytes == 0,
                        "Total circular buffer size ", buffer.total_size_bytes,
                        " B must be divisible by page size ", format.page_size_bytes, " B");
            }
        }
        require_distinct_buffers();
        for (const DescribedSemaphore& semaphore : program.semaphores) {
            require(semaphore.id < kMaxSemaphores, "Semaphore id ", semaphore.id, " exceeds max value ",
                    kMaxSemaphores - 1);
            require_inside(semaphore.cores, device, "a semaphore");
        }
        require_kernels(device);
    }

    TensorSpecs infer(SpecsView inputs) const {
        return {inputs.end() - static_cast<std::ptrdiff_t>(num_extra + program.num_results),
                inputs.end() - static_cast<std::ptrdiff_t>(num_extra)};
    }

    ProgramPlan plan(SpecsView, SpecsView, const DeviceDescription&) const {
        return {"ttnn::operations::generic::GenericMeshProgramFactory", 0, memory};
    }

    std::string reason_without_values() const {
        if (program.values) return {};
        std::string sources;
        for (const DescribedKernel& kernel : program.kernels)
            sources += (sources.empty() ? "" : ", ") + kernel.source.substr(0, kernel.source.find('\n'));
        return "generic_op has them from kernels, which do not run here (" + sources +
               "); hint: register a function that computes them (register_generic_op_values)";
    }

    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        if (!program.values)
            throw RuntimeError("generic_op: values: not computed, for " + reason_without_values());
        return (*program.values)(inputs.first(inputs.size() - num_extra), outputs);
    }

private:
    static void require_inside(const CoreRangeSet& cores, const DeviceDescription& device, const char* what) {
        for (const CoreRange& range : cores.ranges()) {
            require(range.end.x < device.compute_grid.x && range.end.y < device.compute_grid.y,
                    "generic_op: cores of ", what, ": expected some of the grid of ", device.compute_grid.x,
                    "x", device.compute_grid.y, ", got ", cores.to_string());
        }
    }

    void require_distinct_buffers() const {
        std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> taken;
        for (const DescribedCircularBuffer& buffer : program.circular_buffers) {
            for (const auto& format : buffer.formats) {
                for (const CoreCoord core : cores_of(buffer.cores)) {
                    require(taken.insert({format.buffer_index, core.x, core.y}).second,
                            "Invalid circular buffer index: Cannot add circular buffer at index ",
                            format.buffer_index, ", another circular buffer already exists");
                }
            }
        }
    }

    void require_kernels(const DeviceDescription& device) const {
        require(!program.kernels.empty(), "Programs must be executed on a single sub-device");
        std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> taken;
        for (const DescribedKernel& kernel : program.kernels) {
            require_inside(kernel.cores, device, "a kernel");
            if (!kernel.own_noc) continue;
            for (const CoreCoord core : cores_of(kernel.cores)) {
                require(taken.insert({*kernel.own_noc, core.x, core.y}).second,
                        "Illegal NOC usage: data movement kernels on logical core ", text_of(core),
                        " cannot use the same NOC, doing so results in hangs!");
            }
        }
    }
};

// The circular buffers, and the tensors they lie in that are not among the caller's.
std::pair<std::vector<ProgramMemory>, std::vector<Tensor>> memory_of(const ProgramDescription& program,
                                                                     std::span<const Tensor> io_tensors) {
    std::vector<ProgramMemory> memory;
    std::vector<Tensor> extra;
    for (const DescribedCircularBuffer& buffer : program.circular_buffers) {
        memory.push_back(circular_buffer(buffer.total_size_bytes, buffer.cores));
        if (!buffer.tensor) continue;
        require_on_device(*buffer.tensor, "generic_op", "tensor of a circular buffer");
        const auto has_its_memory = [&](const Tensor& each) {
            return &each.buffer() == &buffer.tensor->buffer();
        };
        auto found =
            static_cast<std::size_t>(std::ranges::find_if(io_tensors, has_its_memory) - io_tensors.begin());
        if (found == io_tensors.size()) {
            const auto other = std::ranges::find_if(extra, has_its_memory);
            found += static_cast<std::size_t>(other - extra.begin());
            if (other == extra.end()) extra.push_back(*buffer.tensor);
        }
        memory.back().shared_with = static_cast<int>(found);
        memory.back().offset_bytes = buffer.address_offset_bytes;
    }
    return {std::move(memory), std::move(extra)};
}

}  // namespace

Tensor generic_op(const std::vector<Tensor>& io_tensors, const ProgramDescription& program) {
    static const OperationName kName("generic_op");
    return in_operation(kName, std::tie(io_tensors), [&] {
        require(!io_tensors.empty(), "io_tensors must not be empty");
        for (const Tensor& tensor : io_tensors)
            require_on_device(tensor, "generic_op", "io_tensors");
        require(io_tensors.size() >= 2,
                "io_tensors must contain at least one input tensor and one output tensor, got ",
                io_tensors.size(), " tensors.");
        require(program.num_results >= 1 && program.num_results <= io_tensors.size(),
                "generic_op: expected values of 1 to ", io_tensors.size(), " tensors, got ",
                program.num_results);
        auto [memory, extra] = memory_of(program, io_tensors);
        std::vector<Tensor> operands = io_tensors;
        operands.insert(operands.end(), extra.begin(), extra.end());
        const std::vector<Tensor> results(io_tensors.end() - static_cast<std::ptrdiff_t>(program.num_results),
                                          io_tensors.end());
        ProgramDescription kept = program;
        for (DescribedCircularBuffer& buffer : kept.circular_buffers)
            buffer.tensor.reset();
        if (program.values && !is_planned_only()) {
            for (const Tensor& each : results) {
                if (each.is_uncomputed()) each.buffer().set_values(nullptr);
            }
        }
        launch_all(GenericOp{std::move(kept), std::move(memory), extra.size()}, operands, results);
        // A kernel may write any of its tensors: those that nobody has written yet are taken for results, too.
        if (!program.values && !is_planned_only()) {
            for (const Tensor& each : io_tensors) {
                if (each.buffer().values() == nullptr)
                    each.buffer().set_values(io_tensors.back().uncomputed());
            }
        }
        return io_tensors.back();
    });
}

}  // namespace tilemeter
