// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A capture as the page holds it: columns by number of the call, buffer, program or piece.

/// See report/render/internal/page_columns.hpp.
function column(packed) {
  if (packed.all) return Float64Array.from(packed.all);
  if (!packed.steps) return new Float64Array(packed.n).fill(packed.same);
  const values = Float64Array.from(packed.steps);
  for (let i = 1; i < values.length; ++i) values[i] += values[i - 1];
  return values;
}
function table(packed) {
  const columns = {};
  for (const [name, it] of Object.entries(packed)) if (it.all || it.steps || it.n !== undefined) columns[name] = column(it);
  columns.count = Object.values(columns)[0].length;
  return columns;
}

const isDram = memory => memory === 0 || memory === 4;  // MemoryType::kDram, kTrace
const isL1 = memory => memory === 1 || memory === 3;    // kL1, kL1Small

class Capture {
  constructor(data) {
    this.data = data;
    this.end = data.nodes;
    this.calls = table(data.calls);
    this.buffers = table(data.buffers);
    this.programs = table(data.programs);
    this.steps = table(data.programs.steps);
    this.pieces = table(data.programs.pieces);
    this.inputs = table(data.inputs);  // of outermost calls, by call: buffers
    this.layers = table(data.layers);
    this.layerStarts = table(data.layers.starts);
    for (const it of [this.calls, this.buffers, this.programs]) {
      it.open = it.end.map(end => end < 0 ? 1 : 0);
      it.end = it.end.map(end => end < 0 ? this.end : end);
    }
    this.buffers.stale = this.buffers.stale.map(node => node < 0 ? Infinity : node);
    this.kinds = KINDS;
    this.stacked = [4, 2, 3, 1, 0];  // kinds from below
    this.training = data.training ? new Training(this, data.training) : null;
    const { parent, count } = this.calls;
    this.outermost = [];
    this.depth = new Uint16Array(count);
    this.tops = new Int32Array(count);
    this.hasCalls = new Uint8Array(count);
    for (let i = 0; i < count; ++i) {
      const p = parent[i];
      if (p < 0) { this.tops[i] = i; this.outermost.push(i); continue; }
      this.depth[i] = this.depth[p] + 1;
      this.tops[i] = this.tops[p];
      this.hasCalls[p] = 1;
    }
    this.failed = new Map();  // by call
    for (const failure of data.failures) {
      this.failed.set(failure.scope, "failed");
      for (let p = parent[failure.scope]; p >= 0; p = parent[p]) if (!this.failed.has(p)) this.failed.set(p, "failed inside");
    }
    this.curves = new Map();
  }

  text(id) { return id < 0 ? "" : this.data.texts[id]; }
  callName(i) { return this.text(this.calls.name[i]); }
  callLabel(i) {
    const type = this.text(this.calls.result[i]);
    return type ? `${this.callName(i)} ${shortType(type)}` : this.callName(i);
  }
  path(i) {
    const names = [];
    for (; i >= 0; i = this.calls.parent[i]) names.unshift(this.callName(i));
    return names.join(" > ");
  }
  ids(b) {
    const { tensor, viewer, name } = this.buffers;
    if (tensor[b] < 0) return this.text(name[b]);
    return `tensor ${tensor[b]}${tensor[b] === viewer[b] ? "" : ` (${viewer[b]} in the viewer)`}`;
  }
  /// Who made it, and what it is: "ttnn.relu [2048, 4096] bf16".
  bufferLabel(b) {
    const maker = this.buffers.maker[b], type = shortType(this.text(this.buffers.shape[b]));
    const given = this.training && this.training.buffers[b].name;
    const name = given || (maker >= 0 ? this.callName(this.tops[maker]) : this.kind(b) === "older" ? "older" : this.ids(b));
    return type ? `${name} ${type}` : name;
  }
  kind(b, node = -1) {
    if (node > this.buffers.stale[b]) return "stale";
    return this.kinds[this.buffers.class[b]];
  }
  isIn(b, memory, device) {
    const it = this.buffers;
    return it.device[b] === device && (memory === "l1" ? isL1(it.memory[b]) : isDram(it.memory[b])) && it.bytes[b] > 0;
  }
  memory(memory, device) {
    return (this.data.devices[device] || {})[memory] || { begin: 0, end: 0, limit_bytes: 0, peak_bytes: 0, peak_node: -1, older_unknown: false };
  }
  use(memory) { return this.data.head.uses.find(it => it.memory === memory); }

  /// The last of ascending `values` that is at most `value`; -1: none.
  static lastAt(values, value, count = values.length) {
    let low = 0, high = count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (values[middle] <= value) low = middle + 1; else high = middle;
    }
    return low - 1;
  }
  /// The innermost call at a node; -1: none.
  callAt(node) {
    let i = Capture.lastAt(this.calls.begin, node);
    while (i >= 0 && (this.calls.end[i] < node || (this.calls.open[i] && this.calls.begin[i] !== node && !this.failed.has(i)))) i = this.calls.parent[i];
    return i;
  }
  /// The outermost operation at a node or before it, by its place among them.
  operationAt(node) {
    let low = 0, high = this.outermost.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.calls.begin[this.outermost[middle]] <= node) low = middle + 1; else high = middle;
    }
    return low - 1;
  }
  live(node, memory, device) {
    const found = [], { begin, end, count } = this.buffers;
    for (let b = 0; b < count; ++b) if (begin[b] <= node && end[b] > node && this.isIn(b, memory, device)) found.push(b);
    return found;
  }
  /// Pieces of program memory at a node; of one chip where chips differ.
  livePieces(node, device, chip = 0) {
    const found = [], { program, node: from } = this.pieces, { begin, end, device: on } = this.programs;
    for (let p = Capture.lastAt(begin, node); p >= 0 && p > Capture.lastAt(begin, node) - 16; --p) {
      if (on[p] !== device || end[p] <= node) continue;
      for (let i = Capture.lastAt(program, p); i >= 0 && program[i] === p; --i)
        if (from[i] <= node && (this.pieces.chip[i] <= 1 ? chip <= 1 : this.pieces.chip[i] === chip)) found.push(i);
    }
    return found.reverse();
  }
  curve(memory, device) {
    const key = memory + device;
    if (!this.curves.has(key)) this.curves.set(key, new Curve(this, memory, device));
    return this.curves.get(key);
  }
  /// The node of the fullest moment of a call.
  fullestOf(i, memory, device) {
    const curve = this.curve(memory, device);
    const best = curve.fullest(curve.firstAt(this.calls.begin[i]), curve.firstAt(this.calls.end[i] + 1));
    const before = curve.before(this.calls.begin[i]);
    return best >= 0 && (before < 0 || curve.total[best] >= curve.total[before]) ? curve.node[best] : this.calls.begin[i];
  }
  stack(i) {
    for (; i >= 0; i = this.calls.parent[i]) if (this.calls.stack[i] >= 0) return this.data.stacks[this.calls.stack[i]].map(id => this.text(id));
    return null;
  }
}
