// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/analysis/nodes/internal/damaged_numbers.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "report/analysis/nodes/core_set.hpp"
#include "report/json_node.hpp"

namespace tilemeter::analysis::internal {
namespace {

constexpr std::size_t kMostKept = 4;

/// The error for a value that is no number.
report::Error nothing_there() {
    return {"", "", std::string(report::kIntegerExpected), "nothing"};
}

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/// The text without blanks, each run of digits as one "N"; empty where a number is beyond any grid.
std::string form_of(std::string_view text) {
    std::string form;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] == ' ') continue;
        if (!is_digit(text[at])) {
            form += text[at];
            continue;
        }
        std::uint32_t number = 0;
        for (; at < text.size() && is_digit(text[at]); ++at)
            number =
                std::min<std::uint32_t>(number * 10 + static_cast<std::uint32_t>(text[at] - '0'), 1 << 20);
        --at;
        if (number >= CoreSet::kGridLimit) return {};
        form += 'N';
    }
    return form;
}

/// A member of the rows of a kind of node: who has it, who lacks it.
template <class Row>
struct Field {
    std::string_view key;
    bool (*is_absent)(const Row&);
};

/// The members that a recorder writes into each node of a kind, or into none.
template <class Row, std::size_t kSize>
class Missing {
public:
    Missing(const std::array<Field<Row>, kSize>& fields, NodeType kind) : fields_(fields), kind_(kind) {}

    NodeType kind() const { return kind_; }

    void look(const Row& row, std::uint32_t node) {
        for (std::size_t i = 0; i < kSize; ++i) {
            State& state = states_[i];
            if (!fields_[i].is_absent(row))
                state.some_have_it = true;
            else if (state.count++ == 0)
                state.first = node;
        }
    }

    void note(ListSource& source) const {
        for (std::size_t i = 0; i < kSize; ++i) {
            const State& state = states_[i];
            if (state.count == 0 || !(state.some_have_it || fields_[i].key == "size")) continue;
            note_damage(source, state.first, "params." + std::string(fields_[i].key), nothing_there());
            source.damaged_number_count += state.count - 1;
        }
    }

private:
    struct State {
        bool some_have_it = false;
        std::uint32_t count = 0, first = 0;
    };
    const std::array<Field<Row>, kSize>& fields_;
    NodeType kind_;
    std::array<State, kSize> states_{};
};

using Buffer = NodeList::Buffer;
using Piece = NodeList::ProgramMemory;
using Event = NodeList::ProgramEvent;

constexpr std::array<Field<Buffer>, 7> kBufferFields{{
    {"size", [](const Buffer& it) { return it.size_bytes.is_absent(); }},
    {"address", [](const Buffer& it) { return it.address.is_absent(); }},
    {"device_id", [](const Buffer& it) { return it.device.is_absent(); }},
    {"max_size_per_bank", [](const Buffer& it) { return it.size_per_bank_bytes.is_absent(); }},
    {"page_size", [](const Buffer& it) { return it.page_size_bytes.is_absent(); }},
    {"num_cores", [](const Buffer& it) { return it.cores.is_absent(); }},
    {"buffer_type", [](const Buffer& it) { return it.type_number.is_absent(); }},
}};
constexpr std::array<Field<Piece>, 5> kPieceFields{{
    {"size", [](const Piece& it) { return it.size_bytes.is_absent(); }},
    {"address", [](const Piece& it) { return it.address.is_absent(); }},
    {"device_id", [](const Piece& it) { return it.device.is_absent(); }},
    {"core_range_set", [](const Piece& it) { return it.core_ranges == TextRef::kNone; }},
    {"globally_allocated", [](const Piece& it) { return it.shared_number.is_absent(); }},
}};
constexpr std::array<Field<Event>, 2> kEventFields{{
    {"device_id", [](const Event& it) { return it.device.is_absent(); }},
    {"physical_device_id", [](const Event& it) { return it.physical_device.is_absent(); }},
}};

template <class Row, std::size_t kSize, std::size_t kKinds>
std::vector<Missing<Row, kSize>> missing_of(const std::array<Field<Row>, kSize>& fields,
                                            const std::array<NodeType, kKinds>& kinds) {
    std::vector<Missing<Row, kSize>> result;
    for (const NodeType kind : kinds)
        result.emplace_back(fields, kind);
    return result;
}

template <class Missings, class Row>
void look(Missings& missings, NodeType kind, const Row& row, std::uint32_t node) {
    for (auto& missing : missings)
        if (missing.kind() == kind) missing.look(row, node);
}

/// Sizes that can be added up in 64 bits, whatever is alive together.
class SizeSum {
public:
    void add(ListSource& source, std::uint32_t node, std::uint64_t bytes) {
        constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
        if (is_beyond_ || bytes <= kMost - sum_) {
            sum_ += is_beyond_ ? 0 : bytes;
            return;
        }
        is_beyond_ = true;
        note_damage(source, node, "params.size",
                    {"", "", "sizes whose sum is at most 2^63 - 1", std::to_string(bytes) + " more"});
    }

private:
    std::uint64_t sum_ = 0;
    bool is_beyond_ = false;
};

}  // namespace

report::Error no_memory(std::string found) {
    return {"", "", "the number of a memory, from 0 to 4", std::move(found)};
}

void note_damage(ListSource& source, std::uint32_t node, std::string where, const report::Error& problem,
                 std::optional<std::uint64_t> byte) {
    ++source.damaged_number_count;
    if (source.damaged_numbers.size() < kMostKept)
        source.damaged_numbers.push_back({node, byte, std::move(where), problem.expected, problem.found});
}

void note_missing_numbers(NodeList& list) {
    using enum NodeType;
    auto buffers = missing_of(kBufferFields, std::array{kBuffer, kBufferAllocate, kBufferDeallocate});
    auto pieces = missing_of(kPieceFields, std::array{kCircularBufferAllocate, kDataflowBufferAllocate,
                                                      kScratchpadAllocate, kUnknown});
    auto events = missing_of(kEventFields, std::array{kCircularBufferDeallocateAll, kProgramExecution});
    SizeSum tensors, programs;
    std::uint32_t without_counter = kNoIndex;
    std::uint32_t without_level = kNoIndex;
    bool some_counters = false;
    bool some_levels = false;
    for (std::uint32_t node = 0; node < list.size(); ++node) {
        const NodeList::Node& it = list.nodes[node];
        if (it.counter.is_absent())
            without_counter = std::min(without_counter, node);
        else
            some_counters = true;
        if (it.level == NodeList::kNoLevel)
            without_level = std::min(without_level, node);
        else
            some_levels = true;
        if (const Buffer* buffer = list.buffer(node)) {
            look(buffers, it.kind, *buffer, node);
            if (it.kind != kBufferDeallocate) {
                const auto bytes =
                    std::max(buffer->size_bytes.size_bytes(), buffer->size_per_bank_bytes.size_bytes());
                tensors.add(list.source, node, bytes);
            }
        } else if (const Piece* piece = list.program_piece(node)) {
            look(pieces, it.kind, *piece, node);
            // A tensor's buffer that lies in another has no size of its own that would count.
            programs.add(list.source, node, piece->shared ? 0 : piece->size_bytes.size_bytes());
        } else if (const Event* event = list.program_event(node)) {
            look(events, it.kind, *event, node);
        }
    }
    for (const auto& missing : buffers)
        missing.note(list.source);
    for (const auto& missing : pieces)
        missing.note(list.source);
    for (const auto& missing : events)
        missing.note(list.source);
    if (some_counters && without_counter != kNoIndex)
        note_damage(list.source, without_counter, "counter", nothing_there());
    const bool bad_level_known =
        std::ranges::find(list.source.damaged_numbers, "stacking_level", &DamagedNumber::where) !=
        list.source.damaged_numbers.end();
    if (some_levels && without_level != kNoIndex && !bad_level_known)
        note_damage(list.source, without_level, "stacking_level", nothing_there());
}

bool is_core_set(std::string_view text) {
    if (text.empty()) return true;  // not known which
    constexpr std::string_view kCorners = "{\"x\":N,\"y\":N}";
    static const std::string kJson =
        "{\"start\":" + std::string(kCorners) + ",\"end\":" + std::string(kCorners) + "}";
    static const std::string kSorted =
        "{\"end\":" + std::string(kCorners) + ",\"start\":" + std::string(kCorners) + "}";
    static const std::array<std::string_view, 4> kRectangles{"[N-N-N-N]", "[(x=N,y=N)-(x=N,y=N)]", kJson,
                                                             kSorted};
    const std::string form = form_of(text);
    std::string_view rest = form;
    const bool braces = rest.size() >= 2 && rest.front() == '{' && rest.back() == '}';
    const bool brackets = rest.size() >= 2 && rest.front() == '[' && rest.back() == ']';
    if (!braces && !brackets) return false;
    // One rectangle may stand without a list around it.
    for (const std::string_view rectangle : kRectangles)
        if (rest == rectangle) return true;
    rest = rest.substr(1, rest.size() - 2);
    while (!rest.empty()) {
        const auto found = std::ranges::find_if(
            kRectangles, [&](std::string_view rectangle) { return rest.starts_with(rectangle); });
        if (found == kRectangles.end()) return false;
        rest.remove_prefix(found->size());
        if (rest.empty()) return true;
        if (rest.front() != ',' || rest.size() == 1) return false;
        rest.remove_prefix(1);
    }
    return true;
}

bool are_device_tensors(std::string_view text) {
    for (const std::string_view key : {"\"address\":", "\"device_id\":", "\"mesh_device_id\":"}) {
        for (std::size_t at = text.find(key); at != std::string_view::npos; at = text.find(key, at)) {
            at += key.size();
            while (at < text.size() && text[at] == ' ')
                ++at;
            const std::size_t begin = at;
            while (at < text.size() && is_digit(text[at]))
                ++at;
            constexpr std::size_t kMostDigits = 18;
            const bool ends = at < text.size() && (text[at] == ',' || text[at] == '}' || text[at] == ' ');
            if (at == begin || at - begin > kMostDigits || !ends) return false;
        }
    }
    return true;
}

}  // namespace tilemeter::analysis::internal
