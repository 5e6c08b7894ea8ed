// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Operations whose arguments are brought into another form before them, and their results back after them, where that is
// needed: what TT-NN's tilize, untilize and concat are made of.

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "tilemeter_ttnn/tensor.hpp"

namespace ttnn::operations::data_movement {

template <typename Output, typename... Inputs>
struct MassagedOperationParams {
    using OwnedArgsType = std::tuple<std::decay_t<Inputs>...>;
    using PredicateFunc = std::function<bool(Inputs...)>;
    using PreTransformFunc = std::function<OwnedArgsType(Inputs...)>;
    using PostTransformFunc = std::function<Output(const Output&)>;
    using OpType = std::function<Output(Inputs...)>;

    PredicateFunc predicate;           ///< whether the other form is needed
    PreTransformFunc pre_transform;    ///< the arguments in it
    PostTransformFunc post_transform;  ///< the result out of it
    OpType operation;
};

template <typename Output, typename... Inputs>
class MassagedOperation {
public:
    using Params = MassagedOperationParams<Output, Inputs...>;
    using OwnedArgsType = typename Params::OwnedArgsType;
    using PredicateFunc = typename Params::PredicateFunc;
    using PreTransformFunc = typename Params::PreTransformFunc;
    using PostTransformFunc = typename Params::PostTransformFunc;
    using OpType = typename Params::OpType;

    MassagedOperation(const Params& params) : params_(params) {}  // NOLINT: as TT-NN's

    bool should_format(Inputs... args) const { return params_.predicate(args...); }
    OwnedArgsType pre_format(Inputs... args) const { return params_.pre_transform(args...); }
    Output post_format(const Output& output) const { return params_.post_transform(output); }

    Output operator()(Inputs... args) const {
        if (!should_format(args...)) return params_.operation(args...);
        return post_format(std::apply(params_.operation, pre_format(args...)));
    }

    /// This one's form first, then that of `inner`, each where it is needed; this one's operation. One call at a time.
    MassagedOperation sequence(const MassagedOperation& inner) const {
        struct Needs {
            bool outer = false;
            bool inner = false;
        };
        const auto needs = std::make_shared<Needs>();
        Params merged;
        merged.operation = params_.operation;
        merged.predicate = [needs, outer = params_.predicate,
                            other = inner.params_.predicate](Inputs... args) {
            *needs = {outer(args...), other(args...)};
            return needs->outer || needs->inner;
        };
        // The arguments of one form may need the other one, or need it no more.
        merged.pre_transform = [needs, outer = params_.pre_transform,
                                other = inner.params_](Inputs... args) -> OwnedArgsType {
            if (!needs->outer) return other.pre_transform(args...);
            OwnedArgsType formed = outer(args...);
            needs->inner = std::apply(other.predicate, formed);
            return needs->inner ? std::apply(other.pre_transform, formed) : formed;
        };
        merged.post_transform = [needs, outer = params_.post_transform,
                                 other = inner.params_.post_transform](const Output& output) {
            const Output unformed = needs->inner ? other(output) : output;
            return needs->outer ? outer(unformed) : unformed;
        };
        return merged;
    }

    PredicateFunc get_predicate() const { return params_.predicate; }
    PreTransformFunc get_pre_transform() const { return params_.pre_transform; }
    PostTransformFunc get_post_transform() const { return params_.post_transform; }
    OpType get_operation() const { return params_.operation; }
    void set_predicate(PredicateFunc predicate) { params_.predicate = std::move(predicate); }
    void set_pre_transform(PreTransformFunc transform) { params_.pre_transform = std::move(transform); }
    void set_post_transform(PostTransformFunc transform) { params_.post_transform = std::move(transform); }
    void set_operation(OpType operation) { params_.operation = std::move(operation); }

private:
    Params params_;
};

using MassagedTensorOperation = MassagedOperation<Tensor, const Tensor&>;
using MassagedConcat = MassagedOperation<Tensor, const std::vector<Tensor>&, int, unsigned int>;

// Of more than four dimensions the outer ones become one for `base`, and are there again in the result.
MassagedTensorOperation build_ndiml_tilize(std::function<Tensor(const Tensor&)> base,
                                           const std::optional<CoreRangeSet>& sub_core_grids = std::nullopt);
MassagedTensorOperation build_ndiml_tilize_val(
    std::function<Tensor(const Tensor&)> base,
    const std::optional<CoreRangeSet>& sub_core_grids = std::nullopt);
MassagedTensorOperation build_ndiml_untilize(std::function<Tensor(const Tensor&)> base);
/// `output_tensor_end`: the last element that is kept.
MassagedTensorOperation build_ndiml_untilize_val(
    std::function<Tensor(const Tensor&)> base, const Shape& output_tensor_end,
    const std::optional<CoreRangeSet>& sub_core_grids = std::nullopt);

/// Tensors of `input_rank` dimensions, fewer than four, under four.
MassagedConcat build_unsqueeze_concat(int input_rank, const MemoryConfig& output_memory_config);
/// Tiles with padding along the dimension as rows. Throws std::runtime_error for such beside ROW_MAJOR.
MassagedConcat build_untilize_rm_retilize_concat(const MemoryConfig& output_memory_config,
                                                 Shape& logical_output_shape);
/// With two dimensions exchanged, unless they are the same one.
MassagedConcat build_prepost_transpose_concat(const MemoryConfig& output_memory_config, int dim1, int dim2);
/// Transposed where rows along the last dimension are not aligned. Throws std::runtime_error for tensors on the host.
MassagedConcat build_non_aligned_last_dim_concat(const std::vector<Tensor>& tensors,
                                                 const MemoryConfig& output_memory_config);
/// Joins device tensors as they lie; one alone goes where `output_mem_config` says. Throws std::runtime_error for tiles with
/// padding in between and for rows that are not aligned: the forms above are for those.
Tensor concat_impl(const std::vector<Tensor>& input_tensors, std::int64_t dim, unsigned int groups,
                   const MemoryConfig& output_mem_config,
                   const std::optional<CoreRangeSet>& sub_core_grids = std::nullopt);

}  // namespace ttnn::operations::data_movement
