// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Two reports beside each other: their outermost operations, aligned by the analyses; what grew is marked.

let aligned = [];     // rows {a, b}: a call of the first, of the second, -1: it has none
let partner = [];     // by report: of a place among its outermost operations the row
function prepareCompare(rows) {
  if (!rows) return;
  const a = column(rows.before), b = column(rows.after);
  aligned = [...a].map((call, i) => ({ a: call, b: b[i], at: i }));
  partner = captures.map((_, k) => {
    const of = new Map();
    for (const row of aligned) { const call = callIn(row, k); if (call >= 0) of.set(call, row); }
    return of;
  });
}
const callIn = (row, k) => k === 0 ? row.a : row.b;
const sidePeak = (row, k) => { const call = callIn(row, k); return call < 0 ? NaN : captures[k].calls[view.memory][call]; };
/// Of an operation that only one of them has there is none, nor where what one of them took is not known in full: as `diff` judges.
const isComparable = () => captures.every(it => it.use(view.memory).bound === "exact");
const growthOf = row => row.a < 0 || row.b < 0 || !isComparable() ? NaN : sidePeak(row, 1) - sidePeak(row, 0);
const BOUND_MARKS = { exact: "", at_least: "≥ ", uncertain: "~ " };
const figure = (row, k) => Number.isNaN(sidePeak(row, k)) ? "" : BOUND_MARKS[captures[k].use(view.memory).bound] + short(sidePeak(row, k));
const compareTable = new Table(byId("compare"), "operations of both reports", [
  { key: "at", title: "place", className: "num node", leaves: 1, cell: row => group(row.at + 1), sort: row => row.at },
  { key: "name", title: "operation", className: "grow", cell: row => captures[row.b < 0 ? 0 : 1].callLabel(row.b < 0 ? row.a : row.b), sort: row => captures[row.b < 0 ? 0 : 1].callLabel(row.b < 0 ? row.a : row.b) },
  { key: "a", title: "before", className: "num size", leaves: 2, cell: row => figure(row, 0), sort: row => sidePeak(row, 0) || 0, down: true },
  { key: "b", title: "after", className: "num size", leaves: 3, cell: row => figure(row, 1), sort: row => sidePeak(row, 1) || 0, down: true },
  { key: "growth", title: "growth", className: "num size", cell: row => {
    const growth = growthOf(row);
    if (Number.isNaN(growth)) return make("span", "", row.a < 0 ? "new" : row.b < 0 ? "gone" : "not known");
    return make("span", growth > 0 ? "bad" : growth < 0 ? "good" : "", growth === 0 ? "=" : (growth > 0 ? "+" : "") + short(growth));
  }, sort: row => growthOf(row) || (row.a < 0 ? 0.5 : row.b < 0 ? 0.25 : 0), down: true },
], {
  chosen: row => {
    const k = callIn(row, view.report) >= 0 ? view.report : 1 - view.report;
    if (k === view.report) goToCall(callIn(row, k)); else goToReport(k, callIn(row, k));
  },
  isOn: row => view.call >= 0 && callIn(row, view.report) === capture.tops[view.call],
  hint: row => `${row.a < 0 ? "new" : captures[0].path(row.a)}\n${row.b < 0 ? "gone" : captures[1].path(row.b)}${isComparable() ? "" : "\nnot comparable: what one of them took is not recorded in full"}`,
});
compareTable.sorted = { column: compareTable.columns[4], down: true };
function fillCompare(search) {
  const side = row => callIn(row, view.report);
  compareTable.setRows(search.isEmpty ? [...aligned] : aligned.filter(row => side(row) >= 0 && search.call(side(row))));
}

/// A report at one of its calls, or at its peak.
function goToReport(report, call = -1) {
  if (call < 0) { go({ report }); return; }
  const it = captures[report], device = Math.max(0, Math.min(view.device, it.data.devices.length - 1));
  go({ report, call, node: it.fullestOf(call, view.memory, device) });
  bringIntoView(it.calls.begin[call], it.calls.end[call]);
}
/// The other report, at the operation that is aligned with the selected one, where there is one.
function toOtherReport() {
  const selected = view.call >= 0 ? view.call : view.buffer >= 0 ? capture.buffers.maker[view.buffer] : -1;
  const row = selected >= 0 ? partner[view.report].get(capture.tops[selected]) : undefined;
  goToReport(1 - view.report, row ? callIn(row, 1 - view.report) : -1);
}

/// The other report's memory as a line over this one's: where its operation of the same row was.
function drawOther(g, columns, left, y, plot, span) {
  if (captures.length < 2) return;
  const other = captures[1 - view.report];
  if (!other.data.devices[view.device]) return;
  const curve = other.curve(view.memory, view.device), rows = partner[view.report];
  g.strokeStyle = colour("ink"); g.lineWidth = 1.5; g.setLineDash([3, 2]); g.beginPath();
  let drawing = false, known = -2, bytes = NaN;
  for (let x = 0; x < plot; ++x) {
    const k = capture.operationAt(nodeOf(view.from + (x + .5) * span / plot));
    if (k !== known) {
      known = k;
      const row = k >= 0 ? rows.get(capture.outermost[k]) : null, call = row ? callIn(row, 1 - view.report) : -1;
      bytes = call < 0 ? NaN : other.calls[view.memory][call];
    }
    if (Number.isNaN(bytes)) { drawing = false; continue; }
    if (drawing) g.lineTo(left + x, y(bytes)); else g.moveTo(left + x, y(bytes));
    drawing = true;
  }
  g.stroke(); g.setLineDash([]); g.lineWidth = 1;
}
