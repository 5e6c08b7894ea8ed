// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#include "visualizer_import/tables/tensor_io.hpp"

#include <algorithm>

#include "report/python_text.hpp"
#include "visualizer_import/database/stack_sources.hpp"

namespace tilemeter::visualizer_import {
namespace {

void insert_tensor(Database& database, const TensorRow& row, std::optional<std::int64_t> address,
                   std::int64_t rank) {
    database.insert<Table::kTensors>(row.tensor_id, row.shape, row.dtype, row.layout, row.memory_config,
                                     row.device_id, address, row.buffer_type, rank, row.storage_type,
                                     row.size_bytes);
}

std::string json_integer(const std::optional<std::int64_t>& number) {
    return number ? std::to_string(*number) : "null";
}

void append_member(std::string& out, std::string_view key, std::string_view value, bool last = false) {
    out.append("    \"").append(key).append("\": ").append(value).append(last ? "\n" : ",\n");
}

}  // namespace

bool is_deallocation(std::string_view name) {
    return name == "ttnn::deallocate" || name == "ttnn.deallocate" || name == "Tensor::deallocate";
}

void TensorIo::add_stack(std::int64_t operation_id, std::string_view stack_trace) {
    if (auto frame = first_frame(stack_trace))
        stacks_[operation_id] = {std::string(frame->file), frame->line};
}

report::Status TensorIo::write_tensors(Database& database, report::GraphAccess& graph) {
    std::unordered_set<std::int64_t> used;
    for (const Use& use : inputs_)
        used.insert(use.tensor_id);
    for (const Use& use : outputs_)
        used.insert(use.tensor_id);
    // By id, as the viewer lists them whatever their order in the table.
    std::vector<const TensorRow*> by_id;
    for (const TensorRow& row : tensors_.rows())
        by_id.push_back(&row);
    std::ranges::stable_sort(by_id, {}, &TensorRow::tensor_id);
    for (const TensorRow* row : by_id) {
        if (row->storage_type != "DEVICE" && !row->device_id && !used.contains(row->tensor_id)) continue;
        kept_.insert(row->tensor_id);
        insert_tensor(database, *row, known(tensors_.address_of(*row)), rank_);
    }
    std::vector<std::int64_t> unknown;
    for (const std::int64_t id : used)
        if (!kept_.contains(id) && looks_like_.contains(id)) unknown.push_back(id);
    std::ranges::sort(unknown);
    for (const std::int64_t id : unknown) {
        auto node = graph.node_at(looks_like_.at(id));
        if (!node) return node.error();
        auto row = tensor_row(node->params, id, devices_, tensors_.pool());
        if (!row) return row.error();
        kept_.insert(id);
        insert_tensor(database, *row, known(tensors_.address_of(*row)), rank_);
    }
    for (const TensorTable::Part& part : tensors_.parts())
        if (kept_.contains(part.tensor_id))
            database.insert<Table::kDeviceTensors>(part.tensor_id, part.place.device_id,
                                                   known(tensors_.address_of(part)), rank_);
    return {};
}

// Drops uses of tensors without a row and repeats inside an operation; what stays is numbered from 0.
template <Table kByOperation, Table kByTensor>
void TensorIo::write_uses(Database& database, std::vector<Use>& uses) const {
    std::size_t kept = 0;
    std::int64_t index = 0;
    std::unordered_set<std::int64_t> seen;
    for (const Use use : uses) {
        if (kept == 0 || uses[kept - 1].operation_id != use.operation_id) {
            seen.clear();
            index = 0;
        }
        if (!kept_.contains(use.tensor_id) || !seen.insert(use.tensor_id).second) continue;
        uses[kept++] = use;
        database.insert<kByOperation>(use.operation_id, index, use.tensor_id, rank_);
        database.insert<kByTensor>(use.tensor_id, use.operation_id, index, rank_);
        ++index;
    }
    uses.resize(kept);
}

report::Status TensorIo::write(Database& database, report::GraphAccess& graph) {
    if (report::Status written = write_tensors(database, graph); !written) return written;
    write_uses<Table::kInputTensors, Table::kTensorConsumers>(database, inputs_);
    write_uses<Table::kOutputTensors, Table::kTensorProducers>(database, outputs_);
    return database.status();
}

std::map<std::int64_t, TensorIo::Lifetime> TensorIo::lifetimes() const {
    std::map<std::int64_t, Lifetime> result;
    for (const std::int64_t id : kept_)
        result[id];
    const auto earliest = [](std::optional<std::int64_t>& known, std::int64_t operation_id) {
        known = known ? std::min(*known, operation_id) : operation_id;
    };
    for (const Use& use : outputs_)
        earliest(result[use.tensor_id].producer, use.operation_id);
    for (const Use& use : inputs_) {
        Lifetime& lifetime = result[use.tensor_id];
        if (deallocations_.contains(use.operation_id)) {
            earliest(lifetime.deallocation, use.operation_id);
        } else {
            lifetime.last_use = std::max(lifetime.last_use.value_or(use.operation_id), use.operation_id);
        }
    }
    return result;
}

const TensorIo::Place* TensorIo::place_of(const std::optional<std::int64_t>& operation_id) const {
    if (!operation_id) return nullptr;
    const auto found = stacks_.find(*operation_id);
    return found == stacks_.end() ? nullptr : &found->second;
}

std::string TensorIo::write_lifetimes(Database& database) const {
    std::string json;
    for (const auto& [id, lifetime] : lifetimes()) {
        const Place* producer = place_of(lifetime.producer);
        const Place* last_use = place_of(lifetime.last_use);
        const auto file = [](const Place* place) {
            return place != nullptr ? std::optional<std::string_view>(place->file) : std::nullopt;
        };
        const auto line = [](const Place* place) {
            return place != nullptr ? std::optional(place->line) : std::nullopt;
        };
        database.insert<Table::kTensorLifetime>(id, lifetime.producer, lifetime.last_use,
                                                lifetime.deallocation, file(producer), line(producer),
                                                file(last_use), line(last_use), rank_);
        const auto json_file = [](const Place* place) {
            std::string text;
            if (place == nullptr) return std::string("null");
            report::append_json_dumps(text, std::string_view(place->file));
            return text;
        };
        json += json.empty() ? "[\n  {\n" : ",\n  {\n";
        append_member(json, "tensor_id", std::to_string(id));
        append_member(json, "producer_operation_id", json_integer(lifetime.producer));
        append_member(json, "last_use_operation_id", json_integer(lifetime.last_use));
        append_member(json, "deallocate_operation_id", json_integer(lifetime.deallocation));
        append_member(json, "producer_source_file", json_file(producer));
        append_member(json, "producer_source_line", json_integer(line(producer)));
        append_member(json, "last_use_source_file", json_file(last_use));
        append_member(json, "last_use_source_line", json_integer(line(last_use)));
        append_member(json, "rank", std::to_string(rank_), true);
        json += "  }";
    }
    if (!json.empty()) json += "\n]";
    return json;
}

}  // namespace tilemeter::visualizer_import
