/** Returns the words of a page in the pseudo-language that are not translated, without `data` such as names that people typed. */
export function outsideBrackets(html: string, data: string[]): string[] {
  let rest = html.replace(/<(script|style|code)\b[^>]*>[\s\S]*?<\/\1>|title="[^"]* UTC"/g, " ");
  for (let before = ""; before !== rest; ) {
    before = rest;
    rest = rest.replace(/⟦[^⟦⟧]*⟧/g, " ");
  }
  const inAttributes = [...rest.matchAll(/\s(?:title|alt|placeholder|aria-label)="([^"]*)"/g)].map(
    ([, value = ""]) => value,
  );
  const texts = [...rest.replace(/<[^<>]*>/g, "\0").split("\0"), ...inAttributes];
  return texts
    .map((text) =>
      data
        .reduce((left, each) => left.replaceAll(each, ""), text)
        .replace(/&\w+;|Samespot|UTC/g, "")
        .trim(),
    )
    .filter((text) => /\p{L}{2}/u.test(text));
}
