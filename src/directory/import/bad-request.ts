import { KnownError } from "../../shared/errors.ts";

/** The file, or how it was given, is not what an import can use. */
export const badRequest = (message: string) => new KnownError(400, "param_error", message);
