// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The common part of operations called moreh_...: a list of buffers on as many cores as there is work, taken down the
// columns.

#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/operations/core/device_operation.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/work/compute_kernel_config.hpp"
#include "runtime/operations/work/program_pieces.hpp"
#include "runtime/operations/work/tensor_pages.hpp"

namespace tilemeter {

using OptionalTensors = std::vector<std::optional<Tensor>>;

/// The precision of programs that are not told any.
inline constexpr DeviceComputeKernelConfig kMorehKernels{MathFidelity::HiFi4, true, false, false, false};

inline std::optional<TensorSpec> spec_of(const std::optional<Tensor>& tensor) {
    return tensor ? std::optional(tensor->spec()) : std::nullopt;
}

inline ProgramPlan moreh_plan(StaticName factory, std::uint64_t index, std::uint64_t units,
                              const std::vector<std::uint64_t>& sizes, const DeviceDescription& device) {
    return {{factory, index}, dataflow_buffers(sizes, cores_down_columns(units, device))};
}

/// The tile that sums lie in.
inline std::uint64_t sum_tile_size(DataType dtype, const OptionalComputeKernelConfig& config) {
    return tile_size(config && config->fp32_dest_acc_en ? DataType::FLOAT32 : dtype);
}

/// Throws RuntimeError unless the tensor is tiled and of one of these.
inline void require_moreh_dtype(const TensorSpec& spec, std::string_view what,
                                std::initializer_list<DataType> dtypes) {
    require(spec.layout == Layout::TILE, what, " only supports TILE layout.");
    require(std::find(dtypes.begin(), dtypes.end(), spec.dtype) != dtypes.end(), [&] {
        std::string list;
        for (const DataType dtype : dtypes)
            list += (list.empty() ? "" : ", ") + std::string(name_of(dtype));
        return std::string(what) + " only supports specific data types. [" + list + "] ";
    });
}

/// The direction of a dimension in tiles.
enum class TileAxis : std::uint8_t { kWidth, kHeight, kOther };

inline TileAxis tile_axis(const Shape& shape, std::size_t dim) {
    if (dim + 1 == shape.rank()) return TileAxis::kWidth;
    return dim + 2 == shape.rank() ? TileAxis::kHeight : TileAxis::kOther;
}

/// A dimension as what lies before, along and behind it.
struct Strides {
    std::uint64_t outer = 1, length = 1, inner = 1;
    Strides(const Shape& shape, std::size_t dim) {
        for (std::size_t i = 0; i < shape.rank(); ++i)
            (i < dim ? outer : i == dim ? length : inner) *= shape.dimensions()[i];
    }
};

}  // namespace tilemeter
