# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Functions as graphs: traced, evaluated, simplified, printed, saved, exported, planned, replayed.

    import numpy as np
    import tilemeter.trace as tp

    f = tp.jit(lambda x, w: np.tanh(x @ w))     # traced at the first call, run from then on
    graph = tp.trace_graph(f, args=(x, w))      # printed, saved, called
    out = tp.full((2, 3), value=0.5).tanh()     # pending: evaluated at the first use

Arrays take Python's operators, NumPy's functions and torch's; each of these records one and the same operation.

Functions of TT-NN tensors become graphs of TT-NN's calls, which are planned and replayed on their device:

    plan = tp.plan(model, x)                    # nothing runs
    plan.save("report.json"); plan.peak()       # a report of what the replay will do; how full memory gets
    y = plan.replay(x)                          # the programs, without the calls
    f = tp.jit(model)                           # traced once for each signature, replayed from then on
    loss, of_w = tp.value_and_grad(model)(w, x) # the way back in TT-NN's calls, at once or in what is traced
"""

from __future__ import annotations

import os as _os

from tilemeter._tilemeter.trace import (
    Array as Array, Dim as Dim, Graph as Graph, GraphBuilder as GraphBuilder, TraceError as TraceError, Type as Type,
    abs as abs, add as add, all as all, any as any, apply as apply, arange as arange, argmax as argmax, argmin as argmin,
    array as array, atan2 as atan2, bitwise_and as bitwise_and, bitwise_not as bitwise_not, bitwise_or as bitwise_or,
    bitwise_xor as bitwise_xor, broadcast_to as broadcast_to, cbrt as cbrt, ceil as ceil, concat as concat, cos as cos,
    cumsum as cumsum, digamma as digamma, div as div, dynamic_slice as dynamic_slice,
    dynamic_update_slice as dynamic_update_slice, embedding as embedding, eq as eq, erf as erf, erf_inv as erf_inv,
    eval as eval, exp as exp, expand_dims as expand_dims, expm1 as expm1, flip as flip, floor as floor,
    floor_divide as floor_divide, full as full, gather as gather, ge as ge, gelu as gelu, gt as gt, identity as identity,
    is_tracing as is_tracing, layer_norm as layer_norm, lazy_statistics as lazy_statistics, le as le, left_shift as left_shift,
    lgamma as lgamma, log as log, log1p as log1p, log_softmax as log_softmax, logical_and as logical_and,
    logical_not as logical_not, logical_or as logical_or, logical_xor as logical_xor, lt as lt, matmul as matmul, max as max,
    maximum as maximum, mean as mean, min as min, minimum as minimum, mod as mod, mul as mul, ne as ne, neg as neg,
    one_hot as one_hot, pad as pad, parse as parse, pow as pow, prod as prod, reciprocal as reciprocal, relu as relu,
    reshape as reshape, right_shift as right_shift, round as round, rsqrt as rsqrt, scope as scope, sigmoid as sigmoid,
    sign as sign, silu as silu, sin as sin, slice as slice, softmax as softmax, softplus as softplus, sort as sort,
    sqrt as sqrt, square as square, squeeze as squeeze, stack as stack, stop_gradient as stop_gradient, sub as sub, sum as sum,
    tan as tan, tanh as tanh, transpose as transpose, tripy_texts as tripy_texts, where as where,
)
from tilemeter.trace import random as random
from tilemeter.trace._functions.control import (
    call as call, checkpoint as checkpoint, cond as cond, scan as scan, switch as switch, while_loop as while_loop,
)
from tilemeter.trace._functions.custom import custom_op as custom_op
from tilemeter.trace._functions.derivatives import (
    grad as grad, hvp as hvp, jvp as jvp, value_and_grad as value_and_grad, vjp as vjp, vmap as vmap,
)
from tilemeter.trace._functions.device import (
    DeviceFunction as DeviceFunction, FixedReplay as FixedReplay, Hazard as Hazard, Plan as Plan,
    metal_trace_hazards as metal_trace_hazards,
)
from tilemeter.trace._functions.gradients import Record as Record, backward as backward, record as record
from tilemeter.trace._functions.graph import (
    TracedFunction as TracedFunction, load as load, plan as plan, saved as saved, to_stablehlo as to_stablehlo,
    trace_graph as trace_graph,
)
from tilemeter.trace._functions.jacobians import hessian as hessian, jacfwd as jacfwd, jacrev as jacrev
from tilemeter.trace._functions.jit import cache_statistics as cache_statistics, jit as jit
from tilemeter.trace._functions.native import trace as _trace
from tilemeter.trace._functions.placement import Placed as Placed, place as place, program_steps as program_steps
from tilemeter.trace._functions.recompute import (
    RecomputeCurve as RecomputeCurve, recompute as recompute, recompute_curve as recompute_curve,
)
from tilemeter.trace._functions.sizes import peak_at_sizes as peak_at_sizes
from tilemeter.trace._library import numpy_dispatch as _numpy, torch_dispatch as _torch
from tilemeter.trace._library.elementwise import reduce_precision as reduce_precision
from tilemeter.trace._library.methods import register_method as register_method

_trace._install_location_source(_os.path.dirname(_os.path.dirname(_os.path.abspath(__file__))) + _os.sep)
