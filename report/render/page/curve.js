// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Memory over the nodes of a capture, by class: after each node that changes it the sums, and the fullest of
// any stretch in few steps, so that a picture costs what its width is.

class Curve {
  constructor(capture, memory, device) {
    const { buffers, programs, steps } = capture;
    const raw = [];  // [node, class, change, buffer or -1], at a node what goes before what comes
    for (const comes of [false, true]) {
      for (let b = 0; b < buffers.count; ++b) {
        if (!capture.isIn(b, memory, device)) continue;
        const kind = buffers.class[b], bytes = buffers.bytes[b], stale = buffers.stale[b] + 1;
        const fades = stale < buffers.end[b];
        if (comes) raw.push(buffers.begin[b], kind, bytes, b);
        else if (!buffers.open[b]) raw.push(buffers.end[b], fades ? 3 : kind, -bytes, b);
        if (fades) raw.push(stale, comes ? 3 : kind, comes ? bytes : -bytes, -1);
      }
      if (memory !== "l1") continue;
      let now = 0;
      for (let s = 0; s < steps.count; ++s) {
        const p = steps.program[s];
        if (s > 0 && steps.program[s - 1] !== p) now = 0;
        if (programs.device[p] !== device) continue;
        if (comes) raw.push(steps.node[s], 0, steps.bytes[s] - now, -1);
        now = steps.bytes[s];
        const last = s + 1 === steps.count || steps.program[s + 1] !== p;
        if (!comes && last && !programs.open[p]) raw.push(programs.end[p], 0, -now, -1);
      }
    }
    const count = raw.length / 4;
    const places = new Int32Array(capture.end + 3);
    for (let i = 0; i < count; ++i) ++places[raw[i * 4] + 1];
    for (let i = 1; i < places.length; ++i) places[i] += places[i - 1];
    const order = new Int32Array(count);
    for (let i = 0; i < count; ++i) order[places[raw[i * 4]]++] = i;
    this.node = new Int32Array(count);
    this.total = new Float64Array(count);
    this.classes = capture.kinds.map(() => new Float64Array(count));
    this.rawNode = new Int32Array(count);
    this.rawBuffer = new Int32Array(count);  // -1: nothing that is drawn by itself
    this.rawComes = new Uint8Array(count);
    const now = new Float64Array(capture.kinds.length);
    let at = -1, sum = 0;
    for (let k = 0; k < count; ++k) {
      const i = order[k] * 4;
      if (at < 0 || this.node[at] !== raw[i]) this.node[++at] = raw[i];
      now[raw[i + 1]] += raw[i + 2];
      sum += raw[i + 2];
      this.total[at] = sum;
      for (let c = 0; c < now.length; ++c) this.classes[c][at] = now[c];
      this.rawNode[k] = raw[i];
      this.rawBuffer[k] = raw[i + 3];
      this.rawComes[k] = raw[i + 2] > 0 ? 1 : 0;
    }
    this.count = at + 1;
    // The fullest of each 32, of each 1,024, ...
    this.levels = [];
    let below = null, size = this.count;
    while (size > 1) {
      const level = new Int32Array(Math.ceil(size / 32));
      for (let block = 0; block < level.length; ++block) {
        let best = -1;
        for (let j = block * 32; j < Math.min(size, block * 32 + 32); ++j) {
          const candidate = below ? below[j] : j;
          if (best < 0 || this.total[candidate] > this.total[best]) best = candidate;
        }
        level[block] = best;
      }
      this.levels.push(level);
      below = level;
      size = level.length;
    }
  }

  /// The first event at a node or after it.
  firstAt(node) { return Capture.lastAt(this.node, node - 1, this.count) + 1; }
  /// The last event before a node; -1: none.
  before(node) { return Capture.lastAt(this.node, node - 1, this.count); }
  totalAt(node) {
    const at = Capture.lastAt(this.node, node, this.count);
    return at < 0 ? 0 : this.total[at];
  }

  /// The fullest event of [from, to), the first of equals; -1: there is none.
  fullest(from, to) {
    let best = -1;
    const consider = at => { if (best < 0 || this.total[at] > this.total[best] || (this.total[at] === this.total[best] && at < best)) best = at; };
    const within = (level, low, high) => {
      if (low >= high) return;
      const next = this.levels[level];
      const first = Math.ceil(low / 32), last = Math.floor(high / 32);
      const each = j => consider(level === 0 ? j : this.levels[level - 1][j]);
      if (!next || first >= last) { for (let j = low; j < high; ++j) each(j); return; }
      for (let j = low; j < first * 32; ++j) each(j);
      for (let j = last * 32; j < high; ++j) each(j);
      within(level + 1, first, last);
    };
    within(0, from, to);
    return best;
  }
}
