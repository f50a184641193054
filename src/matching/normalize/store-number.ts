/**
 * A name without the number that a chain gives its branches: "Starbucks #7301", "Subway Store 23817". Nobody else knows it,
 * so it tells nothing. "Gate 3", "Pier 39" and "7-Eleven" keep theirs.
 */
export function withoutStoreNumber(name: string): string {
  const rest = name.replace(STORE_NUMBER, "").trim();
  return rest === "" ? name : rest;
}

const STORE_NUMBER =
  /[ ,-]{0,3}(?:(?<=[ ,-])(?:store|branch|location|unit|shop) ?(?:no\.? ?|number ?)?#? ?|#|no\. ?)\d{2,6}$/i;
