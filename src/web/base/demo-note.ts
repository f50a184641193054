import type { Web } from "./deps.ts";

/** Whether to say on a page that the directory has demo data. `href` leads admins to its removal, which its operators can do. */
export async function demoNote(
  { authHost }: Pick<Web, "authHost">,
  { isAdmin }: { isAdmin: boolean },
): Promise<{ href: string | undefined } | undefined> {
  const url = await authHost.features().then(
    ({ demoDataUrl }) => demoDataUrl,
    () => undefined,
  );
  return url && { href: isAdmin ? url.href : undefined };
}
