import { dictionary } from "@zxcvbn-ts/language-common";
import { expect, it } from "vitest";
import { isCommon } from "../../../src/directory/passwords.ts";
import { addUser, checkPassword, findUser, setPassword } from "../../../src/directory/users.ts";
import { authHost, loggedIn } from "../../directory/auth/auth-host.ts";
import { formFields } from "../../support/http-client.ts";

const host = await authHost({ signUp: true });
const { deps } = host;

const COMMON = "Password is too common; choose another";
const ABOUT_YOU = "Password must not be the username, the name or the e-mail address; choose another";

it("B45: more than 3,000 common passwords of sufficient length are rejected", () => {
  const list = dictionary["passwords-common"].filter((password) => password.length >= 8);
  expect(list.length).toBeGreaterThan(3000);
  expect(list.filter((password) => !isCommon(password.toUpperCase()))).toEqual([]);
});

it.each(["password", "12345678", "PassWord1", "ＰＡＳＳＷＯＲＤ", "00000000", "abababab", "SameSpot"])(
  "B45: the common password %s is rejected",
  (password) => expect(isCommon(password)).toBe(true),
);

it("B45: an uncommon password is accepted", () => {
  for (const password of ["a long password", "correct horse battery", "kJ8-vd2z"])
    expect(isCommon(password)).toBe(false);
});

it.each([
  ["Password", COMMON],
  ["12345678", COMMON],
  ["ada-lovelace", ABOUT_YOU],
  ["Augusta Ada King", ABOUT_YOU],
  ["AugustaAdaKing", ABOUT_YOU],
  ["Augusta Ada", ABOUT_YOU],
  ["countess.ada@example.org", ABOUT_YOU],
  ["countess.ada", ABOUT_YOU],
])("B45: sign-up rejects the password %s beside its field and keeps the other entries", async (password, message) => {
  const browser = host.browser();
  const typed = {
    handle: "ada-lovelace",
    firstName: "Augusta Ada",
    lastName: "King",
    email: "countess.ada@example.org",
  };
  const answer = await browser.submit(await browser.get("/sign-up"), "/sign-up", { ...typed, password });
  expect(answer.status).toBe(400);
  expect(answer.body).toContain(`<span class="visually-hidden">Error:</span> ${message}`);
  expect(formFields(answer, "/sign-up")).toMatchObject({ ...typed, password: "" });
  expect(await findUser(deps, typed.handle)).toBeNull();
});

it("B45: a password change rejects common passwords and the handle, and the current password stays", async () => {
  const user = { handle: "queen-cleo", password: "a long password" };
  const { id } = await addUser(deps, { ...user, firstName: "Cleo", email: "queen.of.egypt@example.org" });
  const browser = await loggedIn(host, user);
  for (const [newPassword, message] of [
    ["iloveyou", COMMON],
    ["TRUSTNO1", COMMON],
    ["Queen-Cleo", ABOUT_YOU],
    ["queen.of.egypt", ABOUT_YOU],
  ] as const) {
    const fields = { currentPassword: user.password, newPassword };
    const answer = await browser.submit(await browser.get("/settings"), "/settings/password", fields);
    expect([answer.status, answer.body]).toEqual([400, expect.stringContaining(message)]);
  }
  expect((await checkPassword(deps, user.handle, user.password))?.id).toBe(id);
});

it("B45: an operator can neither add a person with a common password nor set one", async () => {
  await expect(addUser(deps, { handle: "bea", password: "sunshine" })).rejects.toThrow("too common");
  await expect(addUser(deps, { handle: "bea-trice", password: "Bea-Trice" })).rejects.toThrow("the username");
  const { id } = await addUser(deps, { handle: "bea-trice", password: "a long password" });
  await expect(setPassword(deps, id, "qwertyuiop")).rejects.toThrow("too common");
  await expect(setPassword(deps, id, "bea-trice")).rejects.toThrow("the username");
  expect((await checkPassword(deps, "bea-trice", "a long password"))?.id).toBe(id);
});
