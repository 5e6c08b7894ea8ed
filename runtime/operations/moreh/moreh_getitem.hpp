// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Elements at indices along one dimension or several that follow each other, and sums of blocks at the places of images: moreh's
// getitem and fold.

#pragma once

#include <cstdint>
#include <vector>

#include "runtime/operations/core/definition.hpp"

namespace tilemeter {

/// input[..., index_tensors[0], index_tensors[1], ...]. Indices below 0 count from the end. Throws RuntimeError (dtype, layout,
/// dimensions that do not follow each other, an index that there is not), OutOfMemoryError.
struct MorehGetItem {
    OptionalTensor input{};
    std::vector<Tensor> index_tensors{};
    std::vector<std::uint32_t> index_dims{};
    OptionalTensor output{};
    OptionalMemoryConfig memory_config{};  ///< none: the input's

    static constexpr OperationInfo kOperation{
        "moreh_getitem",
        "The elements at the indices, one list for each of index_dims, which follow each other; these become one dimension, in TILE "
        "with ones before it. Input bfloat16 or int32, indices int32."};
    static constexpr auto kParameters = parameters(
        optional<&MorehGetItem::input>(), required<&MorehGetItem::index_tensors, &MorehGetItem::index_dims>(),
        keyword<&MorehGetItem::output>().output(), keyword<&MorehGetItem::memory_config>());

    Tensor body() const;
};

/// Throws RuntimeError (layout, sizes that do not fit each other), OutOfMemoryError.
struct MorehFold {
    Tensor input{};
    OptionalTensor output{};
    std::vector<std::uint32_t> output_size{};
    std::vector<std::uint32_t> kernel_size{};
    std::vector<std::uint32_t> dilation{1, 1};
    std::vector<std::uint32_t> padding{0, 0};
    std::vector<std::uint32_t> stride{1, 1};
    OptionalMemoryConfig memory_config{};  ///< none: the input's

    static constexpr OperationInfo kOperation{
        "moreh_fold",
        "Columns [N, C * kernel, places] added up to images [N, C, *output_size], as torch's Fold; also without N. ROW_MAJOR."};
    static constexpr auto kParameters = parameters(
        required<&MorehFold::input>(), optional<&MorehFold::output>().output(),
        required<&MorehFold::output_size, &MorehFold::kernel_size>(),
        optional<&MorehFold::dilation, &MorehFold::padding, &MorehFold::stride, &MorehFold::memory_config>());

    Tensor body() const;
};

inline constexpr Operation<MorehGetItem> moreh_getitem;
inline constexpr Operation<MorehFold> moreh_fold;

}  // namespace tilemeter
