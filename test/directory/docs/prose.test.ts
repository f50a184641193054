import { expect, it } from "vitest";
import { paragraphs, words } from "../../../src/directory/docs/page.ts";

it("the Markdown of a description becomes HTML, and everything else is escaped", () => {
  expect(words("`rows.*` or `a<b>`, *Ours*: [register](https://auth.example/x?a=1&b=2) <script>")).toBe(
    "<code>rows.*</code> or <code>a&lt;b&gt;</code>, <em>Ours</em>: " +
      '<a href="https://auth.example/x?a=1&amp;b=2">register</a> &lt;script&gt;',
  );
  expect(words('[no](javascript:alert(1)) [no](https://x"onclick=y)')).not.toMatch(/href="javascript|"onclick/);
});

it("the Markdown of a description has paragraphs and lists", () => {
  expect(paragraphs("One\nline.\n\n- first\n- second\n  line\n\nLast.")).toBe(
    "<p>One\nline.</p>\n<ul><li>first</li><li>second\n  line</li></ul>\n<p>Last.</p>",
  );
});
