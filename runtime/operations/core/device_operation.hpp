// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A device operation, as in TT-NN the unit that has a program, and its four answers:
//
//     validate   are these inputs legal on this device? (throws RuntimeError)
//     infer      shape, dtype, layout and memory config of the outputs
//     plan       the program: its factory; circular buffers, dataflow buffers and scratchpads per core range
//     compute    the values of the outputs, on the host
//
// The first three see specs only, neither memory nor values, so that they also run for tensors that no host
// could hold. No answer contains another: plan and compute do not validate. The attributes of an operation
// are the members of its object:
//
//     struct Relu : DeviceOperationWith<Relu> {
//         static constexpr std::string_view kName = "UnaryDeviceOperation";
//         static constexpr std::string_view kAttributesName = "operation_attributes_t";
//         MemoryConfig memory_config;
//         auto attributes() const { return std::tie(memory_config); }  // all, in the order of TT-NN's struct
//         ...the four answers...
//     };
//     Tensor out = launch(Relu{...}, {input});
//
// An operation whose attributes are slow to turn into text also has `key_attributes()`: the values that the
// attributes are made of, for the lookup in the program cache.
//
// Thread safety: const calls may run at the same time; calls that change an object need outside locking.

#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "runtime/device/device_description.hpp"
#include "runtime/device/program_memory.hpp"
#include "runtime/operations/core/attribute_text.hpp"
#include "runtime/operations/core/program_key.hpp"
#include "runtime/types/host_array.hpp"
#include "runtime/types/tensor_spec.hpp"

namespace tilemeter {

using TensorSpecs = std::vector<TensorSpec>;

/// A name that outlives every program: that of a literal. A plan only points at it, so that no std::string
/// may become one.
class StaticName {
public:
    constexpr StaticName() = default;
    constexpr StaticName(const char* literal) : text_(literal) {}
    constexpr StaticName(std::string_view literal) : text_(literal) {}
    StaticName(const std::string&) = delete;
    constexpr operator std::string_view() const { return text_; }

private:
    std::string_view text_;
};

/// The program that a factory has planned.
struct ProgramPlan {
    StaticName factory_type;            ///< "ttnn::prim::MatmulMultiCoreProgramFactory"
    std::uint64_t factory_index = 0;    ///< among the operation's factories
    std::vector<ProgramMemory> memory;  ///< in order of declaration
    std::vector<TensorSpec>
        config_tensors;  ///< tables the program reads: on the device as long as the program is cached
    /// Programs of this kind on a mesh: one for all chips, or, where each has its neighbours, one per chip.
    /// Each is recorded, the regions of one after those of another.
    std::uint32_t num_programs = 1;
    bool converts_config_tensors = false;  ///< TT-NN makes them of longer numbers, and traces show it
};

class DeviceOperation {
public:
    virtual ~DeviceOperation() = default;

    virtual std::string_view name() const = 0;

    /// Throws RuntimeError unless the inputs are legal on such a device.
    void validate(std::span<const TensorSpec> inputs, const DeviceDescription& device) const {
        do_validate(inputs, device);
    }
    /// Specs of the outputs. REQUIRES: valid inputs.
    TensorSpecs infer(std::span<const TensorSpec> inputs, const DeviceDescription& device) const {
        return do_infer(inputs, device);
    }
    /// `free_l1_bytes`: of each core, between where programs begin and the lowest tensor, the outputs
    /// included; few programs look at it. REQUIRES: valid inputs.
    ProgramPlan plan(std::span<const TensorSpec> inputs, std::span<const TensorSpec> outputs,
                     const DeviceDescription& device, std::uint64_t free_l1_bytes) const {
        return do_plan(inputs, outputs, device, free_l1_bytes);
    }
    /// Values of the outputs, of the shapes and dtypes in `outputs`, from those of the inputs, for one chip.
    std::vector<HostArray> compute(std::span<const HostArray* const> inputs,
                                   std::span<const TensorSpec> outputs) const {
        return do_compute(inputs, outputs);
    }
    /// compute() for all chips at once, for an operation whose chips exchange values: from the only input on
    /// each chip, the first output on each chip. Further outputs are room to work in and hold no values.
    /// Empty: each chip computes for itself.
    virtual std::vector<HostArray> compute_on_all_chips(std::span<const HostArray* const> /*input_by_chip*/,
                                                        const TensorSpec& /*output*/) const {
        return {};
    }
    /// The outputs that the operation has already allocated when it refuses these inputs, and then gives
    /// back: most of TT-NN's make their outputs before they look whether inputs fit each other. Empty: it
    /// refuses first. A RuntimeError is taken for none.
    virtual TensorSpecs outputs_when_refused(std::span<const TensorSpec> /*inputs*/,
                                             const DeviceDescription& /*device*/) const {
        return {};
    }

    virtual std::string attributes_text() const = 0;
    virtual void append_attributes(ProgramKey& key) const = 0;
    virtual std::shared_ptr<const DeviceOperation> clone() const = 0;

protected:
    DeviceOperation() = default;
    DeviceOperation(const DeviceOperation&) = default;
    DeviceOperation& operator=(const DeviceOperation&) = default;

private:
    virtual void do_validate(std::span<const TensorSpec> inputs, const DeviceDescription& device) const = 0;
    virtual TensorSpecs do_infer(std::span<const TensorSpec> inputs,
                                 const DeviceDescription& device) const = 0;
    virtual ProgramPlan do_plan(std::span<const TensorSpec> inputs, std::span<const TensorSpec> outputs,
                                const DeviceDescription& device, std::uint64_t free_l1_bytes) const = 0;
    virtual std::vector<HostArray> do_compute(std::span<const HostArray* const> inputs,
                                              std::span<const TensorSpec> outputs) const = 0;
};

/// The four answers by the functions of `Derived` that have their names, each with as many of the arguments
/// above as it needs:
///
///     validate(inputs)           validate(inputs, device)
///     infer(inputs)              infer(inputs, device)
///     plan(inputs, outputs, device)    plan(inputs, outputs, device, free_l1_bytes)
///     compute(inputs, outputs)
///
/// With `static constexpr bool kMakesOutputsFirst = true` what it infers is allocated before inputs are
/// refused; with `validate_program(inputs, device)` only before this one refuses them, after `validate`: what
/// TT-NN finds when it makes the program. Text, key and clone are made from `Derived::attributes()`.
template <typename Derived>
class DeviceOperationWith : public DeviceOperation {
public:
    std::string_view name() const final { return Derived::kName; }

    std::string attributes_text() const final {
        std::string text(Derived::kAttributesName);
        text += "(";
        const std::size_t begin = text.size();
        std::apply(
            [&](const auto&... each) {
                ((text += (text.size() == begin ? "" : ", ") + attribute_text(each)), ...);
            },
            self().attributes());
        return text + ")";
    }

    void append_attributes(ProgramKey& key) const final {
        const auto append = [&key](const auto&... each) { (key.append(each), ...); };
        if constexpr (requires(const Derived& derived) { derived.key_attributes(); }) {
            std::apply(append, self().key_attributes());
        } else {
            std::apply(append, self().attributes());
        }
    }

    std::shared_ptr<const DeviceOperation> clone() const final { return std::make_shared<Derived>(self()); }

    TensorSpecs outputs_when_refused(std::span<const TensorSpec> inputs,
                                     const DeviceDescription& device) const override {
        if constexpr (requires { self().validate_program(inputs, device); }) {
            validate_arguments(inputs, device);
            return do_infer(inputs, device);
        } else if constexpr (requires { Derived::kMakesOutputsFirst; }) {
            return do_infer(inputs, device);
        } else {
            return DeviceOperation::outputs_when_refused(inputs, device);
        }
    }

private:
    void do_validate(std::span<const TensorSpec> inputs, const DeviceDescription& device) const final {
        validate_arguments(inputs, device);
        if constexpr (requires { self().validate_program(inputs, device); })
            self().validate_program(inputs, device);
    }
    void validate_arguments(std::span<const TensorSpec> inputs, const DeviceDescription& device) const {
        if constexpr (requires { self().Derived::validate(inputs, device); }) {
            self().Derived::validate(inputs, device);
        } else {
            self().Derived::validate(inputs);
        }
    }
    TensorSpecs do_infer(std::span<const TensorSpec> inputs, const DeviceDescription& device) const final {
        if constexpr (requires { self().Derived::infer(inputs, device); }) {
            return self().Derived::infer(inputs, device);
        } else {
            return self().Derived::infer(inputs);
        }
    }
    ProgramPlan do_plan(std::span<const TensorSpec> inputs, std::span<const TensorSpec> outputs,
                        const DeviceDescription& device, std::uint64_t free_l1_bytes) const final {
        if constexpr (requires { self().Derived::plan(inputs, outputs, device, free_l1_bytes); }) {
            return self().Derived::plan(inputs, outputs, device, free_l1_bytes);
        } else {
            return self().Derived::plan(inputs, outputs, device);
        }
    }
    std::vector<HostArray> do_compute(std::span<const HostArray* const> inputs,
                                      std::span<const TensorSpec> outputs) const final {
        return self().Derived::compute(inputs, outputs);
    }

    const Derived& self() const { return static_cast<const Derived&>(*this); }
};

}  // namespace tilemeter
