// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "report/analysis/nodes/node_list.hpp"

namespace tilemeter::analysis {

/// Fills a NodeList node by node: begin(), then the parts of that node in any order.
class NodeListBuilder {
public:
    NodeList list;
    /// Texts with numbers in them: true if these are numbers.
    std::unordered_map<TextRef, bool> sound_texts;

    NodeList::Node& begin(NodeType kind, Number counter, std::int32_t level) {
        NodeList::Node& node = list.nodes.emplace_back();
        node.kind = kind;
        node.counter = counter;
        node.level = level;
        node.connections.begin = static_cast<std::uint32_t>(list.indices.size());
        return node;
    }

    /// REQUIRES: nothing else was put into list.indices since begin().
    void connect(std::int64_t target) {
        list.indices.push_back(target);
        ++list.nodes.back().connections.count;
    }

    NodeList::Function& function() { return detail(list.functions); }
    NodeList::End& end() { return detail(list.ends); }
    NodeList::Tensor& tensor() { return detail(list.tensors); }
    NodeList::Buffer& buffer() { return detail(list.buffers); }
    NodeList::ProgramEvent& program_event() { return detail(list.program_events); }
    NodeList::Failure& failure() { return detail(list.failures); }
    NodeList::ProgramMemory& program_memory(ProgramMemoryKind kind) {
        NodeList::ProgramMemory& piece = detail(list.program_memory);
        piece.kind = kind;
        list.nodes.back().is_program_memory = true;
        return piece;
    }

    void add_argument(std::string_view text) {
        NodeList::Function& function = list.functions.back();
        if (function.arguments.count == 0)
            function.arguments.begin = static_cast<std::uint32_t>(list.argument_texts.size());
        list.argument_texts.push_back(list.texts.intern(text));
        ++function.arguments.count;
    }
    void add_input_tensor(std::int64_t node) {
        NodeList::Function& function = list.functions.back();
        if (function.input_tensors.count == 0)
            function.input_tensors.begin = static_cast<std::uint32_t>(list.indices.size());
        list.indices.push_back(node);
        ++function.input_tensors.count;
    }

private:
    template <class Row>
    Row& detail(std::vector<Row>& table) {
        list.nodes.back().detail = static_cast<std::uint32_t>(table.size());
        return table.emplace_back();
    }
};

}  // namespace tilemeter::analysis
