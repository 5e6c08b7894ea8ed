// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Records what a traced function does, beside the events that it emits into a private log.

#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "capture/ir/graph.hpp"
#include "capture/record/private_log.hpp"
#include "runtime/device/call_recorder.hpp"
#include "runtime/tensor/tensor.hpp"
#include "runtime/trace/device/record/internal/recorded_calls.hpp"
#include "runtime/trace/device/record/traced_program.hpp"

namespace tilemeter::trace::internal {

class Recorder final : public CallRecorder {
public:
    Recorder(const record::PrivateLog& log, std::span<const Tensor> inputs, LocationSource source);

    void on_call(const std::type_info& definition, const void* arguments) override;
    void on_allocate(const std::shared_ptr<Buffer>& buffer, const BufferPlan& plan) override;
    void on_program(const DeviceOperation& operation, const std::shared_ptr<const CachedProgram>& program,
                    std::span<const Tensor> operands, std::span<const Tensor> results) override;
    void on_made(const Tensor& to, MakeValues make) override;
    void on_moved(const Tensor& to, const Tensor& from, ChangeValues change) override;
    bool uses(const Buffer& buffer) const override;
    void on_free_outside(const Buffer& buffer) override;
    void on_scope(record::TextId name) override;
    CallPass set_pass(CallPass pass) override;
    void on_gradients(std::span<const Tensor> of, std::span<const Tensor> gradients) override;
    void begin_tables() override;
    void end_tables() override;

    /// The record of the function; raises what can be found wrong with it. Called once, when it has returned.
    std::shared_ptr<RecordedCalls> finish(std::span<const Tensor> inputs, const std::vector<Tensor>& results);

private:
    void require_device(const Device& device) const;
    Slot slot_of_buffer(const Tensor& tensor);
    void note_used_input(Slot slot, const Tensor& tensor);
    Slot slot_of(const Tensor& tensor);
    Slot add_slot(SlotKind kind);
    std::uint32_t spec_number(const Tensor& tensor);
    void add_use(Slot slot, const Tensor& tensor);
    void note(Noted what, std::size_t index);
    void write(Slot slot, const Tensor& tensor);
    std::uint32_t text_number(const std::string& text);
    void add_result(const Tensor& result, std::span<const Tensor> inputs);

    const record::PrivateLog& log_;
    const std::shared_ptr<RecordedCalls> recorded_ = std::make_shared<RecordedCalls>();
    Recipe& recipe_ = *recorded_->recipe;
    std::unordered_map<record::TensorId, Slot> host_tensors_;
    IdMap<record::TensorSpecId> specs_;
    std::vector<std::pair<Slot, std::weak_ptr<Buffer>>> outside_;
    bool frees_outside_ = false;
    const LocationSource source_;
    ir::Location place_;
    CallPass pass_ = CallPass::kNone;
    int tables_ = 0;
    std::uint64_t tables_begin_ = 0;
};

}  // namespace tilemeter::trace::internal
