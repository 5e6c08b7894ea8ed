// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The chart by address: where buffers and programs lay, over the nodes; holes are what is left between them.

/// What has an address in a memory of a device: columns, and the addresses from the lowest to the highest that are drawn, all of the
/// memory's unless little of it was used.
class Addresses {
  constructor(memory, device) {
    const { buffers, pieces, programs } = capture, rows = [];
    const add = (begin, end, address, bytes, kind, buffer, chip) => { if (end > begin) rows.push(begin, end, address, bytes, kind, buffer, chip); };
    for (let b = 0; b < buffers.count; ++b) {
      if (buffers.address[b] === 0 || !capture.isIn(b, memory, device)) continue;
      const fades = Math.min(buffers.end[b], buffers.stale[b] + 1);
      add(buffers.begin[b], fades, buffers.address[b], buffers.bytes[b], buffers.class[b], b, 0);
      add(fades, buffers.end[b], buffers.address[b], buffers.bytes[b], capture.kinds.indexOf("stale"), b, 0);
    }
    for (let p = 0; memory === "l1" && p < pieces.count; ++p) {
      const program = pieces.program[p];
      if (pieces.address[p] > 0 && programs.device[program] === device) add(pieces.node[p], programs.end[program], pieces.address[p], pieces.bytes[p], 0, -1, pieces.chip[p]);
    }
    this.count = rows.length / 7;
    [this.begin, this.end, this.address, this.bytes, this.kind, this.buffer, this.chip] = [0, 1, 2, 3, 4, 5, 6].map(k => Float64Array.from({ length: this.count }, (_, i) => rows[i * 7 + k]));
    let low = Infinity, high = 0;
    for (let i = 0; i < this.count; ++i) { low = Math.min(low, this.address[i]); high = Math.max(high, this.address[i] + this.bytes[i]); }
    const { begin, end } = capture.memory(memory, device), room = (high - low) * 0.05;
    const isWhole = memory === "l1" || high - low > (end - begin) / 4;
    this.range = isWhole ? [Math.min(low, begin || low), Math.max(high, end)] : [low - room, high + room];
  }
  static of(memory, device) {
    capture.addresses = capture.addresses || new Map();
    const key = memory + device;
    if (!capture.addresses.has(key)) capture.addresses.set(key, new Addresses(memory, device));
    return capture.addresses.get(key);
  }
}

/// A colour as a pixel of an image.
function pixelOf(fill) {
  const canvas = document.createElement("canvas"), g = canvas.getContext("2d");
  canvas.width = canvas.height = 1;
  g.fillStyle = fill;
  g.fillRect(0, 0, 1, 1);
  return new Uint32Array(g.getImageData(0, 0, 1, 1).data.buffer)[0];
}

/// Draws it from `left`, `plot` wide, down to `base`; adds to `parts` what lies where. What is narrower than a pixel goes into an image,
/// so that a picture of many costs what one of few does.
function drawAddresses(g, left, plot, base, size, parts) {
  const all = Addresses.of(view.memory, view.device);
  g.textAlign = "left";
  if (all.count === 0) {
    g.fillStyle = colour("soft");
    g.fillText(fitted(g, "addresses are not recorded", plot), left, base / 2);
    return;
  }
  const [low, high] = all.range, perNode = plot / Math.max(1, view.to - view.from), top = 8, perByte = (base - top) / (high - low);
  const isStraight = axis.nodes.length === 2, from = nodeOf(view.from), to = nodeOf(view.to), chip = Math.max(1, view.chip);
  const x = node => ((isStraight ? node : axisOf(node)) - view.from) * perNode, y = address => base - (address - low) * perByte;
  g.fillStyle = colour("free"); g.fillRect(left, top, plot, base - top);
  const tones = [0, 1, 2], fills = capture.kinds.map(kind => tones.map(tone => shade(kind, tone))), pixels = fills.map(kind => kind.map(pixelOf));
  const image = new ImageData(plot, Math.ceil(base)), dots = new Uint32Array(image.data.buffer), wide = [];
  for (let i = 0; i < all.count; ++i) {
    if (all.end[i] <= from || all.begin[i] >= to || all.chip[i] > chip) continue;
    const a = Math.max(0, x(all.begin[i])), w = Math.min(plot, x(all.end[i])) - a;
    if (w >= 1) { wide.push(i); continue; }
    const until = Math.min(base, y(all.address[i])), dot = pixels[all.kind[i]][all.buffer[i] < 0 ? 0 : all.buffer[i] % 3], column = Math.min(plot - 1, Math.floor(a));
    for (let row = Math.max(0, Math.floor(until - all.bytes[i] * perByte)); row < until; ++row) dots[row * plot + column] = dot;
  }
  const scratch = document.createElement("canvas");
  scratch.width = plot; scratch.height = image.height;
  scratch.getContext("2d").putImageData(image, 0, 0);
  g.drawImage(scratch, left, 0);
  const labels = [];
  for (const i of wide) {
    const a = left + Math.max(0, x(all.begin[i])), w = Math.min(left + plot, left + x(all.end[i])) - a, at = y(all.address[i] + all.bytes[i]), h = Math.max(0.6, all.bytes[i] * perByte), buffer = all.buffer[i];
    g.fillStyle = fills[all.kind[i]][buffer < 0 ? 0 : buffer % 3];
    g.fillRect(a, at, w - (w > 3 ? 0.5 : 0), Math.max(0.6, h - (h > 3 ? 0.5 : 0)));
    parts.push({ x: a, y: at, w, h: Math.max(1, h), buffer, kind: capture.kinds[all.kind[i]] });
    if (w > 70 && h > size && buffer >= 0) labels.push([buffer, a, at, w, h]);
  }
  for (const row of instant.refused) {
    if (!row.address) continue;
    const w = Math.max(size * 2, plot / 40), a = Math.min(left + plot - w, Math.max(left, left + x(view.node)));
    g.fillStyle = hatch(g); g.fillRect(a, y(row.address + row.bytes), w, row.bytes * perByte);
    g.strokeStyle = colour("bad"); g.strokeRect(a, y(row.address + row.bytes), w, row.bytes * perByte);
  }
  g.fillStyle = colour("ink");
  for (const [b, a, at, w, h] of labels) g.fillText(fitted(g, capture.bufferLabel(b), w - 8), a + 4, at + Math.min(h / 2 + size * .35, size));
  g.fillStyle = colour("soft"); g.textAlign = "right";
  for (let i = 0; i <= 4; ++i) g.fillText(group(Math.round(low + (high - low) * i / 4)), left - 6, y(low + (high - low) * i / 4) + 4);
}
