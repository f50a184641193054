import type { Page } from "../support/http-client.ts";
import { type Account, addContent, type Hosts, logInAll, type Visitor } from "./content.ts";
import { FILES, PAGES, type Shown } from "./pages.ts";

/**
 * Opens every page and file that needs no script, over HTTP, on a site with the sample and ACCOUNTS. Returns what is wrong, a line
 * each, and how many were opened.
 */
export async function openPages(hosts: Hosts, demo: Account): Promise<{ opened: number; problems: string[] }> {
  const visitors = await logInAll(hosts, demo);
  const where = { ...hosts, ...(await addContent(visitors.user)) };
  const all = [...PAGES, ...FILES].filter(({ steps }) => !steps);
  const problems: string[] = [];
  for (const shown of all) {
    const address = shown.address(where);
    const page = await follow(hosts, visitors[shown.role], address);
    problems.push(...problemsOf(shown, page).map((words) => `${shown.role} ${shown.name} (${address}): ${words}`));
  }
  return { opened: all.length, problems };
}

/** Goes where the page leads to, also on another of the hosts. */
async function follow(hosts: Hosts, visitor: Visitor, address: string): Promise<Page | undefined> {
  let [to, page]: [string, Page | undefined] = [address, undefined];
  for (let hops = 0; to && hops < 10; hops += 1) {
    const host = (["app", "auth", "api"] as const).find((each) => to.startsWith(`${hosts[each]}/`));
    if (!host) return undefined;
    page = await visitor[host].get(to);
    to = page.location;
  }
  return page;
}

function problemsOf({ status: expected = 200 }: Pick<Shown, "status">, page: Page | undefined): string[] {
  if (!page) return ["it leads to another site"];
  const { status, headers, body } = page;
  if (status !== expected) return [`status ${status} in place of ${expected}`];
  if (!headers.get("content-type")?.startsWith("text/html")) return body ? [] : ["nothing is sent"];
  return [
    ...(/<h1\b[^>]*>(?:<[^>]*>|\s)*[^<\s]/.test(body) ? [] : ["it has no heading"]),
    ...(body.includes('class="error-page"') && status < 400 ? ["it is an error page"] : []),
    ...(/<\/html>\s*$/.test(body) ? [] : ["it has no end"]),
  ];
}
