// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/oracle_check/replay.hpp"

#include <exception>
#include <optional>

#include "capture/record/tensor_info.hpp"
#include "capture/record/text.hpp"
#include "capture/record/window.hpp"
#include "runtime/device/device.hpp"
#include "runtime/operations/core/free_l1.hpp"
#include "runtime/operations/core/operation_scope.hpp"
#include "runtime/operations/core/planned_values.hpp"
#include "tools/oracle_check/compare.hpp"
#include "tools/oracle_check/operation_table.hpp"

namespace tilemeter::oracle {

namespace {

// Reads the call trace, programs and buffer events from one thread's events.
class TraceReader {
public:
    explicit TraceReader(Outcome& outcome) : outcome_(outcome) {}

    void operator()(const record::Event& event) {
        switch (event.kind) {
            case record::EventKind::kFunctionBegin:
                return begin(event);
            case record::EventKind::kFunctionEnd:
                open_.pop_back();
                return;
            case record::EventKind::kBufferAllocate:
            case record::EventKind::kBufferFree:
                return buffer(event);
            case record::EventKind::kProgramBegin:
                return program(event);
            case record::EventKind::kCircularBuffer:
                return piece(event, outcome_.programs.back().circular_buffers);
            case record::EventKind::kDataflowBuffer:
                return piece(event, outcome_.programs.back().dataflow_buffers);
            case record::EventKind::kScratchpad:
                return piece(event, outcome_.programs.back().scratchpads);
            case record::EventKind::kProgramSelected:
                outcome_.programs.back().factory = record::text_of(static_cast<record::TextId>(event.detail));
                return;
            default:
                return;
        }
    }

private:
    void begin(const record::Event& event) {
        open_.emplace_back(record::text_of(static_cast<record::TextId>(event.detail)));
        outcome_.call_trace.push_back(open_.back());
    }

    void buffer(const record::Event& event) {
        const auto& buffer = event.payload.buffer;
        outcome_.buffers.push_back({event.kind == record::EventKind::kBufferAllocate, buffer.address,
                                    buffer.size_bytes, buffer.page_size_and_layout >> 8, event.detail,
                                    buffer.size_per_bank_bytes,
                                    // Reports call L1_SMALL "L1".
                                    event.memory == record::MemoryType::kDram ? "DRAM" : "L1"});
    }

    void program(const record::Event&) {
        outcome_.programs.emplace_back();
        outcome_.programs.back().device_operation = open_.back();
    }

    static void piece(const record::Event& event, std::vector<MemoryPiece>& pieces) {
        const bool shared = (event.flags & record::kShared) != 0;
        pieces.push_back({event.payload.program_memory.size_bytes,
                          std::string(record::text_of(static_cast<record::TextId>(event.detail))), shared,
                          event.payload.program_memory.address});
    }

    Outcome& outcome_;
    std::vector<std::string> open_;
};

// A window that is closed whatever happens. What the reference refuses it refused in NORMAL, where tensors larger than the
// device are refused, too; that is replayed without values.
class ReplayWindow {
public:
    explicit ReplayWindow(bool executes)
        : window_(record::open_window(executes ? record::RunMode::NORMAL : record::RunMode::NO_DISPATCH)) {
        if (executes) without_values_.emplace();
    }
    ~ReplayWindow() { record::close_window(window_); }
    ReplayWindow(const ReplayWindow&) = delete;
    ReplayWindow& operator=(const ReplayWindow&) = delete;

    /// Marks the event from which on events are read.
    void mark() {
        const std::optional<record::Recording> recording = record::peek_window(window_);
        for (const record::ThreadSlice& thread : recording->threads) {
            mark_ += thread.end - thread.begin;
        }
    }

    void read(Outcome& outcome) const {
        const std::optional<record::Recording> recording = record::peek_window(window_);
        TraceReader reader(outcome);
        std::uint64_t number = 0;
        for (const record::ThreadSlice& thread : recording->threads) {
            thread.for_each([&](const record::Event& event) {
                if (number++ >= mark_) reader(event);
            });
        }
    }

private:
    record::WindowId window_;
    std::optional<ScopedWithoutValues> without_values_{};
    std::uint64_t mark_ = 0;
};

// Returns those that have not been freed.
std::vector<std::shared_ptr<Buffer>> occupy(const std::vector<L1Tensor>& tensors,
                                            const std::shared_ptr<Device>& device) {
    const auto cores = static_cast<std::uint32_t>(device->description().num_compute_cores());
    std::vector<std::shared_ptr<Buffer>> buffers;
    for (const L1Tensor& each : tensors) {
        const auto columns = static_cast<std::uint32_t>(each.bytes_per_core / sizeof(std::uint16_t));
        buffers.push_back(Buffer::allocate(device, TensorSpec{Shape({cores, columns}), DataType::BFLOAT16,
                                                              Layout::ROW_MAJOR, L1_MEMORY_CONFIG}));
    }
    for (std::size_t i = 0; i < tensors.size(); ++i)
        if (tensors[i].freed) buffers[i].reset();
    return buffers;
}

std::vector<Tensor> make_inputs(const Row& row, const std::shared_ptr<Device>& device) {
    std::vector<Tensor> inputs;
    for (const TensorSpec& each : row.inputs) {
        const TensorSpec spec = placed_shards(each);
        inputs.push_back(Tensor::on_device(spec, Buffer::allocate(device, spec)));
    }
    return inputs;
}

std::string misplaced(const Row& row, const std::vector<Tensor>& inputs) {
    for (std::size_t i = 0; i < inputs.size() && i < row.input_addresses.size(); ++i) {
        if (inputs[i].buffer().address() != row.input_addresses[i]) {
            return "input " + std::to_string(i) + " lies at " + std::to_string(inputs[i].buffer().address()) +
                   ", the reference's at " + std::to_string(row.input_addresses[i]);
        }
    }
    return "";
}

}  // namespace

Outcome replay(const Row& row, Planning planning) {
    Outcome outcome;
    const CallOperation* call = find_operation(row.operation);
    if (call == nullptr) {
        outcome.error = "operation '" + row.operation + "' is not there";
        return outcome;
    }
    DeviceOptions options;
    options.description = row.board;
    options.l1_small_size = row.l1_small_size;
    const std::shared_ptr<Device> device = open_device(0, options);
    const ScopedCallStyle python(CallStyle::kPython);
    ReplayWindow window(!row.recorded.error.empty());
    std::vector<std::shared_ptr<Buffer>> others;
    std::vector<Tensor> inputs;
    CallResult result;
    try {
        if (row.called_before) (*call)(row, make_inputs(row, device));
        others = occupy(row.l1_before, device);
        inputs = make_inputs(row, device);
        if (const std::string problem = misplaced(row, inputs); !problem.empty()) {
            outcome.error = problem;
            return outcome;
        }
        window.mark();
        std::optional<ScopedReferencePlanning> beside_inputs;
        if (planning == Planning::kBesideInputs) beside_inputs.emplace(*device);
        result = (*call)(row, inputs);
    } catch (const std::exception& error) {
        outcome.error = error.what();
        return outcome;
    }
    window.read(outcome);
    const Tensor& output = result.output;
    outcome.output_shape.assign(output.shape().dimensions().begin(), output.shape().dimensions().end());
    outcome.output_dtype = lower_case_name(output.dtype());
    outcome.output_layout = name_of(output.layout());
    outcome.output_address = output.buffer().address();
    const Shape padded = output.padded_shape();
    outcome.output_padded.assign(padded.dimensions().begin(), padded.dimensions().end());
    outcome.output_memory_layout = name_of(output.memory_config().memory_layout);
    return outcome;
}

std::string difference_from_recorded(const Row& row) {
    const Outcome ours = replay(row);
    if (row.executed.empty() || !ours.error.empty()) return first_difference(row.recorded, ours);
    Outcome rest = row.recorded, our_rest = ours;
    rest.programs.clear();
    our_rest.programs.clear();
    if (const std::string found = first_difference(rest, our_rest); !found.empty()) return found;
    if (const std::string found = first_difference_executed(row.executed, ours.programs); !found.empty())
        return found;
    std::vector<RecordedProgram> planned = row.recorded.programs;
    for (RecordedProgram& program : planned) {
        for (MemoryPiece& piece : program.circular_buffers)
            piece.address.reset();  // as executed
    }
    return first_difference(planned, replay(row, Planning::kBesideInputs).programs);
}

}  // namespace tilemeter::oracle
