// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A recorded call as its gradient reads it: the values that were kept of it, and where the gradients of its operands go.

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "capture/events/ids.hpp"
#include "runtime/tensor/tensor.hpp"
#include "runtime/trace/device/record/internal/call_arguments.hpp"
#include "runtime/trace/device/rules/call_reader.hpp"

namespace tilemeter::trace::rules {

struct Gradient;

/// The properties of tensors in a record; the record holds one for all that are alike.
struct ValueType {
    TensorSpec spec;
    std::shared_ptr<Device> device;
};

/// An operand or a result of a recorded call.
struct CallValue {
    std::string_view parameter;  ///< of an operand
    record::TensorId id{};
    record::BufferId buffer{};
    const ValueType* type = nullptr;  ///< null: not on a device, or a result that was not asked for
    bool is_wanted = false;           ///< has a gradient that somebody wants
    Tensor kept;                      ///< with memory where the rule reads it

    [[nodiscard]] bool is_there() const { return type != nullptr; }
    [[nodiscard]] const TensorSpec& spec() const { return type->spec; }
    [[nodiscard]] const std::shared_ptr<Device>& device() const { return type->device; }
};

/// A call as it was recorded.
struct RecordedCall {
    const char* operation = "";  ///< below ttnn
    std::uint64_t number = 0;    ///< in the order of the record's calls, from 1
    const Gradient* rule = nullptr;
    internal::GivenArguments given{};
    std::vector<CallValue> operands{};
    std::vector<CallValue> results{};
    /// For a checkpoint, which stands for all calls of a function: makes them again, and gives its results.
    std::function<std::vector<Tensor>()> again{};
};

class Call final : public CallReader {
public:
    explicit Call(const RecordedCall& recorded) : CallReader("vjp"), recorded_(recorded) {}

    [[nodiscard]] std::string name() const override {
        return "ttnn." + internal::dotted(recorded_.operation);
    }
    [[nodiscard]] std::size_t size() const override { return recorded_.operands.size(); }
    [[nodiscard]] const RecordedCall& recorded() const { return recorded_; }
    /// As the call's equation has them.
    [[nodiscard]] ir::Attributes attributes() const { return recorded_.given.attributes(); }

    // ---- tensors
    [[nodiscard]] bool wants(std::size_t operand) const { return recorded_.operands[operand].is_wanted; }
    [[nodiscard]] const TensorSpec& spec(std::size_t operand) const {
        return recorded_.operands[operand].spec();
    }
    [[nodiscard]] const Shape& shape(std::size_t operand) const { return spec(operand).shape; }
    [[nodiscard]] std::size_t result_count() const { return recorded_.results.size(); }
    [[nodiscard]] const TensorSpec& result_spec(std::size_t result = 0) const {
        return recorded_.results[result].spec();
    }
    /// Values that the rule has listed. Throws ir::Error (kNoRule) for one whose memory was freed since.
    [[nodiscard]] Tensor operand(std::size_t operand) const;
    [[nodiscard]] Tensor operand(std::string_view parameters) const { return operand(at(parameters)); }
    [[nodiscard]] Tensor result(std::size_t result = 0) const;

    // ---- gradients
    /// The gradient of a result; zeros where nothing depends on it.
    [[nodiscard]] Tensor gradient(std::size_t result = 0) const;
    [[nodiscard]] bool has_gradient(std::size_t result) const { return gradients_[result].has_value(); }
    /// The gradient of an operand, of any dtype and of any shape that its own was repeated to; ignored unless it is wanted.
    void give(std::size_t operand, Tensor gradient);

    void set_gradients(std::vector<std::optional<Tensor>> of_results);
    [[nodiscard]] std::vector<std::optional<Tensor>> take_given() { return std::move(given_); }

private:
    const ir::Attribute* argument(std::string_view name, std::optional<ir::Attribute>& room) const override {
        room = recorded_.given.attribute(name);
        return room ? &*room : nullptr;
    }
    [[nodiscard]] std::string_view parameter(std::size_t operand) const override {
        return recorded_.operands[operand].parameter;
    }

    const RecordedCall& recorded_;
    std::vector<std::optional<Tensor>> gradients_;
    std::vector<std::optional<Tensor>> given_;
};

// ---- what many rules do

/// The gradient of what was repeated to the shape of `gradient`: summed up.
Tensor sum_to(const Tensor& gradient, const Shape& shape);
Tensor reshaped(const Tensor& tensor, const Shape& shape);
Tensor as_dtype(const Tensor& tensor, DataType dtype);
Tensor as_tiles(const Tensor& tensor);
/// One number in tiles in DRAM. A program writes it, none of the host, so that a metal trace may have it.
Tensor filled(const Shape& shape, DataType dtype, const std::shared_ptr<Device>& device, float value);
/// In DRAM where it is sharded.
Tensor interleaved(const Tensor& tensor);
Integers extents_of(const Shape& shape);
/// From and up to, along one axis.
Tensor part_of(const Tensor& tensor, std::size_t axis, std::int64_t begin, std::int64_t end);
/// Floats of whole numbers, in tiles and without shards.
bool is_in_tiles(const TensorSpec& spec);
/// True if all operands have the result's shape and dtype, in tiles and without shards, as TT-NN's gradients want them.
bool are_alike(const Call& call);
/// True if the first operand and the result are floats of one shape.
bool keeps_shape(const Call& call);
/// The result's gradient, for the first operand.
void pass_on(Call& call);
/// Those of a *_bw operation of TT-NN, for the operands from `first` on.
void give_all(Call& call, const std::vector<std::optional<Tensor>>& gradients, std::size_t first = 0);

}  // namespace tilemeter::trace::rules
