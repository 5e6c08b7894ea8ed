// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The device operation behind elementwise operations of three operands, of which one may be a number.
//
// Thread safety: const calls may run at the same time.

#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "runtime/operations/core/device_operation.hpp"
#include "runtime/operations/core/optional_arguments.hpp"

namespace tilemeter {

enum class TernaryKind : std::uint8_t {
    kWhere,     ///< a != 0 ? b : c
    kLerp,      ///< a + c * (b - a)
    kMac,       ///< a * b + c
    kAddcmul,   ///< a + value * b * c
    kAddcdiv,   ///< a + value * b / c
    kSnakeBeta  ///< a + sin(a * b)^2 / c
};

/// The operand of three that is a number.
enum class NumberOperand : std::uint8_t { kNone, kSecond, kThird };

/// The shape of the result. Throws RuntimeError for shapes that don't broadcast.
Shape common_shape_of(SpecsView inputs, std::string_view operation);

/// TT-NN's rule of broadcasting three tensors knows no dimensions of no size. Throws RuntimeError.
void require_sizes(std::span<const Tensor> inputs);

/// The place of the result of the operands: as `memory_config` or `output` say, else as the first operand lies. Shards
/// that are left open are those of the first operand that has some, stretched to the result, else over all cores.
MemoryConfig place_of_ternary(const OptionalMemoryConfig& memory_config, const OptionalTensor& output,
                              const std::vector<Tensor>& operands);

/// The same; where nothing is asked for, as the operand on the most cores lies, the first of several.
MemoryConfig place_on_most_cores(const OptionalMemoryConfig& memory_config, const OptionalTensor& output,
                                 const std::vector<Tensor>& operands);

class TernaryDeviceOperation {
public:
    static constexpr std::string_view kName = "TernaryDeviceOperation";
    static constexpr bool kMakesOutputsFirst = true;
    static constexpr bool kTakesNdShards = true;  // of all operands but the first

    TernaryDeviceOperation(TernaryKind kind, MemoryConfig memory_config)
        : kind_(kind), memory_config_(std::move(memory_config)) {}

    /// `number`: the operand at `place`; without a place the factor that kAddcmul and kAddcdiv have.
    TernaryDeviceOperation(TernaryKind kind, float number, NumberOperand place, MemoryConfig memory_config)
        : kind_(kind), number_(number), place_(place), memory_config_(std::move(memory_config)) {}

    TernaryDeviceOperation on(OptionalCores sub_core_grids) && {
        sub_core_grids_ = std::move(sub_core_grids);
        return std::move(*this);
    }

    auto attributes() const {
        return std::make_tuple(type(), variant(), number_, memory_config_, sub_core_grids_);
    }
    auto key_attributes() const { return std::tie(kind_, number_, place_, memory_config_, sub_core_grids_); }

    /// One program serves all numbers, and all shapes: of three tensors those with the same last two dimensions.
    void append_program_key(ProgramKey& key, const KeyedCall& call) const;

    void validate(SpecsView inputs) const;
    TensorSpecs infer(SpecsView inputs) const;
    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const;
    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const;

private:
    std::string_view type() const;
    std::string_view variant() const;

    TernaryKind kind_;
    std::optional<float> number_{};
    NumberOperand place_ = NumberOperand::kNone;
    MemoryConfig memory_config_;
    OptionalCores sub_core_grids_{};
};

}  // namespace tilemeter
