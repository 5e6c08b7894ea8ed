// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
// One capture, drawn from three tables (calls, buffers, programs) over the node numbers as time. Everything is
// drawn for the visible range only: per pixel column one moment, the fullest one in it.
const data = JSON.parse(document.getElementById("data").textContent);
const text = id => data.texts[id];
const byId = id => document.getElementById(id);
const group = n => n.toLocaleString("en-US");
function short(n) {
  const sign = n < 0 ? "-" : "";
  n = Math.abs(n);
  if (n < 1024) return `${sign}${n} B`;
  let unit = -1;
  for (; n >= 1024 && unit < 3; ++unit) n /= 1024;
  const digits = unit === 0 ? 1 : 2, scaled = n * 10 ** digits;
  const tie = scaled % 1 === 0.5 ? Math.floor(scaled) % 2 : Math.round(scaled) - Math.floor(scaled);  // to even, as in the head
  return sign + ((Math.floor(scaled) + tie) / 10 ** digits).toFixed(digits) + " " + ["KiB", "MiB", "GiB", "TiB"][unit];
}
const sized = n => n < 1024 ? short(n) : `${group(n)} B (${short(n)})`;
const style = getComputedStyle(document.documentElement);
const colour = name => style.getPropertyValue("--" + name).trim();
/// One hue per class; tensors beside each other differ in lightness.
function shade(kind, i) {
  if (kind === "program" || kind === "free") return colour(kind);
  return `hsl(${colour(kind)} ${Number(colour("shade")) + i * 5 % 3 * 6}%)`;
}
const DRAM = new Set([0, 4]);  // MemoryType::kDram, kTrace
const L1 = new Set([1, 3]);    // kL1, kL1Small
const END = data.nodes;

const calls = data.calls.map((c, i) => ({ i, begin: c[0], end: c[1] < 0 ? END : c[1], parent: c[2], name: text(c[3]), ns: c[4], aborted: c[5],
  l1: { peak: c[6][0], change: c[6][1] }, dram: { peak: c[7][0], change: c[7][1] }, line: text(c[8]), failed: "" }));
const buffers = data.buffers.map((b, i) => ({ i, begin: b[0], end: b[1] < 0 ? END : b[1], freed: b[1] >= 0, device: b[2], memory: b[3], bytes: b[4], whole: b[5],
  address: b[6], name: text(b[7]), shape: text(b[8]), maker: text(b[9]), kind: text(b[9]) === "older than the capture" ? "older" : b[10],
  staleFrom: b[11] < 0 ? Infinity : b[11] }));
const programs = data.programs.map(p => ({ begin: p[0], end: p[1] < 0 ? END : p[1], device: p[2], path: text(p[3]), steps: p[4], pieces: p[5] }));
for (const call of calls) call.depth = call.parent < 0 ? 0 : calls[call.parent].depth + 1;
for (const failure of data.failures) {
  calls[failure.scope].failed = "failed";
  for (let p = calls[failure.scope].parent; p >= 0; p = calls[p].parent) calls[p].failed = calls[p].failed || "failed inside";
}

const view = { from: 0, to: END, memory: data.opening.memory, device: data.opening.device, instant: 0 };
const facts = () => (data.devices[view.device] || {})[view.memory] || { begin: 0, end: 0, limit_bytes: 0, peak_bytes: 0, peak_node: -1 };
let events = [];    // [node, kind, buffer | program, change of bytes, bytes of the program], in time
let totals = [];    // bytes after each event

function prepare() {
  const wanted = view.memory === "l1" ? L1 : DRAM;
  events = [];
  for (const b of buffers) {
    if (b.device !== view.device || !wanted.has(b.memory) || b.bytes === 0) continue;
    events.push([b.begin, 1, b, b.bytes]);
    if (b.freed) events.push([b.end, -1, b, -b.bytes]);
  }
  if (view.memory === "l1")
    for (const p of programs) {
      if (p.device !== view.device) continue;
      let now = 0;
      for (const [node, bytes] of p.steps) { events.push([node, 2, p, bytes - now, bytes]); now = bytes; }
      if (now) events.push([p.end, -2, p, -now, 0]);
    }
  events.sort((a, b) => a[0] - b[0] || a[3] - b[3]);
  let now = 0;
  totals = events.map(event => now += event[3]);
}

// ---- the chart

const canvas = document.querySelector("#chart canvas");
let columns = [];  // per pixel column: {node, parts: [[it, y0, y1]..], total}

/// The limit is in the picture where the peak can be seen beside it.
function scaleTop() {
  const { limit_bytes: limit, peak_bytes: peak } = facts();
  const shown = limit > 0 && limit <= peak * 2.5;
  return { top: Math.max(1, peak * 1.12, shown ? limit * 1.06 : 0), limit, shown };
}

function drawChart() {
  const ratio = window.devicePixelRatio || 1;
  const width = canvas.clientWidth, height = canvas.clientHeight;
  canvas.width = width * ratio; canvas.height = height * ratio;
  const g = canvas.getContext("2d");
  g.scale(ratio, ratio);
  g.clearRect(0, 0, width, height);
  const { top, limit, shown } = scaleTop();
  const left = 76, plot = Math.max(1, Math.floor(width - left - 8)), base = height - 20;
  const y = bytes => base - bytes / top * (base - 8);
  columns = new Array(plot);
  const span = Math.max(1, view.to - view.from);
  const live = new Set();
  let running = null, runningBytes = 0, at = 0;
  const apply = event => {
    const [, kind, it, , bytes] = event;
    if (kind === 1) live.add(it); else if (kind === -1) live.delete(it);
    else if (kind === 2) { running = it; runningBytes = bytes; } else if (running === it) running = null;
  };
  for (; at < events.length && events[at][0] < view.from; ++at) apply(events[at]);
  for (let x = 0; x < plot; ++x) {
    const until = view.from + (x + 1) * span / plot;
    // The fullest moment in the column: state before it, then its events.
    let end = at, best = at - 1, most = at > 0 ? totals[at - 1] : 0;
    for (; end < events.length && events[end][0] < until; ++end)
      if (totals[end] > most) { most = totals[end]; best = end; }
    for (; at <= best; ++at) apply(events[at]);
    const parts = [];
    let sum = 0, merged = 0;
    const unit = top / (base - 8);
    for (const it of live) {
      if (it.bytes < unit * 0.4) { merged += it.bytes; continue; }
      parts.push([it, sum, sum + it.bytes]); sum += it.bytes;
    }
    if (merged > 0) { parts.push([null, sum, sum + merged]); sum += merged; }
    if (running) { parts.push([running, sum, sum + runningBytes]); sum += runningBytes; }
    columns[x] = { node: best >= 0 && best < events.length && events[best][0] >= view.from ? events[best][0] : Math.floor(until - span / plot), parts, total: sum };
    for (; at < end; ++at) apply(events[at]);
  }
  // Neighbouring columns with the same part in the same place become one rectangle.
  const open = new Map();
  const fill = (r, kind, from, to) => {
    if (to <= from) return;
    g.fillStyle = shade(kind, r.it ? r.it.i || 0 : 0);
    g.fillRect(left + from, y(r.b), to - from, Math.max(0.5, y(r.a) - y(r.b)));
  };
  const flush = r => {
    if (r.it === null || r.it.pieces) return fill(r, r.it ? "program" : "stale", r.x, r.x + r.w);
    const stale = Math.min(r.x + r.w, Math.max(r.x, Math.ceil((r.it.staleFrom - view.from) / span * plot)));
    fill(r, r.it.kind, r.x, stale);
    fill(r, "stale", stale, r.x + r.w);
  };
  for (let x = 0; x <= plot; ++x) {
    const seen = new Set();
    if (x < plot) for (const [it, a, b] of columns[x].parts) {
      const known = open.get(it);
      seen.add(it);
      if (known && known.a === a && known.b === b) { known.w = x + 1 - known.x; continue; }
      if (known) flush(known);
      open.set(it, { it, a, b, x, w: 1 });
    }
    for (const [it, r] of open) if (!seen.has(it)) { flush(r); open.delete(it); }
  }
  g.fillStyle = colour("soft"); g.strokeStyle = colour("line"); g.font = "11px system-ui"; g.textAlign = "right";
  const line = (bytes, dash) => { g.setLineDash(dash); g.beginPath(); g.moveTo(left, y(bytes)); g.lineTo(width - 8, y(bytes)); g.stroke(); g.setLineDash([]); };
  const { peak_bytes: peak } = facts();
  for (let i = 0; i <= 4; ++i) {
    const bytes = Math.round(peak * i / 4);
    if (i > 0 && peak === 0) break;
    g.fillText(short(bytes), left - 6, y(bytes) + 4);
    g.globalAlpha = .5; line(bytes, []); g.globalAlpha = 1;
  }
  const label = (content, x, at, align) => {
    const wide = g.measureText(content).width;
    x = align === "right" ? Math.max(left + wide, x) : Math.min(x, Math.max(left, width - 8 - wide));
    g.textAlign = align;
    g.fillStyle = colour("back"); g.globalAlpha = .8; g.fillRect(align === "right" ? x - wide - 2 : x - 2, at - 10, wide + 4, 13); g.globalAlpha = 1;
    g.fillStyle = colour("bad"); g.fillText(content, x, at);
  };
  if (limit > 0) {
    g.strokeStyle = colour("bad");
    if (shown) line(limit, [6, 4]);
    label(`${short(limit)} can be allocated${shown ? "" : ", far above"}`, width - 10, shown ? Math.max(12, y(limit) - 4) : 14, "right");
  }
  g.fillStyle = colour("soft");
  g.textAlign = "left";
  g.fillText("node " + group(Math.floor(view.from)), left, height - 5);
  g.textAlign = "right";
  g.fillText("node " + group(Math.ceil(view.to)), width - 8, height - 5);
  const mark = (node, ink, content) => {
    const x = left + (node - view.from) / span * plot;
    if (x < left || x > width - 8) return;
    g.strokeStyle = ink; g.lineWidth = 1.5; g.beginPath(); g.moveTo(x, 4); g.lineTo(x, base); g.stroke(); g.lineWidth = 1;
    if (content) label(content, x + 4, 30, "left");
  };
  mark(view.instant, colour("mark"));
  data.failures.forEach(failure => mark(failure.node, colour("bad"), "failed"));
  canvas.layout = { left, plot, base, y, top, span };
}

let drawPending = false;
function redraw() {
  if (drawPending) return;
  drawPending = true;
  requestAnimationFrame(() => { drawPending = false; drawChart(); });
}

function nodeAt(event) {
  const { left, plot, span } = canvas.layout;
  const x = Math.min(plot - 1, Math.max(0, Math.floor(event.offsetX - left)));
  return { x, node: view.from + (event.offsetX - left) / plot * span };
}

function zoomTo(from, to) {
  const least = 8;
  let width = Math.min(END, Math.max(least, to - from));
  from = Math.max(0, Math.min(END - width, from + ((to - from) - width) / 2));
  view.from = from; view.to = from + width;
  redraw();
}

let drag = null;
canvas.addEventListener("wheel", event => {
  event.preventDefault();
  const { node } = nodeAt(event);
  const factor = Math.exp(Math.max(-1, Math.min(1, event.deltaY / 300)));
  zoomTo(node - (node - view.from) * factor, node + (view.to - node) * factor);
}, { passive: false });
canvas.addEventListener("pointerdown", event => { drag = { x: event.offsetX, from: view.from, to: view.to, moved: false }; canvas.setPointerCapture(event.pointerId); });
canvas.addEventListener("pointerup", event => {
  if (drag && !drag.moved) choose(columns[nodeAt(event).x] ? columns[nodeAt(event).x].node : view.from);
  drag = null;
});
canvas.addEventListener("dblclick", () => zoomTo(0, END));
canvas.addEventListener("pointermove", event => {
  const tip = byId("tip");
  if (drag) {
    const { plot } = canvas.layout;
    const shift = (drag.x - event.offsetX) / plot * (drag.to - drag.from);
    if (Math.abs(drag.x - event.offsetX) > 3) drag.moved = true;
    if (drag.moved) zoomTo(drag.from + shift, drag.to + shift);
    tip.style.display = "none";
    return;
  }
  const { base, top } = canvas.layout;
  const column = columns[nodeAt(event).x];
  if (!column || event.offsetX < canvas.layout.left) { tip.style.display = "none"; return; }
  const bytes = (base - event.offsetY) / (base - 8) * top;
  const part = column.parts.find(([, a, b]) => bytes >= a && bytes < b);
  tip.textContent = `node ${group(column.node)}: ${sized(column.total)}\n` + (part ? describe(part[0], part[2] - part[1]) : "");
  tip.style.display = "block";
  tip.style.left = Math.max(0, Math.min(event.offsetX + 14, canvas.clientWidth - tip.offsetWidth - 4)) + "px";
  tip.style.top = Math.max(0, Math.min(event.offsetY + 10, canvas.clientHeight - tip.offsetHeight - 4)) + "px";
});
canvas.addEventListener("pointerleave", () => { byId("tip").style.display = "none"; });

function describe(it, bytes) {
  if (!it) return "small buffers";
  if (it.pieces) return `program memory ${sized(bytes)}\n${it.path}`;
  return `${it.name}  ${it.shape}\n${sized(it.bytes)}, ${it.maker}`;
}

// ---- lists that draw only the rows in sight

function makeList(element, render) {
  const inner = document.createElement("div");
  element.append(inner);
  const list = { rows: [], draw() {
    inner.style.height = Math.min(list.rows.length * 20, 8e6) + "px";
    const first = Math.max(0, Math.floor(element.scrollTop / 20) - 4);
    const last = Math.min(list.rows.length, first + Math.ceil(element.clientHeight / 20) + 10);
    const made = [];
    for (let i = first; i < last; ++i) {
      const row = render(list.rows[i]);
      row.classList.add("row");
      row.style.top = i * 20 + "px";
      made.push(row);
    }
    inner.replaceChildren(...made);
  }, show(index) { element.scrollTop = Math.max(0, index * 20 - element.clientHeight / 2); list.draw(); } };
  element.addEventListener("scroll", () => list.draw());
  return list;
}
function cell(tag, className, content) { const e = document.createElement(tag); e.className = className; e.textContent = content; return e; }
const duration = ns => ns >= 1e9 ? (ns / 1e9).toFixed(2) + " s" : ns >= 1e6 ? (ns / 1e6).toFixed(2) + " ms" : ns >= 1e3 ? (ns / 1e3).toFixed(1) + " us" : ns + " ns";

let current = -1;
const title = call => call.name + (call.line ? "  " + call.line : "");
const nameOf = call => {
  const note = call.failed || (call.aborted ? "aborted" : "");
  return cell("span", "grow" + (note ? " bad" : ""), (note ? `\u2716 ${note}: ` : "") + call.name);
};
const operationList = makeList(byId("operations"), call => {
  const row = document.createElement("div");
  row.title = title(call);
  row.append(cell("span", "num node", group(call.begin)), nameOf(call), cell("span", "num time", duration(call.ns)), cell("span", "num size", short(call[view.memory].peak)));
  row.classList.toggle("on", current >= 0 && (call.i === current || (operationList.rows === outermost && call.begin <= calls[current].begin && call.end >= calls[current].end)));
  row.onclick = () => goTo(call);
  return row;
});
const outermost = calls.filter(call => call.parent < 0);
byId("search").addEventListener("input", filterOperations);
function filterOperations() {
  const wanted = byId("search").value.trim().toLowerCase();
  operationList.rows = wanted ? calls.filter(call => call.name.toLowerCase().includes(wanted)) : outermost;
  byId("found").textContent = `${group(operationList.rows.length)} ${wanted ? "calls" : "outermost"}`;
  byId("operations").scrollTop = 0;
  operationList.draw();
}

const children = calls.map(() => []);
for (const call of calls) if (call.parent >= 0) children[call.parent].push(call);
const folded = new Set(calls.length > 2000 ? outermost.map(call => call.i) : []);
const treeList = makeList(byId("tree"), call => {
  const row = document.createElement("div");
  row.style.paddingLeft = 10 + Math.min(call.depth, 30) * 14 + "px";
  const fold = cell("span", "fold", children[call.i].length ? (folded.has(call.i) ? "▸" : "▾") : "");
  fold.onclick = event => { event.stopPropagation(); folded.has(call.i) ? folded.delete(call.i) : folded.add(call.i); growTree(); };
  const change = call[view.memory].change;
  row.title = title(call);
  row.append(fold, nameOf(call), cell("span", "num time", duration(call.ns)), cell("span", "num size", change === 0 ? "" : (change > 0 ? "+" : "") + short(change)));
  row.classList.toggle("on", call.i === current);
  row.onclick = () => goTo(call);
  return row;
});
function growTree() {
  const rows = [];
  const hidden = new Uint8Array(calls.length);
  for (const call of calls) {
    if (call.parent >= 0 && (hidden[call.parent] || folded.has(call.parent))) { hidden[call.i] = 1; continue; }
    rows.push(call);
  }
  treeList.rows = rows;
  treeList.draw();
}
byId("fold").onclick = () => { for (const call of calls) if (children[call.i].length) folded.add(call.i); growTree(); };
byId("unfold").onclick = () => { folded.clear(); growTree(); };

function reveal(call) {
  current = call.i;
  for (let p = call.parent; p >= 0; p = calls[p].parent) folded.delete(p);
  growTree();
  treeList.show(treeList.rows.indexOf(call));
  const listed = operationList.rows.findIndex(row => row.begin <= call.begin && row.end >= call.end);
  const inSight = byId("operations").scrollTop <= listed * 20 && (listed + 1) * 20 <= byId("operations").scrollTop + byId("operations").clientHeight;
  if (listed >= 0 && !inSight) operationList.show(listed); else operationList.draw();
}

function goTo(call) {
  const width = Math.max(16, call.end - call.begin);
  zoomTo(call.begin - width * 0.5, call.end + width * 0.5);
  // Its fullest moment.
  let node = call.begin, most = -1;
  for (let i = 0; i < events.length; ++i) {
    if (events[i][0] > call.end) break;
    if (events[i][0] >= call.begin && totals[i] > most) { most = totals[i]; node = events[i][0]; }
  }
  choose(node);
  reveal(call);
}

// ---- the instant

const mapCanvas = document.querySelector("#map canvas");
const liveList = makeList(byId("live"), it => {
  const row = document.createElement("div");
  const mark = document.createElement("i");
  if (it.refused) mark.className = "hatched"; else mark.style.background = it.colour;
  row.title = `${it.name} ${it.detail}  ${sized(it.bytes)}${it.address ? " at " + group(it.address) : ""}`;
  row.append(mark, cell("span", "num address", it.address ? group(it.address) : ""), cell("span", "grow" + (it.refused ? " bad" : ""), `${it.name}  ${it.detail}`), cell("span", "num size", short(it.bytes)));
  return row;
});

/// Between what is there; only where all addresses are known.
function holes(rows, memory) {
  const free = [];
  if (memory.end <= memory.begin || !rows.every(row => row.address > 0)) return free;
  let reached = memory.begin;
  const until = end => { if (end > reached) free.push({ address: reached, bytes: end - reached, name: "free", detail: "", colour: colour("free"), free: true }); };
  for (const row of [...rows].sort((a, b) => a.address - b.address)) {
    until(Math.min(row.address, memory.end));
    reached = Math.max(reached, row.address + row.bytes);
  }
  until(memory.end);
  return free;
}

/// What a failure at this very node was refused. A request has no address: it is put where it would need the
/// tensors that have to go, else over the largest hole and what is beside it.
function refusedAt(node, free, memory) {
  const failure = data.failures.find(it => it.node === node && it.memory === view.memory && it.device === view.device);
  if (!failure) return [];
  return failure.refused.map(part => {
    let address = part.address;
    if (address === null && free.length) {
      const lowest = failure.moves.length ? Math.min(...failure.moves.map(move => move.address)) : 0;
      const below = free.find(hole => hole.address + hole.bytes === lowest);
      const largest = free.reduce((a, b) => b.bytes > a.bytes ? b : a);
      address = below ? below.address : lowest || largest.address;
      if (address + part.bytes > memory.end) address = Math.max(memory.begin, memory.end - part.bytes);
    } else if (address === null && memory.end > 0) address = view.memory === "l1" ? memory.begin : Math.max(memory.begin, memory.end - part.bytes);
    return { address: address || 0, bytes: part.bytes, name: `refused: ${part.name}`, detail: "", refused: true };
  });
}

function choose(node) {
  view.instant = node;
  const wanted = view.memory === "l1" ? L1 : DRAM;
  const memory = facts();
  const rows = [];
  for (const b of buffers)
    if (b.device === view.device && wanted.has(b.memory) && b.bytes > 0 && b.begin <= node && b.end > node) {
      const stale = b.staleFrom < node;
      rows.push({ address: b.address, bytes: b.bytes, name: b.name, detail: `${b.shape}  ${b.maker}${stale ? "  (not used any more)" : ""}`, colour: shade(stale ? "stale" : b.kind, b.i) });
    }
  if (view.memory === "l1")
    for (const p of programs)
      if (p.device === view.device && p.begin <= node && p.end > node)
        for (const [kind, size, address, cores, from] of p.pieces)
          if (from <= node) rows.push({ address, bytes: size, name: text(kind), detail: `${text(cores)}  ${p.path}`, colour: shade("program", 0) });
  const free = holes(rows, memory);
  const refused = refusedAt(node, free, memory);
  const taken = rows.length;
  rows.push(...free);
  rows.sort((a, b) => b.address - a.address || b.bytes - a.bytes);
  liveList.rows = [...refused, ...rows];
  byId("live").scrollTop = 0;
  liveList.draw();
  drawMap(rows, refused, memory);
  let inside = "";
  for (const call of calls) { if (call.begin > node) break; if (call.end >= node && (call.end < END || call.begin === node)) inside = call.name; }
  const largest = free.length ? (data.head.uses.find(it => it.memory === view.memory).bound === "exact" && !memory.older_unknown ? "" : "at most ") + sized(Math.max(...free.map(f => f.bytes)))
    : taken > 0 && rows.every(row => row.address > 0) && memory.end > memory.begin ? "nothing" : "not known" + (taken > 0 ? " (no addresses)" : "");
  byId("instant").textContent = `node ${group(node)}${inside ? " in " + inside : ""}, largest free ${largest}`;
  redraw();
}

function hatch(g) {
  const tile = document.createElement("canvas");
  tile.width = tile.height = 8;
  const t = tile.getContext("2d");
  t.strokeStyle = colour("bad"); t.lineWidth = 1.5;
  for (const x of [-8, 0, 8]) { t.beginPath(); t.moveTo(x, 8); t.lineTo(x + 8, 0); t.stroke(); }
  return g.createPattern(tile, "repeat");
}

function drawMap(rows, refused, memory) {
  const ratio = window.devicePixelRatio || 1;
  const width = mapCanvas.clientWidth, height = mapCanvas.clientHeight;
  mapCanvas.width = width * ratio; mapCanvas.height = height * ratio;
  const g = mapCanvas.getContext("2d");
  g.scale(ratio, ratio);
  g.font = "10px system-ui";
  const addressed = rows.length > 0 && rows.every(row => row.address > 0);
  const all = addressed ? [...rows, ...refused] : rows;
  let low, high;
  if (addressed) {
    low = Math.min(memory.begin || Infinity, ...all.map(r => r.address));
    high = Math.max(memory.end, ...all.map(r => r.address + r.bytes));
  } else {
    low = 0;
    high = Math.max(1, rows.reduce((sum, row) => sum + row.bytes, 0) + refused.reduce((sum, row) => sum + row.bytes, 0));
    if (memory.limit_bytes <= high * 2.5) high = Math.max(high, memory.limit_bytes);
  }
  const ends = 15;  // room for the labels of both ends
  const y = at => height - ends - (at - low) / (high - low) * (height - 2 * ends);
  let stacked = 0;
  for (const row of addressed ? rows : [...rows].reverse()) {
    const begin = addressed ? row.address : stacked;
    const top = y(begin + row.bytes), size = Math.max(1, y(begin) - top - 0.5);
    stacked += row.bytes;
    g.fillStyle = row.colour;
    g.fillRect(6, top, width - 12, size);
    if (size > 11) { g.fillStyle = colour("ink"); g.fillText(row.name.slice(0, 22), 10, top + Math.min(size / 2 + 4, 11), width - 20); }
  }
  for (const row of refused) {
    const begin = addressed ? row.address : stacked;
    const top = y(begin + row.bytes), size = Math.max(1, y(begin) - top - 0.5);
    stacked += row.bytes;
    g.fillStyle = hatch(g); g.fillRect(6, top, width - 12, size);
    g.strokeStyle = colour("bad"); g.lineWidth = 1.5; g.strokeRect(6, top, width - 12, size); g.lineWidth = 1;
    if (size < 12) continue;
    const wide = Math.min(width - 20, g.measureText(row.name).width);
    g.fillStyle = colour("back"); g.fillRect(8, top + size - 13, wide + 4, 12);
    g.fillStyle = colour("bad"); g.fillText(row.name, 10, top + size - 4, width - 20);
  }
  g.strokeStyle = colour("line"); g.strokeRect(6, ends, width - 12, height - 2 * ends);
  const limit = addressed ? memory.end : memory.limit_bytes;
  if (limit > 0 && limit <= high) {
    g.strokeStyle = colour("bad"); g.setLineDash([5, 3]); g.beginPath(); g.moveTo(2, y(limit)); g.lineTo(width - 2, y(limit)); g.stroke(); g.setLineDash([]);
  }
  g.fillStyle = colour("soft");
  g.fillText(addressed ? group(high) : short(high) + (limit > high ? ` of ${short(limit)}` : ""), 6, 10, width - 12);
  g.fillText(group(low), 6, height - 3, width - 12);
}

// ---- the head

function showHead() {
  const head = data.head;
  byId("verdict").textContent = head.words;
  byId("verdict").className = head.verdict;
  byId("name").textContent = data.name;
  document.title = `${head.words}: ${data.name} - tilemeter`;
  const most = 3;
  const item = content => cell("li", "", content);
  byId("reasons").append(...head.reasons.slice(0, most).map(item));
  if (head.reasons.length > most) {
    const more = document.createElement("details");
    more.append(cell("summary", "", `${head.reasons.length - most} more`), ...head.reasons.slice(most).map(item));
    byId("reasons").append(more);
  }
  byId("facts").append(...head.facts.map(content => cell("span", "", content)));
  for (const failure of data.failures.slice(0, most)) byId("failures").append(banner(failure));
  document.querySelector("header").classList.toggle("failed", data.failures.length > 0);
  if (data.failures.length > most) byId("failures").append(cell("div", "soft", `and ${data.failures.length - most} more failures`));
  const legend = (kind, content) => {
    const entry = cell("span", "legend " + kind, ""), mark = document.createElement("i");
    if (kind === "refused") mark.className = "hatched"; else mark.style.background = shade(kind, 0);
    entry.append(mark, cell("span", "", content));
    return entry;
  };
  byId("legend").append(legend("program", "program"), legend("temporary", "temporary"), legend("persistent", "persistent"), legend("older", "older than the capture"), legend("stale", "not used any more"));
  if (data.failures.some(failure => failure.refused.length)) byId("legend").append(legend("refused", "refused"));
}

function banner(failure) {
  const box = cell("div", "failure", "");
  const show = cell("button", "", "show the moment");
  show.onclick = () => showFailure(failure);
  const first = cell("div", "line", "");
  first.append(cell("b", "", `Failed${failure.goes_on ? " (the program went on)" : ""}: ${failure.operation}`), cell("span", "soft", `${failure.line ? failure.line + ", " : ""}node ${group(failure.node)}`), show);
  box.append(first, cell("div", "", failure.message || "its message is not recorded"));
  for (const line of failure.lines) box.append(cell("div", "", line));
  if (failure.moves.length) {
    const moves = document.createElement("ul");
    moves.append(...failure.moves.map(move => cell("li", "", `${move.name}  ${move.detail}: ${sized(move.bytes)} ${failure.memory === "l1" ? "per core" : "per bank"}; moving it copies ${move.cost}`)));
    box.append(cell("div", "", `would be cleared by moving${failure.moves.length > 1 ? " all of" : ""}:`), moves);
  }
  for (const note of failure.notes) box.append(cell("div", "soft", "note: " + note));
  return box;
}

function showMemory() {
  byId("memory").value = view.memory;
  byId("device").value = view.device;
  byId("tip").style.display = "none";
  const use = data.head.uses.find(it => it.memory === view.memory);
  const where = use.operation ? `in ${use.operation}${use.line ? ` (${use.line})` : ""}, node ${group(use.node)}` : "";
  byId("use").replaceChildren(cell("span", "", `${use.title}: peak `), ...[cell("b", "", use.short), cell("span", "", use.percent), cell("span", "", use.headroom), cell("span", "soft", where)].filter(it => it.textContent));
  byId("use").title = use.peak;
  const caveats = data.caveats.filter(caveat => view.memory === "l1" || !/\bL1\b/.test(caveat));
  byId("caveats").textContent = byId("caveats").title = caveats.length ? "note: " + caveats.join("; ") : "";
  document.querySelectorAll(".legend.program").forEach(it => it.hidden = view.memory !== "l1");
  document.querySelectorAll(".size[data-memory]").forEach(it => it.textContent = view.memory === "l1" ? "L1 peak" : "DRAM peak");
  const { peak_node: peakNode } = facts();
  byId("state").textContent = peakNode < 0 ? `nothing in ${view.memory === "l1" ? "L1" : "DRAM"}` : `peak at node ${group(peakNode)}; ${group(calls.length)} calls, ${group(buffers.length)} buffers`;
  prepare(); operationList.draw(); treeList.draw();
}

function showFailure(failure) {
  if (failure.is_memory) { view.memory = failure.memory; view.device = failure.device; }
  showMemory();
  zoomTo(0, END);
  choose(failure.node);
  reveal(calls[failure.scope]);
}

// ---- start

data.devices.forEach((device, i) => byId("device").append(new Option(device.id === null ? "unknown" : `${device.id} ${device.arch}`, i)));
byId("memory").onchange = byId("device").onchange = () => {
  view.memory = byId("memory").value;
  view.device = Number(byId("device").value || 0);
  showMemory();
  choose(Math.max(0, facts().peak_node));
};
byId("peak").onclick = () => {
  const node = Math.max(0, facts().peak_node);
  zoomTo(node - (view.to - view.from) / 8, node + (view.to - view.from) / 8);
  choose(node);
};
byId("whole").onclick = () => zoomTo(0, END);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => choose(view.instant));
new ResizeObserver(() => { redraw(); operationList.draw(); treeList.draw(); choose(view.instant); }).observe(document.body);
showHead();
filterOperations();
growTree();
const first = data.failures.find(failure => failure.node === data.opening.node);
if (first) showFailure(first);
else { showMemory(); choose(data.opening.node); }
