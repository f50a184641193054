/** Other names of our columns, folded, such as those of the Foursquare OS Places release. */
const ALIASES = new Map([
  ["fsqplaceid", "id"],
  ["latitude", "lat"],
  ["longitude", "lng"],
  ["lon", "lng"],
  ["long", "lng"],
  ["crossstreet", "crossStreet"],
  ["locality", "city"],
  ["region", "state"],
  ["postcode", "zip"],
  ["postalcode", "zip"],
  ["zipcode", "zip"],
  ["cc", "country"],
  ["tel", "phone"],
  ["telephone", "phone"],
  ["website", "url"],
  ["primarycategoryid", "category"],
  ["categoryid", "category"],
  ["fsqcategoryids", "categoryIds"],
  ["fsqcategorylabels", "categoryLabels"],
  ["dateclosed", "dateClosed"],
  ["unresolvedflags", "unresolvedFlags"],
  ["posttown", "postTown"],
  ["adminregion", "adminRegion"],
]);

/** Ignores case, spaces, underscores and dashes. `x` and `y` are used if there is no other position. */
export function canonicalNames(names: string[]): string[] {
  const found = names.map(canonicalName);
  if (found.includes("lat") || found.includes("lng")) return found;
  return found.map((name) => (name === "x" ? "lng" : name === "y" ? "lat" : name));
}

function canonicalName(name: string): string {
  const folded = name.toLowerCase().replace(/[\s_-]/g, "");
  return ALIASES.get(folded) ?? folded;
}
