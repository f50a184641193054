import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { chosenColumns, columnsInWords } from "../../files/chosen-columns.ts";
import type { Columns } from "../../files/columns.ts";
import { ALL_ALIKE, type FileFormat } from "../../files/format.ts";
import { keptColumns } from "../../harmonize/file/kept-columns.ts";
import { changeDraft, rereadFile } from "../../harmonize/file/layout.ts";
import { missingColumns, noIds } from "../../harmonize/file/preview.ts";
import { receiveFile } from "../../harmonize/file/receive.ts";
import { deleteAll, deleteHarmonization } from "../../harmonize/run/deletion.ts";
import type { Harmonizer } from "../../harmonize/run/deps.ts";
import { type Harmonization, loadHarmonization, resumeHarmonization } from "../../harmonize/run/harmonizations.ts";
import { KnownError, notFound } from "../../shared/errors.ts";

export interface BeginOptions {
  file: string;
  user?: string;
  columns?: string;
  encoding?: FileFormat["encoding"];
  sheet?: string;
  separator?: FileFormat["separator"];
  acceptFrom?: number;
  previous?: string;
  again: boolean;
}

/**
 * Resumes the unfinished run of this file, or starts one. Throws KnownError if the file is unusable with these options.
 */
export async function beginOrGoOn(
  deps: Harmonizer,
  options: BeginOptions,
  signal: AbortSignal,
): Promise<Harmonization> {
  const accountId = options.user === undefined ? null : await accountOf(deps, options.user);
  const unfinished = options.again ? undefined : await findUnfinished(deps, accountId, options.file, signal);
  if (unfinished) return goOn(deps, unfinished, options, signal);
  const bytes = createReadStream(options.file, { signal });
  const id = await receiveFile(deps, { accountId, name: path.basename(options.file), bytes, signal });
  return startDraft(deps, await load(deps, id), options, signal).catch(async (error) => {
    await deleteHarmonization(deps, id);
    await deleteAll(deps, { id, state: "deleting" }, { signal }); // this process may be the only worker, and has not started
    throw error;
  });
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

async function findUnfinished(deps: Harmonizer, accountId: string | null, file: string, signal: AbortSignal) {
  const hash = createHash("sha256");
  for await (const bytes of createReadStream(file, { signal })) hash.update(bytes);
  const { directoryUrl: directory, prisma } = deps;
  const found = await prisma.harmonization.findFirst({
    where: { directory, accountId, hash: hash.digest(), state: { in: ["draft", "reading", "matching"] } },
    orderBy: { createdAt: "desc" },
    select: { id: true },
  });
  return found ? load(deps, found.id) : undefined;
}

async function goOn(
  deps: Harmonizer,
  found: Harmonization,
  options: BeginOptions,
  signal: AbortSignal,
): Promise<Harmonization> {
  if (found.state === "draft") return startDraft(deps, found, options, signal);
  if (!isReadSo(found, options))
    throw refused("This file has an unfinished run with other options. Start a new run with --again.");
  await setCut(deps, found, options);
  await resumeHarmonization(deps, found.id);
  return load(deps, found.id);
}

function isReadSo({ header, columns, format, previousId }: Harmonization, options: BeginOptions): boolean {
  const { encoding = format.encoding, separator = format.separator, previous = previousId } = options;
  const wanted = options.columns === undefined ? columns : chosenColumns(options.columns, header, columns);
  const isSameSheet = [undefined, format.sheet].includes(sheetOf(options, format));
  const isSameFormat = isSameSheet && encoding === format.encoding && separator === format.separator;
  return isSameFormat && previous === previousId && isDeepStrictEqual(wanted, { ...columns });
}

/** All sheets that are alike are the one that was read, if no other is. */
const sheetOf = ({ sheet }: BeginOptions, { kind, alike }: FileFormat): string | undefined =>
  sheet === ALL_ALIKE && kind === "xlsx" && !alike ? undefined : sheet;

async function startDraft(
  deps: Harmonizer,
  draft: Harmonization,
  options: BeginOptions,
  signal: AbortSignal,
): Promise<Harmonization> {
  const { encoding, separator, previous } = options;
  const sheet = sheetOf(options, draft.format);
  const sheets = draft.format.sheets ?? [];
  if (sheet !== undefined && !(sheet === ALL_ALIKE && draft.format.alike) && !sheets.includes(sheet))
    throw refused(
      sheets.length > 0
        ? `There is no sheet “${sheet}”. The sheets are ${sheets.map((name) => `“${name}”`).join(", ")}.`
        : "--sheet: this file is no workbook.",
    );
  if (draft.format.kind && (encoding ?? separator))
    throw refused("--encoding and --separator: this file is no delimited text.");
  const given = {
    ...(sheet !== undefined && { sheet }),
    ...(encoding && { encoding }),
    ...(separator && { separator }),
  };
  if (sheet ?? encoding ?? separator) await rereadFile(deps, draft, { ...draft.format, ...given }, signal);
  const { id, accountId, header, columns } = await load(deps, draft.id);
  if (previous !== undefined) await checkPrevious(deps, previous, accountId);
  const earlier = previous === undefined ? undefined : await load(deps, previous);
  const guessed = (earlier && keptColumns(earlier, { header, columns })) ?? columns;
  const chosen = options.columns === undefined ? guessed : chosenColumns(options.columns, header, guessed);
  checkColumns(chosen, header, previous);
  await changeDraft(deps, draft, { columns: chosen, previousId: previous ?? null }, "start");
  await setCut(deps, draft, options);
  return load(deps, id);
}

async function setCut({ prisma }: Harmonizer, { id }: Harmonization, { acceptFrom }: BeginOptions): Promise<void> {
  if (acceptFrom !== undefined) await prisma.harmonization.update({ where: { id }, data: { acceptFrom } });
}

async function checkPrevious(deps: Harmonizer, id: string, accountId: string | null): Promise<void> {
  const previous = await loadHarmonization(deps, id);
  if (previous?.accountId !== accountId || previous.state === "deleting")
    throw notFound(`This file cannot be a new edition of ${id}: there is no such harmonization of the same owner.`);
}

function checkColumns(columns: Columns, header: readonly string[], previous: string | undefined): void {
  const missing = missingColumns(columns);
  if (previous !== undefined && columns.id === undefined) missing.push(noIds());
  if (missing.length > 0)
    throw refused(
      `${missing.join(" ")} Choose columns with --columns, such as --columns name=2. ${columnsInWords(header)}`,
    );
}

async function load(deps: Harmonizer, id: string): Promise<Harmonization> {
  const found = await loadHarmonization(deps, id);
  if (!found) throw notFound("The run has been deleted.");
  return found;
}

const refused = (message: string) => new KnownError(400, "param_error", message);
