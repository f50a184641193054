import { refusalInWords } from "../../../language/sentences.ts";
import { t } from "../../../language/translate.ts";
import { KnownError } from "../../../shared/errors.ts";

export const EMPTY = "This file is empty. Choose a file with at least one row.";

/** The error for a file that cannot be read. The message says why, and what to do. */
export const unusableFile = (message: string, status = 400) =>
  new KnownError(status, "unusable_file", refusalInWords(message), { title: t("This file cannot be used") });
