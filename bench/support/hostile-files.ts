/** Returns the files that cost the most, each about `bytes` long, and an ordinary one for comparison. */
export function hostileFiles(bytes: number): Record<string, Buffer> {
  const fill = (text: string, before = "") =>
    Buffer.from(before + text.repeat(Math.ceil((bytes - before.length) / text.length)));
  const fifty = HEAD + Array.from({ length: 50 }, (_, index) => row(index)).join("");
  return {
    honest: Buffer.from(HEAD + Array.from({ length: Math.ceil(bytes / row(0).length) }, (_, at) => row(at)).join("")),
    "LF alone": fill("\n"),
    "CR alone": fill("\r"),
    "CRLF alone": fill("\r\n"),
    "line ends mixed": fill("\n\r\r\n\n"),
    "50 rows, then LF": fill("\n", fifty),
    "50 rows, then ,,,,": fill(",,,,\r\n", fifty),
    "rows of ,": fill(",\n"),
    "rows of one character": fill("a\n"),
    "rows of ;": fill("a;\n"),
    "one line": fill("a"),
    "a quote a line, never closed": fill('"a\n', HEAD),
    "one quote, never closed": fill("a,b,c\n", `${HEAD}"`),
    quotes: fill('"'),
    "quotes, 5,000 a line": fill(`${'"'.repeat(5000)}\n`),
    separators: fill(","),
    "10,000 columns": fill(`${"a,".repeat(9999)}a\n`),
    "500 columns": fill(`${"ab cd 12,".repeat(499)}a\n`),
    "500 columns of numbers": fill(`${"41.82,".repeat(499)}a\n`),
    "500 columns of a letter": fill(`${"a,".repeat(499)}a\n`),
    "500 columns with long names": fill(`${`${"Ä№ n° ".repeat(300)},`.repeat(499)}a\n`),
    "columns by any separator": fill(`${"a;,|\t".repeat(4000)}a\n`),
    "a name of a megabyte": fill("name,lat,lng\n", `${"ä".repeat(bytes / 3)},lat\n`),
    "a cell of a megabyte": fill("1,Joe,41.82,-71.41,x\n", `${HEAD}1,${"Joe’s ".repeat(bytes / 10)},41.82,-71.41,x\n`),
    "cells of 100 KB": fill(`1,${"Joe’s Pizza ".repeat(8500)},41.82,-71.41,x\n`, HEAD),
    "UTF-16 of LF": Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("\n".repeat(bytes / 2), "utf16le")]),
    "NULs behind 5 KB of text": fill("\0", HEAD + row(0).repeat(100)),
    blanks: fill(" "),
    "lines of blanks": fill("  \t \n"),
    "a byte order mark": Buffer.from("\ufeff"),
  };
}

const HEAD = "id,name,lat,lng,phone\n";
const row = (index: number) =>
  `A-${index},Corner Bistro No ${index},41.82${index % 1000},-71.41${index % 777},(401) 555-0${100 + (index % 900)}\n`;
