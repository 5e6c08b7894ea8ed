// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The sample trace of TT-NN's graph tracing document: 34 nodes, numbers as text, no stacking levels.

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "report/analysis/answers/call_tree.hpp"
#include "report/analysis/answers/corrected_usage.hpp"
#include "report/analysis/answers/peak.hpp"
#include "report/analysis/nodes/load.hpp"
#include "report/analysis/ttnn/extract.hpp"
#include "report/analysis/ttnn/levelized_graph.hpp"
#include "report/analysis/ttnn/pretty_format.hpp"
#include "tests/paths.hpp"
#include "tests/report/analysis/list_maker.hpp"

namespace tilemeter::analysis {
namespace {

NodeList sample() {
    auto list = load_node_list(test::data_folder() + "/analysis/document_sample.json");
    EXPECT_TRUE(list.ok());
    return std::move(list.value());
}

TEST(DocumentSample, has_the_documents_call_hierarchy) {
    const NodeList list = sample();
    EXPECT_EQ(call_tree(list, find_lifetimes(list)), R"(ttnn::add
├── ttnn::repeat
│   ├── ttnn::prim::repeat
│   │   └── Device Operation
│   │       └── create_device_tensor
├── ttnn::prim::binary
│   └── Device Operation
│       └── create_device_tensor
)");
}

TEST(DocumentSample, has_the_documents_pretty_print) {
    EXPECT_EQ(outline(sample()), R"(Capture Start
Begin: ttnn::add
    Begin: ttnn::repeat
        Begin: ttnn::prim::repeat
            Begin: Device Operation
                Begin: create_device_tensor
                    Add Device Buffer
                    Allocate Device Buffer
                End: create_device_tensor
                Add Tensor: 2
                Allocate Circular Buffer
            End: Device Operation
        End: ttnn::prim::repeat
    End: ttnn::repeat
    Begin: ttnn::prim::binary
        Begin: Device Operation
            Begin: create_device_tensor
                Add Device Buffer
                Allocate Device Buffer
            End: create_device_tensor
            Add Tensor: 3
            Allocate Circular Buffer (x3)
        End: Device Operation
    End: ttnn::prim::binary
    Deallocate Device Buffer
End: ttnn::add
Deallocate Device Buffer
Capture End
)");
}

TEST(Outline, shows_what_is_known_of_programs_without_a_record_and_from_where) {
    const auto list = [](bool planned) {
        ListMaker maker;
        for (const char* const name : {"twice", "twice", "other"}) {
            const bool recorded = planned || (name == std::string("twice") && maker.size() < 2);
            maker.begin(name);
            maker.deallocate_all();
            for (int i = 0; recorded && i < 2; ++i)
                maker.piece({.size = 100});
            if (planned) maker.piece({.size = 100, .kind = ProgramMemoryKind::kScratchpad});
            maker.execute();
            maker.end();
        }
        return maker.take();
    };
    const NodeList planned = list(true);
    const ProgramLibrary library = find_lifetimes(planned).library(planned);
    const NodeList run = list(false);
    const MemoryLifetimes lifetimes = find_lifetimes(run, &library);
    EXPECT_EQ(outline(run, &lifetimes), R"(Capture Start
Begin: twice
    Deallocate All Program-Scope L1
    Allocate Circular Buffer (x2)
    Program Execution: sub-device unresolved
End: twice
Begin: twice
    Deallocate All Program-Scope L1
    Allocate Circular Buffer (its recorded run) (x2)
    Program Execution: sub-device unresolved
End: twice
Begin: other
    Deallocate All Program-Scope L1
    Allocate Circular Buffer (other capture) (x2)
    Allocate Kernel Scratchpad (other capture)
    Program Execution: sub-device unresolved
End: other
)");
    EXPECT_EQ(outline(run).find("other capture"), std::string::npos);
}

TEST(DocumentSample, answers_as_ttnn_does) {
    const NodeList list = sample();
    EXPECT_EQ(extract_peak_L1_memory_usage(list), 96256U);
    EXPECT_EQ(extract_calltrace(list),
              (std::vector<std::string>{"ttnn::add", "ttnn::repeat", "ttnn::prim::repeat", "Device Operation",
                                        "create_device_tensor", "ttnn::prim::binary", "Device Operation",
                                        "create_device_tensor"}));
    EXPECT_EQ(count_intermediate_and_output_tensors(list), (std::pair<std::uint32_t, std::uint32_t>{1, 1}));
    EXPECT_EQ(extract_output_info(list), (std::vector<TensorInfo>{{{4, 3, 32, 32}, 24576, true}}));
}

TEST(DocumentSample, is_answered_where_ttnn_throws) {
    const NodeList list = sample();
    const PeakMemoryUsagePerCore usage = extract_resource_usage_per_core(list);
    EXPECT_EQ(usage.peak_cb, 16384U) << "as TT-NN counts: there is no deallocate_all";
    EXPECT_EQ(usage.peak_l1, 49152U) << "no size per bank in this dialect: whole sizes";
    const auto graph = extract_levelized_graph(list);
    ASSERT_EQ(graph.size(), 3U);
    EXPECT_EQ(graph[0].name(list), "tensor");
    EXPECT_EQ(graph[2].name(list), "ttnn::add");
    EXPECT_EQ(graph[0].out_edges, (std::vector<std::uint32_t>{2}));
    EXPECT_NE(pretty_format(list).find("    Function Start: ttnn::repeat "), std::string::npos);
    // 16 KiB of circular buffers never are on one core at one time.
    EXPECT_EQ(corrected_usage(list, find_lifetimes(list)).peak_cb, 12288U);
}

}  // namespace
}  // namespace tilemeter::analysis
