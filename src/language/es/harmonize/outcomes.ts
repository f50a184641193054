/** Limits, outcomes of listings and why, and reports of what was written to the directory. */
export const outcomes = {
  "Accept from (%)": "Aceptar desde (%)",
  "Accept from between 50 and 99.9 percent.": "Acepte desde un valor entre el 50 y el 99,9 por ciento.",
  "Accepted by its score": "Aceptada por su puntuación",
  "Accepted without review": "Aceptadas sin revisión",
  "{decision, select, matched {changed since the edition in which it was matched} added {changed since the edition in which its venue was added} annotated {changed since its id was written to a venue} other {changed since the edition in which no venue was right}}":
    "{decision, select, matched {cambiada desde la edición en la que tenía un lugar} added {cambiada desde la edición en la que se añadió su lugar} annotated {cambiada desde que se escribió su id en un lugar} other {cambiada desde la edición en la que ningún lugar era correcto}}",
  "This row has changed since an earlier edition, in which it was decided.":
    "Esta fila ha cambiado desde una edición anterior, en la que se decidió.",
  "Adding is done.": "Se ha terminado de añadir.",
  "Answer the question about the positions first.": "Responda primero a la pregunta sobre las posiciones.",
  "Enter a number from 50 to 99.9.": "Escriba un número del 50 al 99,9.",
  "Kept from the previous edition": "Conservada de la edición anterior",
  "Kept from the previous edition: {who}": "Conservada de la edición anterior: {who}",
  "Listings and their venues": "Fichas y sus lugares",
  'Matches below the first number go to review; below the second they count as no match. In use: from <span class="num">{inUse}</span>. <a href="{href}">Check a sample of the accepted ones</a>: each one that you check improves the estimate.':
    'Las coincidencias por debajo del primer número pasan a revisión; por debajo del segundo cuentan como sin coincidencia. En uso: desde <span class="num">{inUse}</span>. <a href="{href}">Compruebe una muestra de las aceptadas</a>: cada una que comprueba mejora la estimación.',
  'A match is held back if another venue is almost as likely, or if something speaks against it. <a href="{href}">The review</a> shows the reason.':
    'Una coincidencia se retiene si otro lugar es casi igual de probable o si algo habla en su contra. La <a href="{href}">revisión</a> muestra el motivo.',
  "Matches from {cut} are accepted without review.": "Las coincidencias desde {cut} se aceptan sin revisión.",
  "No match is accepted without review.": "Ninguna coincidencia se acepta sin revisión.",
  "Not added: {why}": "Sin añadir: {why}",
  "Nothing was added.": "No se añadió nada.",
  "Nothing was changed: somebody has changed the limits meanwhile, to {acceptFrom} and {reviewFrom}. Look at the new numbers, then try again.":
    "No se cambió nada: mientras tanto alguien ha cambiado los límites a {acceptFrom} y {reviewFrom}. Mire los nuevos números y vuelva a intentarlo.",
  "Nothing was deleted.": "No se eliminó nada.",
  "Nothing was written to the directory.": "No se escribió nada en el directorio.",
  "Of the {matched, number} matched listings, {others, plural, one {# was decided by people or in an earlier edition; the limits do not affect it} other {# were decided by people or in an earlier edition; the limits do not affect them}}.":
    "De las {matched, number} fichas con coincidencia, {others, plural, one {# la decidieron personas o se decidió en una edición anterior; los límites no la afectan} other {# las decidieron personas o se decidieron en una edición anterior; los límites no las afectan}}.",
  Outcome: "Resultado",
  Rejected: "Rechazada",
  "Review from (%)": "Revisar desde (%)",
  "Review from between 0 and {most, number} percent.":
    "Revise desde un valor entre el 0 y el {most, number} por ciento.",
  "Show those not written": "Mostrar los no escritos",
  "Show those without a category": "Mostrar las que no tienen categoría",
  "The add could not be undone.": "No se pudo deshacer lo añadido.",
  "The add is undone.": "Se ha deshecho lo añadido.",
  "The directory accepted no ids.": "El directorio no aceptó ningún id.",
  "The directory has no venue similar to this listing": "El directorio no tiene ningún lugar parecido a esta ficha",
  "The directory has not been asked about this listing yet":
    "Todavía no se ha consultado al directorio sobre esta ficha",
  "The directory has your ids.": "El directorio tiene sus ids.",
  "There was nothing left to do.": "No quedaba nada por hacer.",
  "This listing could not be matched.": "Esta ficha no se pudo conciliar.",
  "Use these limits": "Usar estos límites",
  "You can change the limits when nothing is running any more.":
    "Puede cambiar los límites cuando ya no haya nada en marcha.",
  "about {percent, number, ::.0}\u00a0%": "alrededor del {percent, number, ::.0}\u00a0%",
  "about {percent, number}\u00a0%": "alrededor del {percent, number}\u00a0%",
  "best candidate “{name}”, without a score": "mejor candidato «{name}», sin puntuación",
  "best candidate “{name}”, {score}": "mejor candidato «{name}», {score}",
  "best candidate “{name}”, {score}, below the limit of {cut} and held back: {why}":
    "mejor candidato «{name}», {score}, por debajo del límite de {cut} y retenido: {why}",
  "best candidate “{name}”, {score}, found when the listing was to be added":
    "mejor candidato «{name}», {score}, encontrado cuando se iba a añadir la ficha",
  "best candidate “{name}”, {score}, below the limit of {cut}":
    "mejor candidato «{name}», {score}, por debajo del límite de {cut}",
  "best candidate “{name}”, {score}, held back: {why}": "mejor candidato «{name}», {score}, retenido: {why}",
  "best candidate “{name}”, {score}, below the limit for review of {cut}":
    "mejor candidato «{name}», {score}, por debajo del límite de revisión de {cut}",
  "held back: {why}": "retenida: {why}",
  skipped: "omitida",
  "rows of this name with other addresses have the same position":
    "otras filas de este nombre con otras direcciones tienen la misma posición",
  "the directory leaves this match to a person": "el directorio deja esta coincidencia a una persona",
  "under {percent, number}\u00a0%": "menos del {percent, number}\u00a0%",
  "{accepted, plural, one {# listing} other {# listings}} accepted by score alone; {share} wrong{wrong, plural, =0 {} other { (#)}}, estimated from {judged, plural, =0 {the scores alone} other {the scores and # checked by people}}.":
    "{accepted, plural, one {# ficha aceptada} other {# fichas aceptadas}} solo por la puntuación; {share} erróneas{wrong, plural, =0 {} other { (#)}}, según una estimación a partir de {judged, plural, =0 {las puntuaciones} other {las puntuaciones y de # comprobadas por personas}}.",
  "{count, number} already in the directory": "{count, number} ya en el directorio",
  "{count, number} already there": "{count, number} ya estaban allí",
  "{count, plural, one {# not added, because it has no category} other {# not added, because they have no category}}":
    "{count, plural, one {# sin añadir, porque no tiene categoría} other {# sin añadir, porque no tienen categoría}}",
  "Not added for lack of a category": "No añadida por falta de categoría",
  "{count, number} left out, because another venue has the id":
    "{count, number} sin escribir, porque otro lugar tiene el id",
  "{count, number} not added (their rows say why)": "{count, number} sin añadir (sus filas indican por qué)",
  "{count, number} not written (their rows say why)": "{count, number} sin escribir (sus filas indican por qué)",
  "{count, number} to review, because a similar venue exists":
    "{count, number} por revisar, porque existe un lugar parecido",
  "{count, plural, one {# id} other {# ids}} written": "{count, plural, one {# id escrito} other {# ids escritos}}",
  "{count, plural, one {# listing} other {# listings}} undecided again, without a venue":
    "{count, plural, one {# ficha} other {# fichas}} de nuevo sin decidir, sin lugar",
  "{count, plural, one {# venue} other {# venues}} added":
    "{count, plural, one {# lugar añadido} other {# lugares añadidos}}",
  "{count, plural, one {# venue} other {# venues}} not deleted (their rows say why)":
    "{count, plural, one {# lugar} other {# lugares}} sin eliminar (sus filas indican por qué)",
  "{count, plural, one {# venue stays, because it is in another file (its row says which)} other {# venues stay, because they are in other files (their rows say which)}}":
    "{count, plural, one {# lugar se conserva, porque está en otro archivo (su fila indica cuál)} other {# lugares se conservan, porque están en otros archivos (sus filas indican cuáles)}}",
  "{cut} percent.": "{cut} por ciento.",
  "{good}; but {bad}": "{good}; pero {bad}",
  "{heldBack, plural, one {# match above the limit is} other {# matches above the limit are}} held back for review.":
    "{heldBack, plural, one {# coincidencia por encima del límite se retiene} other {# coincidencias por encima del límite se retienen}} para revisión.",
  "{score}, accepted from {cut}": "{score}, se acepta desde {cut}",
  "{who}, with others": "{who}, con otras",
  "“{name}” is almost as likely": "«{name}» es casi igual de probable",
  "“{name}” is almost as likely, {score}": "«{name}» es casi igual de probable, {score}",
};
