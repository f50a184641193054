import { routesOf } from "../support/routes.ts";
import { startWeb } from "../web/web-app.ts";

/** The endpoints of programs take neither sessions nor forms; test/web/api walks them. */
const OF_PROGRAMS = / \/api\/v1\//;

/** The routes of people. Call it at the top of a test file. */
export async function webWithRoutes(options?: Parameters<typeof startWeb>[0]) {
  let web: Awaited<ReturnType<typeof startWeb>> | undefined;
  const [routes = []] = await routesOf(async () => {
    web = await startWeb(options);
  });
  if (!web) throw new Error("The app did not start.");
  return { web, routes: routes.filter((route) => !OF_PROGRAMS.test(route)) };
}
