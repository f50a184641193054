import type { FastifyInstance } from "fastify";
import { anyone, registerRoutes, rowsFor } from "../../http/routes.ts";
import type { Web } from "../base/deps.ts";
import { sendDocument } from "./document.ts";
import { API } from "./endpoint.ts";
import { ENDPOINTS } from "./endpoints.ts";

const apiRoutes = [
  rowsFor<Web>().get(`${API}/openapi.json`, anyone, sendDocument, { cost: "file" }),
  ...Object.values(ENDPOINTS)
    .flat()
    .map(({ row }) => row),
];

/** The endpoints: JSON in and out, without sessions, cookies and forms, and for no page of another origin. */
export async function registerApi(app: FastifyInstance, web: Web): Promise<void> {
  await app.register(
    async (api) => {
      const closing = new AbortController();
      api.addHook("preClose", async () => closing.abort());
      api.decorate("apiClosing", closing.signal);
      await registerRoutes(api, web, apiRoutes);
    },
    { prefix: API },
  );
}
