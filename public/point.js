/**
 * A point in the fields of a form: one input holding "lat,lng", or two.
 * @param {string[]} ids of the inputs: [ll] or [lat, lng]
 */
export function writePoint(ids, { lat, lng }) {
  const parts = [lat.toFixed(6), lng.toFixed(6)];
  const values = ids.length === 1 ? [parts.join(",")] : parts;
  ids.forEach((id, index) => {
    const input = document.getElementById(id);
    if (!input) return;
    input.value = values[index];
    input.dispatchEvent(new Event("change", { bubbles: true }));
  });
}

/** The point in the fields, or undefined. */
export function readPoint(ids) {
  const text = ids.map((id) => document.getElementById(id)?.value.trim()).join(",");
  const match = /^(-?\d+(?:\.\d+)?)\s*,\s*(-?\d+(?:\.\d+)?)$/.exec(text);
  if (!match) return undefined;
  const point = { lat: Number(match[1]), lng: Number(match[2]) };
  return Math.abs(point.lat) <= 90 && Math.abs(point.lng) <= 180 ? point : undefined;
}
