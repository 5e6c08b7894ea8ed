// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "operations/eltwise/binary/binary.hpp"
#include "tt-metalium/bfloat16.hpp"
#include "ttnn/core.hpp"
#include "ttnn/device.hpp"
#include "ttnn/operations/creation/creation.hpp"
#include "ttnn/tensor/tensor.hpp"
#include "ttnn/types.hpp"

ttnn::Tensor doubled(const ttnn::Tensor& value);
