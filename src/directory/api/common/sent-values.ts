import { type Values, venueChanges } from "../../../contract/correction-parameters.ts";
import { formatLl } from "../../../contract/parameters.ts";
import { badRequest } from "../../../shared/errors.ts";
import { checkValues } from "../../corrections/values.ts";

/** Returns the values that a call sends, as they are stored. Throws KnownError 400 param_error. */
export function sentValues({
  empty = [],
  ...parameters
}: Record<string, unknown> & { empty?: string[] | undefined }): Values {
  const given = Object.entries(parameters).flatMap(([name, value]) =>
    name in venueChanges.shape && value !== undefined
      ? [[name, typeof value === "string" ? value : formatLl(value as { lat: number; lng: number })]]
      : [],
  );
  const { values, errors } = checkValues(Object.fromEntries([...given, ...empty.map((name) => [name, ""])]));
  if (values) return values;
  throw badRequest(`${Object.values(errors).join("; ")}.`);
}
