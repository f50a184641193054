/**
 * Removes a chain's branch number from a name: "Starbucks #7301", "Subway Store 23817", "0457 Larkspur Bakery". Other sources do
 * not have it, so it is no evidence. "Gate 3", "Pier 39", "7-Eleven" and "1847 Goods" keep their numbers.
 */
export function withoutStoreNumber(name: string): string {
  const last = name.charCodeAt(name.length - 1);
  const isLast = last >= 48 && last < 58;
  if (!isLast && !MAY_LEAD.test(name)) return name;
  const behind = name.replace(LEADING_NUMBER, "");
  const rest = isLast ? behind.replace(STORE_NUMBER, "").trim() : behind;
  return rest === "" ? name : rest;
}

/** Without a sign or a zero in front, a number may be part of the name. */
const LEADING_NUMBER =
  /^\s*(?:(?:(?:store|branch|location|unit|shop) ?)?(?:no\.? ?|number ?)?#? ?\d{2,6} ?(?:[-–—:] |: ?)|(?:(?:store|branch) ?)?(?:no\.? ?)?# ?\d{2,6} |0\d{2,5} )\s*(?=\p{L}{2})/iu;
const MAY_LEAD = /^\s*(?:[#\d]|store|branch|location|unit|shop|no|number)/i;

const STORE_NUMBER =
  /[ ,-]{0,3}(?:(?<=[ ,-])(?:store|branch|location|unit|shop) ?(?:no\.? ?|number ?)?#? ?|#|no\. ?)\d{2,6}$/i;
