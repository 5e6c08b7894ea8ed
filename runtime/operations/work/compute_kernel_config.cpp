// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/work/compute_kernel_config.hpp"

#include <array>
#include <string_view>

namespace tilemeter {

std::string attribute_text(const DeviceComputeKernelConfig& config) {
    static constexpr std::array<std::string_view, 4> kFidelities = {"LoFi", "HiFi2", "HiFi3", "HiFi4"};
    const auto flag = [](bool value) { return value ? "1" : "0"; };
    return "ComputeKernelConfig(math_fidelity=" +
           std::string(kFidelities.at(static_cast<std::size_t>(config.math_fidelity))) +
           ",math_approx_mode=" + flag(config.math_approx_mode) +
           ",fp32_dest_acc_en=" + flag(config.fp32_dest_acc_en) +
           ",packer_l1_acc=" + flag(config.packer_l1_acc) +
           ",dst_full_sync_en=" + flag(config.dst_full_sync_en) +
           ",throttle_level=ThrottleLevel::NO_THROTTLE)";
}

}  // namespace tilemeter
