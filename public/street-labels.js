/**
 * Writes the names of towns, streets and venues at no street into a tile of a map. Each stays inside `frame`, the part of the tile that is in view, and
 * overlaps no other name and none of `pins`. A box is its centre (x, y), half its width and half its height.
 */
export function placeLabels(context, { lines, towns, spots, pins, frame, width }, { text, halo, font }) {
  const [left, top, right, bottom] = frame;
  const taken = [...pins];
  Object.assign(context, { textBaseline: "middle", textAlign: "center", lineJoin: "round" });
  const write = (label, { x, y, angle = 0 }) => {
    context.save();
    context.translate(x, y);
    context.rotate(angle);
    Object.assign(context, { strokeStyle: halo, lineWidth: 3, fillStyle: text });
    context.strokeText(label, 0, 0);
    context.fillText(label, 0, 0);
    context.restore();
  };
  const isFree = (box) => {
    const isInside = box.x - box.w > left && box.y - box.h > top && box.x + box.w < right && box.y + box.h < bottom;
    return (
      isInside &&
      taken.every((each) => Math.abs(each.x - box.x) > each.w + box.w || Math.abs(each.y - box.y) > each.h + box.h)
    );
  };

  const most = Math.max(...towns.map(({ venues }) => venues));
  for (const { name, venues, x, y } of towns) {
    if (x < left || y < top || x > right || y > bottom) continue;
    const isLarge = venues > most / 4;
    context.font = `600 ${isLarge ? 14 : 12}px ${font}`;
    const half = context.measureText(name).width / 2 + 2;
    // Moved inside and off a pin, since it may stand anywhere in its town.
    const boxAt = (dy) => ({ x: within(x, half + 2, left, right), y: within(y + dy, 12, top, bottom), w: half, h: 9 });
    const box = [0, 25, -25].map(boxAt).find(isFree);
    if (!box) continue;
    taken.push(box);
    write(name, box);
  }

  Object.assign(context, { font: `11px ${font}`, fillStyle: text });
  const written = new Set();
  for (const { name, line } of lines) {
    if (written.has(name)) continue;
    const length = context.measureText(name).width + 8;
    const place = stretches(line, length).find((each) => isFree(each));
    if (!place) continue;
    taken.push(place);
    written.add(name);
    write(name, width < 4 ? { ...place, y: place.y - 7 } : place);
  }

  for (const { name, x, y } of spots) {
    if (pins.some((pin) => Math.abs(pin.x - x) < pin.w + 6 && Math.abs(pin.y - y) < pin.h + 6)) continue;
    const half = context.measureText(name).width / 2 + 2;
    const box = [half + 7, -half - 7].map((dx) => ({ x: x + dx, y, w: half, h: 8 })).find(isFree);
    context.beginPath();
    context.arc(x, y, 2.5, 0, 2 * Math.PI);
    context.fill();
    if (!box) continue;
    taken.push(box);
    write(name, box);
  }
}

const within = (value, margin, from, to) => Math.min(to - margin - 1, Math.max(from + margin + 1, value));

/** The parts of a line that are straight and long enough for a label, the longest first, with the box that it takes. */
function stretches(line, length) {
  return line
    .slice(1)
    .flatMap((end, index) => {
      const from = line[index];
      const long = Math.hypot(end.x - from.x, end.y - from.y);
      if (long < length) return [];
      const angle = Math.atan((end.y - from.y) / (end.x - from.x || 1e-9));
      const [x, y] = [(from.x + end.x) / 2, (from.y + end.y) / 2];
      const half = length / 2;
      return [{ x, y, angle, long, w: Math.abs(Math.cos(angle)) * half + 5, h: Math.abs(Math.sin(angle)) * half + 6 }];
    })
    .sort((a, b) => b.long - a.long);
}
