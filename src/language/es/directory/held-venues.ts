/** New venues that wait for approval. */
export const heldVenues = {
  "Added to the directory": "Añadido al directorio",
  'Approve<span class="visually-hidden">: {name}</span>': 'Aprobar<span class="visually-hidden">: {name}</span>',
  'In the directory<span class="visually-hidden">: {name}</span>':
    'En el directorio<span class="visually-hidden">: {name}</span>',
  'It was there already, as <a href="{href}">{id}</a>': 'Ya estaba, como <a href="{href}">{id}</a>',
  "Merge all selected new venues into the likeliest": "Fusionar los lugares nuevos seleccionados con el más probable",
  'Merge into this<span class="visually-hidden">: {name} into {other}</span>':
    'Fusionar con este<span class="visually-hidden">: {name} con {other}</span>',
  "New venue": "Lugar nuevo",
  "Only you see and use it until an operator of the directory has approved it. This page shows their answer.":
    "Solo usted lo ve y lo usa hasta que lo apruebe un operador del directorio. Esta página muestra su respuesta.",
  'Reject and delete<span class="visually-hidden">: {name}</span>':
    'Rechazar y eliminar<span class="visually-hidden">: {name}</span>',
  "The directory has no similar venue nearby.": "El directorio no tiene ningún lugar similar cerca.",
  "There is no venue to merge it into.": "No hay ningún lugar con el que fusionarlo.",
  "This venue waits for approval.": "Este lugar espera la aprobación.",
  "Waits for approval": "Espera la aprobación",
  "Waits for approval, too": "También espera la aprobación",
  "Waits for approval. Only you see it.": "Espera la aprobación. Solo usted lo ve.",
  "The user who added the venue has changed it meanwhile. Look at it again.":
    "El usuario que añadió el lugar lo ha cambiado entretanto. Vuelva a revisarlo.",
  "added as new, together with all other listings without a match, waiting for approval":
    "añadida como nueva, junto con todas las demás fichas sin coincidencia, a la espera de aprobación",
  "added as new, waiting for approval": "añadida como nueva, a la espera de aprobación",
  "{count, plural, one {# new venue} other {# new venues}} merged.":
    "{count, plural, one {# lugar nuevo fusionado.} other {# lugares nuevos fusionados.}}",
  "{kind, select, new {New venue} edit {Edit} other {Duplicate}}":
    "{kind, select, new {Lugar nuevo} edit {Edición} other {Duplicado}}",
};
