// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The memory that the program of a matrix product occupies, for each kind of program config: the rules of TT-NN 0.81.1.

#pragma once

#include "runtime/operations/core/device_operation.hpp"
#include "runtime/operations/matmul/internal/matmul_problem.hpp"

namespace tilemeter {

/// Throws RuntimeError when the config does not fit the problem or the device.
void require_fitting(const MatmulProblem& problem, const MatmulProgramConfig& config,
                     const DeviceDescription& device);

ProgramPlan plan_matmul(const MatmulProblem& problem, const MatmulProgramConfig& config,
                        const TensorSpec& output, const DeviceDescription& device);

}  // namespace tilemeter
