// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// All operations, devices and tensors. Contains only includes.

#pragma once

#include "runtime/device/device.hpp"
#include "runtime/device/errors.hpp"
#include "runtime/operations/binary.hpp"
#include "runtime/operations/creation.hpp"
#include "runtime/tensor/tensor.hpp"
