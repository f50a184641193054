// Imported before a client: where the clients could not be installed, the tests of this folder fail and say why.
import { inject } from "vitest";

const { clientsProblem } = inject("run");
if (clientsProblem !== undefined) throw new Error(clientsProblem);
