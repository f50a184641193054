import { z } from "zod";
import { t } from "../language/translate.ts";
import { idempotencyKey } from "./common-parameters.ts";
import { list, ours } from "./ours.ts";
import { addVenueParameters, venueId, webAddress } from "./parameters.ts";
import { BLUE_STATE } from "./sample-ids.ts";
import { hasForbiddenCharacter, text } from "./text.ts";

/** Parameters of POST {base_url}/v2/venues/delete (ours), and a line of its NDJSON. */
export const deleteParameters = z.object({ venueId });

/** Parameters of POST {base_url}/v2/venues/merge (ours). */
export const mergeParameters = z.object({
  venueId: venueId.meta({ description: "Id of the duplicate, which leads to the other from then on." }),
  into: z.string().meta({ description: "Id of the venue that stays.", examples: [BLUE_STATE] }),
});

/** What may be edited: the attributes of venues/add, and whether the venue is closed. */
export const venueChanges = addVenueParameters.partial().extend({
  closed: z
    .enum(["true", "false"], { error: () => t("closed must be true or false") })
    .optional()
    .meta({ description: "`true`: the venue is closed for good; searches leave it out.", examples: ["true"] }),
});
export type ValueName = keyof typeof venueChanges.shape;
export const VALUE_NAMES = Object.keys(venueChanges.shape) as ValueName[];
/** Every venue has these. */
export const REQUIRED_VALUES: readonly ValueName[] = ["name", "ll", "primaryCategoryId", "closed"];

/** Values of a venue as they are typed or sent; "" if it has none. */
export type Values = Partial<Record<ValueName, string>>;

const empty = list(
  z
    .string()
    .transform((text) => text.split(",") as ValueName[])
    .refine(
      (names) => names.every((name) => VALUE_NAMES.includes(name) && !REQUIRED_VALUES.includes(name)),
      `empty must name attributes to be emptied, with commas between them: ${VALUE_NAMES.filter((name) => !REQUIRED_VALUES.includes(name)).join(", ")}`,
    )
    .optional(),
).meta({ description: "Names of attributes to empty, separated by commas.", examples: ["phone,url"] });

const was = z
  .string()
  .transform((text, context): Values => {
    const values = valuesIn(text);
    if (values) return values;
    context.addIssue({ code: "custom", message: 'was must be a JSON object such as {"phone":"+1 401 555 0100"}' });
    return z.NEVER;
  })
  .optional()
  .meta({
    description:
      "JSON object with the former values of what is sent; an empty string if there was none. 409 if the venue has another value by now.",
    examples: ['{"phone":""}'],
  });

/** Returns the values of a JSON object, without unknown names; undefined if it is not one of strings. */
export function valuesIn(json: string): Values | undefined {
  try {
    const { data } = z.record(z.string(), z.string()).safeParse(JSON.parse(json));
    return data && Object.fromEntries(VALUE_NAMES.flatMap((name) => (name in data ? [[name, data[name]]] : [])));
  } catch {
    return undefined;
  }
}

/** Leaves out what is the same. */
export const differing = (values: Values, from: Values): Values =>
  Object.fromEntries(
    VALUE_NAMES.flatMap((name) => {
      const value = values[name];
      return value !== undefined && value !== (from[name] ?? "") ? [[name, value]] : [];
    }),
  );

/**
 * Brings a form that is based on `was` up to `now`: takes over what was changed meanwhile, except values that were typed anew.
 * Returns these in `conflicts`, with what they are now.
 */
export function rebased(typed: Values, was: Values, now: Values): { values: Values; conflicts: Values } {
  const meanwhile = differing(now, was);
  const changes = differing(typed, was);
  const both = VALUE_NAMES.filter((name) => name in meanwhile && name in changes && typed[name] !== now[name]);
  return { values: { ...now, ...changes }, conflicts: Object.fromEntries(both.map((name) => [name, now[name]])) };
}

/** Parameters of POST {base_url}/v2/venues/edit (ours). */
export const editParameters = venueChanges.extend({ venueId, empty, was });

/** Parameters of POST {base_url}/v2/venues/revert (ours). */
export const revertParameters = z.object({
  changeId: z
    .string()
    .regex(/^[0-9]{1,18}$/, "changeId must be the id of a change")
    .meta({ description: "Id of a change, from the answer of venues/merge or venues/edit.", examples: ["17"] }),
});

/** Hours after an add in which the user who added the venue may delete it again. */
export const DELETABLE_HOURS = 24;

export const providerId = text("providerId", 100).meta({
  description: "The provider id reserved for your application.",
  examples: ["listings"],
});

/** The caller's id of a listing, stored exactly as given, including white space (interface, "Mapping"). */
export const linkedId = z
  .string()
  .refine(
    (value) => !hasForbiddenCharacter(value) && !/[\t\n]/.test(value),
    "linkedId contains characters that cannot be stored",
  )
  .refine((value) => /\S/.test(value) && [...value].length <= 200, "linkedId must have 1 to 200 characters")
  .meta({ description: "Your own id of the listing.", examples: ["4711"] });

export const annotateParameters = z.object({
  providerId,
  linkedId,
  url: ours(webAddress.optional()).meta({
    description: "Web address of the listing's page at the provider.",
    examples: ["https://listings.example/4711"],
  }),
});

export const annotateVenueParameters = annotateParameters.extend({ venueId });

/** A line of NDJSON on venues/annotate (ours). */
export const annotateLine = annotateVenueParameters.extend({ idempotencyKey: idempotencyKey.optional() });
