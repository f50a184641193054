import type { z } from "zod";
import type { Access } from "../access.ts";
import type { Caller } from "./credentials.ts";

/** One endpoint of the API host: what it takes, who may call it, and the `response` it answers with. */
export interface Endpoint<S extends z.ZodObject, C extends Caller> {
  /** POST stands beside GET where the call has an effect. */
  methods: readonly Method[];
  path: `/v2/${string}`;
  /** One line of documentation. */
  summary: string;
  /** What it has no room for, in Markdown. */
  description?: string;
  parameters: S;
  /** The shape of what `answer` answers, for the documentation. */
  response: z.ZodType;
  /** How many calls it counts as, by its parameters as sent; one where this is not given. */
  cost?: (raw: Record<string, unknown>) => number;
  /** What the caller's application must be allowed, or how that follows from the parameters; reading by default. */
  needs?: Access | ((parameters: z.output<S>) => Access);
  /** Bytes of the largest body, for an endpoint that takes batches; elsewhere 64 KB. */
  bodyLimit?: number;
  /** The whole endpoint is ours and not the interface's. */
  isOurs?: boolean;
  answer: (call: Call<z.output<S>, C>) => Promise<Answer>;
}

export interface Call<P, C extends Caller = Caller> {
  caller: C;
  parameters: P;
  /** The API version date, YYYYMMDD. */
  v: string;
  /** The id in the path, where the path has one. */
  id: string;
  idempotencyKey: string | undefined;
}

type Method = "GET" | "POST";
type Answer = Record<string, unknown>;

/** An endpoint as it is kept: for the documentation, and for `multi`, which calls several. */
export interface RegisteredEndpoint extends Omit<Endpoint<z.ZodObject, Caller>, "answer" | "needs"> {
  /** Whether it needs a user's token. */
  needsUser: boolean;
  /** The `response` to a caller whose credentials and calls have been checked. `raw`: parameters as sent. */
  answer(
    caller: Caller,
    raw: Record<string, unknown>,
    more: { id: string; idempotencyKey?: string | undefined },
  ): Promise<Answer>;
}
