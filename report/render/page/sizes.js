// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The peaks of a training step by size: a slider, and a line through the sizes that were planned.

const sizesCanvas = byId("sizes").querySelector("canvas");
const sizesOf = () => capture.training.data.sizes;
const usualSize = () => sizesOf().largest_fitting ? sizesOf().largest_fitting.size : sizesOf().smallest;
const peakMember = memory => memory === "l1" ? "l1_bytes_per_core" : "dram_bytes_per_bank";

/// The planned size at most as large, and the one at least as large.
function sizesBeside(size) {
  const { computed } = sizesOf(), at = Capture.lastAt(computed.map(it => it.size), size);
  return [computed[at], computed[at >= 0 && computed[at].size === size ? at : at + 1]];
}
/// {bytes, how} of a size: planned, on a line between two that are, or not known.
function peakAtSize(size, memory) {
  const [low, high] = sizesBeside(size), member = peakMember(memory);
  if (low && low.size === size) return { bytes: low[member], how: "planned", run: low };
  if (low && high && sizesOf().interpolated.some(it => it.begin <= size && size <= it.end)) {
    const part = (size - low.size) / (high.size - low.size);
    return { bytes: Math.round(low[member] + part * (high[member] - low[member])), how: "on a line between planned sizes" };
  }
  return { bytes: NaN, how: low && high ? `not planned; ${group(low.size)} takes ${short(low[member])}, ${group(high.size)} ${short(high[member])}` : "not planned" };
}

/// Axes of a picture: figures at the left and below, the limit where it is not far above.
function plotFrame(canvas, { from, to, most, limit, label }) {
  const { g, width, height } = context(canvas), size = textSize(1), left = size * 5.6, base = height - size * 1.8;
  const shown = limit > 0 && limit <= most * 2.5, top = Math.max(1, most * 1.08, shown ? limit * 1.06 : 0), plot = Math.max(1, width - left - size);
  const x = value => left + (to > from ? (value - from) / (to - from) : 0.5) * plot, y = bytes => base - bytes / top * (base - 8);
  g.clearRect(0, 0, width, height);
  g.strokeStyle = colour("line"); g.fillStyle = colour("soft"); g.textAlign = "right";
  for (let i = 0; i <= 4; ++i) {
    const bytes = Math.round(most * i / 4);
    g.beginPath(); g.moveTo(left, y(bytes)); g.lineTo(left + plot, y(bytes)); g.stroke();
    if (y(0) - y(most / 4) > size || i % 4 === 0) g.fillText(short(bytes), left - 6, y(bytes) + 4);
  }
  g.textAlign = "left"; g.fillText(label(from), left, height - 4);
  g.textAlign = "right"; g.fillText(label(to), left + plot, height - 4);
  if (shown) {
    g.strokeStyle = colour("bad"); g.setLineDash([6, 4]); g.beginPath(); g.moveTo(left, y(limit)); g.lineTo(left + plot, y(limit)); g.stroke(); g.setLineDash([]);
    g.fillStyle = colour("bad"); g.textAlign = "left"; g.fillText(`${short(limit)} can be allocated`, left + 4, y(limit) - 4);
  }
  return { g, left, plot, x, y, size, base };
}

let sizesDrawn = null;
function drawSizes() {
  const sizes = sizesOf(), member = peakMember(view.memory), { limit_bytes: limit } = memoryNow();
  byId("size-name").textContent = sizes.size;
  Object.assign(byId("size"), { min: sizes.smallest, max: sizes.largest, value: view.size });
  byId("size-largest").disabled = !sizes.largest_fitting;
  byId("size-next").disabled = !sizes.next;
  const said = ["l1", "dram"].map(memory => {
    const { bytes, how } = peakAtSize(view.size, memory), { limit_bytes: all } = capture.memory(memory, view.device);
    return `${memory === "l1" ? "L1 per core" : "DRAM per bank"}: ${Number.isNaN(bytes) ? how : `${sized(bytes)}${all ? `, ${share(bytes, all)}` : ""}, ${how}`}`;
  });
  const { run } = peakAtSize(view.size, view.memory);
  const verdict = !run ? "" : run.verdict === "fits" ? ": fits" : `: does not fit, ${run.operation}${run.message ? `\n${run.message}` : ""}`;
  byId("size-said").textContent = [`${sizes.size} ${group(view.size)}${verdict}`, ...said].join("\n");
  const most = Math.max(1, ...sizes.computed.map(it => it[member]));
  const { g, left, plot, x, y, size } = plotFrame(sizesCanvas, { from: sizes.smallest, to: sizes.largest, most, limit, label: value => `${sizes.size} ${group(value)}` });
  g.strokeStyle = colour("mark"); g.lineWidth = 1.5; g.beginPath();
  let last = null;
  for (const it of sizes.computed.filter(each => each.verdict === "fits")) { if (last) g.lineTo(x(it.size), y(it[member])); else g.moveTo(x(it.size), y(it[member])); last = it; }
  g.stroke();
  const few = sizes.computed.length < plot / 3;
  for (const it of sizes.computed) {
    if (it.verdict === "fits" && !few) continue;
    g.fillStyle = colour(it.verdict === "fits" ? "mark" : "bad");
    g.fillRect(x(it.size) - 2, y(it[member]) - 2, 4, 4);
  }
  const { bytes } = peakAtSize(view.size, view.memory);
  g.strokeStyle = colour("ink"); g.beginPath(); g.moveTo(x(view.size), 4); g.lineTo(x(view.size), y(0)); g.stroke(); g.lineWidth = 1;
  if (!Number.isNaN(bytes)) { g.fillStyle = colour("ink"); g.beginPath(); g.arc(x(view.size), y(bytes), size * .3, 0, 7); g.fill(); }
  sizesCanvas.setAttribute("aria-label", `peaks of ${sizes.computed.length} planned sizes, from ${group(sizes.smallest)} to ${group(sizes.largest)}, up to ${short(most)} ${perUnit()}`);
  sizesDrawn = { left, plot };
}
function lookAtSize(size) {
  view.size = Math.max(sizesOf().smallest, Math.min(sizesOf().largest, Math.round(size)));
  drawSizes();
  rememberSoon();
}
function prepareSizes() {
  if (!hasTab("sizes")) return;
  byId("size").oninput = () => lookAtSize(Number(byId("size").value));
  byId("size-largest").onclick = () => lookAtSize(sizesOf().largest_fitting.size);
  byId("size-next").onclick = () => lookAtSize(sizesOf().next.size);
  sizesCanvas.addEventListener("click", event => lookAtSize(sizesOf().smallest + (event.offsetX - sizesDrawn.left) / sizesDrawn.plot * (sizesOf().largest - sizesOf().smallest)));
}
