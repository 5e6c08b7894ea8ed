// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Writes a report of any size in the form of TT-NN 0.81.1 (indented by 2, keys sorted), with the proportions of the
// largest one that was dissected in public. Those are, per operation, 12 nodes, 1,884 live buffers and 695 pages, 64 L1
// addresses.
//
//     report_generator OUT.json [OPERATIONS [LIVE_BUFFERS [PAGES_PER_OPERATION]]]
//
// 11,977 operations make 6.1 GB; without live buffers the graph alone is written, with Python records beside
// it.
#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

constexpr long kAddresses = 64;
constexpr long kFirstL1Address = 1000000;
constexpr long kLiveInL1 = 6;
constexpr long kL1Bytes = 4096;
constexpr long kNodesPerOperation = 12;
constexpr long kBanks = 64;
constexpr const char* kMemoryConfig =
    "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)";

struct Scale {
    long operations = 11977;
    long live_buffers = 1884;
    long pages = 695;
};

long l1_address(long operation) {
    return kFirstL1Address + operation % kAddresses * kL1Bytes;
}
long start_counter(long operation) {
    return 1 + operation * kNodesPerOperation;
}

class Writer {
public:
    explicit Writer(const char* path) : file_(std::fopen(path, "wb")) {
        if (file_ == nullptr) {
            std::perror(path);
            std::exit(1);
        }
        std::setvbuf(file_, nullptr, _IOFBF, std::size_t{1} << 20U);
    }
    ~Writer() { std::fclose(file_); }
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;

    [[gnu::format(printf, 2, 3)]] void text(const char* format, ...) {
        va_list values;
        va_start(values, format);
        std::vfprintf(file_, format, values);
        va_end(values);
    }
    // Comma and line end in front of all but the first element.
    void separate(bool& first) {
        std::fputs(first ? "\n" : ",\n", file_);
        first = false;
    }
    void number(const char* key, long value, const char* end) {
        std::fputs(key, file_);
        char digits[24];
        std::fwrite(digits, 1, static_cast<std::size_t>(std::snprintf(digits, sizeof digits, "%ld", value)),
                    file_);
        std::fputs(end, file_);
    }

private:
    std::FILE* file_;
};

void write_pages(Writer& out, const Scale& scale) {
    out.text("  \"buffer_pages\": [],\n  \"buffer_pages_by_address\": {");
    bool first_address = true;
    for (long slot = 0; slot < std::min(kAddresses, scale.operations); ++slot) {
        out.separate(first_address);
        out.text("    \"%ld\": [", l1_address(slot));
        bool first_snapshot = true;
        for (long operation = slot; operation < scale.operations; operation += kAddresses) {
            out.separate(first_snapshot);
            out.text("      {\n        \"alloc_counter\": %ld,\n        \"pages\": [",
                     start_counter(operation) + 5);
            bool first_page = true;
            for (long page = 0; page < scale.pages; ++page) {
                out.separate(first_page);
                const long bank = page % kBanks;
                out.text("          {\n");
                out.number("            \"address\": ", l1_address(slot), ",\n");
                out.number("            \"bank_id\": ", bank, ",\n");
                out.number("            \"buffer_type\": ", 1, ",\n");
                out.number("            \"core_x\": ", bank % 8, ",\n");
                out.number("            \"core_y\": ", bank / 8, ",\n");
                out.number("            \"device_id\": ", 0, ",\n");
                out.number("            \"page_address\": ", l1_address(slot) + page / kBanks * 2048, ",\n");
                out.number("            \"page_index\": ", page, ",\n");
                out.number("            \"page_size\": ", 2048, "\n          }");
            }
            out.text("\n        ]\n      }");
        }
        out.text("\n    ]");
    }
    out.text("\n  },\n");
}

void write_node(Writer& out, bool& first, long counter, const char* connections, const char* inputs,
                const char* type, const std::string& params, int level, const char* arguments = "[]",
                long duration_ns = -1) {
    out.separate(first);
    out.text("    {\n      \"arguments\": %s,\n      \"connections\": [%s],\n      \"counter\": %ld,\n",
             arguments, connections, counter);
    if (duration_ns >= 0) out.number("      \"duration_ns\": ", duration_ns, ",\n");
    out.text("      \"input_tensors\": [%s],\n      \"node_type\": \"%s\",\n      \"params\": %s,\n", inputs,
             type, params.c_str());
    out.text("      \"stacking_level\": %d\n    }", level);
}

std::string tensor_params(long id, long address) {
    return "{\n        \"address\": " + std::to_string(address) +
           ",\n        \"buffer_type\": 1,\n        \"device_id\": 0,\n        \"device_tensors\": "
           "\"[{\\\"address\\\":" +
           std::to_string(address) +
           ",\\\"device_id\\\":0,\\\"mesh_device_id\\\":0}]\",\n        \"dtype\": " +
           "\"DataType::BFLOAT16\",\n        \"layout\": \"Layout::TILE\",\n        \"memory_config\": \"" +
           kMemoryConfig +
           "\",\n        \"shape\": \"Shape([1, 1, 128, 1024])\",\n        \"size\": 262144,\n        "
           "\"storage_type\": " +
           "\"DEVICE\",\n        \"tensor_id\": " + std::to_string(id) + "\n      }";
}

std::string buffer_params(long address) {
    return "{\n        \"address\": " + std::to_string(address) +
           ",\n        \"buffer_type\": 1,\n        \"device_id\": 0,\n        \"layout\": "
           "\"INTERLEAVED\",\n        "
           "\"max_size_per_bank\": 4096,\n        \"num_cores\": 0,\n        \"page_size\": 2048,\n        "
           "\"size\": "
           "262144,\n        \"type\": \"L1\"\n      }";
}

std::string name_params(const char* name) {
    return std::string("{\n        \"name\": \"") + name + "\"\n      }";
}

// ttnn.linear > LinearDeviceOperation > create_device_tensor; the buffer that lay at the address before is
// freed.
void write_operation(Writer& out, bool& first, long operation) {
    const long base = start_counter(operation);
    const auto at = [&](long offset) { return std::to_string(base + offset); };
    const std::string arguments =
        "[\n        \"Tensor(storage=DeviceStorage(),tensor_spec=TensorSpec(logical_shape=Shape([1, 1, 128, "
        "1024]))\",\n"
        "        \"std::nullopt\"\n      ]";
    write_node(out, first, base, at(1).c_str(), "", "function_start", name_params("ttnn.linear"), 1);
    write_node(out, first, base + 1, (at(3) + "," + at(9)).c_str(), at(2).c_str(), "function_start",
               name_params("LinearDeviceOperation"), 2, arguments.c_str());
    write_node(out, first, base + 2, at(1).c_str(), "", "tensor",
               tensor_params(operation + 1, l1_address(operation + kAddresses - 1)), 2);
    write_node(out, first, base + 3, at(6).c_str(), "", "function_start",
               name_params("tt::tt_metal::create_device_tensor"), 3);
    write_node(out, first, base + 4, at(7).c_str(), "", "buffer", buffer_params(l1_address(operation)), 3);
    write_node(out, first, base + 5, at(4).c_str(), "", "buffer_allocate",
               buffer_params(l1_address(operation)), 3);
    write_node(out, first, base + 6, at(7).c_str(), "", "function_end",
               name_params("tt::tt_metal::create_device_tensor"), 3, "[]", 4000 + operation % 977);
    write_node(out, first, base + 7, "", "", "tensor", tensor_params(operation + 2, l1_address(operation)),
               3);
    write_node(
        out, first, base + 8, "", "", "program_execution",
        "{\n        \"command_queue_id\": 0,\n        \"device_id\": 0,\n        \"global_call_count\": " +
            std::to_string(operation * 1024) +
            ",\n        \"physical_device_id\": 0,\n        \"runtime_id\": " + std::to_string(operation) +
            ",\n        \"sub_device_id\": 0,\n        \"sub_device_manager_id\": 0\n      }",
        2);
    write_node(out, first, base + 9, "", "", "function_end", name_params("LinearDeviceOperation"), 2, "[]",
               9000);
    const bool frees = operation >= kLiveInL1;
    const long freed = l1_address(operation - kLiveInL1);
    write_node(out, first, base + 10, "", "", frees ? "buffer_deallocate" : "circular_buffer_deallocate_all",
               frees ? buffer_params(freed) : std::string("{\n        \"device_id\": 0\n      }"), 2);
    write_node(out, first, base + 11, at(12).c_str(), "", "function_end", name_params("ttnn.linear"), 1, "[]",
               20000);
}

void write_graph(Writer& out, const Scale& scale) {
    out.text("  \"graph\": [");
    bool first = true;
    write_node(out, first, 0, "1", "", "capture_start", "null", 0);
    for (long operation = 0; operation < scale.operations; ++operation)
        write_operation(out, first, operation);
    write_node(out, first, start_counter(scale.operations), "", "", "capture_end", "null", 0, "[]", 1000000);
    out.text("\n  ],\n");
}

void write_live_buffers(Writer& out, const Scale& scale) {
    std::vector<std::pair<std::string, long>> keys;
    for (long operation = 0; operation < scale.operations; ++operation)
        keys.emplace_back(std::to_string(start_counter(operation)), operation);
    std::ranges::sort(keys);
    out.text("  \"per_operation_buffers\": {");
    bool first_key = true;
    for (const auto& [key, operation] : keys) {
        out.separate(first_key);
        out.text("    \"%s\": [", key.c_str());
        bool first = true;
        const long of_l1 = std::min({operation + 1, kLiveInL1, scale.live_buffers});
        for (long i = 0; i < scale.live_buffers; ++i) {
            const bool l1 = i < of_l1;
            out.separate(first);
            out.text("      {\n");
            out.number("        \"address\": ", l1 ? l1_address(operation - i) : i * 1048576, ",\n");
            out.number("        \"buffer_layout\": ", 0, ",\n");
            out.number("        \"buffer_type\": ", l1 ? 1 : 0, ",\n");
            out.number("        \"device_id\": ", 0, ",\n");
            out.number("        \"max_size_per_bank\": ", l1 ? 4096 : 174080, "\n      }");
        }
        out.text("\n    ]");
    }
    out.text("\n  },\n");
}

void write_devices(Writer& out) {
    out.text(
        "  \"devices\": [\n    {\n      \"address_at_first_l1_bank\": 0,\n      "
        "\"address_at_first_l1_cb_buffer\": 105824,\n"
        "      \"arch\": \"WORMHOLE_B0\",\n      \"cb_limit\": 1393312,\n      \"device_id\": 0,\n"
        "      \"dram_size_per_channel\": 1073741824,\n      \"l1_bank_size\": 1393312,\n      "
        "\"l1_num_banks\": 64,\n"
        "      \"num_banks_per_storage_core\": 0,\n      \"num_compute_cores\": 64,\n      "
        "\"num_dram_channels\": 12,\n"
        "      \"num_storage_cores\": 0,\n      \"num_x_compute_cores\": 8,\n      \"num_x_cores\": 8,\n"
        "      \"num_y_compute_cores\": 8,\n      \"num_y_cores\": 9,\n      "
        "\"total_l1_for_interleaved_buffers\": 89171968,\n"
        "      \"total_l1_for_sharded_buffers\": 89171968,\n      \"total_l1_for_tensors\": 0,\n"
        "      \"total_l1_memory\": 95944704,\n      \"worker_l1_size\": 1499136\n    }\n  ],\n");
}

void write_python_records(const std::string& report_path, const Scale& scale) {
    const std::string path = report_path.substr(0, report_path.rfind('.')) + ".python_io.json";
    Writer out(path.c_str());
    out.text("[");
    for (long operation = 0; operation < scale.operations; ++operation)
        out.text(
            "%s{\"arguments\": {\"memory_config\": \"%s\", \"0\": \"ttnn.Tensor(shape=Shape([1, 1, 128, "
            "1024]), dtype=DataType.BFLOAT16, tensor_id=%ld)\", \"1\": \"ttnn.Tensor(shape=Shape([1, 1, "
            "1024, 1024]), dtype=DataType.BFLOAT8_B)\"}, \"input_tensor_ids\": [%ld], \"name\": "
            "\"ttnn.linear\", \"output_tensor_ids\": [%ld]}",
            operation > 0 ? ", " : "", kMemoryConfig, operation + 1, operation + 1, operation + 2);
    out.text("]");
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2 || argv[1][0] == '-') {
        std::fputs("usage: report_generator OUT.json [OPERATIONS [LIVE_BUFFERS [PAGES_PER_OPERATION]]]\n",
                   stderr);
        return 2;
    }
    Scale scale;
    if (argc > 2) scale.operations = std::atol(argv[2]);
    if (argc > 3) scale.live_buffers = std::atol(argv[3]);
    if (argc > 4) scale.pages = std::atol(argv[4]);
    Writer out(argv[1]);
    out.text("{\n");
    if (scale.live_buffers > 0) write_pages(out, scale);
    out.text("  \"cluster_descriptor\": \"arch: [wormhole_b0]\\nchips:\\n  0: [0, 0, 0, 0]\\n\",\n");
    write_devices(out);
    write_graph(out, scale);
    out.text(
        "  \"metadata\": {\n    \"build_type\": \"Release\",\n    \"rank\": 0,\n    \"version\": "
        "\"0.81.1\",\n    "
        "\"world_size\": 1\n  },\n");
    if (scale.live_buffers > 0) write_live_buffers(out, scale);
    out.text("  \"version\": 1\n}");
    if (scale.live_buffers == 0) write_python_records(argv[1], scale);
    return 0;
}
