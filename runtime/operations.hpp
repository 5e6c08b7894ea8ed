// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// All operations, devices and tensors. Contains only includes.

#pragma once

#include "runtime/device/device.hpp"
#include "runtime/device/errors.hpp"
#include "runtime/operations/attention.hpp"
#include "runtime/operations/attention_heads.hpp"
#include "runtime/operations/attention_heads_decode.hpp"
#include "runtime/operations/binary.hpp"
#include "runtime/operations/concat.hpp"
#include "runtime/operations/copy.hpp"
#include "runtime/operations/creation.hpp"
#include "runtime/operations/creation_like.hpp"
#include "runtime/operations/embedding.hpp"
#include "runtime/operations/kv_cache.hpp"
#include "runtime/operations/layout_conversion.hpp"
#include "runtime/operations/matmul.hpp"
#include "runtime/operations/move.hpp"
#include "runtime/operations/normalization.hpp"
#include "runtime/operations/pad.hpp"
#include "runtime/operations/paged_cache.hpp"
#include "runtime/operations/permute.hpp"
#include "runtime/operations/reduction.hpp"
#include "runtime/operations/repeat.hpp"
#include "runtime/operations/reshape.hpp"
#include "runtime/operations/rotary_embedding.hpp"
#include "runtime/operations/sharding.hpp"
#include "runtime/operations/slice.hpp"
#include "runtime/operations/softmax.hpp"
#include "runtime/operations/typecast.hpp"
#include "runtime/operations/unary.hpp"
#include "runtime/tensor/tensor.hpp"
