// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The column vjp of TT-NN's operations: how the gradients of a call's tensors are made of those of its results, in TT-NN calls.
//
// A rule is a line in a table: the operation, the values of the call that it reads, and a function that gives each operand its
// gradient. The tables are those of gradients_*.cpp; what has no line is differentiated by its lowering (lowered_rule.hpp).

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "capture/events/ids.hpp"
#include "capture/ir/attributes.hpp"
#include "runtime/tensor/tensor.hpp"
#include "runtime/trace/device/record/internal/call_arguments.hpp"

namespace tilemeter::trace::backward {

/// What tensors of a record are like; the record holds one for all that are alike.
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

struct Rule;

/// A call as it was recorded.
struct RecordedCall {
    const char* operation = "";  ///< below ttnn
    std::uint64_t number = 0;    ///< in the order of the record's calls, from 1
    const Rule* rule = nullptr;
    internal::GivenArguments given{};
    std::vector<CallValue> operands{};
    std::vector<CallValue> results{};
    /// Of a checkpoint, which stands for all calls of a function: makes them again, and gives its results.
    std::function<std::vector<Tensor>()> again{};
};

using Integers = std::vector<std::int64_t>;

/// What a rule sees of a call, and where its gradients go.
class Call {
public:
    explicit Call(const RecordedCall& recorded) : recorded_(recorded) {}

    /// "ttnn.softmax"
    [[nodiscard]] std::string name() const;
    [[nodiscard]] const RecordedCall& recorded() const { return recorded_; }

    // ---- tensors; parameters by name, or several names with bars: "input_tensor_a|input"
    [[nodiscard]] std::size_t size() const { return recorded_.operands.size(); }
    [[nodiscard]] std::optional<std::size_t> find(std::string_view parameters) const;
    [[nodiscard]] std::size_t at(std::string_view parameters) const;
    [[nodiscard]] bool wants(std::size_t operand) const { return recorded_.operands[operand].is_wanted; }
    [[nodiscard]] const TensorSpec& spec(std::size_t operand) const {
        return recorded_.operands[operand].spec();
    }
    [[nodiscard]] const Shape& shape(std::size_t operand) const { return spec(operand).shape; }
    [[nodiscard]] const TensorSpec& result_spec(std::size_t result = 0) const {
        return recorded_.results[result].spec();
    }
    /// Values that the rule has listed. Throws ir::Error (kNoRule) for one whose memory was freed since.
    [[nodiscard]] Tensor operand(std::size_t operand) const;
    [[nodiscard]] Tensor operand(std::string_view parameters) const { return operand(at(parameters)); }
    [[nodiscard]] Tensor result(std::size_t result = 0) const;

    // ---- other arguments, as the call's equation has them
    [[nodiscard]] ir::Attributes attributes() const { return recorded_.given.attributes(); }
    [[nodiscard]] std::optional<ir::Attribute> find_argument(std::string_view argument) const {
        return recorded_.given.attribute(argument);
    }
    [[nodiscard]] bool has(std::string_view argument) const { return find_argument(argument).has_value(); }
    [[nodiscard]] std::optional<double> find_number(std::string_view arguments) const;
    [[nodiscard]] float number(std::string_view argument, double otherwise) const {
        return static_cast<float>(find_number(argument).value_or(otherwise));
    }
    [[nodiscard]] bool flag(std::string_view argument, bool otherwise = false) const {
        return find_number(argument).value_or(otherwise ? 1 : 0) != 0;
    }
    [[nodiscard]] std::string text(std::string_view argument) const;
    /// A list or one number; none: not given.
    [[nodiscard]] std::optional<Integers> integers(std::string_view argument) const;
    /// An axis, counted from the front.
    [[nodiscard]] std::int64_t axis(std::string_view argument, std::int64_t otherwise,
                                    std::size_t rank) const;

    // ---- gradients
    /// Of a result; zeros where nothing depends on it.
    [[nodiscard]] Tensor gradient(std::size_t result = 0) const;
    [[nodiscard]] bool has_gradient(std::size_t result) const { return gradients_[result].has_value(); }
    /// The gradient of an operand, of any dtype and of any shape that its own was repeated to; ignored unless it is wanted.
    void give(std::size_t operand, Tensor gradient);

    void set_gradients(std::vector<std::optional<Tensor>> of_results);
    [[nodiscard]] std::vector<std::optional<Tensor>> take_given() { return std::move(given_); }

private:
    const RecordedCall& recorded_;
    std::vector<std::optional<Tensor>> gradients_;
    std::vector<std::optional<Tensor>> given_;
};

struct Rule {
    std::string name;  ///< below ttnn, with points
    /// The values that it reads: parameters, "result", "result1"; separated by blanks.
    std::string keeps;
    std::function<void(Call&)> gradients;
    /// Whether it takes such a call, by its specs and arguments; none: any. Others are lowered.
    std::function<bool(const Call&)> takes{};
    /// Whether it reads that one of the listed operands in such a call; none: it does.
    std::function<bool(const Call&, std::size_t)> reads{};
};

std::vector<Rule> elementwise_rules();
std::vector<Rule> binary_rules();
std::vector<Rule> movement_rules();
std::vector<Rule> reduction_rules();
std::vector<Rule> product_rules();
std::vector<Rule> normalization_rules();
std::vector<Rule> attention_rules();
std::vector<Rule> selection_rules();

/// By operation.
const std::map<std::string, Rule, std::less<>>& all_rules();

/// The rule of an operation ("softmax"); null: none.
const Rule* find_rule(std::string_view operation);

/// The rule for operations that have a lowering and no rule of their own: lowered, differentiated, placed.
const Rule& lowered_rule();

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
/// Whether all operands have the result's shape and dtype, in tiles and without shards, as TT-NN's gradients want them.
bool are_alike(const Call& call);

}  // namespace tilemeter::trace::backward
