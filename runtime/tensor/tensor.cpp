// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/tensor/tensor.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "capture/record/emit.hpp"
#include "capture/record/text.hpp"
#include "capture/record/window.hpp"
#include "runtime/compute/rearrange.hpp"
#include "runtime/device/call_recorder.hpp"
#include "runtime/device/device.hpp"
#include "runtime/device/errors.hpp"
#include "runtime/device/freed_views.hpp"
#include "runtime/device/planning.hpp"
#include "runtime/device/query_shadow.hpp"
#include "runtime/tensor/stored_values.hpp"

namespace tilemeter {

namespace {

const record::TextId kDeallocate = record::intern("Tensor::deallocate");

record::TensorId next_tensor_id() {
    QueryShadow* const query = QueryShadow::current();
    return query != nullptr ? static_cast<record::TensorId>(query->next_id()) : record::next_tensor_id();
}

void require_matching(const TensorSpec& spec, const HostArray& array) {
    if (array.shape() != spec.shape || array.dtype() != spec.dtype) {
        throw RuntimeError("host tensor: expected values of " + spec.shape.to_string() + " " +
                           std::string(name_of(spec.dtype)) + ", got " + array.shape().to_string() + " " +
                           std::string(name_of(array.dtype())));
    }
}

}  // namespace

Tensor Tensor::on_host(TensorSpec spec, ChipValues values) {
    if (values.empty()) throw RuntimeError("host tensor: expected at least one array of values");
    for (const HostArray& array : values)
        require_matching(spec, array);
    Tensor tensor;
    tensor.state_ = std::make_shared<State>();
    tensor.state_->id = next_tensor_id();
    tensor.state_->spec = std::move(spec);
    tensor.state_->spec.memory_config.fill_in_nd_shards();
    tensor.state_->host_values = std::make_shared<const ChipValues>(std::move(values));
    return tensor;
}

Tensor Tensor::on_host(TensorSpec spec, HostArray values) {
    ChipValues one;
    one.push_back(std::move(values));
    return on_host(std::move(spec), std::move(one));
}

Tensor Tensor::uncomputed_on_host(TensorSpec spec, const Tensor& source) {
    Tensor tensor = planned_on_host(std::move(spec));
    tensor.state_->host_values = source.uncomputed();
    return tensor;
}

Tensor Tensor::planned_on_host(TensorSpec spec) {
    Tensor tensor;
    tensor.state_ = std::make_shared<State>();
    tensor.state_->id = next_tensor_id();
    tensor.state_->spec = std::move(spec);
    tensor.state_->spec.memory_config.fill_in_nd_shards();
    return tensor;
}

Tensor Tensor::on_device(TensorSpec spec, std::shared_ptr<Buffer> buffer, bool is_view) {
    Tensor tensor;
    tensor.state_ = std::make_shared<State>();
    tensor.state_->id = next_tensor_id();
    tensor.state_->spec = std::move(spec);
    tensor.state_->spec.memory_config.fill_in_nd_shards();
    tensor.state_->is_view = is_view;
    if (!is_view) tensor.state_->record_spec.store(buffer->spec_id(), std::memory_order_relaxed);
    tensor.state_->buffer = std::move(buffer);
    return tensor;
}

void Tensor::become(const Tensor& other) const {
    state();
    const State& from = other.state();
    if (&from == state_.get()) return;
    state_->id = from.id;
    state_->spec = from.spec;
    state_->is_view = from.is_view;
    state_->is_freed = from.is_freed;
    state_->chip = from.chip;
    state_->distribution = from.distribution;
    state_->buffer = from.buffer;
    state_->host_values = from.host_values;
    state_->record_spec.store(from.record_spec.load());
}

Tensor Tensor::of_chip(const Tensor& tensor, std::size_t chip) {
    Tensor part = on_device(tensor.spec(), tensor.shared_buffer(), tensor.is_view());
    part.state_->chip = chip;
    part.state_->distribution = tensor.distribution();
    return part;
}

void Tensor::throw_empty() {
    throw RuntimeError("tensor: expected one with values or memory, got an empty handle");
}

void Tensor::throw_on_host() const {
    throw RuntimeError("tensor " + spec().shape.to_string() + ": expected on a device, is on the host");
}

bool Tensor::is_allocated() const {
    if (!state_ || !state_->buffer) return state_ != nullptr;
    if (state_->buffer->is_allocated()) [[likely]]
        return true;
    return freed_views_stay() && state_->is_view && !state_->is_freed && state_->buffer->device().is_open() &&
           !shared_free_text(state_->buffer->id()).empty();
}

bool Tensor::frees_in_scope() const {
    return state().buffer && !shares_memory() &&
           (state().buffer->is_allocated() || (state().is_view && !state().is_freed));
}

void Tensor::deallocate(bool force) {
    // Tensors that share its memory stay, as do freed ones, and TT-NN shows no function for it.
    if (!state().buffer || (!force && !frees_in_scope())) return;
    record::emit_function_begin(kDeallocate, 0);
    state_->is_freed = true;
    Buffer& buffer = *state().buffer;
    if (Buffer::is_shared(state().buffer) && buffer.is_allocated())
        note_shared_free(buffer.id(), shape().to_string() + (is_view() ? " (a view of it)" : ""));
    buffer.deallocate();
    record::emit_function_end();
}

bool Tensor::shares_memory() const {
    return state().buffer && (state_.use_count() > 1 || Buffer::is_shared(state().buffer));
}

bool Tensor::has_values() const {
    return (state().buffer ? state().buffer->values() : state().host_values) != nullptr && !is_uncomputed();
}

bool Tensor::is_uncomputed() const {
    return stand_for_uncomputed(state().buffer ? state().buffer->values() : state().host_values);
}

std::shared_ptr<const ChipValues> Tensor::uncomputed() const {
    return is_uncomputed() ? (state().buffer ? state().buffer->values() : state().host_values) : nullptr;
}

namespace {

// For a tensor whose memory another one that shares it has freed: which, and where.
std::string freed_how(const Tensor& tensor) {
    const std::string text = shared_free_text(tensor.buffer().id());
    if (text.empty()) return "";
    const std::string what = tensor.is_view() ? "it is a view, and its memory was " : "its memory was ";
    const char* const hint =
        tensor.is_view() ? "; TT-NN goes on over memory that is free again, and so does --views=ttnn or "
                           "TILEMETER_VIEWS=ttnn"
                         : "";
    return ": " + what + text + hint;
}

// Values of a tensor that shares its memory with one whose padding counts: the part of them that is its own.
HostArray own_part(const HostArray& stored, const Shape& shape) {
    const std::size_t rank = std::max(stored.shape().rank(), shape.rank());
    const Shape from = stored.shape().to_rank(rank), to = shape.to_rank(rank);
    const auto in_tiles = [&stored](const Shape& rows) {
        return TensorSpec{rows, stored.dtype(), Layout::TILE, DRAM_MEMORY_CONFIG}.padded_shape();
    };
    const Shape from_tiles = in_tiles(from), to_tiles = in_tiles(to);
    const std::vector<std::uint32_t> origin(rank, 0), each(rank, 1);
    if (rank > 1 && from_tiles != to_tiles && from_tiles.volume() == to_tiles.volume()) {
        const HostArray tiles =
            compute::padded(stored.reshaped(from), origin, from_tiles, 0.0F).reshaped(to_tiles);
        return compute::sliced(tiles, origin, each, to).reshaped(shape);
    }
    Shape common;
    for (std::size_t i = 0; i < rank; ++i)
        common.push_back(std::min(from.dimensions()[i], to.dimensions()[i]));
    const std::vector<std::uint32_t> begin(rank, 0), step(rank, 1);
    const HostArray part = compute::sliced(stored.reshaped(from), begin, step, common);
    return compute::padded(part, begin, to, 0.0F).reshaped(shape);
}

/// The stand-ins for values that nobody computed, by why.
struct StandIns {
    std::mutex mutex;
    std::map<std::string, std::shared_ptr<const ChipValues>> by_reason;
    std::map<const ChipValues*, std::string> reasons;
};

StandIns& stand_ins() {
    static StandIns& all = *new StandIns;
    return all;
}

std::string reason_of(const ChipValues& stand_in) {
    StandIns& all = stand_ins();
    const std::lock_guard lock(all.mutex);
    return all.reasons.at(&stand_in);
}

}  // namespace

std::shared_ptr<const ChipValues> Tensor::chip_values() const {
    if (!is_allocated()) {
        if (state().buffer) require_not_escaped(*state().buffer, "values of tensor " + shape().to_string());
        throw RuntimeError("tensor " + spec().shape.to_string() + ": its memory was deallocated" +
                           freed_how(*this));
    }
    if (traces_function() && (state().buffer || !state().host_values)) [[unlikely]] {
        throw TracingError(TracingErrorKind::kNeedsConcreteArray,
                           "values of tensor " + shape().to_string() +
                               ": not known while a function is traced; hint: return the tensor from the "
                               "function and read it afterwards");
    }
    const auto& stored = state().buffer ? state().buffer->values() : state().host_values;
    if (is_uncomputed()) {
        throw RuntimeError("values of tensor " + shape().to_string() + ": not computed, for " +
                           reason_of(*stored));
    }
    return values_of_tensor(stored, shape(), dtype(), state().chip,
                            state().buffer ? device().chips().size() : 1);
}

const std::shared_ptr<const ChipValues>& uncomputed_values() {
    static const auto& kNone = *new std::shared_ptr<const ChipValues>(
        uncomputed_values("a capture without values (values=False) was open when the tensor was made; hint: "
                          "capture with values to read them"));
    return kNone;
}

std::shared_ptr<const ChipValues> uncomputed_values(const std::string& reason) {
    StandIns& all = stand_ins();
    const std::lock_guard lock(all.mutex);
    auto& found = all.by_reason[reason];
    if (!found) {
        found = std::make_shared<const ChipValues>();
        all.reasons.emplace(found.get(), reason);
    }
    return found;
}

namespace {

/// By the values that it surrounds.
struct Paddings {
    struct Padding {
        std::weak_ptr<const ChipValues> values;
        float value = 0.0F;
    };
    std::mutex mutex;
    std::map<const ChipValues*, Padding> all;
};

Paddings& paddings() {
    static Paddings& all = *new Paddings;
    return all;
}

}  // namespace

void note_padding(const std::shared_ptr<const ChipValues>& values, float padding) {
    if (!values || values->empty()) return;
    Paddings& known = paddings();
    const std::lock_guard lock(known.mutex);
    std::erase_if(known.all, [](const auto& each) { return each.second.values.expired(); });
    if (padding == 0.0F) {
        known.all.erase(values.get());
    } else {
        known.all[values.get()] = {values, padding};
    }
}

float padding_of(const std::shared_ptr<const ChipValues>& values) {
    Paddings& known = paddings();
    const std::lock_guard lock(known.mutex);
    const auto found = known.all.find(values.get());
    return found != known.all.end() && found->second.values.lock() == values ? found->second.value : 0.0F;
}

bool stand_for_uncomputed(const std::shared_ptr<const ChipValues>& values) {
    if (!values || !values->empty()) return false;
    StandIns& all = stand_ins();
    const std::lock_guard lock(all.mutex);
    return all.reasons.contains(values.get());
}

std::shared_ptr<const ChipValues> values_of_tensor(std::shared_ptr<const ChipValues> stored,
                                                   const Shape& shape, DataType dtype,
                                                   std::optional<std::size_t> chip, std::size_t chips) {
    if (!stored) return std::make_shared<const ChipValues>(chip ? 1 : chips, HostArray(dtype, shape));
    if (chip && stored->size() > 1) stored = std::make_shared<const ChipValues>(1, stored->at(*chip));
    if (stored->empty() || stored->front().size() == shape.volume()) return stored;
    ChipValues parts;
    for (const HostArray& each : *stored)
        parts.push_back(own_part(each, shape));
    return std::make_shared<const ChipValues>(std::move(parts));
}

HostArray Tensor::values(std::size_t chip) const {
    const auto all = chip_values();
    const std::size_t index = all->size() == 1 ? 0 : chip;
    if (index >= all->size()) {
        throw RuntimeError("values of chip " + std::to_string(chip) + ": the tensor lies on " +
                           std::to_string(all->size()) + " chip(s)");
    }
    return (*all)[index].reshaped(shape());
}

record::TensorSpecId Tensor::record_spec_id() const {
    const State& mine = state();
    record::TensorSpecId known = mine.record_spec.load(std::memory_order_relaxed);
    if (known == record::TensorSpecId::kNone) {
        known = record_spec(mine.spec, mine.buffer != nullptr);  // the same for every thread that gets here
        mine.record_spec.store(known, std::memory_order_relaxed);
    }
    return known;
}

record::TensorRecord Tensor::record() const {
    const State& mine = state();
    if (!mine.buffer)
        return {mine.id, record_spec_id(), record::DeviceId{0}, record::BufferId::kNone, 0, false};
    return {mine.id,           record_spec_id(),       mine.buffer->device().id(),
            mine.buffer->id(), mine.buffer->address(), mine.is_view};
}

std::string Tensor::to_string() const {
    if (!state_) return "Tensor()";
    std::string text = "Tensor(shape=" + shape().to_string() +
                       ", dtype=DataType::" + std::string(name_of(dtype())) +
                       ", layout=Layout::" + std::string(name_of(layout()));
    if (!state_->buffer) return text + ", storage=HOST)";
    return text + ", memory_config=" + memory_config().to_string() +
           ", device=" + std::to_string(static_cast<unsigned>(device().id())) + ")";
}

void require_on_device(const Tensor& tensor, std::string_view operation, std::string_view argument) {
    // Texts are made for what is wrong alone: each operation asks.
    if (tensor.storage_type() == StorageType::DEVICE && tensor.is_allocated()) return;
    const std::string who = std::string(operation) + ": " + std::string(argument);
    if (tensor.storage_type() != StorageType::DEVICE) {
        throw RuntimeError("Device Operations expect device tensors as inputs: " + who + " " +
                           tensor.shape().to_string() + ": expected on a device, is on the host");
    }
    const std::string device = "device " + std::to_string(static_cast<unsigned>(tensor.device().id()));
    require_not_escaped(tensor.buffer(), who);
    if (!tensor.device().is_open())
        throw RuntimeError(who + " " + tensor.shape().to_string() + ": " + device + " is closed");
    throw RuntimeError(who + " " + tensor.shape().to_string() + ": expected allocated, was deallocated" +
                       freed_how(tensor));
}

}  // namespace tilemeter
