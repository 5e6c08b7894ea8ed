// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Parts of images on their way between DRAM and L1.
//
// PaddedSlice: pixels [begin, end) of images [batch, height, width, channels] in DRAM, ROW_MAJOR or TILE,
// into shards of L1: [1, 1, batch * rows * columns, channels], ROW_MAJOR, channels padded to the shards'
// width. bfloat8_b becomes bfloat16, every other dtype stays.
//
// SliceWrite: a part of a result back to its place in the whole result in DRAM, which is the second input and the
// output. The first is [1, 1, pixels, channels] in shards, or a part of any rank, interleaved, every step-th element of
// the whole between begin and end.

#pragma once

#include "runtime/operations/core/device_operation.hpp"

namespace tilemeter {

/// The dtype of values that are kept as rows: block formats are made of tiles and become BFLOAT16.
inline DataType rows_dtype(DataType dtype) {
    return is_block_float(dtype) ? DataType::BFLOAT16 : dtype;
}

struct PaddedSlice {
    static constexpr std::string_view kName = "PaddedSliceDeviceOperation";
    static constexpr std::string_view kAttributesName = "PaddedSliceParams";

    Shape begin;
    Shape end;
    MemoryConfig memory_config;

    auto attributes() const { return std::make_tuple(begin, end, Shape{1, 1, 1, 1}, memory_config); }

    void validate(SpecsView inputs) const;
    TensorSpecs infer(SpecsView inputs) const;
    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const;
    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const;
};

struct SliceWrite {
    static constexpr std::string_view kName = "SliceWriteDeviceOperation";
    static constexpr std::string_view kAttributesName = "SliceWriteParams";

    /// `end` may lie in the padding of the whole.
    Shape begin;
    Shape end;
    Shape step{1, 1, 1, 1};

    auto attributes() const { return std::make_tuple(begin, end, step); }

    void validate(SpecsView inputs) const;
    TensorSpecs infer(SpecsView inputs) const;
    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const;
    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const;

private:
    HostArray written_with_steps(const HostArray& part, HostArray whole) const;
};

}  // namespace tilemeter
