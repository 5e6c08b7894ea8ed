// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The axis of the chart: nodes, where repeated layers can be folded; and the bands below the chart, of layers and
// of operations.

/// Nodes and their places along the axis, ascending, straight between; folded: one layer as it is, the others
/// of its kind together in half of its width.
let axis = { nodes: [0, 1], places: [0, 1] };
let layerBands = [];  // {length, count, starts, begin, end}: operations of a layer, and nodes

function layAxis() {
  const { layers, layerStarts, end } = capture;
  layerBands = [];
  for (let i = 0; i < layers.count; ++i) {
    const starts = layerStarts.node.filter((_, k) => layerStarts.layer[k] === i);
    layerBands.push({ length: layers.length[i], count: starts.length, starts, begin: starts[0], end: layers.end[i] });
  }
  axis = { nodes: [0], places: [0] };
  const add = (node, place) => { if (node > axis.nodes[axis.nodes.length - 1]) { axis.nodes.push(node); axis.places.push(place); } };
  if (view.folded)
    for (const band of layerBands) {
      const last = axis.nodes.length - 1, place = axis.places[last] + band.begin - axis.nodes[last];
      const second = band.starts[1], one = second - band.begin;
      add(band.begin, place);
      add(second, place + one);
      add(band.end, place + one * 1.5);
    }
  const last = axis.nodes.length - 1;
  add(Math.max(1, end), axis.places[last] + Math.max(1, end) - axis.nodes[last]);
}
const axisEnd = () => axis.places[axis.places.length - 1];
function along(from, to, value) {
  const at = Math.max(0, Math.min(from.length - 2, Capture.lastAt(from, value)));
  return to[at] + (value - from[at]) * (to[at + 1] - to[at]) / (from[at + 1] - from[at]);
}
const axisOf = node => along(axis.nodes, axis.places, node);
const nodeOf = place => along(axis.places, axis.nodes, place);

/// Which repetition of its layer a call belongs to, from 1 on; 0: none.
function layerOf(i) {
  const begin = capture.calls.begin[i];
  const band = layerBands.find(it => begin >= it.begin && begin < it.end);
  return band ? Capture.lastAt(band.starts, begin) + 1 : 0;
}

/// Draws the bands from `top` on, of a training step's passes first; gives back what lies where, for clicks.
function drawBands(g, left, plot, top, height) {
  const hits = [], span = view.to - view.from;
  const x = node => left + (axisOf(node) - view.from) / span * plot;
  const band = (from, to, y, fill, label, ink, hit, marks = () => {}) => {
    const a = Math.max(left, x(from)), b = Math.min(left + plot, x(to));
    if (b <= a) return;
    g.fillStyle = fill;
    g.fillRect(a, y, Math.max(0.5, b - a - 0.5), height - 2);
    marks();
    hits.push({ x: a, y, w: b - a, h: height, ...hit });
    if (b - a < 28) return;
    const content = fitted(g, label, b - a - 6);
    g.fillStyle = fill; g.fillRect(a, y, Math.min(b - a - 0.5, g.measureText(content).width + 6), height - 2);
    g.fillStyle = ink; g.textAlign = "left";
    g.fillText(content, a + 3, y + height - 6);
  };
  if (capture.training) {
    for (const it of capture.training.passes) band(it.begin, it.end, top, colour(it.pass), it.pass, colour("ink"), { pass: it });
    top += height;
  }
  for (const it of layerBands) {
    band(it.begin, it.end, top, colour("band"), `${group(it.count)} x a layer of ${it.length} operations${view.folded ? " (folded)" : ""}`, colour("ink"), { layer: it }, () => {
      g.strokeStyle = colour("soft");
      const narrow = (x(it.end) - x(it.begin)) / it.count < 4;
      for (let k = 1; k < it.count && !narrow; ++k) {
        const at = x(it.starts[k]);
        if (at < left || at > left + plot) continue;
        g.beginPath(); g.moveTo(at, top); g.lineTo(at, top + height - 2); g.stroke();
      }
    });
  }
  const { begin, end } = capture.calls, { outermost } = capture;
  const y = layerBands.length ? top + height : top;
  for (let k = Math.max(0, capture.operationAt(nodeOf(view.from))); k < outermost.length;) {
    const i = outermost[k], from = x(begin[i]);
    if (from > left + plot) break;
    const until = k + 1 < outermost.length ? x(begin[outermost[k + 1]]) : x(end[i]);
    if (until - from < 1.5) {
      const next = Math.max(k + 1, capture.operationAt(nodeOf(view.from + (Math.max(left, from) - left + 1.5) / plot * span)));
      g.fillStyle = colour(k & 1 ? "band" : "band-other");
      g.fillRect(Math.max(left, from), y, 1.5, height - 2);
      k = next;
      continue;
    }
    const failed = capture.failed.has(i);
    band(begin[i], k + 1 < outermost.length ? begin[outermost[k + 1]] : end[i], y, colour(failed ? "bad-back" : k & 1 ? "band" : "band-other"), capture.callName(i).replace(/^ttnn\./, ""), colour(failed ? "bad" : "ink"), { call: i });
    ++k;
  }
  return hits;
}
