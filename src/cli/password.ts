import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { KnownError } from "../shared/errors.ts";

/** Characters; bounds the memory used. */
const MOST = 10_000;

/** Reads standard input without the final line end, or prompts without echo on a terminal. */
export async function readPassword(): Promise<string> {
  const password = process.stdin.isTTY ? await ask("Password: ") : await readAll();
  if (password === "") {
    const example = "printf '%s' \"$PASSWORD\" | samespot user add --handle ada --password-stdin";
    throw new KnownError(400, "param_error", `There is no password on standard input. Pass it like this: ${example}`);
  }
  return password;
}

async function readAll(): Promise<string> {
  let text = "";
  for await (const chunk of process.stdin.setEncoding("utf8")) {
    text += chunk;
    if (text.length > MOST) break;
  }
  return text.replace(/\r?\n$/, "");
}

async function ask(question: string): Promise<string> {
  process.stderr.write(question);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  terminal.on("SIGINT", () => process.kill(process.pid, "SIGINT"));
  const answer = await terminal.question("");
  terminal.close();
  process.stderr.write("\n");
  return answer;
}
