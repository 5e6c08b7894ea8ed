// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Gradients of TT-NN calls in TT-NN calls: what a thread calls is recorded while it runs, and the way back is run at once.
//
//     GradientRecord record(std::array{weights, bias});
//     const Tensor loss = mean(square(subtract(linear(x, weights, bias), wanted)));
//     const std::vector<Tensor> gradients = record.backward(loss);      // of weights and bias
//
// In a traced function (traced_program.hpp) both ways become parts of it, so that it is replayed, planned and saved with its
// gradients:
//
//     const auto traced = trace_on_device([](auto x) { return value_and_grad(loss, x, {1, 2}); }, inputs);
//
// A call's gradients are those of its vjp rule (rules/), as somebody would write them who knows TT-NN: *_bw operations,
// moreh_*_backward, products of transposes; else the call is lowered, differentiated and placed (rules/, place.hpp). Of a
// call's tensors only those are kept that its rule reads, and only until it has run.
//
// A gradient has the shape and dtype of its tensor, in tiles, in the place that the calls give it: that of the forward values
// unless they are sharded. What runs on the host in between, and what is no float, has no gradient.
//
// Thread safety: a record is the thread's that made it.

#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/tensor/tensor.hpp"
#include "runtime/trace/derivatives/derivatives.hpp"
#include "runtime/trace/device/record/traced_program.hpp"

namespace tilemeter::trace {

class GradientRecord {
public:
    /// The thread's calls are recorded from here on: those that depend on one of these tensors. Throws ir::Error
    /// (kGradNeedsFloat) for one of integers, (kBadArgument) for one on the host.
    explicit GradientRecord(std::span<const Tensor> of);
    ~GradientRecord();
    GradientRecord(const GradientRecord&) = delete;
    GradientRecord& operator=(const GradientRecord&) = delete;

    /// The gradients of `loss`, one for each of the tensors, zeros where it does not depend on one. Ends the record and
    /// frees it. Throws ir::Error: kGradNeedsScalar unless loss has one element. kNoRule for a call that has neither a
    /// rule nor a lowering, and for values that a rule reads and that were freed or overwritten since. kBadArgument for
    /// a record that has ended. Throws what the calls throw.
    std::vector<Tensor> backward(const Tensor& loss);

    /// Ends recording; backward() may still run.
    void stop();

    /// Calls that it holds.
    [[nodiscard]] std::size_t size() const;
    /// Names of recorded calls ("ttnn.max") that have no vjp rule for such arguments: they are lowered if they can be, else
    /// backward() refuses them where a gradient reaches them.
    [[nodiscard]] std::vector<std::string> without_rule() const;
    /// Bytes on the device that are kept for the way back.
    [[nodiscard]] std::uint64_t kept_bytes() const;

private:
    friend std::vector<Tensor> checkpoint(const TensorFunction& function, std::span<const Tensor> inputs);
    static std::vector<Tensor> checkpoint(const TensorFunction& function, std::span<const Tensor> inputs);
    friend std::vector<Tensor> as_arguments(std::span<const Tensor> tensors);
    static void note_argument(const Tensor& of, const Tensor& argument);

    class Tape;
    std::unique_ptr<Tape> tape_;
};

/// The loss, which is what `function` returns, then a gradient for each input of `wrt`. Throws as GradientRecord, and kBadArgument
/// for positions that there are not, and for one that is there twice.
std::vector<Tensor> value_and_grad(const TensorFunction& function, std::span<const Tensor> inputs,
                                   const Positions& wrt);

/// The same memory as tensors of their own, for a function to be called with. A tensor that is given to it twice, or
/// that it uses from outside as well, is another one there, and has gradients of its own. Records that are open follow
/// them.
std::vector<Tensor> as_arguments(std::span<const Tensor> tensors);

/// function(inputs). A record that is open keeps nothing of what its calls make but its results, and what they read of outside
/// it: where a gradient reaches its results the function is called once more, with the same tensors. So it has to do the same
/// each time, and write to nothing that was there before. Throws what `function` throws; backward() throws ir::Error (kNoRule)
/// where what the function read was written or freed since, and where a value of it is used that it did not return.
std::vector<Tensor> checkpoint(const TensorFunction& function, std::span<const Tensor> inputs);

/// The operations that have a vjp rule of their own: "ttnn.softmax".
std::vector<std::string> operations_with_vjp();

/// True if calls of that name ("ttnn.softmax") have a vjp rule of their own.
bool has_vjp(std::string_view operation);

}  // namespace tilemeter::trace
