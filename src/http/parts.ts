import type { LatLng } from "../contract/parameters.ts";

/** A message above a page (`partials/notice`). */
export interface Notice {
  /** Info, if not given. */
  kind?: "info" | "success" | "warning" | "danger";
  heading?: string;
  message: string;
  link?: { href: string; label: string } | undefined;
}

/** What an error page says (`partials/error-page`). */
export interface Problem {
  status?: number;
  heading: string;
  message: string;
  /** What to do. */
  advice?: string | undefined;
  action?: { href: string; label: string };
  requestId?: string;
}

/** An input with its label (`partials/field`). */
export interface Field {
  name: string;
  label: string;
  /** The name, if not given. */
  id?: string;
  type?: string;
  value?: string | undefined;
  hint?: string;
  error?: string | undefined;
  required?: boolean;
  optional?: boolean;
  /** Makes it a text area. */
  rows?: number;
  attributes?: Attributes;
}

/** HTML attributes. True is a bare name; undefined, null, false and "" leave the attribute out. */
export type Attributes = Record<string, string | number | boolean | null | undefined>;

type Shorthands = { maxlength?: number; autocomplete?: string; inputmode?: string; placeholder?: string };

/** The fields of one form: beside each stand what was typed and what is wrong with it. */
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
  /** The place that the others are compared with. */
  isListing?: boolean;
  /** Where it was before. */
  from?: LatLng | undefined;
}

/** What a map shows (`partials/map`). */
interface MapContent {
  /** In the order of the numbered list. */
  points: MapPoint[];
  /** Dots that help to find one's way. */
  around?: (LatLng & { name: string })[];
  center?: LatLng | undefined;
  zoom?: number;
  /** Ids of two inputs, or of one for both, that a click on the map fills. */
  pick?: { lat: string; lng: string };
}

export const mapOf = ({ points, around = [], center, zoom, pick }: MapContent) => ({
  points,
  around,
  center,
  zoom,
  pick,
});
export type MapView = ReturnType<typeof mapOf>;
