// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/eltwise/backward_terms.hpp"

#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/eltwise/where.hpp"

namespace tilemeter {

namespace {

TensorOrNumber branch(const std::variant<Term, float>& term) {
    if (const Term* tensor = std::get_if<Term>(&term)) return **tensor;
    return std::get<float>(term);
}

Term new_like(const Term& input, const OptionalMemoryConfig& place) {
    TensorSpec spec = input->spec();
    if (place) spec.memory_config = *place;
    return {create_device_tensor(spec, input->shared_device()), place};
}

}  // namespace

Term::~Term() {
    if (!tensor_.is_allocated() || tensor_.storage_type() != StorageType::DEVICE) return;
    if (!tensor_.shares_memory()) tensor_.deallocate();
}

Term Term::operator()(UnaryOpType function, compute::UnaryParameters parameters,
                      const OptionalTensor& into) const {
    return {unscoped::unary({function, parameters}, tensor_, place_, into), place_};
}

Term Term::chain(const std::vector<UnaryWithParam>& functions) const {
    return {unscoped::unary_chain(functions, tensor_, place_), place_};
}

Term Term::with(compute::BinaryKind kind, const Term& other, const OptionalTensor& into,
                const Activations& left, const Activations& right) const {
    const OptionalMemoryConfig& place = place_with(other);
    return {unscoped::binary(kind, tensor_, *other, {std::nullopt, place, into, {}, left, right}), place};
}

Term Term::with(compute::BinaryKind kind, Scalar other, const OptionalTensor& into,
                const Activations& left) const {
    return {unscoped::binary(kind, tensor_, other, {std::nullopt, place_, into, {}, left}), place_};
}

Term Term::where(const Branches& branches, const OptionalTensor& into) const {
    OptionalMemoryConfig place = place_;
    for (const auto* each : {&branches.yes, &branches.no}) {
        if (const Term* term = std::get_if<Term>(each); term != nullptr && !place) place = term->place_;
    }
    return {unscoped::where(tensor_, branch(branches.yes), branch(branches.no), place, into), place};
}

Term gradient_or_new(const OptionalTensor& given, const Term& input, const OptionalMemoryConfig& place) {
    return given ? Term(*given, place) : new_like(input, place);
}

Term gradient_after_new(const OptionalTensor& given, const Term& input, const OptionalMemoryConfig& place) {
    Term made = new_like(input, place);
    return given ? Term(*given, place) : std::move(made);
}

}  // namespace tilemeter
