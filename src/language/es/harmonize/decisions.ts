/** Decisions about listings in words, and why they were made. */
export const decisions = {
  "A venue is being added for this listing now. Try again in a moment.":
    "Se está añadiendo un lugar para esta ficha. Vuelva a intentarlo dentro de un momento.",
  "Its venue was deleted from the directory.": "Su lugar se eliminó del directorio.",
  "Undecided again.": "De nuevo sin decidir.",
  "Accepted by its score.": "Aceptada por su puntuación.",
  "Added as “{venue}”": "Añadida como «{venue}»",
  "Choose a venue for the listing, or reject all candidates.":
    "Elija un lugar para la ficha o rechace todos los candidatos.",
  "Corrected, and the directory was asked again: {candidates, plural, =0 {it has no similar venue} one {# candidate} other {# candidates}}.":
    "Corregida, y se ha vuelto a consultar al directorio: {candidates, plural, =0 {no tiene ningún lugar similar} one {# candidato} other {# candidatos}}.",
  "Held back for review.": "Retenida para su revisión.",
  "Id not written to the directory: {why}": "El id no se ha escrito en el directorio: {why}",
  "Is this the right position?": "¿Es esta la posición correcta?",
  "Look at the first of them": "Ver la primera de ellas",
  "Matched with “{venue}”": "Conciliada con «{venue}»",
  "Not corrected": "No se ha corregido",
  "Not decided": "No se ha decidido",
  "Nothing was added": "No se ha añadido nada",
  "Nothing was undone.": "No se ha deshecho nada.",
  "Some of them were matched again meanwhile. Check them again.":
    "Algunas de ellas se han vuelto a conciliar entretanto. Compruébelas de nuevo.",
  Somebody: "Alguien",
  "The directory has not been asked about this listing yet. Try again in a moment.":
    "Todavía no se ha consultado al directorio sobre esta ficha. Vuelva a intentarlo dentro de un momento.",
  "The listing": "La ficha",
  "The venue": "El lugar",
  "There are now {count} of them. Check them again.": "Ahora son {count}. Compruébelas de nuevo.",
  "There is no such listing.": "No existe esa ficha.",
  "This listing has changed since you opened it, so nothing was corrected. Check it again.":
    "Esta ficha ha cambiado desde que la abrió, así que no se ha corregido nada. Compruébela de nuevo.",
  "This listing has changed since you opened it. Check it again.":
    "Esta ficha ha cambiado desde que la abrió. Compruébela de nuevo.",
  "This listing is decided": "Esta ficha ya está decidida",
  "You have nothing to undo here.": "Aquí no tiene nada que deshacer.",
  "a former member": "un antiguo miembro",
  "a letter, number or direction in the name": "una letra, un número o una dirección en el nombre",
  "a place within a place": "un lugar dentro de otro",
  "a venue": "un lugar",
  "a word of the name": "una palabra del nombre",
  "another venue": "otro lugar",
  "decision must be matched or rejected": "decision debe ser matched o rejected",
  "order must be one of {names}": "order debe ser uno de estos valores: {names}",
  "sort must be one of {names}": "sort debe ser uno de estos valores: {names}",
  "decision must be one of {names}": "decision debe ser uno de estos valores: {names}",
  "its score": "su puntuación",
  "its venue": "su lugar",
  "kind must be one of {names}": "kind debe ser uno de estos valores: {names}",
  "reason is what is compared, and + or -": "reason es lo que se compara, y + o -",
  "seen must be a time": "seen debe ser una hora",
  "show must be one of {names}": "show debe ser uno de estos valores: {names}",
  somebody: "alguien",
  "the Twitter name": "el nombre de Twitter",
  "the address": "la dirección",
  "the house number": "el número de la calle",
  "the kind of place": "el tipo de lugar",
  "the name": "el nombre",
  "the phone": "el teléfono",
  "the position": "la posición",
  "the postal code": "el código postal",
  "the street": "la calle",
  "the town": "la localidad",
  "the unit": "el piso o local",
  "the website": "el sitio web",
  "the words of the names": "las palabras de los nombres",
  "venueId is too long": "venueId es demasiado largo",
  "{count, number} had already been decided by {names}.":
    "{count, plural, one {# ya la había decidido {names}.} other {# ya las había decidido {names}.}}",
  "{count, plural, one {# listing} other {# listings}} left without a venue":
    "{count, plural, one {# ficha se ha dejado sin lugar} other {# fichas se han dejado sin lugar}}",
  "{count, plural, one {# listing} other {# listings}} matched with their best candidates":
    "{count, plural, one {# ficha conciliada con su mejor candidato} other {# fichas conciliadas con sus mejores candidatos}}",
  "{count, plural, one {# listing} other {# listings}} stayed as decided: somebody has decided again since.":
    "{count, plural, one {# ficha se queda como está decidida} other {# fichas se quedan como están decididas}}: alguien ha vuelto a decidir después.",
  "{count, plural, one {# listing} other {# listings}} stayed as decided: the venue that {count, plural, one {it} other {they}} had before is no longer in the directory.":
    "{count, plural, one {# ficha se queda como está decidida: el lugar que tenía antes} other {# fichas se quedan como están decididas: el lugar que tenían antes}} ya no está en el directorio.",
  "“{name}” is no longer in the directory. Choose another venue, or none.":
    "«{name}» ya no está en el directorio. Elija otro lugar, o ninguno.",
  "{count, plural, one {Undone: the listing is as it was.} other {Undone: # listings are as they were.}}":
    "{count, plural, one {Deshecho: la ficha está como estaba.} other {Deshecho: # fichas están como estaban.}}",
  "{decision, select, matched {Matched} other {Left without a venue}}: {decided, plural, =0 {none} other {#}} of the {told, plural, one {# listing} other {# listings}}.":
    "{decision, select, matched {Con coincidencia} other {Sin lugar}}: {decided, plural, =0 {ninguna} other {#}} de {told, plural, one {# ficha} other {# fichas}}.",
  "{decision, select, matched {Matched} other {Left without a venue}}: {told, plural, one {# listing} other {# listings}}.":
    "{decision, select, matched {Con coincidencia} other {Sin lugar}}: {told, plural, one {# ficha} other {# fichas}}.",
  "{gone, plural, one {# no longer belongs} other {# no longer belong}} here: open elsewhere, skipped, moved by a changed limit, or without the candidate since it left the directory.":
    "{gone, plural, one {# ya no está aquí: la tiene abierta otra persona, se ha omitido, un límite cambiado la ha movido o su candidato ya no está en el directorio.} other {# ya no están aquí: las tiene abiertas otra persona, se han omitido, un límite cambiado las ha movido o su candidato ya no está en el directorio.}}",
  "{listing} added as “{venue}”": "{listing} se ha añadido como «{venue}»",
  "{listing} left without a venue": "{listing} se ha dejado sin lugar",
  "{listing} matched with “{venue}”": "{listing} se ha conciliado con «{venue}»",
  "{listing} skipped": "{listing} se ha omitido",
  "{name} decided this a moment ago. Check it again.": "{name} lo ha decidido hace un momento. Compruébelo de nuevo.",
  "{name} is reviewing this listing. Take another one.": "{name} está revisando esta ficha. Elija otra.",
  "{score} reaches the limit of {limit}, but {why}.": "{score} alcanza el límite de {limit}, pero {why}.",
  "{score} reaches the limit of {limit}.": "{score} alcanza el límite de {limit}.",
  "{show, select, none {without a venue} matched {accepted by score} failed {failed} skipped {skipped} other {to review}}":
    "{show, select, none {sin lugar} matched {aceptadas por su puntuación} failed {con error} skipped {omitidas} other {por revisar}}",
  "{subject} speaks against the best candidate": "{subject} en contra del mejor candidato",
  "{subject} speaks for the best candidate": "{subject} a favor del mejor candidato",
  "{what} (by {name})": "{what} (por {name})",
  "{what} by {name}": "{what}, por {name}",
  "{what} by {name}, in the previous edition": "{what}, por {name}, en la edición anterior",
  "“{name}”": "«{name}»",
  "“{name}” stays in the directory.": "«{name}» se queda en el directorio.",
};
