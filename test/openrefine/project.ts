import { setTimeout as sleep } from "node:timers/promises";

/** A type, or the property of a column. */
interface Named {
  id: string;
  name: string;
}

interface Recon {
  /** "matched", "new" or "none". */
  j: string;
  /** Candidates. */
  c?: { id: string; name: string; types: string[]; score: number }[];
}

type Fields = Record<string, string>;
const ALL_ROWS = JSON.stringify({ facets: [], mode: "row-based" });

/** Creates a project from a CSV file in OpenRefine 3.6.2, with the commands of its own page (webapp/modules/core/scripts). */
export async function createProject(url: string, csv: Buffer) {
  const token = async (): Promise<string> => (await (await fetch(`${url}/command/core/get-csrf-token`)).json()).token;
  const project = await upload(url, await token(), csv);
  const command = async (name: string, query: Fields, body: Fields = {}) => {
    const response = await fetch(`${url}/command/core/${name}?${new URLSearchParams({ project, ...query })}`, {
      method: "POST",
      body: new URLSearchParams({ ...body, csrf_token: await token() }),
    });
    const answer = await response.json();
    if (answer.code === "error") throw new Error(`OpenRefine ${name}: ${answer.message}`);
    return answer;
  };
  /** Waits for long tasks, which run in the background one after another. */
  const finished = async () => {
    const under = async () =>
      (await (await fetch(`${url}/command/core/get-processes?project=${project}`)).json()).processes.length;
    while ((await under()) > 0) await sleep(200);
  };
  return {
    url: `${url}/project?project=${project}`,

    /** Like ReconStandardServicePanel._guessTypes; the dialog preselects the first type. */
    async guessTypes(columnName: string, service: string): Promise<(Named & { count: number })[]> {
      return (await command("guess-types-of-column", { columnName, service })).types;
    },

    /** Like ReconStandardServicePanel.start by default: "Auto-match" ticked, no maximum. */
    async reconcile(columnName: string, service: string, type: Named | null, columns: Record<string, string> = {}) {
      const { identifierSpace, schemaSpace } = await (await fetch(service)).json();
      const columnDetails = Object.entries(columns).map(([column, id]) => ({ column, property: { id, name: id } }));
      const spaces = { service, identifierSpace, schemaSpace };
      const config = { mode: "standard-service", ...spaces, type, autoMatch: true, columnDetails, limit: 0 };
      await command("reconcile", {}, { columnName, engine: ALL_ROWS, config: JSON.stringify(config) });
      await finished();
    },

    /** Like the data extension dialog. */
    async extend(columnName: string, service: string, properties: Named[]) {
      const { identifierSpace, schemaSpace } = await (await fetch(service)).json();
      const query = { baseColumnName: columnName, endpoint: service, identifierSpace, schemaSpace };
      const extension = JSON.stringify({ properties });
      await command("extend-data", { ...query, columnInsertIndex: "2" }, { engine: ALL_ROWS, extension });
      await finished();
    },

    /** Returns the cells of every row, and the reconciliation of the matched cell. */
    async rows(): Promise<{ cells: (string | null)[]; recon: Recon | undefined }[]> {
      const { rows, pool } = await command("get-rows", { start: "0", limit: "1000" }, { engine: ALL_ROWS });
      return rows.map(({ cells }: { cells: ({ v: string; r?: string } | null)[] }) => {
        const recon = cells.find((cell) => cell?.r !== undefined)?.r;
        return { cells: cells.map((cell) => cell?.v ?? null), recon: recon && pool.recons[recon] };
      });
    },
  };
}

async function upload(url: string, token: string, csv: Buffer): Promise<string> {
  const form = new FormData();
  form.append("project-file", new Blob([new Uint8Array(csv)]), "listings.csv");
  form.append("project-name", "listings");
  const options = JSON.stringify({ separator: ",", headerLines: 1, guessCellValueTypes: false });
  const query = new URLSearchParams({ csrf_token: token, format: "text/line-based/*sv", options });
  const made = await fetch(`${url}/command/core/create-project-from-upload?${query}`, {
    method: "POST",
    body: form,
    redirect: "manual",
  });
  const project = new URL(made.headers.get("location") ?? "", url).searchParams.get("project");
  if (!project) throw new Error(`OpenRefine made no project: ${made.status} ${await made.text()}`);
  return project;
}
