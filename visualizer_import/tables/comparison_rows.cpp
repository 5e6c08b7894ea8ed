// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#include "visualizer_import/tables/comparison_rows.hpp"

#include <string>

#include "report/json_node.hpp"

namespace tilemeter::visualizer_import {
namespace {

using report::Error;
using report::JsonValue;
using report::Status;

std::optional<double> number(const JsonValue& value) {
    if (const auto integer = value.integer()) return static_cast<double>(*integer);
    return value.real();
}

Status read_record(const JsonValue& json, const std::string& position, ComparisonRows::Record& record) {
    auto tensor_id = report::integer_of(json.at("tensor_id"));
    auto golden_id = report::integer_of(json.at("golden_tensor_id"));
    auto rank = report::integer_of(json.at("rank"));
    const auto desired = number(json.at("desired_pcc"));
    const auto actual = number(json.at("actual_pcc"));
    const bool sound = tensor_id && *tensor_id && golden_id && *golden_id && rank && desired && actual;
    if (!sound)
        return Error{"", position,
                     "tensor_id, golden_tensor_id, desired_pcc and actual_pcc, which are numbers",
                     "a record without"};
    record = {**tensor_id, **golden_id, report::flag_of(json.at("matches")), *desired, *actual, *rank};
    return {};
}

Status read_records(const JsonValue& data, std::string_view key,
                    std::vector<ComparisonRows::Record>& records) {
    for (auto element = data.at(key).children(); element.valid(); element.next()) {
        const std::string position = std::string(key) + ", record " + std::to_string(records.size());
        if (Status read = read_record(element.value(), position, records.emplace_back()); !read) return read;
    }
    return {};
}

template <Table kTable>
void write_records(Database& database, const std::vector<ComparisonRows::Record>& records,
                   std::int64_t rank) {
    for (const ComparisonRows::Record& record : records)
        database.insert<kTable>(record.tensor_id, record.golden_tensor_id, record.matches, record.desired_pcc,
                                record.actual_pcc, record.rank.value_or(rank));
}

}  // namespace

Status ComparisonRows::read(const JsonValue& data) {
    if (data.is_null()) return {};
    if (!data.is_object()) return Error{"", "", "an object of comparison records", "none"};
    if (Status read = read_records(data, "local_tensor_comparison_records", local); !read) return read;
    if (Status read = read_records(data, "global_tensor_comparison_records", global); !read) return read;
    const DeviceMap no_devices;  // the reference leaves these ids as they are
    for (auto tensor = data.at("tensors").children(); tensor.valid(); tensor.next()) {
        auto id = report::integer_of(tensor.value().at("tensor_id"));
        if (!id || !*id) return Error{"", "tensors", "a tensor_id, which is an integer", "none"};
        auto row = tensor_row(tensor.value(), **id, no_devices, pool);
        if (!row) return row.error();
        tensors.push_back(*row);
    }
    return {};
}

void ComparisonRows::write(Database& database, std::int64_t rank) const {
    for (const TensorRow& row : tensors)
        database.insert<Table::kTensors>(row.tensor_id, row.shape, row.dtype, row.layout, row.memory_config,
                                         row.device_id, row.address, row.buffer_type, rank, row.storage_type,
                                         row.size_bytes);
    write_records<Table::kLocalComparisons>(database, local, rank);
    write_records<Table::kGlobalComparisons>(database, global, rank);
}

}  // namespace tilemeter::visualizer_import
