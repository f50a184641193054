// Returns the same JSON for every request. Argument: the port.
import Fastify from "fastify";

const app = Fastify();
app.get("/*", async () => ({ meta: { code: 200 }, response: {} }));
await app.listen({ host: "127.0.0.1", port: Number(process.argv[2]) });
process.once("SIGTERM", () => app.close());
