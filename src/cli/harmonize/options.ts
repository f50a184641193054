import type { LookState } from "../../harmonize/changes/changes.ts";
import type { ChangesFormat } from "../../harmonize/export/changes.ts";
import type { ExportFormat } from "../../harmonize/export/formats.ts";
import type { Against } from "./against.ts";
import type { BeginOptions, EditionList } from "./begin.ts";
import type { Shows } from "./progress.ts";

export interface HarmonizeOptions extends BeginOptions {
  output: string;
  format: ExportFormat;
  candidates: boolean;
  shows: Shows;
  /** Files for the rows that are new or have changed since the previous edition, and for those of it that are gone. */
  lists: Partial<Record<EditionList, ExportedTo>>;
  /** The directory has these places alone, and nobody looks at the run but through the file that is written. */
  against?: Against | undefined;
  /** A file for the listings whose venues have changed since they were matched. */
  venueChanges?: { output: string; format: ChangesFormat } | undefined;
}

interface ExportedTo {
  output: string;
  format: ExportFormat;
}

export interface Summary {
  harmonization: string;
  /** Address in the web app of these settings, if it has the run. */
  page?: string;
  output: string;
  listings: number;
  matched: number;
  review: number;
  none: number;
  failed: number;
  /** Rows by how they stand to the previous edition, if there is one; `removed`: rows of that one. */
  edition?: Record<"unchanged" | EditionList, number>;
  /** Venues by what became of them, if they were looked up. */
  venue_changes?: LookState["counts"];
  /** Why positions look wrong. No venues are added until the owner answers in the web app. */
  positions?: string;
  /** Not all positions could be compared in time. */
  positions_unchecked?: true;
  /** Duration in this process. */
  seconds: number;
}

export const outputsOf = ({ output, lists, venueChanges }: HarmonizeOptions): { option: string; output: string }[] => [
  { option: "-o", output },
  ...Object.entries(lists).map(([list, to]) => ({ option: `--${list}`, output: to.output })),
  ...(venueChanges ? [{ option: "--venue-changes", output: venueChanges.output }] : []),
];
