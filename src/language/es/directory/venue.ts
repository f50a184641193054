/** The directory’s page of a venue, the values of a venue in forms, and why a change of one fails. */
export const venue = {
  "A venue cannot be merged into itself.": "Un lugar no se puede fusionar consigo mismo.",
  "Below is what you typed, and what is there now. Send the form again to replace that.":
    "Abajo está lo que ha escrito y lo que hay ahora. Envíe el formulario de nuevo para sustituirlo.",
  Country: "País",
  Latitude: "Latitud",
  Longitude: "Longitud",
  "Moves by": "Se mueve",
  "Somebody else changed this venue.": "Otra persona ha cambiado este lugar.",
  "The directory has a venue with this id again.": "El directorio vuelve a tener un lugar con este identificador.",
  "The other venue was merged or deleted since. Revert that first.":
    "El otro lugar se fusionó o eliminó después. Revierta eso primero.",
  "The venue already has these values.": "El lugar ya tiene estos datos.",
  "The venue is not there any more: it was merged or deleted.": "El lugar ya no existe: se fusionó o se eliminó.",
  "The venue was changed meanwhile. It has now: {values}.": "Entretanto se cambió el lugar. Ahora tiene: {values}.",
  "The venue was edited again since. Revert that first.": "El lugar se volvió a editar después. Revierta eso primero.",
  "The venue was merged or deleted since. Revert that first.":
    "El lugar se fusionó o eliminó después. Revierta eso primero.",
  "The venue {id} is not there any more: it was merged or deleted.":
    "El lugar {id} ya no existe: se fusionó o se eliminó.",
  "There is no such change.": "No existe ese cambio.",
  "This change has already been reverted.": "Este cambio ya se había revertido.",
  "{closed, select, true {Closed for good} other {Open}}":
    "{closed, select, true {Cerrado definitivamente} other {Abierto}}",
  "{closed, select, true {closed for good} other {open}}":
    "{closed, select, true {cerrado definitivamente} other {abierto}}",
  "{field, select, other {none}}":
    "{field, select, primaryCategoryId {ninguna} category_id {ninguna} address {ninguna} crossStreet {ninguna} cross_street {ninguna} city {ninguna} description {ninguna} other {ninguno}}",
  "{label} is now: {now}": "{label}, ahora: {now}",
  "{position} (estimated from the address)": "{position} (estimada a partir de la dirección)",
};
