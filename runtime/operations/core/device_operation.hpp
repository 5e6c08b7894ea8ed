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
//     struct Relu {
//         static constexpr std::string_view kName = "UnaryDeviceOperation";
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
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "runtime/device/device_description.hpp"
#include "runtime/device/program_memory.hpp"
#include "runtime/operations/core/attribute_text.hpp"
#include "runtime/operations/core/object_room.hpp"
#include "runtime/operations/core/program_key.hpp"
#include "runtime/types/host_array.hpp"
#include "runtime/types/tensor_spec.hpp"

namespace tilemeter {

using TensorSpecs = std::vector<TensorSpec>;
using SpecsView = std::span<const TensorSpec>;
using ArraysView = std::span<const HostArray* const>;

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

struct ProgramFactory {
    StaticName type;          ///< "ttnn::prim::MatmulMultiCoreProgramFactory"
    std::uint64_t index = 0;  ///< among the operation's factories
};

/// The program that a factory has planned.
struct ProgramPlan {
    ProgramFactory factory;
    std::vector<ProgramMemory> memory{};  ///< in order of declaration
    /// Tables the program reads: on the device as long as the program is cached.
    std::vector<TensorSpec> config_tensors{};
    /// Programs of this kind on a mesh: one for all chips, or, where each has its neighbours, one per chip.
    /// Each is recorded, the regions of one after those of another.
    std::uint32_t num_programs = 1;
    std::optional<Shape> view_of_input{};  ///< in which the program sees the first input, and traces show it
    bool converts_config_tensors = false;  ///< TT-NN makes them of longer numbers, and traces show it
    bool frees_config_tensors_in_scope = false;  ///< in "Tensor::deallocate"; others are no tensors to TT-NN
};

/// The tensors of a call, as the program cache looks at them.
struct KeyedCall {
    SpecsView inputs;
    SpecsView outputs;
    bool gives_outputs = false;  ///< the caller does; else the operation makes them
    const DeviceDescription& device;
};

/// Any device operation, as it is launched.
class DeviceOperation {
public:
    virtual ~DeviceOperation() = default;

    virtual std::string_view name() const = 0;

    /// True if it is modelled for inputs in such tiles, one of which is not 32 x 32.
    virtual bool takes_small_tiles(SpecsView inputs) const = 0;
    /// True if it is modelled for inputs and outputs in shards of any number of dimensions (ND_SHARDED).
    virtual bool takes_nd_shards() const = 0;
    /// True if the program cache keeps its programs apart by what they take of free L1 (programs_by_free_l1.hpp).
    virtual bool keeps_programs_by_free_l1() const = 0;
    /// Throws RuntimeError unless the inputs are legal on such a device.
    virtual void validate(SpecsView inputs, const DeviceDescription& device) const = 0;
    /// Specs of the outputs. REQUIRES: valid inputs.
    virtual TensorSpecs infer(SpecsView inputs, const DeviceDescription& device) const = 0;
    /// `free_l1_bytes`: of each core, between where programs begin and the lowest tensor, the outputs
    /// included; few programs look at it. REQUIRES: valid inputs.
    virtual ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device,
                             std::uint64_t free_l1_bytes) const = 0;
    /// Values of the outputs, of the shapes and dtypes in `outputs`, from those of the inputs, for one chip.
    virtual std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const = 0;
    /// compute() for all chips at once, for an operation whose chips exchange values: from the inputs on each
    /// chip, the first input of all chips before the second of all, each output on each chip. Outputs that are
    /// room to work in have no values. Empty: each chip computes for itself.
    virtual std::vector<std::vector<HostArray>> compute_on_all_chips(ArraysView input_by_chip,
                                                                     SpecsView outputs) const = 0;
    /// The outputs that the operation has already allocated when it refuses these inputs, and then gives
    /// back: most of TT-NN's make their outputs before they look whether inputs fit each other. Empty: it
    /// refuses first. A RuntimeError is taken for none.
    virtual TensorSpecs outputs_when_refused(SpecsView inputs, const DeviceDescription& device) const = 0;

    /// Why the host has no values for it, as a clause that follows "not computed, for "; empty: it computes them.
    virtual std::string reason_without_values() const = 0;

    virtual std::string attributes_text() const = 0;
    virtual void append_attributes(ProgramKey& key) const = 0;
    /// The key by which TT-NN's program cache tells calls of the operation apart: calls with equal keys share one
    /// program.
    virtual void append_program_key(ProgramKey& key, const KeyedCall& call) const = 0;
    std::string program_key(const KeyedCall& call) const {
        ProgramKey key;
        key.append(name());
        append_program_key(key, call);
        return key.take();
    }
    /// With answers of its own, destroyed with the room.
    virtual const DeviceOperation& clone_into(ObjectRoom& room) const = 0;
    std::shared_ptr<const DeviceOperation> clone() const {
        auto room = std::make_shared<ObjectRoom>();
        const DeviceOperation& cloned = clone_into(*room);
        return {std::move(room), &cloned};
    }

protected:
    DeviceOperation() = default;
    DeviceOperation(const DeviceOperation&) = default;
    DeviceOperation& operator=(const DeviceOperation&) = default;
};

/// The device operation whose attributes and answers are a plain struct's, which is looked at and not copied.
/// Each answer takes as many of the arguments above as it needs:
///
///     takes_small_tiles(inputs), or none: only tiles of 32 x 32
///     kTakesNdShards = true, or none: no ND_SHARDED tensors
///     kKeepsProgramsByFreeL1 = true, or none: the first program serves whatever L1 is free
///     validate(inputs)           validate(inputs, device), or none: all inputs are legal
///     infer(inputs)              infer(inputs, device)
///     plan(inputs, outputs, device)    plan(inputs, outputs, device, free_l1_bytes)
///     compute(inputs, outputs)
///
/// With `static constexpr bool kMakesOutputsFirst = true` what it infers is allocated before inputs are refused. With
/// `validate_program(inputs, device)`, which has the refusals of TT-NN when it makes the program, only before this one
/// refuses them, after `validate`. A struct may also have outputs_when_refused() itself. Text and key are made from
/// `attributes()`; the text begins with `kAttributesName`, by default "operation_attributes_t". Calls share a program
/// if their attributes and specs are equal, and both or none give outputs; where TT-NN looks at less, or at more,
/// `append_program_key(key, call)` says at what. A struct whose values can be missing says why in
/// reason_without_values().
template <typename Answers>
class DeviceOperationOf final : public DeviceOperation {
public:
    explicit DeviceOperationOf(const Answers& answers) : answers_(answers) {}

    std::string_view name() const override { return Answers::kName; }

    bool takes_small_tiles(SpecsView inputs) const override {
        if constexpr (requires { answers_.takes_small_tiles(inputs); }) {
            return answers_.takes_small_tiles(inputs);
        } else {
            return false;
        }
    }

    bool takes_nd_shards() const override {
        if constexpr (requires { Answers::kTakesNdShards; }) {
            return Answers::kTakesNdShards;
        } else {
            return false;
        }
    }

    bool keeps_programs_by_free_l1() const override {
        if constexpr (requires { Answers::kKeepsProgramsByFreeL1; }) {
            return Answers::kKeepsProgramsByFreeL1;
        } else {
            return false;
        }
    }

    void validate(SpecsView inputs, const DeviceDescription& device) const override {
        validate_arguments(inputs, device);
        if constexpr (requires { answers_.validate_program(inputs, device); })
            answers_.validate_program(inputs, device);
    }

    TensorSpecs infer(SpecsView inputs, const DeviceDescription& device) const override {
        if constexpr (requires { answers_.infer(inputs, device); }) {
            return answers_.infer(inputs, device);
        } else {
            return answers_.infer(inputs);
        }
    }

    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device,
                     std::uint64_t free_l1_bytes) const override {
        if constexpr (requires { answers_.plan(inputs, outputs, device, free_l1_bytes); }) {
            return answers_.plan(inputs, outputs, device, free_l1_bytes);
        } else {
            return answers_.plan(inputs, outputs, device);
        }
    }

    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const override {
        return answers_.compute(inputs, outputs);
    }

    std::vector<std::vector<HostArray>> compute_on_all_chips(ArraysView input_by_chip,
                                                             SpecsView outputs) const override {
        if constexpr (requires { answers_.compute_on_all_chips(input_by_chip, outputs); }) {
            return answers_.compute_on_all_chips(input_by_chip, outputs);
        } else {
            return {};
        }
    }

    TensorSpecs outputs_when_refused(SpecsView inputs, const DeviceDescription& device) const override {
        if constexpr (requires { answers_.outputs_when_refused(inputs, device); }) {
            return answers_.outputs_when_refused(inputs, device);
        } else if constexpr (requires { answers_.validate_program(inputs, device); }) {
            validate_arguments(inputs, device);
            return infer(inputs, device);
        } else if constexpr (requires { Answers::kMakesOutputsFirst; }) {
            return infer(inputs, device);
        } else {
            return {};
        }
    }

    std::string reason_without_values() const override {
        if constexpr (requires { answers_.reason_without_values(); }) {
            return answers_.reason_without_values();
        } else {
            return {};
        }
    }

    std::string attributes_text() const override {
        if constexpr (requires { Answers::kAttributesName; }) {
            return tilemeter::attributes_text(Answers::kAttributesName, answers_.attributes());
        } else {
            return tilemeter::attributes_text("operation_attributes_t", answers_.attributes());
        }
    }

    void append_attributes(ProgramKey& key) const override {
        const auto append = [&key](const auto&... each) { (key.append(each), ...); };
        if constexpr (requires { answers_.key_attributes(); }) {
            std::apply(append, answers_.key_attributes());
        } else {
            std::apply(append, answers_.attributes());
        }
    }

    void append_program_key(ProgramKey& key, const KeyedCall& call) const override {
        if constexpr (requires { answers_.append_program_key(key, call); }) {
            answers_.append_program_key(key, call);
        } else {
            append_attributes(key);
            key.append(call.inputs);
            key.append(call.outputs);
            key.append(call.gives_outputs);
        }
    }

    const DeviceOperation& clone_into(ObjectRoom& room) const override {
        return room.make<Own>(answers_).operation;
    }

private:
    struct Own;

    void validate_arguments(SpecsView inputs, const DeviceDescription& device) const {
        if constexpr (requires { answers_.validate(inputs, device); }) {
            answers_.validate(inputs, device);
        } else if constexpr (requires { &Answers::validate; }) {
            answers_.validate(inputs);
        }
    }

    const Answers& answers_;
};

template <typename Answers>
struct DeviceOperationOf<Answers>::Own {
    explicit Own(const Answers& of) : answers(of), operation(answers) {}

    Answers answers;
    DeviceOperationOf operation;
};

}  // namespace tilemeter
