// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The facts of facts.hpp as bytes and back. decode() gives false for bytes that are no such fact.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "capture/record/device_facts.hpp"
#include "capture/record/internal/facts.hpp"
#include "capture/record/modules.hpp"
#include "capture/record/placement.hpp"
#include "capture/record/tensor_facts.hpp"

namespace tilemeter::record::internal {

std::vector<char> encode(const TensorFacts& facts);
std::vector<char> encode(const DeviceFacts& facts);
std::vector<char> encode(const ShardPlacement& placement);
std::vector<char> encode(const Module& module);

bool decode(std::span<const char> bytes, TensorFacts& facts);
bool decode(std::span<const char> bytes, DeviceFacts& facts);
bool decode(std::span<const char> bytes, ShardPlacement& placement);
bool decode(std::span<const char> bytes, Module& module);

}  // namespace tilemeter::record::internal
