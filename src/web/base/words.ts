/** Metres as people say them: "350 m", "1.2 km", "48 km". */
export function distance(metres: number): string {
  if (metres < 100) return `${Math.round(metres)} m`;
  if (metres < 995) return `${Math.round(metres / 10) * 10} m`;
  return metres < 9950 ? `${(metres / 1000).toFixed(1)} km` : `${Math.round(metres / 1000)} km`;
}

/** "1 venue", "12 venues". */
export const count = (number: number, one: string, many = `${one}s`): string =>
  `${new Intl.NumberFormat("en").format(number)} ${number === 1 ? one : many}`;
