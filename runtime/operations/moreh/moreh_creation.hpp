// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// moreh_full, moreh_full_like, moreh_arange: tensors that the device fills by itself, with one number or
// counting. All throw RuntimeError, OutOfMemoryError.

#pragma once

#include <memory>

#include "runtime/operations/core/definition.hpp"
#include "runtime/operations/eltwise/creation_like.hpp"

namespace tilemeter {

struct MorehFull {
    Shape shape{};
    float fill_value = 0.0F;
    std::shared_ptr<Device> device{};
    DataType dtype = DataType::BFLOAT16;
    Layout layout = Layout::TILE;
    MemoryConfig memory_config = DRAM_MEMORY_CONFIG;

    static constexpr OperationInfo kOperation{"moreh_full", "One value, filled in by the device."};
    static constexpr auto kParameters = parameters(
        required<&MorehFull::shape, &MorehFull::fill_value>(), required<&MorehFull::device>().unrecorded(),
        keyword<&MorehFull::dtype, &MorehFull::layout, &MorehFull::memory_config>());

    Tensor body() const;
};

struct MorehFullLike {
    Tensor input{};
    float fill_value = 0.0F;
    OptionalDataType dtype{};              ///< none: the input's
    OptionalLayout layout{};               ///< none: the input's
    OptionalMemoryConfig memory_config{};  ///< none: the input's

    static constexpr OperationInfo kOperation{
        "moreh_full_like",
        "One value in another tensor's shape, dtype, layout and place, filled in by the device."};
    static constexpr auto kParameters =
        parameters(required<&MorehFullLike::input, &MorehFullLike::fill_value>(),
                   optional<&MorehFullLike::dtype, &MorehFullLike::layout, &MorehFullLike::memory_config>());

    Tensor body() const;
};

struct MorehArange {
    float start = 0.0F;
    float end = 0.0F;
    float step = 1.0F;
    std::shared_ptr<Device> device{};
    OptionalTensor output{};
    bool untilize_out = false;  ///< [n] in ROW_MAJOR instead of [1, n] in tiles
    DataType dtype = DataType::BFLOAT16;
    MemoryConfig memory_config = DRAM_MEMORY_CONFIG;

    static constexpr OperationInfo kOperation{
        "moreh_arange",
        "start, start + step, ... below end: [1, n] in tiles, or [n] in rows (untilize_out)."};
    static constexpr auto kParameters = parameters(
        optional<&MorehArange::start>(), required<&MorehArange::end>(), optional<&MorehArange::step>(),
        required<&MorehArange::device>().unrecorded(), keyword<&MorehArange::output>().output(),
        keyword<&MorehArange::untilize_out, &MorehArange::dtype, &MorehArange::memory_config>());

    Tensor body() const;
};

inline constexpr Operation<MorehFull> moreh_full;
inline constexpr Operation<MorehFullLike> moreh_full_like;
inline constexpr Operation<MorehArange> moreh_arange;

namespace unscoped {
/// moreh_full of that spec beside `neighbour`, on its device, without a scope of its own.
Tensor moreh_full(const TensorSpec& spec, float fill_value, const Tensor& neighbour);
}  // namespace unscoped

}  // namespace tilemeter
