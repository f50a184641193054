import { describe, expect, it } from "vitest";
import { offsetIn, timeZoneAt } from "../../src/directory/time-zones.ts";

const [JANUARY, JULY] = [new Date("2026-01-15T12:00:00Z"), new Date("2026-07-15T12:00:00Z")];

/** Places on every continent, with minutes east of UTC in January and in July. */
const PLACES: [name: string, lat: number, lng: number, winter: number, summer: number][] = [
  ["Providence", 41.824, -71.413, -300, -240],
  ["Phoenix, without summer time", 33.448, -112.074, -420, -420],
  ["Denver", 39.739, -104.99, -420, -360],
  ["St. John's, on the half hour", 47.561, -52.713, -210, -150],
  ["Honolulu", 21.307, -157.858, -600, -600],
  ["São Paulo", -23.55, -46.633, -180, -180],
  ["Santiago, in the southern summer", -33.449, -70.669, -180, -240],
  ["London", 51.507, -0.128, 0, 60],
  ["Madrid, far west of its zone", 40.417, -3.703, 60, 120],
  ["Reykjavík", 64.147, -21.943, 0, 0],
  ["Casablanca", 33.573, -7.59, 60, 60],
  ["Cape Town", -33.925, 18.424, 120, 120],
  ["Tehran", 35.689, 51.389, 210, 210],
  ["Kolkata", 22.573, 88.364, 330, 330],
  ["Kathmandu, on the quarter hour", 27.717, 85.324, 345, 345],
  ["Ürümqi, by Chinese law", 43.825, 87.617, 360, 360],
  ["Beijing", 39.904, 116.407, 480, 480],
  ["Adelaide", -34.929, 138.601, 630, 570],
  ["Lord Howe, by half an hour", -31.556, 159.083, 660, 630],
  ["Auckland", -36.848, 174.763, 780, 720],
  ["Apia, beyond the date line", -13.833, -171.767, 780, 780],
  ["the Atlantic", 30, -40, -180, -180],
];

describe("the minutes east of UTC at a position", () => {
  it.each(PLACES)("in %s are those of the date, in summer too", (_, lat, lng, winter, summer) => {
    const zone = timeZoneAt({ lat, lng });
    expect([zone, offsetIn(zone, JANUARY), offsetIn(zone, JULY)]).toEqual([zone, winter, summer]);
  });

  it("change at the minute at which clocks change", () => {
    const at = (time: string) => offsetIn("America/New_York", new Date(time));
    expect(["2026-03-08T06:59:59Z", "2026-03-08T07:00:00Z"].map(at)).toEqual([-300, -240]);
    expect(["2026-11-01T05:59:59Z", "2026-11-01T06:00:00Z"].map(at)).toEqual([-240, -300]);
  });

  it("are whole minutes between -12 and +14 hours everywhere, in a zone that is known", () => {
    for (let lat = -90; lat <= 90; lat += 5)
      for (let lng = -180; lng <= 180; lng += 5) {
        const offset = offsetIn(timeZoneAt({ lat, lng }), JULY);
        expect(Number.isInteger(offset) && offset >= -720 && offset <= 840, `${lat},${lng}: ${offset}`).toBe(true);
      }
  });
});
