// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The device operation behind all elementwise operations of two operands.
//
// Thread safety: const calls may run at the same time.

#pragma once

#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "runtime/operations/core/device_operation.hpp"
#include "runtime/operations/eltwise/binary.hpp"
#include "runtime/operations/eltwise/internal/binary_program.hpp"

namespace tilemeter {

/// On which side the number stands.
enum class NumberSide : std::uint8_t { kNone, kRight, kLeft };

class BinaryNg {
public:
    static constexpr std::string_view kName = "BinaryNgDeviceOperation";
    static constexpr bool kTakesNdShards = true;  // where the result's place does not depend on them

    /// Takes activations, parameters, `fast` and cores from `options`; the rest is decided already.
    BinaryNg(compute::BinaryKind kind, const BinaryOptions& options, MemoryConfig memory_config,
             DataType dtype)
        : kind_(kind),
          left_activations_(options.left_activations),
          right_activations_(options.right_activations),
          activations_(options.activations),
          parameters_(options.parameters),
          fast_(options.fast),
          sub_core_grids_(options.sub_core_grids),
          memory_config_(std::move(memory_config)),
          dtype_(dtype) {}

    BinaryNg with_number(const Scalar& number, NumberSide side) && {
        number_ = number.to_float();
        number_side_ = side;
        return std::move(*this);
    }

    auto attributes() const {
        return std::make_tuple("BinaryOpType::" + std::string(compute::name_of(kind_)), left_activations_,
                               right_activations_, activations_, number_, memory_config_, dtype_,
                               sub_core_grids_);
    }
    auto key_attributes() const {
        return std::tie(kind_, left_activations_, right_activations_, activations_, parameters_, fast_,
                        number_, number_side_, memory_config_, dtype_, sub_core_grids_);
    }

    /// One program serves all shapes and numbers.
    void append_program_key(ProgramKey& key, const KeyedCall& call) const;

    void validate(SpecsView inputs) const;
    TensorSpecs infer(SpecsView inputs) const;
    TensorSpecs outputs_when_refused(SpecsView inputs, const DeviceDescription& device) const;
    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const;
    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const;

private:
    ChangedOperands changed_operands(SpecsView inputs) const;
    bool computes_in_integers(ArraysView inputs) const;

    compute::BinaryKind kind_;
    Activations left_activations_;
    Activations right_activations_;
    Activations activations_;
    compute::BinaryParameters parameters_;
    bool fast_;
    OptionalCores sub_core_grids_;
    std::optional<float> number_{};
    NumberSide number_side_ = NumberSide::kNone;
    MemoryConfig memory_config_;
    DataType dtype_;
};

/// Says, as TT-NN does, why neither shape can be repeated to the other's.
[[noreturn]] void throw_not_repeatable(const Shape& a, const Shape& b);

}  // namespace tilemeter
