const LINK = /^(?:https?:\/\/|www\.|maps\.|geo:|comgooglemaps:|maps:)/i;

export const isLink = (text: string): boolean => LINK.test(text);

const NUMBER = String.raw`[+-]?\d{1,3}(?:\.\d{1,20})?`;
const PAIR = new RegExp(`^(?:loc:|point\\.)?\\s*(${NUMBER})\\s*[,~_;+ ]\\s*(${NUMBER})(?![\\d.])`);
const IN_DATA = new RegExp(`!3d(${NUMBER})!4d(${NUMBER})(?![\\d.])`, "g");
const IN_PATH = new RegExp(`/@?(${NUMBER}),\\s*(${NUMBER})(?=[,/?#]|$)`);
/** Zoom first, as in `#map=15/41.82/-71.41`. */
const BEHIND_ZOOM = new RegExp(`^[\\d.]{1,6}/(${NUMBER})/(${NUMBER})(?![\\d.])`);

/** Parameters with both, those of the place before those of the view; and with one each. */
const BOTH = "q query destination daddr coordinate ll pt sp point loc location latlng cp center map at sll".split(" ");
const APART = [
  ["mlat", "mlon"],
  ["lat", "lng"],
  ["lat", "lon"],
  ["lat", "long"],
  ["latitude", "longitude"],
] as const;

/** Services that write the longitude first. */
const LNG_FIRST = /(?:^|\.)(?:yandex\.\w+|ya\.ru|2gis\.\w+)$/;

/**
 * Returns latitude and longitude in a link of a map service, such as `https://…/@41.82,-71.41,15z` or `geo:41.82,-71.41`: those of
 * its place, or else of what it shows. Shortened links have none.
 */
export function positionInLink(text: string): [lat: string, lng: string] | undefined {
  if (!isLink(text)) return undefined;
  const url = URL.parse(/^(?:www|maps)\./i.test(text) ? `https://${text}` : text);
  if (!url) return undefined;
  const path = decoded(url.pathname);
  // OpenStreetMap and others write parameters behind "#".
  const parameters = [url.searchParams, new URLSearchParams(url.hash.slice(1).replace(/^\?/, ""))];
  const parameter = (name: string) => parameters.map((each) => each.get(name)).find((value) => value);
  const [, lat, lng] = [...path.matchAll(IN_DATA)].at(-1) ?? [];
  if (lat && lng) return [lat, lng];
  for (const [one, other] of APART) {
    const apart = [parameter(one), parameter(other)] as const;
    if (apart[0] && apart[1]) return [apart[0], apart[1]];
  }
  for (const name of BOTH) {
    const value = parameter(name) ?? "";
    const [, first, second] = PAIR.exec(value) ?? BEHIND_ZOOM.exec(value) ?? [];
    const isZero = Number(first) === 0 && Number(second) === 0;
    if (first && second && !isZero) return LNG_FIRST.test(url.hostname) ? [second, first] : [first, second];
  }
  const [, north, east] = (url.protocol === "geo:" ? PAIR.exec(path) : IN_PATH.exec(path)) ?? [];
  return north && east ? [north, east] : undefined;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
