// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// generic_op: a program that its caller describes. Circular buffers, semaphores and cores stand in the description, so
// that it is planned without its kernels, which don't run here.
//
//     ProgramDescription program;
//     program.kernels = {{"reader.cpp", cores, 0}, {"writer.cpp", cores, 1}, {"compute.cpp", cores}};
//     program.circular_buffers = {{4096, cores, {{0, 2048}}}, {4096, cores, {{16, 2048}}}};
//     generic_op({input, output}, program);
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/tensor/tensor.hpp"
#include "runtime/types/core_range.hpp"

namespace tilemeter {

struct DescribedKernel {
    std::string source;  ///< its file, or its text
    CoreRangeSet cores;
    std::optional<std::uint32_t>
        own_noc{};  ///< of a kernel that moves data and shares its network with no other
};

struct DescribedSemaphore {
    std::uint32_t id = 0;  ///< below 16
    CoreRangeSet cores;
};

struct DescribedCircularBuffer {
    struct Format {
        std::uint32_t buffer_index = 0;  ///< the number by which kernels know it
        std::uint64_t page_size_bytes = 0;
    };

    std::uint64_t total_size_bytes = 0;  ///< on each core: whole pages of every format
    CoreRangeSet cores;
    std::vector<Format> formats;           ///< several share the memory
    std::optional<Tensor> tensor{};        ///< in whose memory it lies
    std::uint64_t address_offset_bytes{};  ///< from where that begins
};

/// Values of the results from those of all tensors of the call, for one chip.
using KernelValues = std::function<std::vector<HostArray>(std::span<const HostArray* const> tensors,
                                                          std::span<const TensorSpec> results)>;

struct ProgramDescription {
    std::vector<DescribedKernel> kernels;
    std::vector<DescribedSemaphore> semaphores;
    std::vector<DescribedCircularBuffer> circular_buffers;
    std::string text{};  ///< all that tells it from other programs, for the program cache and for traces
    /// Null: the results' values are not computed, and whoever reads them is told whose they are.
    std::shared_ptr<const KernelValues> values{};
    std::size_t num_results = 1;  ///< that `values` makes: the last of the tensors
};

/// Runs the program on `io_tensors`: inputs, then what it writes. Gives the last of them. Throws RuntimeError for
/// tensors and programs that TT-NN refuses, ProgramMemoryClashError, ProgramMemoryTooLargeError.
Tensor generic_op(const std::vector<Tensor>& io_tensors, const ProgramDescription& program);

}  // namespace tilemeter
