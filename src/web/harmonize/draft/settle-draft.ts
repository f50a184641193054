import { isDeepStrictEqual } from "node:util";
import { DirectoryError } from "../../../directory-client/calls/errors.ts";
import type { Columns } from "../../../files/columns.ts";
import type { FileFormat } from "../../../files/format.ts";
import { changeDraft, inTown, mayPrecede, rereadFile, townOfEdition } from "../../../harmonize/file/layout.ts";
import { missingColumns, noIds } from "../../../harmonize/file/preview.ts";
import { answerPositions } from "../../../harmonize/positions/answer.ts";
import type { Harmonization } from "../../../harmonize/run/harmonizations.ts";
import { areJudgedAlike, isOpen } from "../../../harmonize/run/positions.ts";
import { t } from "../../../language/translate.ts";
import { KnownError } from "../../../shared/errors.ts";
import type { Web } from "../../base/deps.ts";
import type { Member } from "../../base/members.ts";
import { townProblem } from "../base/town.ts";

interface Fault {
  message: string;
  field?: string;
}

/** What an owner says of a draft. */
export interface DraftWish {
  /** As the field `action` of the page. */
  action: string;
  columns: Columns;
  format: FileFormat;
  /** Of rows that name no place; empty for none. */
  town: string;
  /** Empty to keep it. */
  name: string;
  previousId: string | null;
  isNewList: boolean;
  /** What is already known to be wrong. */
  faults: Fault[];
}

type Settled = { kind: "reread" | "done" } | { kind: "refused"; status: number; draft: Harmonization; faults: Fault[] };

/** Saves what an owner says of a draft, and does what they want. `reread`: the columns were guessed anew, as the format is another one. */
export async function settleDraft(
  web: Web,
  member: Member,
  harmonization: Harmonization,
  wish: DraftWish,
  signal: AbortSignal,
): Promise<Settled> {
  const { harmonizer } = web;
  const { action, columns, name, previousId, isNewList } = wish;
  const isAllowed = !previousId || (await mayPrecede(harmonizer, member, harmonization, previousId));
  const town = isAllowed ? await townOfEdition(harmonizer, harmonization, { previousId, town: wish.town }) : wish.town;
  const format = inTown(wish.format, town);
  if (name) await web.prisma.harmonization.updateMany({ where: { id: harmonization.id }, data: { name } });
  const edition = { previousId, isNewList };
  const draft = { ...harmonization, name: name || harmonization.name, format, columns, town, ...edition };
  const before: FileFormat = harmonization.format;
  const refused = (status: number, faults: Fault[]) => ({ kind: "refused" as const, status, draft, faults });
  try {
    if (action === "reread" || FORMAT_KEYS.some((key) => format[key] !== before[key])) {
      await rereadFile(harmonizer, harmonization, format, signal);
      return { kind: "reread" };
    }
    const isUnknown = town !== "" && town !== before.town && wish.faults.every(({ field }) => field !== "town");
    const faults = [
      ...wish.faults,
      ...(isAllowed ? [] : [noPrevious()]),
      ...(previousId && columns.id === undefined ? [noId()] : []),
      ...(isUnknown ? await unknownTown(web, harmonization, town) : []),
      ...(action === "try" || action === "start"
        ? missingColumns(columns, format).map((message) => ({ message }))
        : []),
    ];
    if (faults.length > 0) return refused(400, faults);
    const isSameQuestion = areJudgedAlike(harmonization.columns, columns);
    const isOpenStart = action === "start" && isSameQuestion && isOpen(harmonization.positions);
    const does = isOpenStart || (action !== "try" && action !== "start") ? "save" : action;
    if (action !== "rename" || isChanged(harmonization, draft))
      await changeDraft(harmonizer, harmonization, draft, does);
    if (isOpenStart) return refused(409, [unanswered()]);
    if (isSameQuestion && Object.hasOwn(ANSWERS, action))
      await answerPositions(harmonizer, harmonization, ANSWERS[action]);
    return { kind: "done" };
  } catch (error) {
    if (!(error instanceof KnownError) || error.status >= 500) throw error;
    return refused(error.status, [{ message: error.message }]);
  }
}

/** A directory that does not answer now is asked when the rows are matched. */
async function unknownTown({ harmonizer }: Web, { accountId }: Harmonization, town: string) {
  const auth = await harmonizer.authFor(accountId);
  const message = auth && (await townProblem(harmonizer.directory, auth, town).catch(unlessDirectory));
  return message ? [{ message, field: "town" }] : [];
}

function unlessDirectory(error: unknown): undefined {
  if (!(error instanceof DirectoryError)) throw error;
}

/** The answer about the positions by button; `ask` clears it. */
const ANSWERS: Record<string, "right" | "repair" | undefined> = { right: "right", repair: "repair", ask: undefined };
const unanswered = () => ({ field: "positions", message: t("First confirm whether the positions are right.") });

const FORMAT_KEYS = ["encoding", "separator", "isEscaped", "hasHeader", "headerLine", "sheet"] as const;

/** Saving discards the trial's result, which a new name alone must not. */
const isChanged = (before: Harmonization, after: Harmonization): boolean =>
  before.previousId !== after.previousId ||
  before.format.town !== after.format.town ||
  !isDeepStrictEqual({ ...before.columns }, after.columns);

const noPrevious = () => ({
  field: "previous",
  message: t("Choose one of your own files as the previous edition."),
});
const noId = () => ({ field: "previous", message: noIds() });
