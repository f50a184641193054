/**
 * Removes a chain's branch number from a name: "Starbucks #7301", "Subway Store 23817". Other sources do not have it,
 * so it is no evidence. "Gate 3", "Pier 39" and "7-Eleven" keep their numbers.
 */
export function withoutStoreNumber(name: string): string {
  const last = name.charCodeAt(name.length - 1);
  if (!(last >= 48 && last < 58)) return name;
  const rest = name.replace(STORE_NUMBER, "").trim();
  return rest === "" ? name : rest;
}

const STORE_NUMBER =
  /[ ,-]{0,3}(?:(?<=[ ,-])(?:store|branch|location|unit|shop) ?(?:no\.? ?|number ?)?#? ?|#|no\. ?)\d{2,6}$/i;
