import { routesOf } from "../support/routes.ts";
import { startWeb } from "../web/web-app.ts";

/** Call it at the top of a test file. */
export async function webWithRoutes() {
  let web: Awaited<ReturnType<typeof startWeb>> | undefined;
  const [routes = []] = await routesOf(async () => {
    web = await startWeb();
  });
  if (!web) throw new Error("The app did not start.");
  return { web, routes };
}
