// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The halo: sharded sticks with those of neighbouring cores beside them and the padding written out, so that
// each core of a convolution or pooling finds all that its windows cover in its own memory.
//
//     [1, 1, batch * height * width, C] -> [1, 1, cores * sticks of the fullest core, C], ROW_MAJOR
//
// dtype: float32 and uint16 stay, everything else becomes bfloat16.
//
// Values: a device has a stick once for each core that reads it; on the host, where cores read the same memory, it stands
// once, in the order of the padded images. Rows behind the last of these are not written.

#pragma once

#include "runtime/operations/core/device_operation.hpp"
#include "runtime/operations/sliding_window/internal/sliding_window.hpp"
#include "runtime/operations/work/compute_kernel_config.hpp"
#include "runtime/tensor/tensor.hpp"

namespace tilemeter {

/// The memory of the tables that the programs of windows read.
enum class TableMemory : std::uint8_t { kL1Small, kDram };

/// The kernels' settings for windows where an operation is not told.
inline constexpr DeviceComputeKernelConfig kWindowCompute{MathFidelity::HiFi4, true, false, false, false};

struct Halo {
    static constexpr std::string_view kName = "HaloDeviceOperation";
    static constexpr std::string_view kAttributesName = "HaloParams";

    /// `pad_value`: what stands where the padding is.
    SlidingWindow window;
    float pad_value;
    TableMemory tables = TableMemory::kL1Small;
    /// The settings of the operation that reads the halo. It changes nothing here, but programs, and so tables, are
    /// other ones.
    DeviceComputeKernelConfig compute_config = kWindowCompute;

    auto attributes() const {
        return std::make_tuple(window, pad_value, tables == TableMemory::kDram,
                               attribute_text(compute_config));
    }

    void validate(SpecsView inputs) const;
    TensorSpecs infer(SpecsView inputs) const;
    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const;
    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const;
};

/// A table of 16-bit words, `words` each: in L1_SMALL for each core of a tensor's shard grid, in DRAM for
/// each of the cores among which rows are shared out.
TensorSpec window_table(const MemoryConfig& tensor, std::uint32_t words, TableMemory memory);

/// The padded images of which `halo` has what is read: at least a row of `channels` for each pixel. What nothing reads
/// is 0.
HostArray padded_images(const SlidingWindow& window, const HostArray& halo, std::uint32_t channels);

/// The rows of the halo that are written.
std::vector<float> kept_floats(const SlidingWindow& window, const HostArray& halo);

/// For each output stick, the row of the halo where its window begins.
std::vector<std::uint64_t> window_rows(const SlidingWindow& window);

}  // namespace tilemeter
