/** The page of results: its tiles, downloads, limits, facets and next steps. */
export const results = {
  "{count, plural, one {The id of # row is} other {The ids of # rows are}} written differently from the previous edition, as data frames and spreadsheets do (770.0 or 0770 for 770). Samespot takes them for the same and keeps the earlier spelling as your own id.":
    "{count, plural, one {El id de # fila está escrito} other {Los ids de # filas están escritos}} de otra forma que en la edición anterior, como hacen las hojas de cálculo y los programas de datos (770.0 o 0770 por 770). Samespot los toma por los mismos y conserva como id propio la forma anterior.",
  '<a href="{href}">First confirm whether the positions are right</a>.':
    '<a href="{href}">Confirme primero si las posiciones son correctas</a>.',
  "<b>Changes.</b> What became of the matched venues since: merged, closed, moved or renamed.":
    "<b>Cambios.</b> Qué ha sido desde entonces de los lugares coincidentes: fusionados, cerrados, trasladados o con otro nombre.",
  "<b>Conflicts.</b> For example two listings on one venue, swapped coordinates, or a shifted file.":
    "<b>Conflictos.</b> Por ejemplo, dos fichas en un mismo lugar, coordenadas intercambiadas o un archivo desplazado.",
  "<b>Decided elsewhere?</b> A bridge file, such as Overture’s, names the venues of your ids.":
    "<b>¿Decidido en otra parte?</b> Un archivo puente, como los de Overture, indica los lugares de sus ids.",
  "<b>Wrong columns?</b> Make a new draft of the same rows and choose the columns again. This one stays as it is.":
    "<b>¿Columnas equivocadas?</b> Cree un borrador nuevo de las mismas filas y vuelva a elegir las columnas. Este queda como está.",
  "<b>{count, number}</b> {count, plural, one {listing} other {listings}}":
    "<b>{count, number}</b> {count, plural, one {ficha} other {fichas}}",
  '<b>{count, plural, one {# id was} other {# ids were}} not written.</b> <a href="{href}">See why</a>.':
    '<b>{count, plural, one {# id no se escribió} other {# ids no se escribieron}}.</b> <a href="{href}">Ver por qué</a>.',
  "<b>{count, plural, one {# listing matched, without your id} other {# listings matched, without your ids}} in the directory.</b> You can write your {count, plural, one {id} other {ids}} there.":
    "<b>{count, plural, one {# ficha con coincidencia, sin su id} other {# fichas con coincidencia, sin sus ids}} en el directorio.</b> Puede escribir allí {count, plural, one {su id} other {sus ids}}.",
  "<b>{count, plural, one {# listing} other {# listings}} added recently.</b>":
    "<b>{count, plural, one {# ficha añadida} other {# fichas añadidas}} recientemente.</b>",
  "Within a day you can delete them from the directory again.":
    "Durante un día puede volver a eliminarlas del directorio.",
  '<b>{count, plural, one {# listing} other {# listings}} failed.</b> <a href="{why}">See why</a>, or <a href="{correct}">correct {count, plural, one {it} other {them one by one}}</a>.':
    '<b>{count, plural, one {# ficha} other {# fichas}} con error.</b> <a href="{why}">Vea por qué</a> o <a href="{correct}">{count, plural, one {corríjala} other {corríjalas una a una}}</a>.',
  "<b>{count, plural, one {# listing} other {# listings}} to review.</b> Decide them one by one, by keyboard or mouse.":
    "<b>{count, plural, one {# ficha} other {# fichas}} por revisar.</b> Decídalas una a una, con el teclado o el ratón.",
  "<b>{count, plural, one {# listing} other {# listings}} not matched yet.</b>":
    "<b>{count, plural, one {# ficha} other {# fichas}} sin conciliar todavía.</b>",
  "<b>{count, plural, one {# listing} other {# listings}} without a match.</b>":
    "<b>{count, plural, one {# ficha} other {# fichas}} sin coincidencia.</b>",
  "A name, street, id…": "Un nombre, una calle, un id…",
  'A new edition of <a href="{href}"><bdi>{name}</bdi></a>:':
    'Una edición nueva de <a href="{href}"><bdi>{name}</bdi></a>:',
  "Changed in this edition": "Cambiadas en esta edición",
  "Download this list as {format}": "Descargar esta lista como {format}",
  "Add them to the directory; those similar to an existing venue go to review.":
    "Añádalas al directorio; las parecidas a un lugar existente pasan a revisión.",
  "Add {count, number} as new": "Añadir {count, number} como nuevas",
  "All listings": "Todas las fichas",
  "Almost nothing was matched. Are the columns right?":
    "Casi no se encontraron coincidencias. ¿Son correctas las columnas?",
  "Annotate {count, number} again…": "Anotar {count, number} de nuevo…",
  "Annotate {count, number}…": "Anotar {count, number}…",
  "Bridge file as CSV": "Archivo puente en CSV",
  "Bridge file as Parquet": "Archivo puente en Parquet",
  "CSV: with column, value and problem": "CSV: con columna, valor y problema",
  "Column {number}": "Columna {number}",
  "Counting the listings. The groups appear here in a moment.":
    "Contando las fichas. Los grupos aparecerán aquí en un momento.",
  "Delete {count, plural, one {# venue} other {# venues}}": "Eliminar {count, plural, one {# lugar} other {# lugares}}",
  "Empty column": "Columna vacía",
  "Failed rows": "Filas con error",
  "Filled column": "Columna rellena",
  "Ids that were not written": "Ids que no se escribieron",
  "In CSV, cells that a spreadsheet could take for a formula, because they begin with =, +, - or @ and are not numbers, get an apostrophe in front. Samespot removes it from an upload. The other formats have none.":
    "En CSV, las celdas que una hoja de cálculo podría tomar por una fórmula, porque empiezan por =, +, - o @ y no son un número, llevan un apóstrofo delante. Samespot lo quita de lo que se sube. Los demás formatos no lo llevan.",
  "In Excel, numbers, percentages, dates and TRUE or FALSE stay what they are, and formulas become their values. Other sheets, rows above the column names, and the formatting of cells are left out.":
    "En Excel, los números, porcentajes, fechas y VERDADERO o FALSO siguen siendo lo que son, y las fórmulas se convierten en sus valores. Las demás hojas, las filas por encima de los nombres de las columnas y el formato de las celdas no se incluyen.",
  "In JSON, NDJSON and GeoJSON, your values keep their types, nested ones too. In the other formats they are text. What your file has outside its list is left out.":
    "En JSON, NDJSON y GeoJSON, sus valores conservan sus tipos, también los anidados. En los demás formatos son texto. Lo que su archivo tiene fuera de la lista no se incluye.",
  "In Parquet, your columns stay as they are, with their types. In the other formats they are text.":
    "En Parquet, sus columnas quedan como están, con sus tipos. En los demás formatos son texto.",
  "The file was deleted meanwhile.": "Entretanto se eliminó el archivo.",
  "Line {line, number} of the file": "Línea {line, number} del archivo",
  "Lines {first, number} to {last, number} of the file": "Líneas {first, number} a {last, number} del archivo",
  "Listings by outcome": "Fichas por resultado",
  "Look for conflicts": "Buscar conflictos",
  "Mapping as CSV": "Correspondencias en CSV",
  "Mapping as NDJSON": "Correspondencias en NDJSON",
  "Narrow down by reason, town, score or column": "Acotar por motivo, localidad, puntuación o columna",
  "Next steps": "Próximos pasos",
  "No listing has failed.": "Ninguna ficha tiene errores.",
  "No listing here contains “{text}”.": "Aquí ninguna ficha contiene «{text}».",
  "No listing of the file is in this group.": "Ninguna ficha del archivo está en este grupo.",
  "No listings here": "Aquí no hay fichas",
  "None found so far": "Ninguna encontrada hasta ahora",
  "Nothing found": "No se encontró nada",
  "One JSON object per line, for programs": "Un objeto JSON por línea, para programas",
  "One moment": "Un momento",
  Previous: "Anterior",
  Reason: "Motivo",
  "Remove:": "Quitar:",
  "Retry {count, number}": "Reintentar {count, number}",
  Score: "Puntuación",
  "Search for at most {most} characters": "Busque como máximo {most} caracteres",
  "Keep searching": "Seguir buscando",
  "Search the listings": "Buscar en las fichas",
  "Share with all members": "Compartir con todos los miembros",
  "Show all listings": "Mostrar todas las fichas",
  "Stop sharing": "Dejar de compartir",
  "The database is busy. The listings appear here as soon as they can be read.":
    "La base de datos está ocupada. Las fichas aparecerán aquí en cuanto se puedan leer.",
  "The mapping in Overture’s format": "Las correspondencias en el formato de Overture",
  "The person who started this can begin again with other columns.":
    "La persona que inició esto puede empezar de nuevo con otras columnas.",
  "The same as {format}": "Lo mismo en {format}",
  "There are many. The numbers appear here in a moment.": "Son muchas. Las cifras aparecerán aquí en un momento.",
  "There are more to search": "Quedan más por buscar",
  "This deletes the {count, plural, one {venue of # listing} other {venues of # listings}} from the directory, for everyone. The listings are undecided again. A venue that others use already, or that is in another file, stays, and its row says why.":
    "Elimina del directorio {count, plural, one {el lugar de # ficha} other {los lugares de # fichas}}, para todos. Las fichas quedan de nuevo sin decidir. Un lugar que otros ya usan o que está en otro archivo se conserva, y su fila indica por qué.",
  "{held, number} of {count, plural, one {# venue} other {# venues}} {held, plural, one {is in another file and stays} other {are in other files and stay}}.":
    "{held, number} de {count, plural, one {# lugar} other {# lugares}} {held, plural, one {está en otro archivo y se conserva} other {están en otros archivos y se conservan}}.",
  "This permanently deletes the listings, all decisions and their reasons. Nothing changes in the directory.":
    "Elimina definitivamente las fichas, todas las decisiones y sus motivos. En el directorio no cambia nada.",
  "This writes your own {count, plural, one {id of # listing} other {ids of # listings}} to the matched venues in the directory, where everyone can see them. Existing ids stay. Samespot cannot remove an id again.":
    "Escribe {count, plural, one {su propio id de # ficha} other {sus propios ids de # fichas}} en los lugares coincidentes del directorio, donde todos pueden verlos. Los ids existentes se conservan. Samespot no puede volver a quitar un id.",
  "Undo adding…": "Deshacer lo añadido…",
  "What has changed": "Qué ha cambiado",
  "Write {count, plural, one {# id} other {# ids}}": "Escribir {count, plural, one {# id} other {# ids}}",
  "You can choose other columns in a new draft of the same rows; this one stays as it is.":
    "Puede elegir otras columnas en un borrador nuevo de las mismas filas; este queda como está.",
  "Your file with all candidates": "Su archivo con todos los candidatos",
  "Your file with venues": "Su archivo con los lugares",
  "Your id and the venue’s": "Su id y el del lugar",
  "narrow must be 1": "narrow debe ser 1",
  "score must be the beginning of a band": "score debe ser el comienzo de un tramo",
  "show must be one of {values}": "show debe ser uno de estos valores: {values}",
  "still being counted": "todavía en recuento",
  "under {percent} %": "menos del {percent} %",
  "<b>{count, plural, one {# listing} other {# listings}} without a place that the directory knows.</b> If they are all in one town, name it.":
    "<b>{count, plural, one {# ficha} other {# fichas}} sin un sitio que el directorio conozca.</b> Si todas están en una misma localidad, indícala.",
  "All of these are in": "Todas están en",
  "Match again": "Buscar de nuevo",
  "Town, state": "Localidad, estado",
  "Write a town or a postal code, such as Providence, RI.":
    "Escribe una localidad o un código postal, como Providence, RI.",
  "{count, number} can be retried.": "{count, number} se pueden reintentar.",
  '{count, plural, one {# has} other {# have}} no position and must be <a href="{href}">added by hand</a>.':
    '{count, plural, one {# no tiene} other {# no tienen}} posición y hay que <a href="{href}">añadirlas a mano</a>.',
  "{format}: all rows, venue, score, decision, reason, attribution":
    "{format}: todas las filas, lugar, puntuación, decisión, motivo, atribución",
  "{format}: up to five per row": "{format}: hasta cinco por fila",
  "{from, number} % and more": "{from, number} % y más",
  "{from, number} to {next, number} %": "del {from, number} al {next, number} %",
  "{kept, number} with their decisions": "{kept, number} con sus decisiones",
  "{listings}, cancelled": "{listings}, cancelado",
  '{listings}, matched on <time datetime="{iso}">{time}</time> UTC':
    '{listings}, conciliadas el <time datetime="{iso}">{time}</time> UTC',
  "{name} empty": "{name}: vacía",
  "{name} filled": "{name}: rellena",
  "New in this edition": "Nuevas en esta edición",
  "Removed in the next edition": "Eliminadas en la edición siguiente",
  "Since the previous edition": "Desde la edición anterior",
  "What has changed at their venues": "Qué ha cambiado en sus lugares",
  "edition must be new or changed": "edition debe ser new o changed",
  "removed must be the id of a later edition": "removed debe ser el id de una edición posterior",
  "{isCounted, select, yes {{count, number} changed} other {changed}}":
    "{isCounted, select, yes {{count, plural, one {# cambiada} other {# cambiadas}}} other {cambiadas}}",
  "{isCounted, select, yes {{count, number} new} other {new}}":
    "{isCounted, select, yes {{count, plural, one {# nueva} other {# nuevas}}} other {nuevas}}",
  "{isCounted, select, yes {{count, number} removed} other {removed}}":
    "{isCounted, select, yes {{count, plural, one {# eliminada} other {# eliminadas}}} other {eliminadas}}",
  "{same, number} unchanged{isCounted, select, yes { ({kept, number} with their decisions)} other {}}":
    "{same, number} sin cambios{isCounted, select, yes { ({kept, number} con sus decisiones)} other {}}",
};
