import { text } from "../../../contract/text.ts";
import type { Auth } from "../../../directory-client/calls/answers.ts";
import { DirectoryError } from "../../../directory-client/calls/errors.ts";
import type { DirectoryClient } from "../../../directory-client/client.ts";
import { unknownPlaceHelp } from "../../venues/place.ts";

/** The town of rows that name no place, or none that the directory knows, as their owner says it. */
export const townName = text("town", 200);

/** Returns why rows cannot be asked about in this town, if so. Throws DirectoryError of a directory that does not answer. */
export async function townProblem(
  directory: Pick<DirectoryClient, "searchVenues">,
  auth: Auth,
  town: string,
): Promise<string | undefined> {
  try {
    await directory.searchVenues(auth, { near: town, limit: 1 });
  } catch (error) {
    if (!(error instanceof DirectoryError) || error.kind !== "rejected") throw error;
    return unknownPlaceHelp(error.errorType);
  }
  return undefined;
}
