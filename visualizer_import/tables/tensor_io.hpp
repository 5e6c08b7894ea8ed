// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "report/report_reader.hpp"
#include "visualizer_import/database/database.hpp"
#include "visualizer_import/tables/tensor_table.hpp"

namespace tilemeter::visualizer_import {

// An operation that frees a tensor, and does not use it.
bool is_deallocation(std::string_view operation_name);

// The operations that take and make tensors, and the consequences: the rows of input_tensors, output_tensors,
// tensor_consumers, tensor_producers, tensors, device_tensors and tensor_lifetime. They wait for the end of the graph,
// since only then it is known which tensors are worth a row.
class TensorIo {
public:
    TensorIo(TensorTable& tensors, const DeviceMap& devices, std::int64_t rank, bool reference_quirks)
        : tensors_(tensors), devices_(devices), rank_(rank), reference_quirks_(reference_quirks) {}

    void add_input(std::int64_t operation_id, std::int64_t tensor_id) {
        inputs_.push_back({operation_id, tensor_id});
    }
    void add_output(std::int64_t operation_id, std::int64_t tensor_id) {
        outputs_.push_back({operation_id, tensor_id});
    }
    // An id that only Python knows, and the node of the tensor that it names.
    void looks_like(std::int64_t tensor_id, std::size_t node_index) { looks_like_[tensor_id] = node_index; }
    void add_deallocation(std::int64_t operation_id) { deallocations_.insert(operation_id); }
    void add_stack(std::int64_t operation_id, std::string_view stack_trace);

    report::Status write(Database& database, report::GraphAccess& graph);
    // REQUIRES: write was called. The rows of tensor_lifetime, also as the JSON file of the reference; "" for
    // none.
    std::string write_lifetimes(Database& database) const;
    [[nodiscard]] std::size_t tensor_count() const { return kept_.size(); }

private:
    struct Use {
        std::int64_t operation_id, tensor_id;
    };
    struct Place {
        std::string file;
        std::int64_t line;
    };
    struct Lifetime {
        std::optional<std::int64_t> producer, last_use, deallocation;
    };
    report::Status write_tensors(Database& database, report::GraphAccess& graph);
    // As it goes into the database: where TT-NN does not know an address it says 0.
    [[nodiscard]] std::optional<std::int64_t> known(std::optional<std::int64_t> address) const {
        return address == 0 && !reference_quirks_ ? std::nullopt : address;
    }
    template <Table kByOperation, Table kByTensor>
    void write_uses(Database& database, std::vector<Use>& uses) const;
    [[nodiscard]] std::map<std::int64_t, Lifetime> lifetimes() const;
    [[nodiscard]] const Place* place_of(const std::optional<std::int64_t>& operation_id) const;

    TensorTable& tensors_;
    const DeviceMap& devices_;
    std::int64_t rank_;
    bool reference_quirks_;
    std::vector<Use> inputs_;
    std::vector<Use> outputs_;
    std::unordered_map<std::int64_t, std::size_t> looks_like_;
    std::unordered_set<std::int64_t> deallocations_;
    std::unordered_map<std::int64_t, Place> stacks_;
    std::unordered_set<std::int64_t> kept_;
};

}  // namespace tilemeter::visualizer_import
