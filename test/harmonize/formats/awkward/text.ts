import { encode } from "../../file/encode.ts";
import { ANN, type AwkwardFile, HEADER, JOE, LIST, lines } from "./file.ts";

const file = (what: string, text: string, encoding: BufferEncoding = "utf8"): AwkwardFile => ({
  what: `CSV ${what}`,
  bytes: Buffer.from(text, encoding),
});

const many = (count: number, cell: (at: number) => string) => Array.from({ length: count }, (_, at) => cell(at + 1));

export const TEXTS: AwkwardFile[] = [
  file("with NUL characters in its cells", LIST.replace("Ann", "A\0nn\0")),
  file("in UTF-16 with a byte order mark", `\uFEFF${LIST}`, "utf16le"),
  { what: "CSV in UTF-16, the high byte first, without a mark", bytes: Buffer.from(LIST, "utf16le").swap16() },
  file("in UTF-16, the low byte first, without a mark", LIST, "utf16le"),
  { what: "CSV in Windows-1252 without a mark", bytes: encode(LIST, "windows-1252") },
  file("with line ends of Windows, Unix and the old Mac", `${HEADER}\r\n${JOE}\r${ANN}\n3,Bob,41.8,-71.4`),
  file("with a quote that is never closed", lines(HEADER, JOE, '2,"Café Ann,41.8246,-71.4122', "3,Bob,41.8,-71.4")),
  file("of one column", lines("name", "Joe’s Pizza", "Café Ann")),
  file("with column names that are repeated or empty", lines("id,name,name,,lat,lng", "1,Joe,Joe LLC,x,41.8,-71.4")),
  file("with semicolons and decimal commas", lines("id;name;lat;lng", "1;Joe;41,8236;-71,4222", "2;Ann;41,8;-71,4")),
  file(
    "with semicolons, decimal commas and quotes",
    lines("id;name;lat;lng;note", '1;"Joe; Sons";"41,8236";"-71,4222";"says ""hi"""', '2;"Ann";"41,8";"-71,4";"a;b"'),
  ),
  file(
    "of 300 columns",
    lines([HEADER, ...many(300, (at) => `more ${at}`)].join(","), [JOE, ...many(300, String)].join(",")),
  ),
  file("of 600 columns", lines(many(600, (at) => `column ${at}`).join(","), many(600, String).join(","))),
  file("with a cell of 100,000 characters", lines(`${HEADER},note`, `${JOE},${"x".repeat(100_000)}`, ANN)),
  file("with a cell of two million characters", lines(`${HEADER},note`, `${JOE},${"x".repeat(2_000_000)}`, ANN)),
  file("of column names only", lines(HEADER)),
  file("of no bytes", ""),
  file("of blank lines", "\r\n \r\n,,,\r\n\r\n"),
  file("with a title above its column names", lines("Stores as of May,,,", ",,,", HEADER, JOE, ANN)),
  file(
    "with five lines above its column names",
    lines("Report: stores", "Printed: 2026-05-04 10:15", "User: ann", "Filter: open", "", HEADER, JOE, ANN),
  ),
  file("with a row of totals at the end", lines(`${HEADER},sales`, `${JOE},10`, `${ANN},5`, ",Total,,,15")),
  file(
    "with two tables, one below the other",
    lines(HEADER, JOE, ANN, "", "code,manager,since,until", "7,Bob,2024,2025"),
  ),
  file(
    "with its columns aligned by spaces",
    lines("id  name         lat      lng", "1   Joe’s Pizza  41.8236  -71.4222"),
  ),
  file("with Excel's line of the separator", lines("sep=;", "id;name;lat;lng", "1;Joe;41.8236;-71.4222")),
  file(
    "with what programs write for nothing",
    lines(`${HEADER},city`, "1,Joe,NULL,NULL,Warwick", "2,Ann,-,-,n/a", "3,Bob,0,0,Bern"),
  ),
  file(
    "with signs of degrees and compass letters",
    lines("name,lat,lng", "Joe,41.8236° N,71.4222° W", "Ann,N41.8,W71.4"),
  ),
  file("with degrees times a million", lines(HEADER, "1,Joe,41823600,-71422200", "2,Ann,41824600,-71412200")),
  file("with more cells than columns in a row", lines(HEADER, JOE, `${ANN},oops`)),
  file(
    "with phone numbers and ids that a spreadsheet rounded",
    lines(`${HEADER},phone`, `4.01E+12,Joe,41.8,-71.4,1.23E+10`, "2,Ann,41.8,-71.4,401 555 0100"),
  ),
  file(
    "with degrees, minutes and seconds in one column",
    lines("name;where", `Joe;41° 49' 24.96" N, 71° 25' 19.92" W`, "Ann;41 49 28.6 N 71 24 43.9 W"),
  ),
  file(
    "with plus codes, one of them short",
    lines("name,code", "Joe,87FCRHFH+CF", "Ann,RHFH+CF Providence", "Bob,87FCRHGH+22"),
  ),
  file("in the metres of a country's grid", lines("name,x,y", "Joe,389812.4,5818911.1", "Ann,389912.4,5818811.1")),
  file("in Web Mercator metres", lines("name,x,y", "Joe,-7950682.94,5134592.10", "Ann,-7949569.75,5134741.44")),
  file(
    "with latitude and longitude swapped in some rows",
    lines(HEADER, ...many(12, (at) => `${at},Joe ${at},41.8,-71.4`), "13,Bob,-71.4,41.8", "14,Cy,-71.41,41.81"),
  ),
  { what: "PDF named .csv", bytes: Buffer.from("%PDF-1.7\n%âãÏÓ\n1 0 obj\n<< /Type /Catalog >>") },
  {
    what: "KML named .csv",
    bytes: Buffer.from(
      '<?xml version="1.0"?>\n<kml xmlns="http://www.opengis.net/kml/2.2"><Placemark><name>Joe</name></Placemark></kml>',
    ),
  },
  {
    what: "GPX named .csv",
    bytes: Buffer.from('<?xml version="1.0"?>\n<gpx version="1.1"><wpt lat="41.8" lon="-71.4"/></gpx>'),
  },
  { what: "KML that ends in the middle", bytes: Buffer.from("<kml><Placemark><name>Joe</name><Point>") },
  {
    what: "KML with entities of its own",
    bytes: Buffer.from('<!DOCTYPE kml [<!ENTITY a "b">]><kml><Placemark><name>&a;</name></Placemark></kml>'),
  },
  { what: "XML of a feed", bytes: Buffer.from("<stores><store><name>Joe</name><lat>41.8</lat></store></stores>") },
  { what: "GeoPackage named .csv", bytes: Buffer.from(`SQLite format 3\0\x10\0${"x".repeat(4000)}`, "latin1") },
  { what: "web page named .xls", bytes: Buffer.from("<html><body><table><tr><td>name</td></tr></table>") },
];
