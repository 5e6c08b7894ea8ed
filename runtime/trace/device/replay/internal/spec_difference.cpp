// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/device/replay/internal/spec_difference.hpp"

namespace tilemeter::trace::internal {

std::string difference(const TensorSpec& spec, const TensorSpec& other) {
    std::string text;
    const auto add = [&](bool differs, const std::string& what) {
        if (differs) text += (text.empty() ? "" : " ") + what;
    };
    const bool all = spec.shape == other.shape && spec.dtype == other.dtype && spec.layout == other.layout &&
                     spec.memory_config == other.memory_config;
    add(all || spec.shape != other.shape, spec.shape.to_string());
    add(all || spec.dtype != other.dtype, std::string(name_of(spec.dtype)));
    add(all || spec.layout != other.layout, std::string(name_of(spec.layout)));
    add(all || spec.memory_config != other.memory_config, spec.memory_config.to_string());
    return text;
}

}  // namespace tilemeter::trace::internal
