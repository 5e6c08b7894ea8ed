// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/attach/torch/program.hpp"

#include <algorithm>
#include <utility>

namespace tilemeter::attach::torch {

namespace {

constexpr std::uint8_t kSystemMemory = 2;  // TT-NN's BufferType

/// The host comes first.
std::size_t place_of(std::uint16_t device) {
    return device == kHost ? 0 : device + std::size_t{1};
}

}  // namespace

/// The calling thread's turn: what it emits goes to the program's list.
class Program::Turn {
public:
    explicit Turn(Program& program)
        : lock_(program.mutex_), table_(program.table_), before_(table_.use_log(program.log_)) {}
    ~Turn() { table_.use_log(before_); }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

private:
    const std::scoped_lock<std::mutex> lock_;
    const tilemeter_emit_table& table_;
    tilemeter_log* const before_;
};

Program::Program(const tilemeter_emit_table& table, std::uint8_t emitter, tilemeter_log* log)
    : table_(table), emitter_(emitter), log_(log) {}

std::uint32_t Program::text(std::string_view said) {
    const auto known = texts_.find(said);
    if (known != texts_.end()) return known->second;
    return texts_.emplace(said, table_.intern_text(said.data(), said.size())).first->second;
}

std::size_t Program::innermost(std::uint64_t thread) const {
    for (std::size_t i = open_.size(); i > 0; --i)
        if (open_[i - 1].thread == thread) return i - 1;
    return open_.size();
}

void Program::emit_begin(const Function& function, std::int64_t sequence) {
    const bool wants_arguments =
        (__atomic_load_n(table_.listening, __ATOMIC_RELAXED) & TILEMETER_WANTS_ARGUMENTS) != 0;
    std::int64_t number = 0;
    if (threads_.empty() || threads_.front() != function.thread) {
        const auto known = std::find(threads_.begin(), threads_.end(), function.thread);
        number = known - threads_.begin();
        if (known == threads_.end()) threads_.push_back(function.thread);
    }
    const bool says_thread = wants_arguments && number != 0;
    const bool says_sequence = wants_arguments && sequence >= 0;
    table_.function_begin(emitter_, function.name, (says_thread ? 1U : 0U) + (says_sequence ? 1U : 0U), 0);
    if (says_sequence) table_.argument_integer(emitter_, text("sequence"), sequence);
    if (says_thread) table_.argument_integer(emitter_, text("thread"), number);
}

void Program::emit_end(const Function& function) {
    if (function.failure != 0) {
        table_.function_aborted(emitter_, function.failure);
    } else {
        table_.function_end(emitter_);
    }
}

void Program::restart(HostPlace host) {
    const Turn turn(*this);
    host_ = host;
    open_.clear();
    threads_.clear();
    blocks_.clear();
    freed_unknown_.clear();
    looks_for_older_ = true;
}

void Program::add_older(const std::vector<OlderBlock>& blocks) {
    const Turn turn(*this);
    looks_for_older_ = false;
    bool any = false;
    for (const OlderBlock& each : blocks) {
        if (blocks_of(each.device).count(each.address) != 0) continue;  // freed, and taken again since
        const std::size_t place = place_of(each.device);
        if (place < freed_unknown_.size() && freed_unknown_[place].count(each.address) != 0) continue;
        if (!std::exchange(any, true))
            table_.function_begin(emitter_, text("(older than the recording)"), 0, 0);
        take(each.device, each.address, each.bytes);
    }
    if (any) table_.function_end(emitter_);
    freed_unknown_.clear();
}

void Program::begin_function(std::uint64_t thread, std::string_view name, std::int64_t sequence) {
    if (!listens()) return;
    const Turn turn(*this);
    emit_begin(open_.emplace_back(Function{thread, text(name), 0}), sequence);
}

void Program::end_function(std::uint64_t thread) {
    if (!listens()) return;
    const Turn turn(*this);
    const std::size_t at = innermost(thread);
    if (at == open_.size()) return;
    for (std::size_t i = open_.size(); i > at; --i)
        emit_end(open_[i - 1]);
    open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(at));
    for (std::size_t i = at; i < open_.size(); ++i, ++parted_)
        emit_begin(open_[i], -1);
}

std::unordered_map<std::uint64_t, Program::Block>& Program::blocks_of(std::uint16_t device) {
    const std::size_t place = place_of(device);
    if (place >= blocks_.size()) blocks_.resize(place + 1);
    return blocks_[place];
}

void Program::emit_buffer(std::uint8_t what, std::uint16_t device, std::uint64_t address,
                          const Block& block) {
    tilemeter_buffer made{};
    made.id = block.id;
    made.address = address;
    made.size_bytes = block.bytes;
    made.size_per_bank_bytes = block.bytes;
    made.page_size_bytes = block.bytes;
    made.device = device == kHost ? host_.device : device;
    made.memory = device == kHost && !host_.is_device ? kSystemMemory : 0;
    table_.buffer(emitter_, what, &made);
}

void Program::take(std::uint16_t device, std::uint64_t address, std::uint64_t bytes) {
    const Block block{next_buffer_++, bytes};
    const auto [place, is_new] = blocks_of(device).try_emplace(address, block);
    if (!is_new) {
        // It was freed where nobody could see it.
        emit_buffer(TILEMETER_FREE, device, address, place->second);
        place->second = block;
    }
    emit_buffer(TILEMETER_ALLOCATE, device, address, block);
}

void Program::allocate(std::uint64_t thread, std::uint16_t device, std::uint64_t address,
                       std::uint64_t bytes) {
    if (!listens()) return;
    const Turn turn(*this);
    if (open_.empty() || open_.back().thread == thread) {
        take(device, address, bytes);
        return;
    }
    // Another thread's function is open: the memory is not its.
    const std::size_t at = innermost(thread);
    emit_begin(at == open_.size() ? Function{thread, text("(outside of functions)"), 0} : open_[at], -1);
    take(device, address, bytes);
    table_.function_end(emitter_);
}

void Program::free(std::uint64_t /*thread*/, std::uint16_t device, std::uint64_t address) {
    if (!listens()) return;
    const Turn turn(*this);
    auto& blocks = blocks_of(device);
    const auto known = blocks.find(address);
    if (known == blocks.end()) {
        if (!looks_for_older_) return;
        const std::size_t place = place_of(device);
        if (place >= freed_unknown_.size()) freed_unknown_.resize(place + 1);
        freed_unknown_[place].insert(address);
        return;
    }
    emit_buffer(TILEMETER_FREE, device, address, known->second);
    blocks.erase(known);
}

void Program::emit_failure(std::uint64_t thread, std::uint32_t type, std::uint32_t message) {
    const std::size_t at = innermost(thread);
    std::uint32_t operation = text("");
    if (at != open_.size()) {
        operation = open_[at].name;
        open_[at].failure = message;
    }
    table_.error(emitter_, type, message, operation);
}

void Program::refuse(std::uint64_t thread, std::uint16_t device, std::uint64_t bytes,
                     std::uint64_t device_free) {
    if (!listens()) return;
    const std::string message = "out of memory: " + std::to_string(bytes) + " B were asked for, device " +
                                std::to_string(device) + " had " + std::to_string(device_free) + " B left";
    const Turn turn(*this);
    emit_failure(thread, text("torch.OutOfMemoryError"), table_.intern_text(message.data(), message.size()));
}

void Program::fail(std::uint64_t thread, std::string_view type, std::string_view message) {
    if (!listens()) return;
    const Turn turn(*this);
    emit_failure(thread, text(type), table_.intern_text(message.data(), message.size()));
}

}  // namespace tilemeter::attach::torch
