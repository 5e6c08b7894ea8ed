// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A training step before it runs: its equations and their passes, the roles of its buffers, and what the way back keeps.

const ROLES = ["program", "temporary", "result", "saved", "gradient", "optimizer_state", "parameter", "input", "unknown", "program_table", "outside"];

class Training {
  /// `data`: of the form "tilemeter.memory/1", its buffers those of the capture. Buffers are classed by role instead.
  constructor(capture, data) {
    this.data = data;
    this.buffers = data.buffers;
    capture.kinds = ROLES.filter((role, i) => i === 0 || data.buffers.some(it => it.role === role));
    capture.stacked = capture.kinds.map((_, i) => i).reverse();
    capture.buffers.class = Float64Array.from(data.buffers, it => capture.kinds.indexOf(it.role));
    capture.buffers.stale = capture.buffers.stale.map(() => Infinity);
    this.numbers = data.equations.map((_, i) => i).filter(i => data.equations[i].node !== null);
    this.nodes = this.numbers.map(i => data.equations[i].node);
    this.passes = [];  // {pass, begin, end} in nodes, {from, to} in equations
    for (const i of this.numbers) {
      const { pass, node } = data.equations[i], last = this.passes[this.passes.length - 1];
      if (last) last.end = node;
      if (last && last.pass === pass) last.to = i; else this.passes.push({ pass, begin: node, end: capture.end, from: i, to: i });
    }
    if (this.passes.length) this.passes[this.passes.length - 1].end = capture.end;
  }
  /// The number of the equation at a node; -1: it is before the first.
  equationAt(node) {
    const at = Capture.lastAt(this.nodes, node);
    return at < 0 ? -1 : this.numbers[at];
  }
  placeOf(node) {
    const i = this.equationAt(node);
    return i < 0 ? ", before the first equation" : `, equation ${i}, ${this.data.equations[i].pass}`;
  }
  peak() { return view.memory === "l1" ? this.data.l1_per_core : this.data.dram_per_bank; }
  /// Bytes at the peak by role.
  peakParts() {
    const { program_bytes: program, by_role: roles } = this.peak();
    const parts = [...(program ? [["program", program]] : []), ...Object.entries(roles).sort((a, b) => b[1] - a[1])];
    return parts.map(([kind, bytes]) => { const part = make("span", "legend"); part.append(swatch(kind), make("span", "", `${wordsOf(kind)} ${short(bytes)}`)); return part; });
  }
  operation(i) { return `${i} ${this.data.equations[i].operation}${this.data.equations[i].source ? ` (${shortLine(this.data.equations[i].source)})` : ""}`; }
}
function equationOf(call) {
  const i = capture.training && call >= 0 ? capture.training.equationAt(capture.calls.begin[call]) : -1;
  return i < 0 ? null : capture.training.data.equations[i];
}
const passOf = call => (equationOf(call) || { pass: "" }).pass;
/// The line of a call: as recorded, else of the equation that it belongs to.
const lineOf = call => capture.text(capture.calls.line[call]) || (equationOf(call) || {}).source || "";

/// A link to each equation, as far as they are few.
function equationLinks(numbers) {
  const { training } = capture, most = 6;
  if (!numbers.length) return ["nobody"];
  return [...numbers.slice(0, most).flatMap((i, k) => {
    const { node } = training.data.equations[i];
    const to = node === null ? make("span", "", training.operation(i)) : link(training.operation(i), () => { const call = capture.callAt(node); if (call >= 0) goToCall(call); else go({ node }); });
    return k ? [", ", to] : [to];
  }), ...(numbers.length > most ? [`, and ${numbers.length - most} more`] : [])];
}
function roleFacts(b, fact) {
  const { training } = capture, it = training.buffers[b], kept = training.data.saved.find(each => each.buffer === b);
  fact("role", `${wordsOf(it.role)}: ${it.reason}`);
  fact("pass", it.pass || "there before the step");
  fact("read by", ...equationLinks(it.readers));
  if (it.writers.length) fact("written by", ...equationLinks(it.writers));
  if (kept) fact("kept", `for ${kept.held_equations} equations: ${group(kept.byte_equations)} byte-equations; needed by `, ...equationLinks(kept.needed_by.map(each => each.equation)));
}
function equationFacts(call, fact) {
  const i = capture.training.equationAt(capture.calls.begin[call]);
  if (i >= 0) fact("equation", `${i}, ${capture.training.data.equations[i].pass}`);
}

const keptTable = new Table(byId("kept"), "what the way back keeps", [
  { key: "name", title: "buffer", className: "grow", cell: row => withSwatch("saved", capture.bufferLabel(row.buffer)), sort: row => capture.bufferLabel(row.buffer) },
  { key: "needed", title: "needed by", className: "grow", leaves: 2, cell: row => row.needed_by.map(each => capture.training.operation(each.equation)).join(", "), sort: row => row.needed_by[0].equation },
  { key: "bytes", title: "bytes", className: "num size", leaves: 3, cell: row => short(row.bytes_per_bank), sort: row => row.bytes_per_bank, down: true },
  { key: "held", title: "held", className: "num node", leaves: 1, cell: row => group(row.held_equations), sort: row => row.held_equations, down: true },
  { key: "cost", title: "byte-equations", className: "num cost", cell: row => short(row.byte_equations), sort: row => row.byte_equations, down: true },
], {
  chosen: row => goToBuffer(row.buffer),
  isOn: row => row.buffer === view.buffer,
  hint: row => `${row.shape || ""}\nmade by ${capture.training.operation(row.made_by.equation)}\nneeded by ${row.needed_by.map(each => capture.training.operation(each.equation)).join("\n")}`,
});
keptTable.sorted = { column: keptTable.columns[4], down: true };
function fillKept(search) {
  keptTable.setRows(capture.training.data.saved.filter(row => search.isEmpty || search.buffer(row.buffer)));
}
