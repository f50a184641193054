import pg from "pg";

/**
 * A database behind a pooler in transaction mode (PgBouncer): each transaction may run on another connection of the
 * server, which others use before and after it. Contains passwords: never log it.
 */
export interface Pooled {
  /** Of the pooler. */
  url: string;
  /** Of the database itself, for what needs a session. */
  session: string;
  role?: string | undefined;
  /** Whether the pooler knows the statements that a client has prepared (PgBouncer 1.21 or newer). */
  keepsNames: boolean;
}

type Sent = Promise<pg.QueryResult>;
type Query = (config: string | pg.QueryConfig, values?: unknown[]) => Sent;
type Callback = (error: Error | undefined, result?: pg.QueryResult) => void;

/**
 * Makes every statement of a client of a pooler run in a transaction that begins with the role and the settings: a
 * pooler refuses them at start-up, and elsewhere they would stay for others. BEGIN, statement and COMMIT are sent
 * together (the client's `pipeline`), so this costs no round trip.
 */
export function inTransactions(
  client: pg.ClientBase,
  { role, keepsNames }: Pick<Pooled, "role" | "keepsNames">,
  settings: Record<string, string | number>,
): void {
  const { default_transaction_isolation: isolation = "read committed", ...others } = settings; // a default is too late within
  const begin = `BEGIN ISOLATION LEVEL ${isolation}; ${setLocal({ ...(role !== undefined && { role }), ...others })}`;
  const send = client.query.bind(client) as Query;
  const run: Query = (config, values) => {
    // The text of Sql (sql.ts) is a getter of its class.
    const { name, ...query } =
      typeof config === "string" ? { text: config, name: undefined } : { ...config, text: config.text };
    const statement = name && keepsNames ? { ...query, name } : query;
    if (isWithin(client)) return send(statement, values);
    if (BEGINS.test(query.text)) return send({ ...statement, text: query.text.replace(BEGINS, begin) }, values);
    return resultOf([send(begin), send(statement, values), send("COMMIT")]);
  };
  const query = (config: string | pg.QueryConfig, values?: unknown[] | Callback, callback?: Callback) => {
    const [given, done] = typeof values === "function" ? [undefined, values] : [values, callback];
    const result = run(config, given);
    if (!done) return result;
    return void result.then((rows) => done(undefined, rows), done);
  };
  Object.assign(client, { query });
}

/** A new client has no status yet. */
const isWithin = (client: pg.ClientBase) => ["T", "E"].includes(client.getTransactionStatus() ?? "I");

const BEGINS = /^\s*BEGIN(?=\s*(;|$))/;

const setLocal = (settings: Record<string, string | number>): string =>
  Object.entries(settings)
    .map(([name, value]) => `SET LOCAL ${name} = ${pg.escapeLiteral(`${value}`)}`)
    .join("; ");

/** Waits for all three, and throws the first error: if BEGIN fails, the statement fails without the reason. */
async function resultOf(sent: [begun: Sent, result: Sent, ended: Sent]): Promise<pg.QueryResult> {
  await Promise.allSettled(sent);
  const [, result] = await Promise.all(sent);
  return result;
}
