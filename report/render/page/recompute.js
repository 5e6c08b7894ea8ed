// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Schedules of a training step that compute again instead of keeping: a slider along their cost, the peaks, and what
// is computed again.

const recomputeCanvas = byId("recompute").querySelector("canvas");
const recomputeOf = () => capture.training.data.recompute;
const againTable = new Table(byId("again"), "computed again", [
  { key: "operation", title: "computed again", className: "grow", cell: row => row.operation, sort: row => row.operation },
  { key: "line", title: "line", className: "line-cell", leaves: 1, cell: row => make("bdi", "", shortLine(row.source || "")), sort: row => row.source || "" },
  { key: "times", title: "times", className: "num node", leaves: 2, cell: row => group(row.times), sort: row => row.times, down: true },
  { key: "bytes", title: "bytes", className: "num size", cell: row => short(row.bytes), sort: row => row.bytes, down: true },
], { chosen: row => { const { node } = capture.training.data.equations[row.equation] || {}; if (node !== undefined && node !== null) goToCall(Math.max(0, capture.callAt(node))); }, isOn: () => false, hint: row => `equation ${row.equation}, ${row.source || "no line is recorded"}` });

let recomputeDrawn = [];
function drawRecompute() {
  const { points, cost_of_run: run } = recomputeOf(), member = peakMember(view.memory), { limit_bytes: limit } = memoryNow();
  const more = point => 100 * point.cost / Math.max(1, run), point = points[view.point];
  Object.assign(byId("point"), { max: Math.max(0, points.length - 1), value: view.point, disabled: points.length === 0 });
  const calls = point ? point.recomputed.reduce((sum, it) => sum + it.times, 0) : 0;
  byId("point-said").textContent = !point ? "no schedule fits" :
    `schedule ${view.point + 1} of ${points.length}: ${more(point).toFixed(1)} % more work, ${calls ? `${group(calls)} calls again` : "nothing again, all freed after its last use"}\n` +
    `L1 per core ${sized(point.l1_bytes_per_core)}, DRAM per bank ${sized(point.dram_bytes_per_bank)}`;
  againTable.setRows(point ? [...point.recomputed] : []);
  const most = Math.max(1, capture.training.peak().bytes, ...points.map(it => it[member]));
  const { g, x, y, size, left, plot } = plotFrame(recomputeCanvas, { from: 0, to: Math.max(1, ...points.map(more)), most, limit, label: value => `${value.toFixed(1)} % more work` });
  const { bytes } = capture.training.peak();
  g.strokeStyle = colour("soft"); g.setLineDash([2, 3]); g.beginPath(); g.moveTo(left, y(bytes)); g.lineTo(left + plot, y(bytes)); g.stroke(); g.setLineDash([]);
  g.fillStyle = colour("soft"); g.textAlign = "right"; g.fillText(`the step as it is: ${short(bytes)}`, left + plot - 4, y(bytes) + size);
  recomputeDrawn = points.map((it, i) => ({ x: x(more(it)), y: y(it[member]), i }));
  g.strokeStyle = colour("mark"); g.lineWidth = 1.5; g.beginPath();
  let least = 0;  // the least that is had for this much work, or less
  recomputeDrawn.forEach((at, i) => {
    if (i === 0) { g.moveTo(at.x, at.y); least = at.y; return; }
    g.lineTo(at.x, least);
    least = Math.max(least, at.y);
    g.lineTo(at.x, least);
  });
  g.stroke(); g.lineWidth = 1;
  for (const at of recomputeDrawn) {
    g.fillStyle = colour(at.i === view.point ? "ink" : "mark");
    g.beginPath(); g.arc(at.x, at.y, at.i === view.point ? size * .4 : size * .25, 0, 7); g.fill();
  }
  recomputeCanvas.setAttribute("aria-label", `${points.length} schedules by cost: ${points.length ? `${short(Math.min(...points.map(it => it[member])))} to ${short(Math.max(...points.map(it => it[member])))} ${perUnit()}` : "none fits"}`);
}
function lookAtPoint(point) {
  view.point = point;
  drawRecompute();
  rememberSoon();
}
function prepareRecompute() {
  if (!hasTab("recompute")) return;
  byId("point").oninput = () => lookAtPoint(Number(byId("point").value));
  recomputeCanvas.addEventListener("click", event => {
    if (recomputeDrawn.length) lookAtPoint(recomputeDrawn.reduce((a, b) => Math.hypot(b.x - event.offsetX, b.y - event.offsetY) < Math.hypot(a.x - event.offsetX, a.y - event.offsetY) ? b : a).i);
  });
}
