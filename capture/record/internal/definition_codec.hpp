// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The definitions of definitions.hpp as bytes and back. decode() returns false for bytes that are no such
// definition.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "capture/events/internal/definitions.hpp"
#include "capture/record/device_info.hpp"
#include "capture/record/emitter.hpp"
#include "capture/record/modules.hpp"
#include "capture/record/placement.hpp"
#include "capture/record/tensor_info.hpp"

namespace tilemeter::record::internal {

std::vector<char> encode(const TensorInfo& info);
std::vector<char> encode(const DeviceInfo& info);
std::vector<char> encode(const ShardPlacement& placement);
std::vector<char> encode(const Module& module);
std::vector<char> encode(const EmitterInfo& info);

bool decode(std::span<const char> bytes, TensorInfo& info);
bool decode(std::span<const char> bytes, DeviceInfo& info);
bool decode(std::span<const char> bytes, ShardPlacement& placement);
bool decode(std::span<const char> bytes, Module& module);
bool decode(std::span<const char> bytes, EmitterInfo& info);

}  // namespace tilemeter::record::internal
