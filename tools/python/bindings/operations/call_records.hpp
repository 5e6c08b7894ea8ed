// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Python's view of each operation while captures are open: the records behind X.python_io.json. A record keeps what
// cannot change after the call and small mentions of tensors, never a tensor; text is made when somebody reads it.
//
// Thread safety: all functions need the interpreter lock.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <nanobind/nanobind.h>

#include "capture/events/ids.hpp"
#include "runtime/device/device.hpp"

namespace tilemeter::python {

namespace nb = nanobind;

/// A tensor argument as it was when the call began.
struct TensorMention {
    record::TensorId id = record::TensorId::kNone;
    record::TensorSpecId spec = record::TensorSpecId::kNone;
    record::TextId memory_config = record::TextId::kNone;  ///< of a host tensor; else the spec says it
    record::DeviceId device{};
    bool on_device = false;
    bool is_allocated = false;
    MeshShape mesh;
};

struct KeptSequence;

/// An argument in a form that neither changes nor keeps device memory: one of the three.
struct KeptArgument {
    TensorMention tensor;                    ///< id kNone: none
    nb::object object;                       ///< a constant, or a text made from something else
    std::unique_ptr<KeptSequence> sequence;  ///< a list or tuple that holds a tensor
};

struct KeptSequence {
    bool is_tuple = false;
    bool too_deep = false;  ///< its elements are not kept
    std::size_t length = 0;
    std::vector<KeptArgument> elements;  ///< the first of them
};

/// One call of an operation, or a record that a program writes itself (`document`).
struct CallRecord {
    nb::object name;
    std::vector<KeptArgument> arguments;  ///< positional, then by keyword
    nb::object keywords;                  ///< tuple of the keywords; null: none
    bool has_outputs = false;
    std::vector<std::uint64_t> outputs;
    nb::object stack;           ///< the source of the callers; null: not recorded
    nb::object error;           ///< (type, message); null: none
    nb::object captured_graph;  ///< the call's own nodes; null: none
    nb::object document;        ///< a dict; null: this is a call

    /// `values`: positional ones, then those of `keys` (a tuple, or null).
    void keep_call(nb::object called, PyObject* const* values, std::size_t positional, PyObject* keys);
    void keep_outputs(nb::handle result);
    void keep_current_error();  ///< REQUIRES: a Python error is set; it stays set
    /// The record as the sidecar has it (facts: name, arguments, input_tensor_ids, ...).
    nb::dict as_dict() const;
    /// As if new, but with the memory of what it held.
    void forget();
};

/// Names a record for as long as the records are not cleared; then it is nobody's.
struct RecordNumber {
    std::uint64_t generation = 0;
    std::size_t index = 0;
};

/// The process's records and what is recorded.
class CallRecording {
public:
    CallRecording() = default;
    CallRecording(const CallRecording&) = delete;
    CallRecording& operator=(const CallRecording&) = delete;

    bool enabled = false;  ///< a capture is open
    bool stacks = false;   ///< records hold the callers
    bool slow = false;     ///< calls go through `slow_call`: each has a capture of its own, or is compared
    bool hooked = false;   ///< calls go through `slow_call`, also outside of captures: hooks wait for them
    nb::object slow_call;  ///< (operation, args, kwargs) -> result
    nb::object call_on_queue;  ///< the same, for calls that name a command queue
    nb::object call_adapted;   ///< (operation, args, kwargs, error) -> result, of a call that did not fit
    nb::object stack;          ///< () -> what tells the callers
    nb::object stack_text;     ///< that -> list of str
    nb::object value_text;     ///< anything -> its text

    RecordNumber begin(nb::object name, PyObject* const* arguments, std::size_t positional,
                       PyObject* keywords);
    RecordNumber append(nb::dict document);
    /// Null when the records were cleared since.
    CallRecord* find(RecordNumber number);
    /// The number of the latest record; nothing where there is none.
    std::optional<RecordNumber> latest() const;
    std::size_t size() const { return size_; }
    const CallRecord& at(std::size_t index) const { return *records_[index]; }
    void clear();

private:
    CallRecord& next();

    // The first size_ are in use; some after them keep their memory for the next capture.
    std::vector<std::unique_ptr<CallRecord>> records_;
    std::size_t size_ = 0;
    std::uint64_t generation_ = 0;
};

/// Lives as long as the process: objects of Python that are still held at exit are not freed.
CallRecording& call_recording();

void bind_call_records(nb::module_& module);

}  // namespace tilemeter::python
