import type { AuthDeps } from "../../../../src/directory/auth/base/session.ts";
import { storeCategories } from "../../../../src/directory/categories/store.ts";
import { allCategories } from "../../../../src/directory/categories/tree.ts";
import { queueVenues } from "../../../../src/directory/proposals/propose.ts";
import { addUser } from "../../../../src/directory/users.ts";
import { insertVenues } from "../../../../src/directory/venues/add.ts";
import { formFields, type HttpClient, type Page } from "../../../support/http-client.ts";
import { authHost, loggedIn } from "../auth-host.ts";

export const LIST = "/operator/applications";
export const pageOf = (clientId: string) => `${LIST}/${clientId}`;

const PASSWORD = "a long password";

/** Starts the auth host with the operator olga. Call it at the top level of the file. */
export async function operatorHost(languages: AuthDeps["config"]["languages"] = ["en"]) {
  /** Overrides the operators. */
  const operator = {
    names: ["Olga", "nobody-here"],
    contact: "help@directory.example",
    newApplications: "reading" as const,
    ownClient: undefined,
  };
  const admins: string[] = [];
  const host = await authHost({ operator, languages, admins });
  const { prisma } = host.deps;

  /** A browser in which she has just logged in. */
  async function newOperator(): Promise<HttpClient> {
    const known = await prisma.user.findUnique({ where: { handle: "olga" } });
    if (!known) await addUser(host.deps, { handle: "olga", password: PASSWORD });
    return loggedIn(host, { handle: "olga", password: PASSWORD });
  }
  return {
    ...host,
    ...{ operator, admins, newOperator },
    asOperator: { handle: "olga", password: PASSWORD },
    newDeveloper: async () => loggedIn(host, await host.user()),
    accessOf: async (clientId: string) => (await prisma.application.findUniqueOrThrow({ where: { clientId } })).access,
    /** Everything that operators can change. */
    snapshot: async () =>
      JSON.stringify([
        await prisma.application.findMany({ orderBy: { clientId: "asc" } }),
        (await prisma.accessEvent.findMany({ orderBy: { id: "asc" } })).map((event) => ({ ...event, id: 0 })),
      ]),
  };
}

export async function decide(browser: HttpClient, clientId: string, fields: Record<string, string>): Promise<Page> {
  const page = await browser.get(pageOf(clientId));
  const { _csrf = "", before = "" } = formFields(page, `${pageOf(clientId)}/access`);
  return browser.post(`${pageOf(clientId)}/access`, { _csrf, before, ...fields });
}

type Host = Pick<Awaited<ReturnType<typeof authHost>>, "deps" | "user" | "application">;

export const addVenue = async (host: Host, name: string) => (await add(host, name, false)).id;

/** Adds a venue that waits for approval, and returns the ids of venue and proposal. */
export async function addHeld(host: Host, name: string) {
  const { id } = await add(host, name, true);
  const { id: proposal } = await host.deps.prisma.venueProposal.findFirstOrThrow({ where: { venueId: id } });
  return { id, proposal: String(proposal) };
}

async function add(host: Host, name: string, isHeld: boolean) {
  const { prisma, pool } = host.deps;
  await storeCategories(prisma);
  const by = { userId: (await host.user()).id, clientId: (await host.application()).clientId };
  const primaryCategoryId = allCategories[0]?.id ?? "";
  const venue = { name, ll: { lat: 41.8, lng: -71.4 }, primaryCategoryId, address: "1 Main St" };
  return prisma.$transaction(async (tx) => {
    const rows = await insertVenues({ tx, pool, isHeld }, [venue], by);
    if (isHeld) await queueVenues(tx, rows, by);
    return { id: rows[0]?.id ?? "" };
  });
}
