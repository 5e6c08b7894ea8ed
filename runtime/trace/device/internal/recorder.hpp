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
#include "runtime/trace/device/internal/call_graph.hpp"
#include "runtime/trace/device/internal/recipe.hpp"

namespace tilemeter::trace::internal {

class Recorder final : public CallRecorder {
public:
    Recorder(const record::PrivateLog& log, std::span<const Tensor> inputs);

    void on_allocate(const std::shared_ptr<Buffer>& buffer, const BufferPlan& plan) override;
    void on_program(const DeviceOperation& operation, const std::shared_ptr<const CachedProgram>& program,
                    std::span<const Tensor> operands, std::span<const Tensor> results) override;
    void on_made(const Tensor& to, MakeValues make) override;
    void on_moved(const Tensor& to, const Tensor& from, ChangeValues change) override;
    void begin_tables() override;
    void end_tables() override;

    /// What the function did, and the graph of it. Called once, when it has returned.
    std::pair<ir::Graph, std::shared_ptr<const Recipe>> finish(const std::string& name,
                                                               const std::vector<std::string>& input_names,
                                                               std::span<const Tensor> inputs,
                                                               const std::vector<Tensor>& results);

private:
    enum class Noted : std::uint8_t { kAllocated, kProgram, kMove };
    struct Note {
        std::uint64_t position;  // events before it
        Noted what;
        std::uint32_t index;
    };

    void require_device(const Device& device) const;
    Slot slot_of_buffer(const Tensor& tensor);
    Slot slot_of(const Tensor& tensor);
    Operand operand(const Tensor& tensor);
    void note(Noted what, std::size_t index);
    void write(Slot slot, const Tensor& tensor);
    std::uint32_t tensor_number(record::TensorId tensor);
    void keep(record::Event event);
    void add_free(record::BufferId buffer);
    void add_step(StepKind kind, std::uint32_t index);
    void add_noted(const Note& noted, CallGraph& graph);
    void add_result(const Tensor& result, std::span<const Tensor> inputs);

    const record::PrivateLog& log_;
    const record::TensorId first_tensor_;
    std::shared_ptr<Recipe> recipe_ = std::make_shared<Recipe>();
    std::unordered_map<record::BufferId, Slot> buffers_;
    std::unordered_map<record::TensorId, Slot> host_tensors_;
    std::unordered_map<record::TensorId, std::uint32_t> numbers_;
    HostConstants constants_;
    std::vector<Note> notes_;
    struct Write {
        record::BufferId buffer;
        record::TensorSpecId spec;
    };
    std::vector<std::pair<std::uint32_t, Write>> writes_;          // by note
    std::vector<std::pair<std::uint64_t, std::uint64_t>> hidden_;  // events of tables
    int tables_ = 0;
    std::uint64_t tables_begin_ = 0;
};

}  // namespace tilemeter::trace::internal
