/** Several listings decided at once on the page of results. */
export const several = {
  "Back to review": "Devolver a revisión",
  "By {name}.": "Por {name}.",
  "Choose listings first. Nothing was changed.": "Elija antes las fichas. No se ha cambiado nada.",
  "Nothing was changed, because rows of several pages cannot be changed at once here. Choose rows on this page, then go on to the next page.":
    "No se ha cambiado nada, porque aquí no se pueden cambiar a la vez filas de varias páginas. Elija filas de esta página y pase después a la siguiente.",
  "Choose {name}": "Elegir {name}",
  "Decide several listings at once": "Decidir varias fichas a la vez",
  "Left without a venue: {count, plural, one {# listing} other {# listings}}.":
    "Sin lugar: {count, plural, one {# ficha} other {# fichas}}.",
  "Match with the best candidates": "Conciliar con los mejores candidatos",
  "Matched with their best candidates: {count, plural, one {# listing} other {# listings}}.":
    "Con su mejor candidato: {count, plural, one {# ficha} other {# fichas}}.",
  "No listing was among the chosen ones.": "No había ninguna ficha entre las elegidas.",
  "Not in the directory": "No está en el directorio",
  "One action may change at most {most, number} listings. Narrow the list down first.":
    "Una acción puede cambiar como mucho {most, number} fichas. Acote antes la lista.",
  "Sent back to review.": "Devuelta a revisión.",
  "Sent back to review: {count, plural, one {# listing} other {# listings}}.":
    "Devueltas a revisión: {count, plural, one {# ficha} other {# fichas}}.",
  "This file is still being processed. Wait until that is done.":
    "Este archivo todavía se está procesando. Espere a que termine.",
  "Your last decision: {what}": "Su última decisión: {what}",
  "all that these filters show": "todas las que muestran estos filtros",
  "sent back to review": "devuelta a revisión",
  "the chosen rows": "las filas elegidas",
  "which must be one of {names}": "which debe ser uno de estos valores: {names}",
  "{count, plural, one {# listing has its id} other {# listings have their ids}} on the venue in the directory and can only be changed one by one.":
    "{count, plural, one {# ficha tiene su id en el lugar del directorio y solo se puede cambiar por separado} other {# fichas tienen su id en el lugar del directorio y solo se pueden cambiar una a una}}.",
  "{count, plural, one {# listing has} other {# listings have}} failed: retry or correct {count, plural, one {it} other {them}} first.":
    "{count, plural, one {# ficha ha fallado: reinténtela o corríjala antes} other {# fichas han fallado: reinténtelas o corríjalas antes}}.",
  "{count, plural, one {# listing has} other {# listings have}} no candidate likely enough for a review.":
    "{count, plural, one {# ficha no tiene} other {# fichas no tienen}} ningún candidato lo bastante probable para una revisión.",
  "{count, plural, one {# listing has} other {# listings have}} no candidate.":
    "{count, plural, one {# ficha no tiene} other {# fichas no tienen}} ningún candidato.",
  "{count, plural, one {# listing has a candidate that is} other {# listings have candidates that are}} no longer in the directory.":
    "{count, plural, one {# ficha tiene un candidato que ya no está} other {# fichas tienen candidatos que ya no están}} en el directorio.",
  "{count, plural, one {# listing has} other {# listings have}} not been matched yet.":
    "{count, plural, one {# ficha} other {# fichas}} todavía sin conciliar.",
  "{count, plural, one {# listing is} other {# listings are}} being added to the directory now.":
    "{count, plural, one {# ficha se está} other {# fichas se están}} añadiendo ahora al directorio.",
  "{count, plural, one {# listing is} other {# listings are}} open in somebody’s review.":
    "{count, plural, one {# ficha está abierta} other {# fichas están abiertas}} en la revisión de otra persona.",
  "{count, plural, one {# listing was} other {# listings were}} added to the directory and can only be changed one by one.":
    "{count, plural, one {# ficha se añadió al directorio y solo se puede cambiar por separado} other {# fichas se añadieron al directorio y solo se pueden cambiar una a una}}.",
  "{count, plural, one {# listing was} other {# listings were}} decided or matched again since you opened the list: look at {count, plural, one {it} other {them}} again.":
    "{count, plural, one {# ficha se ha decidido o conciliado de nuevo desde que abrió la lista: vuelva a mirarla} other {# fichas se han decidido o conciliado de nuevo desde que abrió la lista: vuelva a mirarlas}}.",
  "{count, plural, one {# listing was} other {# listings were}} so already.":
    "{count, plural, one {# ficha ya estaba} other {# fichas ya estaban}} así.",
  "{count, plural, one {# listing} other {# listings}} sent back to review":
    "{count, plural, one {# ficha devuelta} other {# fichas devueltas}} a revisión",
  "{count, plural, one {the # row} other {all # rows}} on this page":
    "{count, plural, one {la única fila} other {las # filas}} de esta página",
  "{count, plural, one {the # row} other {all # rows}} that these filters show":
    "{count, plural, one {la única fila} other {las # filas}} que muestran estos filtros",
  "{listing} sent back to review": "{listing}: devuelta a revisión",
};
