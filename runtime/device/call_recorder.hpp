// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The recorder of a traced function: it is told what the function's calls allocate, which programs they run and which
// values they move without a program, so that all of it can be done again (runtime/trace/device/). Scopes, arguments and
// tensors it reads from the events that calls emit anyway.
//
// Only calls that are planned ask for a recorder, so that calls that run pay nothing for it.
//
// Thread safety: a recorder is the calling thread's.

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <typeinfo>
#include <vector>

#include "capture/record/private_log.hpp"
#include "runtime/device/buffer.hpp"
#include "runtime/device/planning.hpp"
#include "runtime/types/runtime_error.hpp"

namespace tilemeter {

class DeviceOperation;
class Tensor;
struct CachedProgram;

/// The kinds of calls that tracing a function refuses.
enum class TracingErrorKind : std::uint8_t {
    kEscapedTracer,       ///< a traced tensor is used after its trace, or in another thread
    kNeedsConcreteArray,  ///< the values of a traced tensor are asked for
    kTwoDevices,          ///< one trace, one device
    kRandomBySeed,        ///< an operation that draws random numbers
    kHostValues,          ///< values on the host that a trace can't follow
    kBadArgument,
    kCount
};

/// In snake_case: "escaped_tracer".
std::string_view name_of(TracingErrorKind kind);

/// One line: the operation, what was found, a hint.
class TracingError : public RuntimeError {
public:
    TracingError(TracingErrorKind kind, const std::string& message);
    TracingErrorKind kind() const { return kind_; }

private:
    TracingErrorKind kind_;
};

/// The purpose of a call, where a record of gradients says so (runtime/trace/device/gradients/gradient_record.hpp).
enum class CallPass : std::uint8_t { kNone, kForward, kBackward };

class CallRecorder {
public:
    using MakeValues = std::function<ChipValues()>;
    using ChangeValues = std::function<ChipValues(const ChipValues&)>;

    virtual ~CallRecorder() = default;

    /// An operation is called, whose scope begins next. `definition`: the type of `arguments`, one of the operations'
    /// definitions (runtime/operations/core/definition.hpp). Calls inside of calls are told, too.
    virtual void on_call(const std::type_info& definition, const void* arguments) = 0;

    virtual void on_allocate(const std::shared_ptr<Buffer>& buffer, const BufferPlan& plan) = 0;

    /// A program was planned. Its memory has been emitted, its selection has not.
    virtual void on_program(const DeviceOperation& operation,
                            const std::shared_ptr<const CachedProgram>& program,
                            std::span<const Tensor> operands, std::span<const Tensor> results) = 0;

    /// The host makes the values of `to`. `make` holds all that it needs.
    virtual void on_made(const Tensor& to, MakeValues make) = 0;

    /// `to` gets the values of `from`, or what `change` makes of them. `change` holds all that it needs.
    virtual void on_moved(const Tensor& to, const Tensor& from, ChangeValues change) = 0;

    /// True if the function has used the memory: allocated it, been given it, or read or written it.
    virtual bool uses(const Buffer& buffer) const = 0;

    /// Memory that was not allocated in the calling thread's planning frame is freed in it.
    virtual void on_free_outside(const Buffer& buffer) = 0;

    /// A scope of this name is about to begin.
    virtual void on_scope(record::TextId name) = 0;

    /// The calls from here on are of this pass; gives the one before.
    virtual CallPass set_pass(CallPass pass) = 0;

    /// Gradients of `of` were made: `gradients`, one for each.
    virtual void on_gradients(std::span<const Tensor> of, std::span<const Tensor> gradients) = 0;

    /// Between these the tables of a program are put on the device: once, however often it runs.
    virtual void begin_tables() = 0;
    virtual void end_tables() = 0;
};

/// The calling thread's recorder; nullptr: none.
CallRecorder* call_recorder();

/// `recorder`, or none, is the calling thread's until the scope ends.
class ScopedCallRecorder {
public:
    explicit ScopedCallRecorder(CallRecorder* recorder);
    ~ScopedCallRecorder();
    ScopedCallRecorder(const ScopedCallRecorder&) = delete;
    ScopedCallRecorder& operator=(const ScopedCallRecorder&) = delete;

private:
    friend class ScopedAroundRecorder;

    CallRecorder* const outer_;
    const ScopedCallRecorder* const outer_scope_;
};

/// Until the scope ends, the calling thread is as it was around the function that it traces: its frame, its recorder and
/// the log of its events are those of before. For what happens meanwhile and is not the function's doing.
/// REQUIRES: call_recorder() is not null.
class ScopedAroundRecorder {
public:
    ScopedAroundRecorder();
    ~ScopedAroundRecorder();
    ScopedAroundRecorder(const ScopedAroundRecorder&) = delete;
    ScopedAroundRecorder& operator=(const ScopedAroundRecorder&) = delete;

private:
    CallRecorder* const left_;
    const ScopedCallRecorder* const left_scope_;
    const ScopedAroundTrace frame_;
    const record::ScopedAroundPrivateLog log_;
};

/// Calls `drop`, which ends an object that owns `buffer`, around those functions traced in the calling thread that have not
/// used it: a garbage collector runs while they are traced, too, and what it drops is none of their doing.
template <typename Drop>
void drop_around_traces(const Buffer& buffer, const Drop& drop) {
    const CallRecorder* const recorder = call_recorder();
    if (recorder == nullptr || recorder->uses(buffer)) return drop();
    const ScopedAroundRecorder around;
    drop_around_traces(buffer, drop);
}

/// The calls that the thread's recorder sees are of `pass` until the scope ends.
class ScopedPass {
public:
    explicit ScopedPass(CallPass pass);
    ~ScopedPass();
    ScopedPass(const ScopedPass&) = delete;
    ScopedPass& operator=(const ScopedPass&) = delete;

private:
    CallRecorder* const recorder_;
    CallPass outer_ = CallPass::kNone;
};

/// Throws TracingError (kEscapedTracer) if the calling thread has just been told that `buffer` is not allocated because it
/// is of a traced function that the thread is not in. For the messages of errors: asks for Buffer::is_allocated() first.
void require_not_escaped(const Buffer& buffer, std::string_view operation);

/// The note that Buffer::is_allocated() leaves for require_not_escaped().
void note_refused(const Buffer& buffer);

}  // namespace tilemeter
