import type { Auth } from "../../directory-client/calls/answers.ts";
import { DirectoryError } from "../../directory-client/calls/errors.ts";
import type { NewLink } from "../../directory-client/write-lines.ts";
import { sha256 } from "../../shared/crypto.ts";
import { storable } from "../../shared/storable.ts";
import type { AnnotateTask, Run } from "../run/long-task.ts";
import type { Problem } from "../run/problems/problems.ts";
import type { Mapping } from "./rows.ts";

export interface Running extends Run {
  task: AnnotateTask & { runner: string };
  auth: Auth;
  providerId: string;
}

/** The same call for the same mapping, alone or together with others. */
export function annotationCall(
  { id }: { id: string },
  { task, providerId }: Pick<Running, "task" | "providerId">,
  { number, ownId, venueId }: Mapping,
): NewLink {
  const link = { providerId, linkedId: ownId };
  // A later task must not get this task's stored response.
  const call = Buffer.from(sha256(JSON.stringify([link, venueId, task.since])));
  return { ...link, venueId, idempotencyKey: `${id}:${number}:${call.toString("base64url")}` };
}

/** The directory allows an id on one venue only and reports which. The interface has no call to remove it. */
export function conflictIn(error: unknown, { wasElsewhere: isOurs }: Mapping): Problem | undefined {
  const holder = error instanceof DirectoryError ? error.holder : undefined;
  return (
    holder && { code: "already_on", id: storable(holder.id), name: storable(holder.name), ...(isOurs && { isOurs }) }
  );
}
