import type { LatLng } from "../../../src/contract/parameters.ts";

const PLUS = "23456789CFGHJMPQRVWX";
const HASH = "0123456789bcdefghjkmnpqrstuvwxyz";

/** A plus code of ten digits. */
export function plusCodeOf({ lat, lng }: LatLng): string {
  const [north, east] = [Math.floor((lat + 90) * 8000), Math.floor((lng + 180) * 8000)];
  const digit = (value: number, place: number) => PLUS[Math.floor(value / 20 ** place) % 20];
  const digits = [4, 3, 2, 1, 0].map((place) => `${digit(north, place)}${digit(east, place)}`).join("");
  return `${digits.slice(0, 8)}+${digits.slice(8)}`;
}

export function geohashOf({ lat, lng }: LatLng, length: number): string {
  const bits = length * 5;
  const [eastBits, northBits] = [Math.ceil(bits / 2), Math.floor(bits / 2)];
  let east = BigInt(Math.floor(((lng + 180) / 360) * 2 ** eastBits));
  let north = BigInt(Math.floor(((lat + 90) / 180) * 2 ** northBits));
  let all = 0n;
  for (let bit = 0; bit < bits; bit += 1) {
    const isEast = (bits - 1 - bit) % 2 === 0;
    all |= ((isEast ? east : north) & 1n) << BigInt(bit);
    if (isEast) east >>= 1n;
    else north >>= 1n;
  }
  return Array.from({ length }, (_, at) => HASH[Number((all >> BigInt(5 * (length - 1 - at))) & 31n)]).join("");
}

const RADIUS = 6_378_137;

/** Metres in Web Mercator. */
export const mercatorOf = ({ lat, lng }: LatLng): { x: number; y: number } => ({
  x: (lng * Math.PI * RADIUS) / 180,
  y: RADIUS * Math.log(Math.tan(Math.PI / 4 + (lat * Math.PI) / 360)),
});
