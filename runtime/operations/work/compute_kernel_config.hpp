// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// TT-NN's compute kernel configs: the precision of multiplications and sums on the device. Here values are
// always computed in float32; the config only changes the sizes of some circular buffers: with
// fp32_dest_acc_en intermediate sums take 32 bits.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>

namespace tilemeter {

enum class MathFidelity : std::uint8_t { LoFi, HiFi2, HiFi3, HiFi4 };

struct DeviceComputeKernelConfig {
    MathFidelity math_fidelity = MathFidelity::LoFi;
    bool math_approx_mode = true;
    bool fp32_dest_acc_en = false;
    bool packer_l1_acc = false;
    bool dst_full_sync_en = false;
    auto key_fields() const {
        return std::tie(math_fidelity, math_approx_mode, fp32_dest_acc_en, packer_l1_acc, dst_full_sync_en);
    }
    friend bool operator==(const DeviceComputeKernelConfig&, const DeviceComputeKernelConfig&) = default;
};

using OptionalComputeKernelConfig = std::optional<DeviceComputeKernelConfig>;

/// "ComputeKernelConfig(math_fidelity=HiFi2,math_approx_mode=1,...)", as TT-NN writes it.
std::string attribute_text(const DeviceComputeKernelConfig& config);

}  // namespace tilemeter
