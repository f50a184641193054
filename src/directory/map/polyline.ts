import type { LatLng } from "../../contract/parameters.ts";

const PRECISION = 1e5;

/** Encodes points as Google's polyline: differences in units of 0.00001 degrees, five bits a character. */
export function encodeLine(line: readonly LatLng[]): string {
  let text = "";
  let [lat, lng] = [0, 0];
  for (const point of line) {
    const next = [Math.round(point.lat * PRECISION), Math.round(point.lng * PRECISION)] as const;
    text += encodeNumber(next[0] - lat) + encodeNumber(next[1] - lng);
    [lat, lng] = next;
  }
  return text;
}

function encodeNumber(value: number): string {
  let text = "";
  let rest = value < 0 ? ~(value << 1) : value << 1;
  for (; rest >= 0x20; rest >>>= 5) text += String.fromCharCode((0x20 | (rest & 0x1f)) + 63);
  return text + String.fromCharCode(rest + 63);
}

export function decodeLine(text: string): LatLng[] {
  const line: LatLng[] = [];
  let [lat, lng, value, shift] = [0, 0, 0, 0];
  let isLat = true;
  for (const character of text) {
    const bits = character.charCodeAt(0) - 63;
    value |= (bits & 0x1f) << shift;
    shift += 5;
    if (bits >= 0x20) continue;
    const difference = value & 1 ? ~(value >>> 1) : value >>> 1;
    if (isLat) lat += difference;
    else {
      lng += difference;
      line.push({ lat: lat / PRECISION, lng: lng / PRECISION });
    }
    [value, shift, isLat] = [0, 0, !isLat];
  }
  return line;
}
