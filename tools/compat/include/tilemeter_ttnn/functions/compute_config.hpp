// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// What programs take from a compute kernel config, and what normalizations compute with where none is given.

#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <tuple>

#include "tilemeter_ttnn/configs.hpp"

namespace tt::tt_metal::experimental {

enum class Precision : std::uint8_t { Approximate = 0, Precise = 1 };

struct ComputeHardwareConfig {
    MathFidelity fpu_math_fidelity = MathFidelity::HiFi4;
    Precision sfpu_precision_mode = Precision::Precise;
    bool enable_32_bit_dest = false;
    bool double_buffer_dest = true;  ///< one half is packed while the other is computed
    bool operator==(const ComputeHardwareConfig&) const = default;
};

}  // namespace tt::tt_metal::experimental

namespace ttnn {

inline bool get_fp32_dest_acc_en(const std::optional<ComputeKernelConfig>& config) {
    return config && config->fp32_dest_acc_en;
}
inline bool get_dst_full_sync_en(const std::optional<ComputeKernelConfig>& config) {
    return config && config->dst_full_sync_en;
}
inline tt::tt_metal::MathFidelity get_math_fidelity(const std::optional<ComputeKernelConfig>& config) {
    return config ? config->math_fidelity : tt::tt_metal::MathFidelity::Invalid;
}
inline operations::compute_throttle_utils::ThrottleLevel get_throttle_level(
    const std::optional<ComputeKernelConfig>& config) {
    return config ? config->throttle_level : operations::compute_throttle_utils::ThrottleLevel::NO_THROTTLE;
}
/// Fidelity, approximation, 32-bit accumulation, accumulation in L1, full synchronization.
inline std::tuple<tt::tt_metal::MathFidelity, bool, bool, bool, bool> get_compute_kernel_config_args(
    tt::ARCH /*arch*/, const ComputeKernelConfig& config) {
    return {config.math_fidelity, config.math_approx_mode, config.fp32_dest_acc_en, config.packer_l1_acc,
            config.dst_full_sync_en};
}
inline ComputeKernelConfig layernorm_default_compute_config(tt::ARCH /*arch*/) {
    ComputeKernelConfig config;
    config.math_fidelity = tt::tt_metal::MathFidelity::HiFi4;
    config.math_approx_mode = false;
    config.fp32_dest_acc_en = true;
    config.packer_l1_acc = false;
    return config;
}
inline ComputeKernelConfig rmsnorm_default_compute_config(tt::ARCH /*arch*/) {
    ComputeKernelConfig config;
    config.math_fidelity = tt::tt_metal::MathFidelity::HiFi4;
    config.math_approx_mode = true;
    config.fp32_dest_acc_en = false;
    config.packer_l1_acc = false;
    return config;
}
/// Tiles of 16 bits that the destination registers hold: 16 of 32x32, half of them while the other half is packed, and half
/// of those where they are 32 bits wide.
inline std::uint32_t get_dest_reg_count(
    const ComputeKernelConfig& config,
    std::optional<std::array<std::uint32_t, 2>> tile_shape = std::nullopt) {
    constexpr std::uint32_t kElements = 16 * 32 * 32;
    const auto [height, width] = tile_shape.value_or(std::array<std::uint32_t, 2>{32, 32});
    return kElements / (height * width) / (config.dst_full_sync_en ? 1 : 2) /
           (config.fp32_dest_acc_en ? 2 : 1);
}

/// Settings as a program of TT-Metalium's newer form gets them.
inline tt::tt_metal::experimental::ComputeHardwareConfig to_compute_hardware_config(
    const ComputeKernelConfig& config) {
    using tt::tt_metal::experimental::Precision;
    return {config.math_fidelity, config.math_approx_mode ? Precision::Approximate : Precision::Precise,
            config.fp32_dest_acc_en, !config.dst_full_sync_en};
}
/// Warns of accumulation in 32 bits with HiFi4 on Wormhole, which may lose digits there.
void verify_numerical_configuration(tt::ARCH arch, const std::optional<const ComputeKernelConfig>& config);

}  // namespace ttnn
