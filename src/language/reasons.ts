import es from "./es.json" with { type: "json" };
import { sentencesOf } from "./sentences.ts";

/**
 * Translates a reason for a match, as our directory words it in English. Other texts stay as they are: a directory may say
 * what it likes.
 */
export const reasonInWords = sentencesOf({ es: es.reasons });

/** Translates why a file cannot be used. The text is made by the process that reads files, and may have been stored. */
export const refusalInWords = sentencesOf({ es: es.refusals });
