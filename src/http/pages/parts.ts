import type { LatLng } from "../../contract/parameters.ts";

/** A message at the top of a page (`partials/notice`). */
export interface Notice {
  /** By default info. */
  kind?: "info" | "success" | "warning" | "danger";
  heading?: string;
  message: string;
  link?: { href: string; label: string } | undefined;
}

export interface Problem {
  status?: number;
  heading: string;
  message: string;
  advice?: string | undefined;
  action?: { href: string; label: string };
  requestId?: string;
}

export interface Field {
  name: string;
  label: string;
  /** By default the name. */
  id?: string;
  type?: string;
  value?: string | undefined;
  hint?: string;
  error?: string | undefined;
  required?: boolean;
  optional?: boolean;
  rows?: number;
  attributes?: Attributes;
}

/** HTML attributes: true prints the bare name; undefined, null, false and "" omit it. */
export type Attributes = Record<string, string | number | boolean | null | undefined>;

type Shorthands = { maxlength?: number; autocomplete?: string; inputmode?: string; placeholder?: string };

export const formFields =
  <N extends string>(values: Record<N, string>, errors: Partial<Record<string, string>>) =>
  (name: N | "password", label: string, more: Omit<Field, "name" | "label"> & Shorthands): { field: Field } => {
    const { maxlength, autocomplete, inputmode, placeholder, ...rest } = more;
    const attributes = { maxlength, autocomplete, inputmode, placeholder, ...more.attributes };
    return { field: { name, label, value: values[name as N], error: errors[name], ...rest, attributes } };
  };

interface MapPoint extends LatLng {
  name: string;
  href?: string | undefined;
  /** The listing that the other points are compared with. */
  isListing?: boolean;
  from?: LatLng | undefined;
}

interface MapContent {
  points: MapPoint[];
  around?: (LatLng & { name: string })[];
  center?: LatLng | undefined;
  zoom?: number;
  /** Ids of two inputs, or of one for both, that a click on the map fills in. */
  pick?: { lat: string; lng: string };
  /** Address of a search, to which the middle of the map is appended. */
  searchHref?: string;
}

export const mapOf = ({ points, around = [], center, zoom, pick, searchHref }: MapContent) => ({
  points,
  around,
  center,
  zoom,
  pick,
  searchHref,
});
export type MapView = ReturnType<typeof mapOf>;
