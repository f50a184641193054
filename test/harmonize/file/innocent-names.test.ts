import { expect, test } from "vitest";
import { guessColumns } from "../../../src/files/guess/columns.ts";

const ROWS = Array.from({ length: 12 }, (_, at) => ({
  name: `Kiosk ${"ABCDEFGHIJKL"[at]}`,
  lat: (44 + at * 0.01371 + 0.00021).toFixed(5),
  lng: (9 + at * 0.01371 + 0.00021).toFixed(5),
  depot: "44.50000",
  far: (45 + at * 0.01371).toFixed(5),
}));

/** Names of flags and codes in eight languages, with the letters that are also sides of the earth. */
const FLAGS: [names: string, letters: string][] = [
  [
    "active open order orders status state_code size season notes news references prefix direct direct_debit",
    "N S E W",
  ],
  ["aktiv offen status größe sonntags reihenfolge referenz direktor nachweis", "N S O E"],
  ["activo abierto estado direccion_ok referido orden sur_venta nuevos eswc", "S N O E"],
  ["actif ouvert etat ordre reference direct oui_non site", "O N E S"],
  ["attivo aperto stato ordine riferimento diretto note si_no", "S N E O"],
  ["ativo aberto estado ordem referencia direto sim_nao", "S N E O"],
  ["actief open status volgorde referentie noodwinkel", "N O S W"],
  ["aktywny otwarty stan zamowienie nowosc", "N S W O"],
];

test.each(FLAGS)("F111: letters of the columns %s beside a position are no sides of it", (names, letters) => {
  for (const flag of names.split(" "))
    for (const letter of letters.split(" "))
      for (const at of [0, 1, 2, 3]) {
        const header = ["name", "lat", "lng"].toSpliced(at, 0, flag);
        const rows = ROWS.map(({ name, lat, lng }) => [name, lat, lng].toSpliced(at, 0, letter));
        const { lat, lng } = guessColumns(header, true, rows);
        expect([flag, letter, lat, lng]).toEqual([flag, letter, header.indexOf("lat"), header.indexOf("lng")]);
      }
});

test.each([
  ["lat ns lng ew", "N", "E"],
  ["lat N/S lng E/W", "N", "W"],
  ["latitude lat_dir longitude lon_dir", "S", "E"],
  ["lat hemisphere lng hemisphere_2", "N", "W"],
  ["GPSLatitude GPSLatitudeRef GPSLongitude GPSLongitudeRef", "N", "W"],
  ["lat dir lng dir2", "N", "E"],
  ["latitud hemisferio longitud hemisferio_ew", "S", "W"],
  ["lat c lng d", "N", "E"],
])("F111: the columns %s are a position and its sides", (names, ns, ew) => {
  const header = ["name", ...names.split(" ")];
  const rows = ROWS.map(({ name, lat, lng }) => [name, lat, ns, lng, ew]);
  const { lat, lng } = guessColumns(header, true, rows);
  expect([lat, lng]).toEqual([
    [1, 2],
    [3, 4],
  ]);
});

/** Words that hold one of the words for somebody else's: alt, stop, head, office, home, old, user, min … */
const INNOCENT = `altstadt hotel salt basalt haltestelle halt exalted headland trailhead arrowhead schlager villager homestead threshold
  household golden backdrop nonstop original aboriginal geminis terminal enroute entreprise mystore enduser sekunde museum minimarkt
  maximarkt ostrowe place lagerhalle alten_markt goldene_kugel stopover accesorios`;

test.each(INNOCENT.split(/\s+/))("F111: the position of %s is the place's own, beside that of a depot", (whose) => {
  for (const other of ["depot", "customer", "head_office", "warehouse", "driver"]) {
    const header = ["name", `${other}_lat`, `${other}_lng`, `${whose}_lat`, `${whose}_lng`];
    const rows = ROWS.map(({ name, lat, lng, far }) => [name, far, lng, lat, lng]);
    const found = guessColumns(header, true, rows);
    expect([whose, other, found.lat, found.lng]).toEqual([whose, other, 3, 4]);
  }
});
