// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// All operations, devices and tensors. Contains only includes.

#pragma once

#include "runtime/device/device.hpp"
#include "runtime/device/errors.hpp"
#include "runtime/device/metal_trace.hpp"
#include "runtime/operations/ccl/definitions.hpp"
#include "runtime/operations/creation/definitions.hpp"
#include "runtime/operations/data_movement/definitions.hpp"
#include "runtime/operations/eltwise/definitions.hpp"
#include "runtime/operations/generic/generic_op.hpp"
#include "runtime/operations/matmul/definitions.hpp"
#include "runtime/operations/moreh/definitions.hpp"
#include "runtime/operations/normalization/definitions.hpp"
#include "runtime/operations/reduction/definitions.hpp"
#include "runtime/operations/sliding_window/definitions.hpp"
#include "runtime/operations/transformer/definitions.hpp"
#include "runtime/tensor/tensor.hpp"
