/** The page of conflicts. */
export const conflicts = {
  "An id should name one listing: otherwise it is unclear which one a mapping means.":
    "Un id debería indicar una sola ficha: si no, no queda claro a cuál se refiere una correspondencia.",
  Conflicts: "Conflictos",
  "Conflicts appear here when the search is done.": "Los conflictos aparecerán aquí cuando termine la búsqueda.",
  "Conflicts in {name}": "Conflictos en {name}",
  "Different venue in another file": "Otro lugar en otro archivo",
  "Every venue has one listing, every id has one row, and the positions look right.":
    "Cada lugar tiene una ficha, cada id tiene una fila y las posiciones parecen correctas.",
  "Found just now.": "Encontrados ahora mismo.",
  "Found {days, plural, one {# day} other {# days}} ago.":
    "Encontrados hace {days, plural, one {# día} other {# días}}.",
  "Found {hours, plural, one {# hour} other {# hours}} ago.":
    "Encontrados hace {hours, plural, one {# hora} other {# horas}}.",
  "Found {minutes, plural, one {# minute} other {# minutes}} ago.":
    "Encontrados hace {minutes, plural, one {# minuto} other {# minutos}}.",
  "In {file}": "En {file}",
  "Its positions lie about {distance} {direction, select, north {north} northEast {north-east} east {east} southEast {south-east} south {south} southWest {south-west} west {west} other {north-west}} of their venues, according to {matches, plural, one {# clear match} other {# clear matches}}. Perhaps they use another datum or projection, or are in other columns. Shift them back and upload the file again, or begin again with those columns.":
    "Sus posiciones están a unos {distance} al {direction, select, north {norte} northEast {noreste} east {este} southEast {sureste} south {sur} southWest {suroeste} west {oeste} other {noroeste}} de sus lugares, según {matches, plural, one {# coincidencia clara} other {# coincidencias claras}}. Quizá usan otro datum u otra proyección, o están en otras columnas. Desplácelas de vuelta y suba el archivo de nuevo, o empiece de nuevo con esas columnas.",
  "Latitude and longitude swapped": "Latitud y longitud intercambiadas",
  "Listings in this file that contradict each other. This page changes nothing; open a listing to review it.":
    "Fichas de este archivo que se contradicen. Esta página no cambia nada; abra una ficha para revisarla.",
  "Many listings on one point": "Muchas fichas en un punto",
  "No conflicts": "Sin conflictos",
  "No worker is running at the moment. The search continues when one starts.":
    "En este momento no hay ningún proceso de trabajo en marcha. La búsqueda continuará cuando se inicie uno.",
  "Often the middle of a town, where the real position was unknown. Distances there mean nothing.":
    "A menudo, el centro de una localidad, cuando no se conocía la posición real. Allí las distancias no significan nada.",
  "One id, several rows": "Un id, varias filas",
  "Positions that look mistyped": "Posiciones que parecen mal escritas",
  "Search again": "Buscar de nuevo",
  "Searching for conflicts": "Buscando conflictos",
  "Several listings on one venue": "Varias fichas en un lugar",
  "The earlier results are below.": "Los resultados anteriores están más abajo.",
  "The first {shown, number} of {total, number}.": "Los primeros {shown, number} de {total, number}.",
  "The id {id} is in {count, plural, one {# row} other {# rows}}: {venues}":
    "El id {id} está en {count, plural, one {# fila} other {# filas}}: {venues}",
  "The same id is matched with another venue in an earlier edition, or in another file of the same owner.":
    "El mismo id corresponde a otro lugar en una edición anterior o en otro archivo del mismo propietario.",
  "The whole file is shifted.": "Todo el archivo está desplazado.",
  "They are duplicates in your file, or one of them belongs to a neighbouring venue.":
    "Son duplicados de su archivo, o una de ellas pertenece a un lugar vecino.",
  "They are far from the other listings of the file, but near them once latitude and longitude are swapped, change sign or have their decimal point moved. Those without a match are not added with the others.":
    "Están lejos de las demás fichas del archivo, pero cerca de ellas si se intercambian la latitud y la longitud, se les cambia el signo o se mueve su coma decimal. Las que no tienen coincidencia no se añaden con las demás.",
  "Wrong decimal point of the latitude": "Coma decimal de la latitud incorrecta",
  "Wrong decimal point of the longitude": "Coma decimal de la longitud incorrecta",
  "Wrong decimal points": "Comas decimales incorrectas",
  "Wrong sign of the latitude": "Signo de la latitud equivocado",
  "Wrong sign of the longitude": "Signo de la longitud equivocado",
  "Wrong signs": "Signos equivocados",
  "a venue without a name": "un lugar sin nombre",
  "all matched rows have the same venue": "todas las filas con coincidencia tienen el mismo lugar",
  "and {count, number} more": "y {count, number} más",
  "matched with {count} venues": "con coincidencia en {count} lugares",
  "none is matched": "ninguna tiene coincidencia",
  "{count, plural, one {# listing} other {# listings}} at {position}":
    "{count, plural, one {# ficha} other {# fichas}} en {position}",
  '{count, plural, one {# listing} other {# listings}} on <a href="{href}"><bdi>{name}</bdi></a>':
    '{count, plural, one {# ficha} other {# fichas}} en <a href="{href}"><bdi>{name}</bdi></a>',
  "{done, number} of {all, plural, one {# listing} other {# listings}} searched so far.":
    "{done, number} de {all, plural, one {# ficha revisada} other {# fichas revisadas}} hasta ahora.",
  "{here} here, {there} in {file}": "{here} aquí, {there} en {file}",
  "{slip}: {is} should perhaps be {wouldBe}": "{slip}: {is} quizá debería ser {wouldBe}",
};
