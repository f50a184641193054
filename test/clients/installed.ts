// Import it before a client: if the clients could not be installed, the tests fail with the reason.
import { inject } from "vitest";

const problem = inject("clientsProblem");
if (problem !== undefined) throw new Error(problem);
