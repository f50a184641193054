import type { FastifyInstance } from "fastify";
import type { Harmonization } from "../../harmonize/harmonizations.ts";
import { moveCuts } from "../../harmonize/thresholds.ts";
import { textField } from "../../http/forms.ts";
import type { Web } from "../deps.ts";
import { backTo } from "./run-notice.ts";
import { ownersOnly } from "./run-owner.ts";
import { type CutProblem, parseCut } from "./show-cuts.ts";
import { sendResults } from "./show-results.ts";

/** `POST /harmonizations/:id/cuts`: `acceptFrom`, `reviewFrom`. Moves them for all listings that nobody has decided. */
export function registerCuts(app: FastifyInstance, web: Web): void {
  const handler = ownersOnly(web, async (request, reply, { member, found }) => {
    const typed = {
      acceptFrom: textField(request.body, "acceptFrom"),
      reviewFrom: textField(request.body, "reviewFrom"),
    };
    const { cuts, problem } = readCuts(typed);
    if (!cuts) return sendResults(web, reply.code(400), member, found, { ...typed, message: problem });
    const isMoved = await moveCuts(web.harmonizer, found.id, cuts);
    return backTo(
      reply,
      found.id,
      isMoved
        ? { kind: "success", message: `Matches from ${cuts.acceptFrom} on are accepted without a look.` }
        : { kind: "warning", message: "The cuts can be moved once nothing runs any more." },
    );
  });
  app.post("/harmonizations/:id/cuts", handler);
}

type Cuts = Pick<Harmonization, "acceptFrom" | "reviewFrom">;
type Typed = Pick<CutProblem, "acceptFrom" | "reviewFrom">;

function readCuts(typed: Typed): { cuts: Cuts; problem?: never } | { cuts?: never; problem: string } {
  const [acceptFrom, reviewFrom] = [parseCut(typed.acceptFrom), parseCut(typed.reviewFrom, 0)];
  if (acceptFrom === undefined) return { problem: "Accept from a number between 0.5 and 0.999." };
  if (reviewFrom === undefined || reviewFrom > acceptFrom)
    return { problem: `Ask about matches from a number between 0 and ${acceptFrom}.` };
  return { cuts: { acceptFrom, reviewFrom } };
}
