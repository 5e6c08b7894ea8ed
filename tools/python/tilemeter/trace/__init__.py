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

from tilemeter.trace._native import trace as _trace
from tilemeter._tilemeter.trace import Array as Array
from tilemeter._tilemeter.trace import Dim as Dim
from tilemeter._tilemeter.trace import Graph as Graph
from tilemeter._tilemeter.trace import GraphBuilder as GraphBuilder
from tilemeter._tilemeter.trace import TraceError as TraceError
from tilemeter._tilemeter.trace import Type as Type
from tilemeter._tilemeter.trace import abs as abs
from tilemeter._tilemeter.trace import add as add
from tilemeter._tilemeter.trace import all as all
from tilemeter._tilemeter.trace import any as any
from tilemeter._tilemeter.trace import apply as apply
from tilemeter._tilemeter.trace import arange as arange
from tilemeter._tilemeter.trace import argmax as argmax
from tilemeter._tilemeter.trace import argmin as argmin
from tilemeter._tilemeter.trace import array as array
from tilemeter._tilemeter.trace import atan2 as atan2
from tilemeter._tilemeter.trace import bitwise_and as bitwise_and
from tilemeter._tilemeter.trace import bitwise_not as bitwise_not
from tilemeter._tilemeter.trace import bitwise_or as bitwise_or
from tilemeter._tilemeter.trace import bitwise_xor as bitwise_xor
from tilemeter._tilemeter.trace import broadcast_to as broadcast_to
from tilemeter._tilemeter.trace import cbrt as cbrt
from tilemeter._tilemeter.trace import ceil as ceil
from tilemeter._tilemeter.trace import concat as concat
from tilemeter._tilemeter.trace import cos as cos
from tilemeter._tilemeter.trace import cumsum as cumsum
from tilemeter._tilemeter.trace import digamma as digamma
from tilemeter._tilemeter.trace import div as div
from tilemeter._tilemeter.trace import dynamic_slice as dynamic_slice
from tilemeter._tilemeter.trace import dynamic_update_slice as dynamic_update_slice
from tilemeter._tilemeter.trace import embedding as embedding
from tilemeter._tilemeter.trace import eq as eq
from tilemeter._tilemeter.trace import erf as erf
from tilemeter._tilemeter.trace import erf_inv as erf_inv
from tilemeter._tilemeter.trace import eval as eval
from tilemeter._tilemeter.trace import exp as exp
from tilemeter._tilemeter.trace import expand_dims as expand_dims
from tilemeter._tilemeter.trace import expm1 as expm1
from tilemeter._tilemeter.trace import flip as flip
from tilemeter._tilemeter.trace import floor as floor
from tilemeter._tilemeter.trace import floor_divide as floor_divide
from tilemeter._tilemeter.trace import full as full
from tilemeter._tilemeter.trace import gather as gather
from tilemeter._tilemeter.trace import ge as ge
from tilemeter._tilemeter.trace import gelu as gelu
from tilemeter._tilemeter.trace import gt as gt
from tilemeter._tilemeter.trace import identity as identity
from tilemeter._tilemeter.trace import is_tracing as is_tracing
from tilemeter._tilemeter.trace import layer_norm as layer_norm
from tilemeter._tilemeter.trace import lazy_statistics as lazy_statistics
from tilemeter._tilemeter.trace import le as le
from tilemeter._tilemeter.trace import left_shift as left_shift
from tilemeter._tilemeter.trace import lgamma as lgamma
from tilemeter._tilemeter.trace import log as log
from tilemeter._tilemeter.trace import log1p as log1p
from tilemeter._tilemeter.trace import log_softmax as log_softmax
from tilemeter._tilemeter.trace import logical_and as logical_and
from tilemeter._tilemeter.trace import logical_not as logical_not
from tilemeter._tilemeter.trace import logical_or as logical_or
from tilemeter._tilemeter.trace import logical_xor as logical_xor
from tilemeter._tilemeter.trace import lt as lt
from tilemeter._tilemeter.trace import matmul as matmul
from tilemeter._tilemeter.trace import max as max
from tilemeter._tilemeter.trace import maximum as maximum
from tilemeter._tilemeter.trace import mean as mean
from tilemeter._tilemeter.trace import min as min
from tilemeter._tilemeter.trace import minimum as minimum
from tilemeter._tilemeter.trace import mod as mod
from tilemeter._tilemeter.trace import mul as mul
from tilemeter._tilemeter.trace import ne as ne
from tilemeter._tilemeter.trace import neg as neg
from tilemeter._tilemeter.trace import one_hot as one_hot
from tilemeter._tilemeter.trace import pad as pad
from tilemeter._tilemeter.trace import parse as parse
from tilemeter._tilemeter.trace import pow as pow
from tilemeter._tilemeter.trace import prod as prod
from tilemeter._tilemeter.trace import reciprocal as reciprocal
from tilemeter._tilemeter.trace import relu as relu
from tilemeter._tilemeter.trace import reshape as reshape
from tilemeter._tilemeter.trace import right_shift as right_shift
from tilemeter._tilemeter.trace import round as round
from tilemeter._tilemeter.trace import rsqrt as rsqrt
from tilemeter._tilemeter.trace import scope as scope
from tilemeter._tilemeter.trace import sigmoid as sigmoid
from tilemeter._tilemeter.trace import sign as sign
from tilemeter._tilemeter.trace import silu as silu
from tilemeter._tilemeter.trace import sin as sin
from tilemeter._tilemeter.trace import slice as slice
from tilemeter._tilemeter.trace import softmax as softmax
from tilemeter._tilemeter.trace import softplus as softplus
from tilemeter._tilemeter.trace import sort as sort
from tilemeter._tilemeter.trace import sqrt as sqrt
from tilemeter._tilemeter.trace import square as square
from tilemeter._tilemeter.trace import squeeze as squeeze
from tilemeter._tilemeter.trace import stack as stack
from tilemeter._tilemeter.trace import stop_gradient as stop_gradient
from tilemeter._tilemeter.trace import sub as sub
from tilemeter._tilemeter.trace import sum as sum
from tilemeter._tilemeter.trace import tan as tan
from tilemeter._tilemeter.trace import tanh as tanh
from tilemeter._tilemeter.trace import transpose as transpose
from tilemeter._tilemeter.trace import tripy_texts as tripy_texts
from tilemeter._tilemeter.trace import where as where
from tilemeter.trace import _numpy as _numpy
from tilemeter.trace import random as random
from tilemeter.trace import _torch as _torch
from tilemeter.trace._control import call as call
from tilemeter.trace._control import checkpoint as checkpoint
from tilemeter.trace._control import cond as cond
from tilemeter.trace._control import scan as scan
from tilemeter.trace._control import switch as switch
from tilemeter.trace._control import while_loop as while_loop
from tilemeter.trace._custom import custom_op as custom_op
from tilemeter.trace._derivatives import grad as grad
from tilemeter.trace._derivatives import hvp as hvp
from tilemeter.trace._derivatives import jvp as jvp
from tilemeter.trace._derivatives import value_and_grad as value_and_grad
from tilemeter.trace._derivatives import vjp as vjp
from tilemeter.trace._derivatives import vmap as vmap
from tilemeter.trace._device import DeviceFunction as DeviceFunction
from tilemeter.trace._device import FixedReplay as FixedReplay
from tilemeter.trace._device import Hazard as Hazard
from tilemeter.trace._device import Plan as Plan
from tilemeter.trace._device import metal_trace_hazards as metal_trace_hazards
from tilemeter.trace._gradients import Record as Record
from tilemeter.trace._gradients import backward as backward
from tilemeter.trace._gradients import record as record
from tilemeter.trace._jacobians import hessian as hessian
from tilemeter.trace._jacobians import jacfwd as jacfwd
from tilemeter.trace._jacobians import jacrev as jacrev
from tilemeter.trace._graph import TracedFunction as TracedFunction
from tilemeter.trace._graph import load as load
from tilemeter.trace._graph import plan as plan
from tilemeter.trace._graph import saved as saved
from tilemeter.trace._graph import to_stablehlo as to_stablehlo
from tilemeter.trace._graph import trace_graph as trace_graph
from tilemeter.trace._jit import cache_statistics as cache_statistics
from tilemeter.trace._jit import jit as jit
from tilemeter.trace._recompute import RecomputeCurve as RecomputeCurve
from tilemeter.trace._recompute import recompute as recompute
from tilemeter.trace._recompute import recompute_curve as recompute_curve
from tilemeter.trace._sizes import peak_at_sizes as peak_at_sizes
from tilemeter.trace._library.elementwise import reduce_precision as reduce_precision
from tilemeter.trace._methods import register_method as register_method

_trace._install_location_source(_os.path.dirname(_os.path.dirname(_os.path.abspath(__file__))) + _os.sep)
