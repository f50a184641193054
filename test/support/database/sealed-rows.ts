import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { tokenPlace } from "../../../src/directory/tokens.ts";
import { createVault, randomToken } from "../../../src/shared/crypto.ts";
import { connectionPlace } from "../../../src/web/base/connections.ts";
import { secretPlace, tokenNames } from "../../../src/web/base/keys.ts";
import { createWebVault } from "../../../src/web/client-secret/credentials.ts";

/** A directory that does not identify its users: accounts are known by a fingerprint of their token. */
export const NAMELESS = "https://nameless.example";
const NAMING = "https://naming.example";

/**
 * Inserts connections, client secrets and the directory's tokens, `rows` of each; every other account is one of NAMELESS. Returns
 * the plain text of each value, by table and id.
 */
export async function fillSealedRows(pool: Pool, keys: string[], rows: number): Promise<Map<string, string>> {
  const [web, directory] = [createWebVault(keys), createVault(keys, "directory")];
  const plain = new Map<string, string>();
  const all = Array.from({ length: rows }, (_, index) => ({ id: randomUUID(), index, token: randomToken() }));
  const externalId = ({ index, token }: (typeof all)[number]) =>
    index % 2 ? (tokenNames(web, token)[0] ?? "") : `user-${index}`;
  await pool.query(
    `INSERT INTO app.account (id, directory, external_id) SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[])`,
    [all.map(({ id }) => id), all.map(({ index }) => (index % 2 ? NAMELESS : NAMING)), all.map(externalId)],
  );
  await pool.query(`INSERT INTO app.connection (account_id, token) SELECT * FROM unnest($1::uuid[], $2::bytea[])`, [
    all.map(({ id }) => id),
    all.map(({ id, token }) => web.seal(token, connectionPlace(id))),
  ]);
  await pool.query(
    `INSERT INTO app.client_credential (id, directory, client_id, secret)
     SELECT id, 'https://naming.example', 'client', secret FROM unnest($1::uuid[], $2::bytea[]) AS row(id, secret)`,
    [all.map(({ id }) => id), all.map(({ id, token }) => web.seal(`secret ${token}`, secretPlace(id)))],
  );
  await pool.query(`INSERT INTO directory."user" (id, handle, password_hash) VALUES ('owner', 'rows-owner', '')`);
  await pool.query(
    `INSERT INTO directory.application (client_id, name, owner_id, redirect_uris)
     SELECT 'c' || n, 'App', 'owner', '{https://x.example}' FROM generate_series(0, $1::int - 1) n`,
    [rows],
  );
  const pair = ({ index }: (typeof all)[number]) => ({ userId: "owner", clientId: `c${index}` });
  await pool.query(
    `INSERT INTO directory.authorization (user_id, client_id, token_lookup, token_sealed, token_at)
     SELECT 'owner', client_id, lookup, sealed, now()
       FROM unnest($1::text[], $2::bytea[], $3::bytea[]) AS row(client_id, lookup, sealed)`,
    [
      all.map((each) => pair(each).clientId),
      all.map(({ token }) => directory.fingerprint(token, "token")),
      all.map((each) => directory.seal(each.token, tokenPlace(pair(each)))),
    ],
  );
  for (const { id, index, token } of all) {
    plain
      .set(`connection ${id}`, token)
      .set(`credential ${id}`, `secret ${token}`)
      .set(`authorization c${index}`, token);
  }
  return plain;
}

/** Opens all sealed values; undefined if a value does not open, or its fingerprint does not find it. */
export async function openSealedRows(pool: Pool, keys: string[]): Promise<Map<string, string | undefined>> {
  const [web, directory] = [createWebVault(keys), createVault(keys, "directory")];
  const opened = new Map<string, string | undefined>();
  const connections = await pool.query(
    `SELECT id, directory, external_id, token FROM app.account JOIN app.connection ON account_id = id
      WHERE directory = ANY($1)`,
    [[NAMELESS, NAMING]],
  );
  for (const { id, directory: at, external_id: name, token } of connections.rows) {
    const plain = web.open(token, connectionPlace(id));
    const isKnown = plain !== undefined && (at !== NAMELESS || tokenNames(web, plain).includes(name));
    opened.set(`connection ${id}`, isKnown ? plain : undefined);
  }
  const secrets = await pool.query("SELECT id, secret FROM app.client_credential WHERE client_id = 'client'");
  for (const { id, secret } of secrets.rows) opened.set(`credential ${id}`, web.open(secret, secretPlace(id)));
  const tokens = await pool.query(
    "SELECT client_id, token_lookup, token_sealed FROM directory.authorization WHERE user_id = 'owner'",
  );
  for (const { client_id: clientId, token_lookup: lookup, token_sealed: sealed } of tokens.rows) {
    const plain = directory.open(sealed, tokenPlace({ userId: "owner", clientId }));
    const isFound = plain !== undefined && directory.fingerprints(plain, "token").some((each) => lookup.equals(each));
    opened.set(`authorization ${clientId}`, isFound ? plain : undefined);
  }
  return opened;
}
