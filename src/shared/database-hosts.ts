/**
 * Returns the address of each host of a PostgreSQL address that lists several
 * (`postgresql://user@one:5432,two:5432/name?target_session_attrs=read-write`). node-postgres knows one host only.
 */
export function databaseHosts(url: string): string[] {
  const [, before = "", hosts = "", after = ""] = /^(\w+:\/\/(?:[^@/?]*@)?)([^/?]*)(.*)$/s.exec(url) ?? [];
  if (!hosts.includes(",")) return [url];
  const [path = "", query = ""] = after.split(/\?(.*)/s);
  const parameters = new URLSearchParams(query);
  parameters.delete("target_session_attrs");
  const rest = parameters.size > 0 ? `${path}?${parameters}` : path;
  return hosts.split(",").map((host) => `${before}${host}${rest}`);
}
