// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <numeric>

#include "runtime/trace/calls/call_operations.hpp"
#include "runtime/trace/calls/internal/call.hpp"
#include "runtime/trace/primitives/internal/inference.hpp"

namespace tilemeter::trace {

ir::ElementType promoted(ir::ElementType a, ir::ElementType b) {
    using ir::ElementType;
    if (a == b) return a;
    const auto level = [](ElementType element) {
        return element == ElementType::kBool ? 0 : (ir::is_integer(element) ? 1 : 2);
    };
    if (level(a) != level(b)) {
        const auto [wide, narrow] = level(a) > level(b) ? std::pair(a, b) : std::pair(b, a);
        // NumPy's floats of 16 and 32 bits give way to one that holds the integers; it has no rule for the others.
        if (narrow == ElementType::kBool || (wide != ElementType::kF16 && wide != ElementType::kF32))
            return wide;
        const std::size_t needed = 2 * ir::element_bytes(narrow);
        if (needed <= ir::element_bytes(wide)) return wide;
        return needed <= 4 ? ElementType::kF32 : ElementType::kF64;
    }
    const std::size_t width_a = ir::element_bytes(a);
    const std::size_t width_b = ir::element_bytes(b);
    if (level(a) == 2) {
        if (width_a != width_b) return width_a > width_b ? a : b;
        return ElementType::kF32;
    }
    if (ir::is_signed_integer(a) == ir::is_signed_integer(b)) return width_a > width_b ? a : b;
    // Signed and unsigned: a signed type that holds both.
    const auto [sign, plain] = ir::is_signed_integer(a) ? std::pair(a, b) : std::pair(b, a);
    if (ir::element_bytes(sign) > ir::element_bytes(plain)) return sign;
    switch (ir::element_bytes(plain)) {
        case 1:
            return ElementType::kI16;
        case 2:
            return ElementType::kI32;
        case 4:
            return ElementType::kI64;
        default:
            return ElementType::kF64;
    }
}

namespace internal {

namespace {

ElementType common_element(const Site& site, std::size_t from) {
    ElementType element = site.type(from).element;
    for (std::size_t i = from + 1; i < site.size(); ++i)
        element = promoted(element, site.type(i).element);
    return element;
}

std::vector<std::size_t> all_operands(const Site& site) {
    std::vector<std::size_t> all(site.size());
    std::iota(all.begin(), all.end(), 0);
    return all;
}

TensorType common_type(const Site& site) {
    return {common_element(site, 0), broadcast_shape(site, all_operands(site)), {}};
}

void require_integers(const Site& site, std::size_t operand) {
    site.require(ir::is_integer(site.type(operand).element), ErrorKind::kElementTypeMismatch, [&] {
        return "found indices of type " + text_of(site.type(operand)) + ", expected integers";
    });
}

// The type of a reduction of operand 0 to elements of another type.
TensorType reduced(const Site& site, ElementType element) {
    const Shape& from = site.shape(0);
    if (const ir::Attribute* const given = site.use.attributes.find("axes"); given != nullptr) {
        Integers axes;
        for (const std::int64_t axis : site.integers("axes"))
            axes.push_back(normal_axis(site, axis, from.rank()));
        require_axes(site, axes, from.rank(), "axes");
    }
    const Integers axes = reduced_axes(site.use.attributes, from.rank());
    const bool keep = site.use.attributes.get_or("keepdims", false);
    TensorType type{element, {}, {}};
    for (std::size_t i = 0; i < from.rank(); ++i) {
        const bool is_reduced = std::ranges::find(axes, static_cast<std::int64_t>(i)) != axes.end();
        if (!is_reduced || keep) type.shape.push_back(is_reduced ? 1 : from[i]);
    }
    return type;
}

void gather_shape(const Site& site, std::size_t table, std::size_t indices, std::size_t axis, Types& types) {
    require_integers(site, indices);
    site.require(site.at_most(1, site.shape(table)[axis]) || elements_of(site.shape(indices)) == Dim(0),
                 ErrorKind::kBadArgument, [&] {
                     return "axis " + std::to_string(axis) + " of " + text_of(site.type(table)) +
                            ": found no elements, expected some to choose from";
                 });
    TensorType type{site.type(table).element, {}, {}};
    for (std::size_t i = 0; i < axis; ++i)
        type.shape.push_back(site.shape(table)[i]);
    for (const std::int64_t dim : site.shape(indices))
        type.shape.push_back(dim);
    for (std::size_t i = axis + 1; i < site.shape(table).rank(); ++i)
        type.shape.push_back(site.shape(table)[i]);
    types.push_back(type);
}

}  // namespace

Shape broadcast_shape(const Site& site, std::span<const std::size_t> operands) {
    Shape shape;
    for (const std::size_t operand : operands) {
        const Shape& next = site.shape(operand);
        const std::size_t rank = std::max(shape.rank(), next.rank());
        Shape joined;
        for (std::size_t i = 0; i < rank; ++i) {
            const auto dim = [&](const Shape& of) {
                return i + of.rank() < rank ? 1 : of[i + of.rank() - rank];
            };
            const std::int64_t a = dim(shape);
            const std::int64_t b = dim(next);
            if (a != b && a != 1 && b != 1)
                site.require_equal(Dim(a), Dim(b), ErrorKind::kShapeMismatch, [&] {
                    return "found shapes " + text_of(shape) + " and " + text_of(next) +
                           ", expected extents that are equal or 1, counted from the last";
                });
            joined.push_back(a == 1 ? b : a);
        }
        shape = joined;
    }
    return shape;
}

std::int64_t normal_axis(const Site& site, std::int64_t axis, std::size_t rank) {
    const auto count = static_cast<std::int64_t>(rank);
    site.require(axis >= -count && axis < count, ErrorKind::kBadArgument, [&] {
        return "found axis " + std::to_string(axis) + ", expected an axis of a tensor of rank " +
               std::to_string(rank);
    });
    return normal_axis(axis, rank);
}

Integers reduced_axes(const ir::Attributes& attributes, std::size_t rank) {
    Integers axes(rank);
    std::iota(axes.begin(), axes.end(), 0);
    if (attributes.find("axes") == nullptr) return axes;
    axes = attributes.get<Integers>("axes");
    for (std::int64_t& axis : axes)
        axis = normal_axis(axis, rank);
    std::ranges::sort(axes);
    return axes;
}

ElementType fractional(ElementType element) {
    return ir::is_float(element) ? element : ElementType::kF64;
}

ElementType summed(ElementType element) {
    if (ir::is_float(element)) return element;
    return ir::is_unsigned_integer(element) ? ElementType::kU64 : ElementType::kI64;
}

SliceBounds slice_bounds(const ir::Attributes& attributes, const Shape& shape,
                         const ir::Constraints* constraints) {
    SliceBounds bounds{attributes.get<Integers>("starts"), attributes.get<Integers>("limits"),
                       attributes.get_or<Integers>("strides", Integers(shape.rank(), 1))};
    for (auto* const places : {&bounds.starts, &bounds.limits})
        for (std::size_t i = 0; i < std::min(places->size(), shape.rank()); ++i)
            if (Dim((*places)[i]).is_negative_number()) (*places)[i] = (Dim((*places)[i]) + shape[i]).value();
    for (std::size_t i = 0; i < std::min(bounds.starts.size(), bounds.limits.size()); ++i)
        if (!ir::is_less_equal(bounds.starts[i], bounds.limits[i], constraints))
            bounds.limits[i] = ir::max(bounds.limits[i], bounds.starts[i]).value();
    return bounds;
}

void infer_numbers(const Site& site, Types& types) {
    types.push_back(common_type(site));
}

void infer_fractions(const Site& site, Types& types) {
    types.push_back(common_type(site));
    types.back().element = fractional(types.back().element);
}

void infer_truths(const Site& site, Types& types) {
    types.push_back(common_type(site));
    types.back().element = ElementType::kBool;
}

void infer_no_bool(const Site& site, Types& types) {
    infer_numbers(site, types);
    site.require(types.back().element != ElementType::kBool, ErrorKind::kElementTypeMismatch,
                 [&] { return "found operands of bool, expected numbers"; });
}

void infer_i8_of_bool(const Site& site, Types& types) {
    infer_numbers(site, types);
    if (types.back().element == ElementType::kBool) types.back().element = ElementType::kI8;
}

void infer_bits(const Site& site, Types& types) {
    infer_numbers(site, types);
    site.require(!ir::is_float(types.back().element), ErrorKind::kElementTypeMismatch, [&] {
        return "found operands of " + std::string(ir::name_of(types.back().element)) +
               ", expected integers or bool";
    });
}

void infer_shift(const Site& site, Types& types) {
    infer_bits(site, types);
    if (types.back().element == ElementType::kBool) types.back().element = ElementType::kI8;
}

void infer_where(const Site& site, Types& types) {
    types.push_back({common_element(site, 1), broadcast_shape(site, all_operands(site)), {}});
}

void infer_matmul(const Site& site, Types& types) {
    const Shape& a = site.shape(0);
    const Shape& b = site.shape(1);
    const auto found = [&] { return "found shapes " + text_of(a) + " and " + text_of(b); };
    site.require(a.rank() > 0 && b.rank() > 0, ErrorKind::kShapeMismatch,
                 [&] { return found() + ", expected at least one dimension"; });
    const std::size_t inner = b.rank() == 1 ? 0 : b.rank() - 2;
    site.require_equal(Dim(a[a.rank() - 1]), Dim(b[inner]), ErrorKind::kShapeMismatch, [&] {
        return found() + ", contracting dimensions " + std::to_string(a.rank() - 1) + " and " +
               std::to_string(inner) + " of extents " + Dim(a[a.rank() - 1]).text() + " and " +
               Dim(b[inner]).text() + ", expected equal ones";
    });
    Shape shape;
    const std::size_t batch_a = a.rank() < 2 ? 0 : a.rank() - 2;
    const std::size_t batch_b = b.rank() < 2 ? 0 : b.rank() - 2;
    const std::size_t batch = std::max(batch_a, batch_b);
    for (std::size_t i = 0; i < batch; ++i) {
        const std::int64_t x = i + batch_a < batch ? 1 : a[i + batch_a - batch];
        const std::int64_t y = i + batch_b < batch ? 1 : b[i + batch_b - batch];
        if (x != y && x != 1 && y != 1)
            site.require_equal(Dim(x), Dim(y), ErrorKind::kShapeMismatch,
                               [&] { return found() + ", expected batch dimensions that are equal or 1"; });
        shape.push_back(x == 1 ? y : x);
    }
    if (a.rank() > 1) shape.push_back(a[a.rank() - 2]);
    if (b.rank() > 1) shape.push_back(b[b.rank() - 1]);
    types.push_back({common_element(site, 0), shape, {}});
    require_domain(site, 0, kAll);
}

void infer_sum(const Site& site, Types& types) {
    types.push_back(reduced(site, summed(site.type(0).element)));
}

void infer_mean(const Site& site, Types& types) {
    types.push_back(reduced(site, fractional(site.type(0).element)));
}

void infer_extreme(const Site& site, Types& types) {
    types.push_back(reduced(site, site.type(0).element));
    Dim count(1);
    for (const std::int64_t axis : reduced_axes(site.use.attributes, site.shape(0).rank()))
        count = count * Dim(site.shape(0)[static_cast<std::size_t>(axis)]);
    site.require(count != Dim(0) || elements_of(types.back().shape) == Dim(0), ErrorKind::kBadArgument, [&] {
        return "found " + text_of(site.type(0)) +
               ", expected elements along the axes, as there is no largest or smallest of none";
    });
}

void infer_any(const Site& site, Types& types) {
    types.push_back(reduced(site, ElementType::kBool));
}

void infer_arg_extreme(const Site& site, Types& types) {
    const Shape& from = site.shape(0);
    TensorType type{ElementType::kI32, {}, {}};
    Dim extent = elements_of(from);
    if (site.use.attributes.find("axis") != nullptr) {
        const auto axis = static_cast<std::size_t>(normal_axis(site, site.integer("axis"), from.rank()));
        extent = from[axis];
        for (std::size_t i = 0; i < from.rank(); ++i)
            if (i != axis) type.shape.push_back(from[i]);
    }
    site.require_at_most(1, extent, ErrorKind::kBadArgument, [&] {
        return "found " + text_of(site.type(0)) + ", expected elements along the axis";
    });
    types.push_back(type);
}

void infer_call_cumsum(const Site& site, Types& types) {
    normal_axis(site, site.integer("axis"), site.shape(0).rank());
    // Integers stay what they are, as in JAX; NumPy widens them.
    const ElementType element = site.type(0).element;
    types.push_back({element == ElementType::kBool ? ElementType::kI64 : element, site.shape(0), {}});
}

void infer_call_reshape(const Site& site, Types& types) {
    const Dim elements = elements_of(site.shape(0));
    Shape shape(site.integers("shape"));
    Shape rest;  // without the open extent
    std::size_t open = shape.rank();
    for (std::size_t i = 0; i < shape.rank(); ++i) {
        const bool is_open = shape[i] == -1 && open == shape.rank();
        site.require(is_open || site.at_most(0, shape[i]), ErrorKind::kBadArgument, [&] {
            return "found shape " + text_of(shape) + ", expected extents from 0 and at most one -1";
        });
        if (is_open)
            open = i;
        else
            rest.push_back(shape[i]);
    }
    const Dim known = elements_of(rest);
    const auto found = [&] {
        return "found shapes " + text_of(site.shape(0)) + " and " + text_of(shape) +
               ", expected as many elements in both";
    };
    if (open == shape.rank()) {
        site.require_equal(elements, known, ErrorKind::kShapeMismatch, found);
    } else {
        const bool fits = known != Dim(0) && divides(known, elements, site.constraints()) == ir::Answer::kYes;
        site.require(fits, ErrorKind::kShapeMismatch, [&] {
            return found() + (elements.is_number() && known.is_number()
                                  ? std::string()
                                  : Site::open_question(mod(elements, known), "==", 0));
        });
        shape[open] = floordiv(elements, known).value();
    }
    types.push_back({site.type(0).element, shape, {}});
}

void infer_call_transpose(const Site& site, Types& types) {
    const Shape& from = site.shape(0);
    TensorType type{site.type(0).element, {}, {}};
    if (site.use.attributes.find("perm") == nullptr) {
        for (std::size_t i = from.rank(); i-- > 0;)
            type.shape.push_back(from[i]);
    } else {
        const Integers& perm = site.integers("perm");
        site.require(perm.size() == from.rank(), ErrorKind::kBadArgument, [&] {
            return "found perm " + text_of(perm) + ", expected one axis for each of " + text_of(from);
        });
        Integers axes;
        for (const std::int64_t axis : perm)
            axes.push_back(normal_axis(site, axis, from.rank()));
        require_axes(site, axes, from.rank(), "perm");
        for (const std::int64_t axis : axes)
            type.shape.push_back(from[static_cast<std::size_t>(axis)]);
    }
    types.push_back(type);
}

void infer_broadcast_to(const Site& site, Types& types) {
    const Shape shape(site.integers("shape"));
    const Shape& from = site.shape(0);
    bool fits = from.rank() <= shape.rank();
    for (std::size_t i = 0; fits && i < from.rank(); ++i)
        fits = from[i] == 1 || site.equal(Dim(from[i]), Dim(shape[i + shape.rank() - from.rank()]));
    for (const std::int64_t dim : shape)
        if (!Dim(dim).is_number())
            site.require_at_most(0, dim, ErrorKind::kBadArgument,
                                 [&] { return "found shape " + text_of(shape); });
    site.require(fits, ErrorKind::kShapeMismatch, [&] {
        return "found shapes " + text_of(from) + " and " + text_of(shape) +
               ", expected extents that are 1 or equal, counted from the last";
    });
    types.push_back({site.type(0).element, shape, {}});
}

void infer_concat(const Site& site, Types& types) {
    const Shape& first = site.shape(0);
    const auto axis = static_cast<std::size_t>(normal_axis(site, site.integer("axis"), first.rank()));
    TensorType type{common_element(site, 0), first, {}};
    for (std::size_t i = 1; i < site.size(); ++i) {
        const Shape& next = site.shape(i);
        bool fits = next.rank() == first.rank();
        for (std::size_t k = 0; fits && k < first.rank(); ++k)
            fits = k == axis || site.equal(Dim(next[k]), Dim(first[k]));
        site.require(fits, ErrorKind::kShapeMismatch, [&] {
            return "axis " + std::to_string(axis) + ": found shapes " + text_of(first) + " and " +
                   text_of(next) + ", expected equal extents of the other axes";
        });
        type.shape[axis] = (Dim(type.shape[axis]) + next[axis]).value();
    }
    types.push_back(type);
}

void infer_call_slice(const Site& site, Types& types) {
    const Shape& from = site.shape(0);
    const SliceBounds bounds = slice_bounds(site.use.attributes, from, site.constraints());
    const Integers& starts = bounds.starts;
    const Integers& limits = bounds.limits;
    const Integers& strides = bounds.strides;
    site.require(
        starts.size() == from.rank() && limits.size() == from.rank() && strides.size() == from.rank(),
        ErrorKind::kBadArgument, [&] {
            return "found starts " + text_of(starts) + ", limits " + text_of(limits) + " and strides " +
                   text_of(strides) + ", expected one for each dimension of " + text_of(from);
        });
    TensorType type{site.type(0).element, {}, {}};
    for (std::size_t i = 0; i < from.rank(); ++i) {
        const auto found = [&] {
            return "found starts " + text_of(starts) + ", limits " + text_of(limits) + " and strides " +
                   text_of(strides) + ", expected places inside of " + text_of(from);
        };
        site.require_at_most(0, starts[i], ErrorKind::kBadArgument, found);
        site.require_at_most(limits[i], from[i], ErrorKind::kBadArgument, found);
        site.require_at_most(1, strides[i], ErrorKind::kBadArgument, found);
        type.shape.push_back(ceildiv(Dim(limits[i]) - starts[i], strides[i]).value());
    }
    types.push_back(type);
}

void infer_call_pad(const Site& site, Types& types) {
    const Integers& low = site.integers("low");
    const Integers& high = site.integers("high");
    TensorType type = site.type(0);
    site.require(low.size() == type.shape.rank() && high.size() == low.size(), ErrorKind::kBadArgument, [&] {
        return "found low " + text_of(low) + " and high " + text_of(high) + ", expected one for each of " +
               text_of(type.shape);
    });
    for (std::size_t i = 0; i < low.size(); ++i) {
        type.shape[i] = (Dim(type.shape[i]) + low[i] + high[i]).value();
        site.require_at_most(0, type.shape[i], ErrorKind::kBadArgument, [&] {
            return "found low " + text_of(low) + " and high " + text_of(high) +
                   ", expected to leave something of " + text_of(site.type(0));
        });
    }
    types.push_back(type);
}

void infer_call_gather(const Site& site, Types& types) {
    const std::int64_t axis = normal_axis(site, site.integer("axis"), site.shape(0).rank());
    gather_shape(site, 0, 1, static_cast<std::size_t>(axis), types);
}

void infer_embedding(const Site& site, Types& types) {
    site.require(site.shape(1).rank() > 0, ErrorKind::kShapeMismatch,
                 [&] { return "found a table of type " + text_of(site.type(1)) + ", expected rows"; });
    gather_shape(site, 1, 0, 0, types);
}

void infer_one_hot(const Site& site, Types& types) {
    require_integers(site, 0);
    const std::int64_t depth = site.integer("depth");
    site.require_at_most(0, depth, ErrorKind::kBadArgument,
                         [&] { return "found depth " + Dim(depth).text() + ", expected at least 0"; });
    TensorType type{site.use.attributes.get_or("dtype", ElementType::kF32), site.shape(0), {}};
    type.shape.push_back(depth);
    types.push_back(type);
}

void infer_call_iota(const Site& site, Types& types) {
    const std::int64_t n = site.integer("n");
    site.require_at_most(0, n, ErrorKind::kBadArgument,
                         [&] { return "found n = " + Dim(n).text() + ", expected at least 0"; });
    types.push_back({site.use.attributes.get<ElementType>("dtype"), {n}, {}});
}

void infer_along_axis(const Site& site, Types& types) {
    normal_axis(site, site.integer("axis"), site.shape(0).rank());
    types.push_back({fractional(site.type(0).element), site.shape(0), {}});
}

void infer_layer_norm(const Site& site, Types& types) {
    site.require(site.shape(0).rank() > 0, ErrorKind::kShapeMismatch,
                 [&] { return "found " + text_of(site.type(0)) + ", expected at least one dimension"; });
    types.push_back({fractional(common_element(site, 0)), broadcast_shape(site, all_operands(site)), {}});
}

void infer_flip(const Site& site, Types& types) {
    Integers axes;
    for (const std::int64_t axis : site.use.attributes.get_or<Integers>("axes", {}))
        axes.push_back(normal_axis(site, axis, site.shape(0).rank()));
    require_axes(site, axes, site.shape(0).rank(), "axes");
    types.push_back(site.type(0));
}

void infer_call_sort(const Site& site, Types& types) {
    normal_axis(site, site.integer("axis"), site.shape(0).rank());
    types.push_back(site.type(0));
}

}  // namespace internal
}  // namespace tilemeter::trace
