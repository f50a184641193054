/** Mean radius of the earth in metres. */
export const EARTH_RADIUS = 6_371_008.8;

/** Converts metres to degrees of latitude. */
export const degreesOf = (metres: number): number => (metres / EARTH_RADIUS) * (180 / Math.PI);

export const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/** Great-circle distance in metres. */
export function distanceBetween(a: { lat: number; lng: number }, b: { lat: number; lng: number }): number {
  const [lat1, lat2] = [radians(a.lat), radians(b.lat)];
  const across = Math.sin(radians(b.lng - a.lng) / 2);
  const h = Math.sin((lat2 - lat1) / 2) ** 2 + Math.cos(lat1) * Math.cos(lat2) * across ** 2;
  return 2 * EARTH_RADIUS * Math.asin(Math.sqrt(Math.min(1, h)));
}

/** Formats metres: "350 m", "1.2 km", "48 km". */
export function metresInWords(metres: number): string {
  const whole = Math.round(metres);
  if (whole < 100) return `${whole} m`;
  if (whole < 995) return `${Math.round(whole / 10) * 10} m`;
  return whole < 9950 ? `${(whole / 1000).toFixed(1)} km` : `${Math.round(whole / 1000)} km`;
}
