// Import it before a client: if the clients could not be installed, the tests fail with the reason.
import { inject } from "vitest";

const { clientsProblem } = inject("run");
if (clientsProblem !== undefined) throw new Error(clientsProblem);
