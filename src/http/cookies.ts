/** Returns the values of all cookies of a name in a `Cookie` header, undecoded. */
export const cookiesNamed = (name: string, cookies = ""): string[] =>
  cookies
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.split("=", 1)[0]?.trim() === name)
    .map((pair) => pair.slice(pair.indexOf("=") + 1).trim());
