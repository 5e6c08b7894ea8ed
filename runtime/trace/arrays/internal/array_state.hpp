// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The state behind an array: a node of the graph of pending operations, or the frame that records.

#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#include "capture/ir/operation_set.hpp"
#include "runtime/trace/arrays/apply.hpp"
#include "runtime/trace/arrays/array.hpp"
#include "runtime/trace/arrays/frame.hpp"
#include "runtime/trace/primitives/error.hpp"

namespace tilemeter::trace::internal {

struct Owner {};

/// An operation that has not run yet, or values. Many arrays share it: one for each result, and those of operations
/// that use them.
struct Node : Owner {
    Node();
    ~Node();
    Node(const Node&) = delete;
    Node& operator=(const Node&) = delete;

    [[nodiscard]] bool is_evaluated() const { return operation == nullptr; }
    /// From now on these are the results; what was needed to compute them goes.
    void set_values(std::vector<ir::Constant> results);

    const ir::Operation* operation = nullptr;  ///< null: evaluated
    std::vector<Array> operands;               ///< evaluated, pending or literals of a known element type
    ir::Attributes attributes;
    std::vector<ir::Subgraph> subgraphs;
    ir::Location location;
    std::vector<ir::TensorType> types;  ///< of the results, while pending
    std::vector<ir::Constant> values;   ///< of the results, when evaluated
    bool is_given = false;              ///< evaluated from the beginning

    static std::atomic<std::int64_t> live;
};

/// The identity of a value: its owner and its number there.
struct ValueKey {
    const void* owner;
    std::int64_t number;
    friend bool operator==(const ValueKey&, const ValueKey&) = default;
};
struct ValueKeyHash {
    std::size_t operator()(const ValueKey& key) const {
        return std::hash<const void*>()(key.owner) * 31 + static_cast<std::size_t>(key.number);
    }
};

struct FrameState : Owner {
    std::string function;
    Mode mode = Mode::kAbstract;
    /// For the body of control flow: arrays from outside become parameters. Else evaluated ones become constants.
    bool is_body = false;
    bool is_open = true;
    std::thread::id thread = std::this_thread::get_id();
    const std::shared_ptr<FrameState>* outer = nullptr;  ///< the next frame of this thread, while open
    std::size_t depth = 1;

    std::shared_ptr<ir::Graph> graph;
    std::vector<Array> captured;  ///< in the order of the parameters that stand for them
    std::unordered_map<ValueKey, ir::ValueId, ValueKeyHash> captured_ids;
    std::vector<std::optional<ir::Constant>> values;  ///< by ValueId, in concrete mode while open

    struct Asked {
        Guard guard;
        ir::ValueId value;
    };
    std::vector<Asked> asked;
    std::vector<std::string> assumptions;
};

/// The innermost frame of this thread; null: none is open.
const std::shared_ptr<FrameState>* innermost_frame();

/// The promises about the sizes of dimensions; null: nothing.
const ir::Constraints* current_constraints();

/// Makes a frame the innermost one, with the constraints of the one around it if it has none of its own. Throws TraceError (kRecursion).
void open_frame(const std::shared_ptr<FrameState>& state);
/// Ends the innermost frame; values of it have escaped from now on. Does nothing for one that is closed.
/// REQUIRES: it is the innermost one
void close_frame(const std::shared_ptr<FrameState>& state);

/// While it lives this thread has no frame: what computes values is not to record.
class FramePause {
public:
    FramePause();
    ~FramePause();
    FramePause(const FramePause&) = delete;
    FramePause& operator=(const FramePause&) = delete;

private:
    const std::shared_ptr<FrameState>* paused_;
};

struct ArrayAccess {
    static Array traced(std::shared_ptr<FrameState> frame, ir::ValueId value) {
        Array array;
        array.owner_ = std::move(frame);
        array.number_.integer = static_cast<std::int64_t>(value);
        array.state_ = Array::State::kTraced;
        return array;
    }
    static Array of_node(std::shared_ptr<Node> node, std::size_t result) {
        Array array;
        array.owner_ = std::move(node);
        array.number_.integer = static_cast<std::int64_t>(result);
        array.state_ = Array::State::kPending;
        return array;
    }
    /// A node that is evaluated from the beginning.
    static Array computed(ir::Constant value);

    static bool is_literal(const Array& array) { return array.state_ == Array::State::kLiteral; }
    static bool is_node(const Array& array) { return array.state_ == Array::State::kPending; }
    static bool is_traced(const Array& array) { return array.state_ == Array::State::kTraced; }
    static bool is_empty(const Array& array) { return array.state_ == Array::State::kEmpty; }

    /// REQUIRES: is_node()
    static Node& node(const Array& array) { return static_cast<Node&>(*array.owner_); }
    static std::shared_ptr<Node> shared_node(const Array& array) {
        return std::static_pointer_cast<Node>(array.owner_);
    }
    static long node_uses(const Array& array) { return array.owner_.use_count(); }
    static std::size_t result(const Array& array) { return static_cast<std::size_t>(array.number_.integer); }
    /// REQUIRES: is_traced()
    static FrameState& frame(const Array& array) { return static_cast<FrameState&>(*array.owner_); }
    static ValueKey key(const Array& array) { return {array.owner_.get(), array.number_.integer}; }
    static std::shared_ptr<Owner> take_owner(Array& array) { return std::move(array.owner_); }

    // ---- literals
    /// bool, i64, u64 above its numbers, or f64, whatever element it stands for.
    static ir::ElementType number_type(const Array& array) { return array.number_type_; }
    static ir::ElementType literal_element(const Array& array) { return array.element_; }
    /// The literal as an element of this type.
    /// REQUIRES: fits(array, element)
    static ir::Constant literal(const Array& array, ir::ElementType element) {
        if (array.number_type_ == ir::ElementType::kF64)
            return ir::Constant::scalar(element, array.number_.real);
        if (array.number_type_ == ir::ElementType::kU64 && ir::is_float(element))
            return ir::Constant::scalar(
                element, static_cast<double>(static_cast<std::uint64_t>(array.number_.integer)));
        return ir::Constant::scalar(element, array.number_.integer);
    }
    /// True if each integer type has the number, or it is no integer. Most numbers beside arrays are small.
    static bool fits_all(const Array& literal) {
        switch (literal.number_type_) {
            case ir::ElementType::kI64:
                return (literal.number_.integer & ~std::int64_t{0x7f}) == 0;
            case ir::ElementType::kF64:
                return !ir::is_integer(literal.element_);
            default:
                return literal.number_type_ == ir::ElementType::kBool;
        }
    }
    /// True if an integer lies in the type's range; true for all other numbers and types.
    static bool fits(const Array& literal, ir::ElementType element);
    static bool is_negative(const Array& literal);
    static std::string text_of_literal(const Array& literal);
    static Array typed_literal(Array array, ir::ElementType element) {
        array.element_ = element;
        return array;
    }

    // ---- traced numbers
    /// Beside other values it takes their element type, as a literal does, though it is not known.
    static bool is_weak(const Array& array) { return array.is_weak_; }
    static Array weak(Array array, ir::ElementType element) {
        array.element_ = element;
        array.is_weak_ = true;
        return array;
    }
    /// True if the element type is that of what it is computed with.
    static bool takes_element(const Array& array) { return is_literal(array) || is_weak(array); }
};

/// True if an argument of a function is weak in it.
inline bool is_weak_argument(const Array& argument) {
    return ArrayAccess::is_weak(argument) || (ArrayAccess::is_literal(argument) &&
                                              ArrayAccess::number_type(argument) != ir::ElementType::kBool);
}

/// The element type that literal or weak operand `i` takes: that of the operands it is computed with, or its own.
ir::ElementType literal_element(const ir::Operation& operation, std::span<const Array* const> operands,
                                std::size_t i);

/// The element type a literal has beside values of `peer`, as NumPy has it for Python's numbers.
ir::ElementType literal_beside(ir::ElementType literal, ir::ElementType peer);

/// The smallest or the largest number of an integer type.
ir::Constant limit_of(ir::ElementType element, bool is_smallest);

/// "uint8", of an integer type.
std::string numpy_name(ir::ElementType element);

/// The value in the graph of this frame that stands for the array, which may be captured or made a constant.
/// Throws TraceError (kEscapedTracer, kBadArgument).
ir::ValueId value_in(const std::shared_ptr<FrameState>& frame, const Array& array,
                     ir::ElementType literal_element);

/// True if the elements can be asked for: traced ones are known in concrete mode, and of constants.
bool is_known(const Array& array);

/// Throws TraceError (kBadArgument) where an index that is known lies outside of the axis. What is pending stays so.
void require_inside(const char* operation, const Array& x, const Array& indices, std::int64_t axis);

/// The type of a value of an array that is not empty, without a copy.
const ir::TensorType& type_of(const Array& array);
std::vector<ir::TensorType> types_of(std::span<const Array> arrays);
ir::Integers extents_of(const Array& array);

/// Throws TraceError (kBadArgument): "operation: what", with the array's type and the place of the call.
[[noreturn]] void refuse_argument(const std::string& operation, const std::string& what, const Array& array,
                                  Exception exception = Exception::kOfKind);

/// Throws TraceError (kEscapedTracer) unless the frame of this traced array is open in this thread.
void require_open(const Array& array, const std::string& operation);

/// Evaluates pending arrays together.
void evaluate_pending(std::span<const Array* const> arrays);

/// The results of one operation on values.
std::vector<ir::Constant> compute(const ir::Operation& operation, std::span<const ir::Constant> operands,
                                  std::span<const ir::TensorType> types, const ir::Attributes& attributes,
                                  std::span<const ir::Subgraph> subgraphs);

/// The first guard whose answer differs for these values of its graph, or null.
const Guard* first_failed_guard(std::span<const Guard> guards, std::span<const ir::Constant> values);

/// The details of an error in a program of this thread: operation, types of the operands, place.
ErrorDetails details_of(const std::string& operation, std::span<const Array* const> operands);

}  // namespace tilemeter::trace::internal
