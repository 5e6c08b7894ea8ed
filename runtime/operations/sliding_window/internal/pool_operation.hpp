// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The device operation of pooling. Input: the halo of the images (halo.hpp).

#pragma once

#include "runtime/compute/window.hpp"
#include "runtime/operations/core/device_operation.hpp"
#include "runtime/operations/sliding_window/internal/sliding_window.hpp"
#include "runtime/operations/sliding_window/pool.hpp"

namespace tilemeter {

struct PoolRequest {
    PoolKind kind = PoolKind::kMax;
    SlidingWindow window;
    std::uint32_t channels = 1;
    std::uint32_t cores_channels = 1;
    DataType dtype = DataType::BFLOAT16;
    Layout layout = Layout::ROW_MAJOR;
    MemoryConfig output;
    bool count_include_pad = true;
    std::optional<std::int32_t> divisor_override;
    bool return_indices =
        false;  ///< of kMax: also where in its image each value lies, uint16 or, of more than 65,535 pixels, uint32
    bool tables_in_dram = false;  ///< of windows and divisors; else in L1_SMALL
    DeviceComputeKernelConfig compute{};
};

/// The circular buffers that are the program's own, and the size of what it writes, in order of declaration.
struct PoolBuffers {
    std::uint64_t scalars = 0;         ///< the factors of sums
    std::uint64_t second_scalars = 0;  ///< of the second reader; 0: none
    std::uint64_t start_value = 0;
    std::uint64_t rows = 0;  ///< sticks under windows, of each of two readers
    std::uint64_t untilized = 0;
    std::uint64_t index_tiles = 0;  ///< tiles of indices, but for the second, which is of values
    std::uint64_t index_tile = 0;   ///< bytes of one of indices
    std::uint64_t output = 0;       ///< of rows an estimate: half tiles of channels

    std::uint64_t own() const {
        const std::uint64_t of_indices = index_tiles == 0 ? 0 : (index_tiles - 1) * index_tile + start_value;
        return scalars + second_scalars + start_value + 2 * rows + untilized + of_indices;
    }
};

PoolBuffers pool_buffers(const PoolRequest& request, DataType input_dtype);

struct Pool2D {
    static constexpr std::string_view kName = "Pool2D";

    PoolRequest request;

    auto attributes() const {
        return std::make_tuple(request.window, request.channels, kind_text(), request.dtype, request.layout,
                               request.output, request.count_include_pad,
                               attribute_text(request.divisor_override), request.return_indices,
                               request.tables_in_dram, attribute_text(request.compute));
    }

    void validate(SpecsView inputs) const;
    TensorSpecs infer(SpecsView inputs) const;
    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const;
    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const;

private:
    std::string_view kind_text() const {
        return request.kind == PoolKind::kMax ? "Pool2DType::MAX_POOL2D" : "Pool2DType::AVG_POOL2D";
    }

    std::vector<float> places_of_largest(const compute::Windows& windows, const compute::Sticks& rows) const;
};

}  // namespace tilemeter
