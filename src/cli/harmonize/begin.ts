import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { chosenColumns, columnsInWords } from "../../files/chosen-columns.ts";
import type { Columns } from "../../files/columns.ts";
import { ALL_ALIKE, type FileFormat, isEscapedBy, type Quotes } from "../../files/format.ts";
import { keptColumns } from "../../harmonize/file/kept-columns.ts";
import { changeDraft, earlierEditions, likelyEdition, rereadFile } from "../../harmonize/file/layout.ts";
import { missingColumns, noIds, previewFile } from "../../harmonize/file/preview.ts";
import { receiveFile } from "../../harmonize/file/receive.ts";
import { addRepairs } from "../../harmonize/repairs/change.ts";
import { deleteAll, deleteHarmonization } from "../../harmonize/run/deletion.ts";
import type { Harmonizer } from "../../harmonize/run/deps.ts";
import {
  type Harmonization,
  isOwner,
  loadHarmonization,
  resumeHarmonization,
  retryFailed,
} from "../../harmonize/run/harmonizations.ts";
import { hasRepairs, type RowRepair } from "../../harmonize/run/row-repairs.ts";
import { badRequest, notFound } from "../../shared/errors.ts";
import { looksLikeEdition } from "../../web/harmonize/base/edition.ts";
import { townName, townProblem } from "../../web/harmonize/base/town.ts";

export const EDITION_LISTS = ["new", "changed", "removed"] as const;
export type EditionList = (typeof EDITION_LISTS)[number];

export interface BeginOptions {
  file: string;
  user?: string;
  columns?: string;
  encoding?: FileFormat["encoding"];
  sheet?: string;
  separator?: FileFormat["separator"];
  quotes?: Quotes;
  /** Where the rows are that name no place, or none that the directory knows. */
  town?: string;
  acceptFrom?: number;
  /** Made as the rows are read, after those of the previous edition. */
  repairs?: RowRepair[] | undefined;
  /** Null: the file is no new edition, whatever it looks like. */
  previous?: string | null;
  /** What is written of an edition only. */
  lists?: Partial<Record<EditionList, unknown>>;
  again: boolean;
}

export interface Talk {
  signal: AbortSignal;
  say(message: string): void;
  /** Undefined without a terminal; `preselected` is the answer of Enter alone. */
  ask?: ((question: string, preselected: boolean) => Promise<boolean>) | undefined;
}

/**
 * Resumes the unfinished run of this file, or starts one; with a town, a finished one with rows that failed goes on. Throws KnownError if
 * the file is unusable with these options.
 */
export async function beginOrGoOn(deps: Harmonizer, given: BeginOptions, talk: Talk): Promise<Harmonization> {
  const { signal } = talk;
  const accountId = given.user === undefined ? null : await accountOf(deps, given.user);
  const town = given.town === undefined ? undefined : await knownTown(deps, accountId, given.town);
  const options = { ...given, ...(town !== undefined && { town }) };
  const earlier = options.again ? undefined : await findEarlier(deps, accountId, options, signal);
  if (earlier) return goOn(deps, earlier, options, talk);
  const bytes = createReadStream(options.file, { signal });
  const id = await receiveFile(deps, { accountId, name: path.basename(options.file), bytes, signal });
  return startDraft(deps, await load(deps, id), options, talk).catch(async (error) => {
    await forget(deps, id, signal);
    throw error;
  });
}

/** At once: this process may be the only worker, and may not have started one. */
export async function forget(deps: Harmonizer, id: string, signal: AbortSignal): Promise<void> {
  await deleteHarmonization(deps, id);
  await deleteAll(deps, { id, state: "deleting" }, { signal });
}

async function accountOf({ prisma, directoryUrl: directory }: Harmonizer, handle: string): Promise<string> {
  const account = await prisma.account.findFirst({
    where: { directory, handle: handle.toLowerCase(), disabledAt: null },
  });
  if (account) return account.id;
  throw notFound(
    `No user with the handle ${handle} has logged in to the web app for the directory at ${directory} (BASE_URL). ` +
      "Log in there once, or use the server's settings, then run this command again.",
  );
}

async function knownTown(deps: Harmonizer, accountId: string | null, typed: string): Promise<string> {
  const { data: town, error } = townName.safeParse(typed);
  if (!town) throw badRequest(`--town: ${error?.issues[0]?.message ?? "name a town, such as Providence, RI."}`);
  const auth = await deps.authFor(accountId); // without it, the run says so
  const message = auth && (await townProblem(deps.directory, auth, town));
  if (message) throw badRequest(`--town: ${message}`);
  return town;
}

/** The newest unfinished run of this file; else, with a town, the newest one whose failed rows are now asked about in it. */
async function findEarlier(
  deps: Harmonizer,
  accountId: string | null,
  options: BeginOptions,
  signal: AbortSignal,
): Promise<Harmonization | undefined> {
  const hash = createHash("sha256");
  for await (const bytes of createReadStream(options.file, { signal })) hash.update(bytes);
  const { directoryUrl: directory, prisma } = deps;
  const same = { directory, accountId, hash: hash.digest() };
  const newest = async (...states: Harmonization["state"][]) => {
    const where = { ...same, state: { in: states } };
    const found = await prisma.harmonization.findFirst({ where, orderBy: { createdAt: "desc" }, select: { id: true } });
    return found && load(deps, found.id);
  };
  const unfinished = await newest("draft", "reading", "matching");
  if (unfinished || options.town === undefined) return unfinished ?? undefined;
  const done = await newest("ready");
  const isRetried = done && isReadSo(done, options) && (await retryFailed(deps, done.id, options.town));
  return isRetried ? load(deps, done.id) : undefined;
}

async function goOn(deps: Harmonizer, h: Harmonization, options: BeginOptions, talk: Talk): Promise<Harmonization> {
  if (h.state === "draft") return startDraft(deps, h, options, talk);
  const isInTown = options.town === undefined || options.town === h.format.town;
  if (!isInTown || !isReadSo(h, options))
    throw badRequest("This file has an unfinished run with other options. Start a new run with --again.");
  if (h.previousId === null) refuseWithoutEdition(options.lists);
  await setCut(deps, h, options);
  await resumeHarmonization(deps, h.id);
  return load(deps, h.id);
}

function isReadSo(h: Harmonization, options: BeginOptions): boolean {
  const { header, columns, format, previousId } = h;
  const { encoding = format.encoding, separator = format.separator, previous = previousId } = options;
  const isEscaped = isEscapedBy(options.quotes) ?? format.isEscaped;
  const wanted = options.columns === undefined ? columns : chosenColumns(options.columns, header, columns);
  const isSameSheet = [undefined, format.sheet].includes(sheetOf(options, format));
  const isSameText = encoding === format.encoding && separator === format.separator && !isEscaped === !format.isEscaped;
  return (
    isSameSheet &&
    isSameText &&
    hasRepairs(h.repairs, options.repairs) &&
    previous === previousId &&
    isDeepStrictEqual(wanted, { ...columns })
  );
}

/** All sheets that are alike are the one that was read, if no other is. */
const sheetOf = ({ sheet }: BeginOptions, { kind, alike }: FileFormat): string | undefined =>
  sheet === ALL_ALIKE && kind === "xlsx" && !alike ? undefined : sheet;

async function startDraft(
  deps: Harmonizer,
  draft: Harmonization,
  options: BeginOptions,
  talk: Talk,
): Promise<Harmonization> {
  const { signal } = talk;
  const { encoding, separator, town } = options;
  const isEscaped = isEscapedBy(options.quotes);
  const sheet = sheetOf(options, draft.format);
  const sheets = draft.format.sheets ?? [];
  if (sheet !== undefined && !(sheet === ALL_ALIKE && draft.format.alike) && !sheets.includes(sheet))
    throw badRequest(
      sheets.length > 0
        ? `There is no sheet “${sheet}”. The sheets are ${sheets.map((name) => `“${name}”`).join(", ")}.`
        : "--sheet: this file is no workbook.",
    );
  if (draft.format.kind && (encoding ?? separator ?? isEscaped) !== undefined)
    throw badRequest("--encoding, --separator and --quotes: this file is no delimited text.");
  const given = {
    ...(sheet !== undefined && { sheet }),
    ...(encoding && { encoding }),
    ...(separator && { separator }),
    ...(isEscaped !== undefined && { isEscaped }),
  };
  if (Object.keys(given).length > 0) await rereadFile(deps, draft, { ...draft.format, ...given }, signal);
  if (!hasRepairs(draft.repairs, options.repairs))
    await addRepairs(deps, draft, draft.accountId, options.repairs ?? []);
  const read = await load(deps, draft.id);
  const choose = (columns: Columns) =>
    options.columns === undefined ? columns : chosenColumns(options.columns, read.header, columns);
  const previous =
    options.previous ?? (options.previous === null ? null : await askEdition(deps, read, choose(read.columns), talk));
  if (previous === null) refuseWithoutEdition(options.lists);
  else await checkPrevious(deps, previous, read.accountId);
  const earlier = previous === null ? undefined : await load(deps, previous);
  const columns = choose((earlier && keptColumns(earlier, read)) ?? read.columns);
  const inTown = town ?? read.format.town ?? earlier?.format.town;
  checkColumns(columns, read.header, { previous, town: inTown });
  await changeDraft(deps, read, { columns, previousId: previous, town: inTown }, "start");
  await setCut(deps, read, options);
  return load(deps, read.id);
}

/** Returns the run of which the file is a new edition, if it looks like one and somebody at a terminal says so. */
async function askEdition(
  deps: Harmonizer,
  draft: Harmonization,
  columns: Columns,
  { say, ask }: Talk,
): Promise<string | null> {
  if (columns.id === undefined) return null;
  const { owned } = await previewFile(deps, { ...draft, columns });
  const likely = await likelyEdition(deps, draft, await earlierEditions(deps, draft, draft.accountId), owned);
  if (!likely) return null;
  const { run, isSure } = likely;
  const looks = looksLikeEdition(run);
  if (ask) {
    const isEdition = await ask(`${looks} Is it one? Unchanged rows then keep their decisions.`, isSure);
    return isEdition ? run.id : null;
  }
  say(
    `${looks} It is read as a new list. To keep the decisions: --again --previous ${run.id}. For a new list: --previous none.`,
  );
  return null;
}

/** Throws KnownError 400 for a list of what is no edition. */
export function refuseWithoutEdition(lists: BeginOptions["lists"] = {}): void {
  const [list] = Object.keys(lists);
  if (list !== undefined) throw badRequest(`--${list} needs --previous: the harmonization of the previous edition.`);
}

async function setCut({ prisma }: Harmonizer, { id }: Harmonization, { acceptFrom }: BeginOptions): Promise<void> {
  if (acceptFrom !== undefined) await prisma.harmonization.update({ where: { id }, data: { acceptFrom } });
}

async function checkPrevious(deps: Harmonizer, id: string, accountId: string | null): Promise<void> {
  const previous = await loadHarmonization(deps, id);
  const isOwned =
    accountId === null
      ? previous?.accountId === null
      : previous && isOwner(previous, { id: accountId, isAdmin: false });
  if (!isOwned || previous?.state === "deleting")
    throw notFound(`This file cannot be a new edition of ${id}: there is no such harmonization of the same owner.`);
}

function checkColumns(
  columns: Columns,
  header: readonly string[],
  { previous, town }: { previous: string | null; town: string | undefined },
): void {
  const missing = missingColumns(columns, { ...(town !== undefined && { town }) });
  if (previous !== null && columns.id === undefined) missing.push(noIds());
  const options = "Choose columns with --columns, such as --columns name=2, and name a town with --town.";
  if (missing.length > 0) throw badRequest(`${missing.join(" ")} ${options} ${columnsInWords(header)}`);
}

async function load(deps: Harmonizer, id: string): Promise<Harmonization> {
  const found = await loadHarmonization(deps, id);
  if (!found) throw notFound("The run has been deleted.");
  return found;
}
