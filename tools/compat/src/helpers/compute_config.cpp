// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tilemeter_ttnn/functions/compute_config.hpp"

#include "capture/log/log.hpp"

namespace ttnn {

void verify_numerical_configuration(tt::ARCH arch, const std::optional<const ComputeKernelConfig>& config) {
    if (arch == tt::ARCH::WORMHOLE_B0 && config && config->fp32_dest_acc_en &&
        config->math_fidelity == tt::tt_metal::MathFidelity::HiFi4)
        tilemeter::logging::warn(
            {"HiFi4 with accumulation in 32 bits may lose digits on Wormhole: HiFi3 does not"});
}

}  // namespace ttnn
