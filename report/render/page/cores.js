// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The grid of cores at the instant: how full each core's L1 is. Tensors take the same of every core (the allocator
// takes each buffer from all banks alike), programs what they have on that very core.

const coresCanvas = byId("cores").querySelector("canvas");
let coreHits = [];

/// Of a set as the capture has it; null: not known which, all are meant.
const runsOf = set => capture.data.core_sets[set];
function isOnCore(set, core) {
  const runs = runsOf(set);
  if (!runs) return true;
  const [x, y] = core.split(",").map(Number);
  for (let i = 0; i < runs.length; i += 3) if (runs[i] === y && runs[i + 1] <= x && x <= runs[i + 2]) return true;
  return false;
}
function coresText(set) {
  const runs = runsOf(set);
  if (!runs) return "not recorded";
  let count = 0;
  const words = [];
  for (let i = 0; i < runs.length; i += 3) {
    count += runs[i + 2] - runs[i + 1] + 1;
    if (words.length < 4) words.push(`y ${runs[i]}: x ${runs[i + 1]}${runs[i + 2] > runs[i + 1] ? ".." + runs[i + 2] : ""}`);
  }
  return `${count} (${words.join("; ")}${runs.length / 3 > 4 ? "; ..." : ""})`;
}
function gridSize() {
  const device = capture.data.devices[view.device];
  let [x, y] = device ? device.grid : [0, 0];
  for (const runs of capture.data.core_sets) for (let i = 0; runs && i < runs.length; i += 3) { x = Math.max(x, runs[i + 2] + 1); y = Math.max(y, runs[i] + 1); }
  return [x, y];
}

/// Whether a text names a core of the grid.
function hasCore(core) {
  const [wide, high] = gridSize(), found = /^(\d{1,4}),(\d{1,4})$/.exec(core || "");
  return found !== null && core === `${Number(found[1])},${Number(found[2])}` && Number(found[1]) < wide && Number(found[2]) < high;
}
/// How many chips have program memory of their own; 0: all are alike.
const chipCount = () => capture.pieces.chip.reduce((most, chip) => Math.max(most, chip), 0);

/// Bytes of programs on a core: each byte once where addresses are known, else sizes add up.
function programBytes(pieces) {
  const { address, bytes } = capture.pieces;
  let sum = 0, reached = 0;
  for (const p of [...pieces].sort((a, b) => address[a] - address[b])) {
    if (address[p] === 0) { sum += bytes[p]; continue; }
    sum += Math.max(0, address[p] + bytes[p] - Math.max(address[p], reached));
    reached = Math.max(reached, address[p] + bytes[p]);
  }
  return sum;
}
/// {x, y, bytes, pieces} of every core.
function coresNow() {
  const [wide, high] = gridSize(), pieces = capture.livePieces(view.node, view.device, view.chip);
  const tensors = capture.live(view.node, "l1", view.device).reduce((sum, b) => sum + capture.buffers.bytes[b], 0);
  const cores = [];
  for (let y = 0; y < high; ++y)
    for (let x = 0; x < wide; ++x) {
      const here = pieces.filter(p => isOnCore(capture.pieces.cores[p], `${x},${y}`));
      cores.push({ x, y, bytes: tensors + programBytes(here), pieces: here.length });
    }
  return cores;
}

function drawCores() {
  const { g, width, height } = context(coresCanvas), size = textSize(1);
  g.clearRect(0, 0, width, height);
  coreHits = [];
  g.fillStyle = colour("soft"); g.textAlign = "left";
  const [wide, high] = gridSize();
  if (view.memory !== "l1") { g.fillText(fitted(g, "banks of DRAM are filled alike; cores have none", width - 8), 4, size * 2); return; }
  if (wide === 0) { g.fillText(fitted(g, "the capture does not describe its cores", width - 8), 4, size * 2); return; }
  const cores = coresNow(), limit = memoryNow().limit_bytes, most = Math.max(1, ...cores.map(it => it.bytes)), least = Math.min(...cores.map(it => it.bytes));
  const scale = limit > 0 && limit <= most * 2.5 ? limit : most;
  const left = size * 2, top = size * 2.6, cell = Math.max(6, Math.min((width - left - 6) / wide, (height - top - size * 1.6) / high));
  g.fillText(fitted(g, least === most ? `all cores alike: ${sized(most)}${limit ? `, ${share(most, limit)}` : ""}` : `from ${short(least)} to ${short(most)}${limit ? `, ${share(most, limit)}` : ""}`, width - 8), 4, size * 1.1);
  g.textAlign = "center";
  for (let x = 0; x < wide; ++x) g.fillText(x, left + x * cell + cell / 2, top - 4);
  for (const it of cores) {
    const part = Math.min(1, it.bytes / scale), x = left + it.x * cell, y = top + it.y * cell;
    g.fillStyle = colour("free"); g.fillRect(x, y, cell - 2, cell - 2);
    g.globalAlpha = 0.12 + 0.88 * part; g.fillStyle = colour("heat"); g.fillRect(x, y, cell - 2, cell - 2); g.globalAlpha = 1;
    coreHits.push({ x, y, w: cell, h: cell, core: it });
    if (cell > size * 3.6) {
      g.fillStyle = part > 0.55 ? colour("on-heat") : colour("ink");
      g.fillText(fitted(g, short(it.bytes), cell - 4), x + cell / 2 - 1, y + cell / 2 + size * .3);
    }
    if (it.bytes === most && least !== most) { g.strokeStyle = colour("bad"); g.lineWidth = 1.5; g.strokeRect(x + 1, y + 1, cell - 4, cell - 4); }
    if (view.core === `${it.x},${it.y}`) { g.strokeStyle = colour("ink"); g.lineWidth = 3; g.strokeRect(x + 1, y + 1, cell - 4, cell - 4); }
  }
  g.lineWidth = 1; g.fillStyle = colour("soft"); g.textAlign = "right";
  for (let y = 0; y < high; ++y) g.fillText(y, left - 5, top + y * cell + cell / 2 + 4);
  coresCanvas.setAttribute("aria-label", `L1 of ${wide} x ${high} cores at node ${view.node}: ${short(least)} to ${short(most)}`);
}
coresCanvas.addEventListener("click", event => {
  const hit = within(coreHits, event);
  if (hit) go({ core: `${hit.core.x},${hit.core.y}`, middle: "map" });
});
coresCanvas.addEventListener("pointermove", event => {
  const hit = within(coreHits, event);
  showTip(event, coresCanvas, hit && `core ${hit.core.x},${hit.core.y}: ${sized(hit.core.bytes)}\n${hit.core.pieces} parts of programs\nclick: its map`);
});
coresCanvas.addEventListener("pointerleave", hideTip);
coresCanvas.addEventListener("keydown", event => {
  const moves = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  if (event.key === "Enter" && view.core) { go({ middle: "map" }); event.preventDefault(); return; }
  if (!(event.key in moves)) return;
  const [wide, high] = gridSize(), [x, y] = view.core ? view.core.split(",").map(Number) : [0, 0], [dx, dy] = view.core ? moves[event.key] : [0, 0];
  go({ core: `${Math.max(0, Math.min(wide - 1, x + dx))},${Math.max(0, Math.min(high - 1, y + dy))}` });
  event.preventDefault();
  event.stopPropagation();
});
