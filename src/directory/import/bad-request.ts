import { KnownError } from "../../shared/errors.ts";

export const badRequest = (message: string) => new KnownError(400, "param_error", message);
