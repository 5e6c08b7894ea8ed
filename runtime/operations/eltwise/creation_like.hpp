// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Tensors of another one's shape and, where nothing else is said, of its dtype, layout and place.
//
// As recorded from TT-NN 0.81.1: where `tensor` is on the device in tiles of floating-point numbers and dtype
// and layout stay, the device fills the new tensor itself (UnaryDeviceOperation); else the host makes it and
// sends it.

#pragma once

#include "runtime/operations/creation/creation.hpp"

namespace tilemeter {

using OptionalLayout = std::optional<Layout>;

struct LikeArguments {
    Tensor tensor{};
    OptionalDataType dtype{};
    OptionalLayout layout{};
    OptionalDevice device{};
    OptionalMemoryConfig memory_config{};
};

/// Zeros or ones.
struct FilledLike : LikeArguments {
    struct Row : OperationRow {
        float value;
    };

    const Row* row = nullptr;
    OptionalTensor optional_tensor{};  ///< the values are written over it

    static constexpr auto kParameters = parameters(
        required<&FilledLike::tensor>(),
        optional<&FilledLike::dtype, &FilledLike::layout, &FilledLike::device, &FilledLike::memory_config>(),
        optional<&FilledLike::optional_tensor>().output());
    auto recorded() const { return std::tie(tensor, row->value, dtype, layout, memory_config); }
    Tensor body() const;
};
inline constexpr OperationOf<FilledLike> zeros_like{
    "zeros_like", "Zeros of another tensor's shape, dtype, layout and place.", 0.0F};
inline constexpr OperationOf<FilledLike> ones_like{
    "ones_like", "Ones of another tensor's shape, dtype, layout and place.", 1.0F};

struct FullLike : LikeArguments {
    float fill_value = 0.0F;
    OptionalTensor optional_tensor{};

    static constexpr OperationInfo kOperation{
        "full_like",
        "One value in another tensor's shape, dtype, layout and place, or over optional_tensor."};
    static constexpr auto kParameters = parameters(
        required<&FullLike::tensor, &FullLike::fill_value>(), optional<&FullLike::dtype, &FullLike::layout>(),
        optional<&FullLike::device>().unrecorded(), optional<&FullLike::memory_config>(),
        optional<&FullLike::optional_tensor>().output().unrecorded());
    Tensor body() const;
};
inline constexpr Operation<FullLike> full_like;

/// They read as zeros. Only on a device.
struct EmptyLike : LikeArguments {
    static constexpr OperationInfo kOperation{
        "empty_like", "Device memory without values in another tensor's shape, dtype and layout."};
    static constexpr auto kParameters =
        parameters(required<&EmptyLike::tensor>(), keyword<&EmptyLike::dtype, &EmptyLike::layout>(),
                   unrecorded_keyword<&EmptyLike::device>(), keyword<&EmptyLike::memory_config>());
    Tensor body() const;
};
inline constexpr Operation<EmptyLike> empty_like;

namespace unscoped {
/// As part of another operation: without a scope of its own.
Tensor full_like(const Tensor& like, float value, const OptionalMemoryConfig& memory_config = std::nullopt);
}  // namespace unscoped

}  // namespace tilemeter
