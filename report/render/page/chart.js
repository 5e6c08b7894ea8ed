// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Memory over the nodes: per pixel column the fullest moment in it, its classes on each other. Where few enough
// buffers are in sight, each is drawn by itself.

const chart = byId("chart"), chartCanvas = document.querySelector("#chart canvas");
let drawn = { left: 0, plot: 1, base: 1, y: () => 0, columns: new Int32Array(0), parts: [], bands: [] };
const MOST_EVENTS = 1200, MOST_ALIVE = 160;
let fullScale = false;

/// The limit is in the picture where the peak can be seen beside it, and always in the gauge at the right.
function scaleTop() {
  const { limit_bytes: limit, peak_bytes: peak } = memoryNow();
  const shown = limit > 0 && (fullScale || limit <= peak * 2.5);
  return { top: Math.max(1, peak * 1.12, shown ? limit * 1.06 : 0), limit, shown };
}

function drawChart() {
  const { g, width, height } = context(chartCanvas);
  g.clearRect(0, 0, width, height);
  const size = textSize(1), { top, limit, shown } = scaleTop(), curve = curveNow(), { peak_bytes: peak } = memoryNow();
  const left = size * (view.byAddress ? 7.2 : 5.6), gauge = size * 1.2, plot = Math.max(1, Math.floor(width - left - gauge - size)), rows = size * 1.45;
  const base = height - rows * (1 + (capture.training ? 1 : 0) + (layerBands.length ? 1 : 0)) - size * 1.5, y = bytes => base - bytes / top * (base - 8);
  const span = Math.max(1, view.to - view.from);
  const columns = new Int32Array(plot);
  let at = curve.firstAt(Math.ceil(nodeOf(view.from)));
  const firstEvent = at;
  for (let x = 0; x < plot; ++x) {
    const next = x + 1 === plot ? curve.firstAt(Math.floor(nodeOf(view.to)) + 1) : curve.firstAt(Math.ceil(nodeOf(view.from + (x + 1) * span / plot)));
    const best = curve.fullest(at, next);
    columns[x] = best < 0 || (at > 0 && curve.total[at - 1] > curve.total[best]) ? at - 1 : best;
    at = next;
  }
  const parts = [];
  const alive = !view.byAddress && at - firstEvent <= MOST_EVENTS ? capture.live(Math.floor(nodeOf(view.from)), view.memory, view.device) : null;
  if (view.byAddress) drawAddresses(g, left, plot, base, size, parts);
  else if (alive && alive.length <= MOST_ALIVE) drawParts(g, curve, columns, alive, left, y, parts);
  else drawClasses(g, curve, columns, left, y);
  if (!view.byAddress) drawOther(g, columns, left, y, plot, span);
  // Figures at the left, the limit, the marks.
  g.fillStyle = colour("soft"); g.strokeStyle = colour("line"); g.textAlign = "right";
  const line = (bytes, dash) => { g.setLineDash(dash); g.beginPath(); g.moveTo(left, y(bytes)); g.lineTo(left + plot, y(bytes)); g.stroke(); g.setLineDash([]); };
  for (let i = 0; i <= 4 && (i === 0 || peak > 0) && !view.byAddress; ++i) {
    const bytes = Math.round(peak * i / 4);
    if (i < 4 && i > 0 && y(peak * (i - 1) / 4) - y(peak * i / 4) < size * 1.3) continue;
    g.fillText(short(bytes), left - 6, y(bytes) + 4);
    g.globalAlpha = .5; line(bytes, []); g.globalAlpha = 1;
  }
  const label = (content, x, at, align, ink = "bad") => {
    const wide = g.measureText(content).width;
    x = align === "right" ? Math.max(left + wide, x) : Math.min(x, Math.max(left, left + plot - wide));
    g.textAlign = align;
    g.fillStyle = colour("back"); g.globalAlpha = .85; g.fillRect(align === "right" ? x - wide - 2 : x - 2, at - size * .8, wide + 4, size); g.globalAlpha = 1;
    g.fillStyle = colour(ink); g.fillText(content, x, at);
  };
  if (limit > 0 && !view.byAddress) {
    g.strokeStyle = colour("bad");
    if (shown) line(limit, [6, 4]);
    const right = axisOf(view.node) < (view.from + view.to) / 2;
    label(`${short(limit)} can be allocated${shown ? "" : ", far above"}`, right ? left + plot - 4 : left + 4, shown ? Math.max(size, y(limit) - 4) : size, right ? "right" : "left");
  }
  g.fillStyle = colour("soft"); g.textAlign = "left";
  g.fillText("node " + group(Math.floor(nodeOf(view.from))), left, height - 4);
  g.textAlign = "right";
  g.fillText("node " + group(Math.ceil(nodeOf(view.to))), left + plot, height - 4);
  const bands = drawBands(g, left, plot, base + 3, rows);
  const mark = (node, ink, content, high) => {
    const x = left + (axisOf(node) - view.from) / span * plot;
    if (x < left - 1 || x > left + plot + 1) return;
    g.strokeStyle = colour(ink); g.lineWidth = 1.5; g.beginPath(); g.moveTo(x, 4); g.lineTo(x, base); g.stroke(); g.lineWidth = 1;
    if (content) label(content, x + 4, high, "left", ink);
  };
  const here = capture.data.failures.some(failure => failure.node === view.node);
  capture.data.failures.forEach(failure => mark(failure.node, "bad", failure.node === view.node ? "" : "failed", size * 3.4));
  mark(view.node, here ? "bad" : "mark", `node ${group(view.node)}: ${short(curve.totalAt(view.node))}${here ? ", failed" : ""}`, size * 2.2);
  const selected = parts.filter(it => it.buffer === view.buffer && view.buffer >= 0);
  g.strokeStyle = colour("ink"); g.lineWidth = 2;
  for (const it of selected) g.strokeRect(it.x, it.y, it.w, it.h);
  g.lineWidth = 1;
  if (limit > 0) {  // the gauge: all that can be allocated, at the peak and now
    const x = left + plot + size * .5, fill = bytes => Math.min(1, bytes / limit) * (base - 8);
    g.fillStyle = colour("free"); g.fillRect(x, 8, gauge, base - 8);
    g.fillStyle = shade("persistent"); g.globalAlpha = .45; g.fillRect(x, base - fill(peak), gauge, fill(peak)); g.globalAlpha = 1;
    const now = curve.totalAt(view.node);
    g.fillRect(x, base - fill(now), gauge, fill(now));
    g.strokeStyle = colour("bad"); g.strokeRect(x, 8, gauge, base - 8);
  }
  drawn = { left, plot, base, top, columns, parts, bands, curve };
}

function drawClasses(g, curve, columns, left, y) {
  const low = new Float64Array(columns.length);
  for (const kind of capture.stacked) {
    g.fillStyle = shade(capture.kinds[kind]);
    const values = curve.classes[kind];
    let from = 0;
    for (let x = 1; x <= columns.length; ++x) {
      const value = columns[x - 1] < 0 ? 0 : values[columns[x - 1]];
      const same = x < columns.length && low[x] === low[from] && (columns[x] < 0 ? 0 : values[columns[x]]) === value && low[x - 1] === low[from];
      if (same) continue;
      if (value > 0) g.fillRect(left + from, y(low[from] + value), x - from, Math.max(0.5, y(low[from]) - y(low[from] + value)));
      for (let k = from; k < x; ++k) low[k] += value;
      from = x;
    }
  }
}

function drawParts(g, curve, columns, alive, left, y, parts) {
  const live = new Set(alive);
  const { rawNode, rawBuffer, rawComes } = curve;
  let raw = Capture.lastAt(rawNode, Math.floor(nodeOf(view.from))) + 1;
  const open = new Map();
  const flush = it => {
    const h = Math.max(0.5, y(it.low) - y(it.high)), hit = { x: left + it.from, y: y(it.high), w: it.to - it.from, h, buffer: it.buffer, kind: it.kind };
    g.fillStyle = shade(it.kind, Math.max(0, it.buffer));
    g.fillRect(hit.x, hit.y, hit.w, Math.max(0.5, h - (h > 3 ? 0.5 : 0)));
    parts.push(hit);
    const size = textSize(1);
    if (it.buffer >= 0 && hit.w > 70 && h > size) {
      g.fillStyle = colour("ink"); g.textAlign = "left";
      g.fillText(fitted(g, capture.bufferLabel(it.buffer), hit.w - 8), hit.x + 4, hit.y + Math.min(h / 2 + size * .35, size));
    }
  };
  let last = -2, stacked = [];
  for (let x = 0; x <= columns.length; ++x) {
    if (x < columns.length && columns[x] !== last) {
      last = columns[x];
      const node = last < 0 ? -1 : curve.node[last];
      for (; raw < rawNode.length && rawNode[raw] <= node; ++raw)
        if (rawBuffer[raw] >= 0) { if (rawComes[raw]) live.add(rawBuffer[raw]); else live.delete(rawBuffer[raw]); }
      const sorted = capture.kinds.map(() => []);
      if (last >= 0) for (const b of live) if (capture.buffers.begin[b] <= node && capture.buffers.end[b] > node) sorted[capture.kinds.indexOf(capture.kind(b, node))].push(b);
      stacked = [];
      let low = 0;
      for (const kind of capture.stacked) {
        if (kind === 0) { const bytes = last < 0 ? 0 : curve.classes[0][last]; if (bytes > 0) stacked.push([-1, "program", low, low + bytes]); continue; }
        for (const b of sorted[kind]) { stacked.push([b, capture.kinds[kind], low, low + capture.buffers.bytes[b]]); low += capture.buffers.bytes[b]; }
      }
    }
    const seen = new Set();
    if (x < columns.length) for (const [buffer, kind, low, high] of stacked) {
      const key = buffer, known = open.get(key);
      seen.add(key);
      if (known && known.low === low && known.high === high && known.kind === kind) { known.to = x + 1; continue; }
      if (known) flush(known);
      open.set(key, { buffer, kind, low, high, from: x, to: x + 1 });
    }
    for (const [key, it] of open) if (!seen.has(key)) { flush(it); open.delete(key); }
  }
}

function bringIntoView(begin, end) {
  const from = axisOf(begin), to = axisOf(Math.min(end, capture.end)), width = view.to - view.from;
  if (from >= view.from && to <= view.to && to - from > width / 400) return;
  const wanted = Math.max(to - from, Math.min(width, Math.max(24, (to - from) * 8)));
  if (from >= view.from && to <= view.to && view.from === 0 && view.to === axisEnd() && wanted > width / 3) return;
  zoomTo((from + to - wanted) / 2, (from + to + wanted) / 2);
}
function zoomTo(from, to) {
  const all = axisEnd(), width = Math.min(all, Math.max(Math.min(8, all), to - from));
  from = Math.max(0, Math.min(all - width, from + ((to - from) - width) / 2));
  view.from = from; view.to = from + width;
  redrawChart();
  rememberSoon();
}
function zoomBy(factor, place = axisOf(view.node)) {
  if (place < view.from || place > view.to) place = (view.from + view.to) / 2;
  zoomTo(place - (place - view.from) * factor, place + (view.to - place) * factor);
}
const pan = by => zoomTo(view.from + (view.to - view.from) * by, view.to + (view.to - view.from) * by);
function foldLayers() {
  if (layerBands.length === 0) return;
  const from = nodeOf(view.from), to = nodeOf(view.to);
  view.folded = !view.folded;
  layAxis();
  view.from = axisOf(from); view.to = axisOf(to);
  remember(false);
  show();
}

let chartPending = false;
function redrawChart() {
  if (chartPending) return;
  chartPending = true;
  requestAnimationFrame(() => { chartPending = false; drawChart(); });
}

const within = (hits, event) => hits.find(it => event.offsetX >= it.x && event.offsetX < it.x + it.w && event.offsetY >= it.y && event.offsetY < it.y + it.h);
const placeAt = event => view.from + (event.offsetX - drawn.left) / drawn.plot * (view.to - view.from);
function columnNode(event) {
  const x = Math.max(0, Math.min(drawn.plot - 1, Math.floor(event.offsetX - drawn.left))), at = drawn.columns[x];
  const from = Math.floor(nodeOf(view.from + x / drawn.plot * (view.to - view.from)));
  return at >= 0 && drawn.curve.node[at] >= from ? drawn.curve.node[at] : Math.max(0, Math.min(capture.end - 1, from));
}
let drag = null;
/// Where the page scrolls, the wheel is the page's; with Ctrl it zooms everywhere.
const wheelZooms = event => event.ctrlKey || matchMedia("(min-width: 1200px)").matches;
chartCanvas.addEventListener("wheel", event => {
  if (!wheelZooms(event)) return;
  event.preventDefault();
  zoomBy(Math.exp(Math.max(-1, Math.min(1, event.deltaY / 300))), placeAt(event));
}, { passive: false });
chartCanvas.addEventListener("pointerdown", event => { drag = { x: event.offsetX, from: view.from, to: view.to, moved: false }; chartCanvas.setPointerCapture(event.pointerId); });
chartCanvas.addEventListener("pointerup", event => {
  const was = drag;
  drag = null;
  if (!was || was.moved) return;
  const band = within(drawn.bands, event);
  if (band && band.pass) { zoomTo(axisOf(band.pass.begin), axisOf(band.pass.end)); return; }
  if (band && band.layer) { view.folded ? foldLayers() : zoomTo(axisOf(band.layer.begin), axisOf(band.layer.end)); return; }
  if (band) { goToCall(band.call); return; }
  const part = within(drawn.parts, event), node = columnNode(event);
  go({ node, buffer: part ? part.buffer : -1, call: part && part.buffer >= 0 ? capture.buffers.maker[part.buffer] : capture.callAt(node) });
});
// A double click selects nothing: what its two clicks did is taken back.
let stepsBefore = 0;
chartCanvas.addEventListener("mousedown", event => { if (event.detail === 1) stepsBefore = steps; });
chartCanvas.addEventListener("dblclick", () => {
  const whole = () => { zoomTo(0, axisEnd()); remember(true); };
  if (steps === stepsBefore) { whole(); return; }
  addEventListener("popstate", whole, { once: true });
  history.go(stepsBefore - steps);
});
chartCanvas.addEventListener("pointermove", event => {
  if (drag) {
    const shift = (drag.x - event.offsetX) / drawn.plot * (drag.to - drag.from);
    if (Math.abs(drag.x - event.offsetX) > 3) drag.moved = true;
    if (drag.moved) zoomTo(drag.from + shift, drag.to + shift);
    return hideTip();
  }
  const band = within(drawn.bands, event);
  if (band && band.pass) return showTip(event, chartCanvas, `${band.pass.pass}\nequations ${band.pass.from} to ${band.pass.to}, nodes ${group(band.pass.begin)} to ${group(band.pass.end)}`);
  if (band) return showTip(event, chartCanvas, band.layer ? `${band.layer.count} x a layer of ${band.layer.length} operations, deallocations not counted\nnodes ${group(band.layer.begin)} to ${group(band.layer.end)}` : describeCall(band.call));
  if (event.offsetX < drawn.left || event.offsetX > drawn.left + drawn.plot || !drawn.curve) return hideTip();
  const node = columnNode(event), part = within(drawn.parts, event), at = Capture.lastAt(drawn.curve.node, node, drawn.curve.count);
  const classes = at < 0 ? [] : [...capture.stacked].reverse().filter(kind => drawn.curve.classes[kind][at] > 0).map(kind => `${wordsOf(capture.kinds[kind])} ${sized(drawn.curve.classes[kind][at])}`);
  showTip(event, chartCanvas, `node ${group(node)}: ${sized(at < 0 ? 0 : drawn.curve.total[at])}\n` + (part ? part.buffer >= 0 ? describeBuffer(part.buffer) : `program memory\n${capture.path(capture.callAt(node))}` : classes.join("\n")));
});
chartCanvas.addEventListener("pointerleave", hideTip);

const describeCall = i => `${capture.callLabel(i)}\nnodes ${group(capture.calls.begin[i])} to ${group(capture.calls.end[i])}, peak ${sized(peakOf(i))} ${perUnit()}\n${lineOf(i)}`;
const describeBuffer = b => `${capture.bufferLabel(b)}\n${sized(capture.buffers.bytes[b])} ${perUnit()}, ${wordsOf(capture.kind(b, view.node))}\n${capture.ids(b)}` +
  (capture.buffers.maker[b] >= 0 ? `\n${lineOf(capture.buffers.maker[b])}` : "");
