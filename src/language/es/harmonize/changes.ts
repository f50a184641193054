/** The pages of changes, and of decisions made elsewhere. */
export const changes = {
  "({others, plural, one {# row} other {# rows}} of others left out)":
    "({others, plural, one {# fila} other {# filas}} de otros sin tener en cuenta)",
  "A bridge file finds listings by their own id. Begin again with a column of ids first.":
    "Un archivo puente encuentra las fichas por su propio id. Empiece antes de nuevo con una columna de ids.",
  "A bridge file names the venue of each record. Samespot takes these over as decisions; those that people made here stay.":
    "Un archivo puente indica el lugar de cada registro. Samespot los adopta como decisiones; las que las personas tomaron aquí se conservan.",
  "All changes": "Todos los cambios",
  "All venues are as they were.": "Todos los lugares están como estaban.",
  "Another bridge file": "Otro archivo puente",
  "Changes of {name}": "Cambios de {name}",
  "Choose a bridge file: Parquet, CSV or another format that Samespot reads.":
    "Elija un archivo puente: Parquet, CSV u otro formato que Samespot lea.",
  Closed: "Cerrado",
  "Data set": "Conjunto de datos",
  "Decisions made elsewhere": "Decisiones tomadas en otra parte",
  "Decisions made elsewhere for {name}": "Decisiones tomadas en otra parte para {name}",
  "Download all rows as CSV": "Descargar todas las filas como CSV",
  "First page": "Primera página",
  "Look again": "Volver a mirar",
  "Look for changes": "Buscar cambios",
  'Looked at on <time datetime="{iso}">{time}</time> UTC. Looking again shows only what has changed from then on.':
    'Consultado el <time datetime="{iso}">{time}</time> UTC. Al volver a mirar se muestra solo lo que haya cambiado desde entonces.',
  "Looking up the venues": "Consultando los lugares",
  Merged: "Fusionado",
  Moved: "Trasladado",
  "No answer": "Sin respuesta",
  "No changes": "Sin cambios",
  "No longer there": "Ya no está",
  "Not looked up yet": "Todavía sin consultar",
  "Nothing was undone: the decisions are still being taken over, or were undone before.":
    "No se deshizo nada: las decisiones todavía se están adoptando, o ya se habían deshecho.",
  "Open again": "Abierto de nuevo",
  "Parquet, CSV or any other format that Samespot reads, with the columns id (of the venue) and record_id (your own id).":
    "Parquet, CSV o cualquier otro formato que Samespot lea, con las columnas id (del lugar) y record_id (su propio id).",
  Renamed: "Con otro nombre",
  "Samespot asks the directory about each venue of this file. That takes some seconds for a thousand venues.":
    "Samespot consulta al directorio sobre cada lugar de este archivo. Para mil lugares tarda unos segundos.",
  "Take over the decisions": "Adoptar las decisiones",
  "The decisions are being undone.": "Se están deshaciendo las decisiones.",
  "Your file is still being processed. Send the bridge file when its results are there.":
    "Su archivo todavía se está procesando. Envíe el archivo puente cuando estén los resultados.",
  "Your file has no column of ids.": "Su archivo no tiene una columna de ids.",
  Unchanged: "Sin cambios",
  "Undo all of these decisions": "Deshacer todas estas decisiones",
  "Undone: {count, plural, one {# listing} other {# listings}} as before.":
    "Deshecho: {count, plural, one {# ficha} other {# fichas}} como antes.",
  "Upload a bridge file": "Subir un archivo puente",
  "Venues by change": "Lugares por cambio",
  "Venues that have changed": "Lugares que han cambiado",
  "Waiting.": "A la espera.",
  "What became of the rows": "Qué ha sido de las filas",
  'What became of the venues of this file since <time datetime="{iso}">{time}</time> UTC. Exports follow merged venues and name closed ones.':
    'Qué ha sido de los lugares de este archivo desde el <time datetime="{iso}">{time}</time> UTC. Las exportaciones siguen los lugares fusionados e indican los cerrados.',
  "What became of the venues of this file since they were matched. Exports follow merged venues and name closed ones.":
    "Qué ha sido de los lugares de este archivo desde que se conciliaron. Las exportaciones siguen los lugares fusionados e indican los cerrados.",
  "The data set to take, if the file has several: for example meta, in a file of Overture.":
    "El conjunto de datos que se toma, si el archivo tiene varios: por ejemplo, meta en un archivo de Overture.",
  "already decided so here": "ya decidido así aquí",
  "decided as in the file": "decidido como en el archivo",
  "decided otherwise here; that decision stays": "decidido aquí de otra forma; esa decisión se conserva",
  "no listing here has this record id": "aquí ninguna ficha tiene este id de registro",
  "not taken over yet": "todavía sin adoptar",
  "now {name}": "ahora {name}",
  "now {name} ({id})": "ahora {name} ({id})",
  "somebody was reviewing or adding the listing": "alguien estaba revisando o añadiendo la ficha",
  "the directory does not answer for this venue": "el directorio no responde sobre este lugar",
  "the directory has no venue with this id": "el directorio no tiene ningún lugar con este id",
  "the file has several venues for this record": "el archivo tiene varios lugares para este registro",
  "an earlier row of the file has the same record and venue":
    "una fila anterior del archivo tiene el mismo registro y lugar",
  "the row has no id, no record id, or cannot be read": "la fila no tiene id o id de registro, o no se puede leer",
  "the venue has closed for good": "el lugar ha cerrado definitivamente",
  "waits for the directory": "espera al directorio",
  "{distance} away": "a {distance}",
  "{done, number} of {all, plural, one {# venue} other {# venues}} looked up so far.":
    "{done, number} de {all, plural, one {# lugar consultado} other {# lugares consultados}} hasta ahora.",
  "{done, number} of {rows, plural, one {# row} other {# rows}} looked up.":
    "{done, number} de {rows, plural, one {# fila consultada} other {# filas consultadas}}.",
  "{merged, plural, one {# row} other {# rows}} named a venue that has been merged into another; the decision follows it.":
    "{merged, plural, one {# fila indicaba} other {# filas indicaban}} un lugar que se ha fusionado con otro; la decisión lo sigue.",
  "{rows, plural, one {# row} other {# rows}}": "{rows, plural, one {# fila} other {# filas}}",
  "{rows, plural, one {# row} other {# rows}} of the data set “{dataset}”":
    "{rows, plural, one {# fila} other {# filas}} del conjunto de datos «{dataset}»",
};
