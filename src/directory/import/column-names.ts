/** Other names of our columns, folded: those of the Foursquare OS Places release and of common exports among them. */
const ALIASES: Record<string, string> = {
  fsqplaceid: "id",
  latitude: "lat",
  longitude: "lng",
  lon: "lng",
  long: "lng",
  crossstreet: "crossStreet",
  locality: "city",
  region: "state",
  postcode: "zip",
  postalcode: "zip",
  zipcode: "zip",
  cc: "country",
  tel: "phone",
  telephone: "phone",
  website: "url",
  primarycategoryid: "category",
  categoryid: "category",
  fsqcategorylabels: "category",
};

/** Our name of a column: case, spaces, underscores and dashes do not count ("Postal Code" is `zip`). */
export function canonicalName(name: string): string {
  const folded = name.toLowerCase().replace(/[\s_-]/g, "");
  return ALIASES[folded] ?? folded;
}
