// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The map: addresses of one core's L1, or of a bank of DRAM, at the instant; of what has none the sizes, on each
// other. It can be zoomed; what was refused lies hatched over what is there.

const mapCanvas = document.querySelector("#map canvas");
let mapRange = null;  // [low, high] where it is zoomed
let mapHits = [], mapAll = [0, 1];
function resetMap() { mapRange = null; }

function drawMap() {
  const { g, width, height } = context(mapCanvas), memory = memoryNow(), size = textSize(1);
  const { rows, refused, addressed } = instant;
  g.clearRect(0, 0, width, height);
  const all = addressed ? [...rows, ...refused] : rows;
  const sum = list => list.reduce((total, row) => total + row.bytes, 0);
  let low = 0, high = Math.max(1, sum(rows) + sum(refused));
  if (addressed) {
    low = Math.min(memory.begin || Infinity, ...all.map(row => row.address));
    high = Math.max(memory.end, ...all.map(row => row.address + row.bytes));
  } else if (memory.limit_bytes <= high * 2.5) high = Math.max(high, memory.limit_bytes);
  mapAll = [low, high];
  const [from, to] = mapRange || mapAll;
  const ends = size * 1.4, left = size * (high > 1e9 ? 7.2 : 6.2), wide = Math.max(10, width - left - 8);
  const y = at => height - ends - (at - from) / (to - from) * (height - 2 * ends);
  mapHits = [];
  const moves = new Set(capture.data.failures.filter(it => it.node === view.node && it.memory === view.memory).flatMap(it => it.moves.map(move => move.address)));
  g.save();
  g.beginPath(); g.rect(0, ends, width, height - 2 * ends); g.clip();
  let stacked = 0, labelled = Infinity;
  const places = [], labels = [];
  for (const row of addressed ? rows : [...rows].reverse()) {
    const begin = addressed ? row.address : stacked;
    stacked += row.bytes;
    const top = y(begin + row.bytes), h = Math.max(1, y(begin) - top - 0.5);
    if (top > height || top + h < 0) continue;
    g.fillStyle = row.kind === "free" ? colour("free") : shade(row.kind, row.buffer || 0);
    g.fillRect(left, top, wide, h);
    mapHits.push({ x: left, y: top, w: wide, h, row });
    const middle = Math.max(ends, top) + Math.min(Math.min(height - ends, top + h) - Math.max(ends, top), size * 1.25) / 2;
    if (h > size * 0.95) {
      const figure = short(row.bytes), right = refused.length ? wide * .54 : wide - 6, room = right - g.measureText(figure).width - 18;
      labels.push({ fill: g.fillStyle, content: fitted(g, row.label, room), figure, right: left + right, base: middle + size * .3 });
    }
    if (addressed && Math.abs(y(begin) - labelled) > size) {
      places.push([group(begin), y(begin)]);
      labelled = y(begin);
    }
    if (row.buffer !== undefined && row.buffer === view.buffer) { g.strokeStyle = colour("ink"); g.lineWidth = 3; g.strokeRect(left + 1, top + 1, wide - 2, h - 2); }
    if (moves.has(row.address) && row.buffer !== undefined) { g.fillStyle = colour("bad"); g.fillRect(left, top, 4, h); }
  }
  const edges = [];
  for (const row of refused) {
    const begin = addressed ? row.address : stacked;
    stacked += row.bytes;
    const top = y(begin + row.bytes), h = Math.max(1, y(begin) - top - 0.5);
    g.fillStyle = hatch(g); g.fillRect(left + wide * .55, top, wide * .45, h);
    g.strokeStyle = colour("bad"); g.lineWidth = 2; g.strokeRect(left, top, wide - 1, h); g.lineWidth = 1;
    edges.push(top, top + h);
    if (h < size) continue;
    const whole = `${row.label} ${short(row.bytes)}`, room = wide * .43;
    const content = g.measureText(whole).width <= room ? whole : fitted(g, row.label, room), w = g.measureText(content).width;
    const x = left + wide * .55 + 3;
    g.textAlign = "left";
    g.fillStyle = colour("back"); g.fillRect(x, top + h - size * 1.4, w + 6, size * 1.3);
    g.fillStyle = colour("bad"); g.fillText(content, x + 3, top + h - size * .45);
  }
  for (const { fill, content, figure, right, base } of labels) {  // over the edges of what was refused
    const behind = (from, width) => { g.fillStyle = fill; g.fillRect(from - 2, base - size * .8, width + 4, size); };
    const crossed = edges.some(edge => edge > base - size && edge < base + size * .3);
    if (crossed) { behind(left + 6, g.measureText(content).width); behind(right - g.measureText(figure).width, g.measureText(figure).width); }
    g.fillStyle = colour("ink");
    g.textAlign = "left"; g.fillText(content, left + 6, base);
    g.textAlign = "right"; g.fillText(figure, right, base);
  }
  const limit = addressed ? memory.end : memory.limit_bytes;
  if (limit > 0 && limit <= to) {
    g.strokeStyle = colour("bad"); g.lineWidth = 1.5; g.setLineDash([5, 3]); g.beginPath(); g.moveTo(left - 4, y(limit)); g.lineTo(left + wide, y(limit)); g.stroke(); g.setLineDash([]);
  }
  g.restore();
  g.lineWidth = 1; g.strokeStyle = colour("line"); g.strokeRect(left, ends, wide, height - 2 * ends);
  g.fillStyle = colour("soft"); g.textAlign = "right";
  for (const [address, at] of places) if (at > ends + size && at < height - ends + 2) g.fillText(address, left - 6, at + 3);
  g.fillText(addressed ? group(Math.round(to)) : short(Math.round(to)), left - 6, ends + 3);
  g.textAlign = "left";
  const note = rows.length === 0 ? "nothing is alive here" : addressed ? mapRange ? "zoomed: double click, or 0" : "" : "addresses are not recorded: sizes only";
  g.fillText(fitted(g, note, wide), left, height - 4);
  mapCanvas.setAttribute("aria-label", `addresses at the instant: ${instant.taken} parts${refused.length ? ", and what was refused" : ""}`);
}

function zoomMap(factor, at = 0.5) {
  const [low, high] = mapRange || mapAll, place = low + (high - low) * at;
  const from = Math.max(mapAll[0], place - (place - low) * factor), to = Math.min(mapAll[1], place + (high - place) * factor);
  if (to - from < 64) return;
  mapRange = from <= mapAll[0] && to >= mapAll[1] ? null : [from, to];
  drawMiddle();
}
function panMap(by) {
  const [low, high] = mapRange || mapAll, shift = Math.max(mapAll[0] - low, Math.min(mapAll[1] - high, by * (high - low)));
  if (mapRange) { mapRange = [low + shift, high + shift]; drawMiddle(); }
}
/// Shows a stretch, with what is beside it.
function showOnMap(row) {
  if (!instant.addressed) return;
  mapRange = [Math.max(mapAll[0], row.address - row.bytes / 2), Math.min(mapAll[1], row.address + row.bytes * 1.5)];
  go({ middle: "map" });
}
const mapPart = event => within([...mapHits].reverse(), event);
let mapDrag = null;
mapCanvas.addEventListener("wheel", event => {
  if (!wheelZooms(event)) return;
  event.preventDefault();
  zoomMap(Math.exp(Math.max(-1, Math.min(1, event.deltaY / 300))), 1 - event.offsetY / mapCanvas.clientHeight);
}, { passive: false });
mapCanvas.addEventListener("pointerdown", event => { mapDrag = { y: event.offsetY, moved: false }; });
mapCanvas.addEventListener("pointerup", event => {
  const was = mapDrag;
  mapDrag = null;
  if (!was || was.moved) return;
  const hit = mapPart(event);
  if (hit && hit.row.buffer !== undefined) goToBuffer(hit.row.buffer);
  else if (hit && hit.row.piece !== undefined) goToCallHere(capture.programs.scope[capture.pieces.program[hit.row.piece]]);
});
mapCanvas.addEventListener("dblclick", () => { resetMap(); drawMiddle(); });
mapCanvas.addEventListener("pointermove", event => {
  if (mapDrag && event.buttons && mapRange) {
    if (Math.abs(event.offsetY - mapDrag.y) > 3) { mapDrag.moved = true; panMap((event.offsetY - mapDrag.y) / mapCanvas.clientHeight); mapDrag.y = event.offsetY; }
    return;
  }
  const hit = mapPart(event);
  showTip(event, mapCanvas, hit && (hit.row.buffer !== undefined ? describeBuffer(hit.row.buffer) + (hit.row.address ? `\nat ${group(hit.row.address)}` : "")
    : `${hit.row.label} ${sized(hit.row.bytes)}${hit.row.address ? `\nat ${group(hit.row.address)}` : ""}${hit.row.piece !== undefined ? "\non cores " + coresText(capture.pieces.cores[hit.row.piece]) : ""}`));
});
mapCanvas.addEventListener("pointerleave", hideTip);
