/** The operators’ pages of duplicates and of proposals. */
export const duplicates = {
  "A search is running: {passed, number} of {venues, number} venues. Reload the page to see what it has found.":
    "Hay una búsqueda en curso: {passed, number} de {venues, number} lugares. Vuelva a cargar la página para ver lo que ha encontrado.",
  "A venue that is not there any more": "Un lugar que ya no existe",
  "A note to whoever proposed it": "Unas palabras para quien lo propuso",
  "Accept all selected": "Aceptar la selección",
  'Accept and merge<span class="visually-hidden">: {name}</span>':
    'Aceptar y fusionar<span class="visually-hidden">: {name}</span>',
  'Accept<span class="visually-hidden">: {name}</span>': 'Aceptar<span class="visually-hidden">: {name}</span>',
  All: "Todos",
  'All are different places<span class="visually-hidden">: {name}</span>':
    'Todos son sitios distintos<span class="visually-hidden">: {name}</span>',
  "An operator said that {a} and {b} are different places.": "Un operador indicó que {a} y {b} son sitios distintos.",
  "And {more, number} more.": "Y {more, number} más.",
  'By <bdi>{who}</bdi>{others, plural, =0 {} other { and # more}}, <time datetime="{iso}">{time}</time>.':
    'De <bdi>{who}</bdi>{others, plural, =0 {} other { y # más}}, <time datetime="{iso}">{time}</time>.',
  'Compare or swap<span class="visually-hidden">: {name}</span>':
    'Comparar o intercambiar<span class="visually-hidden">: {name}</span>',
  Decide: "Decidir",
  "Decide several at once": "Decidir varios a la vez",
  Decided: "Decididas",
  "Decline all selected": "Rechazar la selección",
  'Decline<span class="visually-hidden">: {name}</span>': 'Rechazar<span class="visually-hidden">: {name}</span>',
  "Differs:": "Distinto:",
  'Duplicate<span class="visually-hidden">: {name}</span>': 'Duplicado<span class="visually-hidden">: {name}</span>',
  "How the venues are alike": "En qué se parecen los lugares",
  "It is sent with what you accept or decline next.": "Se envía con lo próximo que acepte o rechace.",
  'It is the same as<span class="visually-hidden">, for {name}</span>':
    'Es el mismo que<span class="visually-hidden">, para {name}</span>',
  "Last merges": "Últimas fusiones",
  "Less sure": "Menos seguros",
  "Merge all selected": "Fusionar la selección",
  "Merge all {count, number}": "Fusionar los {count, number}",
  "Merge the first {count, number}": "Fusionar los primeros {count, number}",
  'Merge<span class="visually-hidden"> into {name}</span>': 'Fusionar<span class="visually-hidden"> en {name}</span>',
  "No venues of the directory seem to be one place, or all of them are decided.":
    "Ningún lugar del directorio parece ser el mismo sitio que otro, o todos están decididos.",
  "Nobody has proposed anything, or all proposals are decided.":
    "Nadie ha propuesto nada, o todas las propuestas están decididas.",
  "None of the first {count, number} are the same": "Ninguno de los primeros {count, number} es el mismo sitio",
  "None of the selected are the same": "Ninguno de los seleccionados es el mismo sitio",
  "None of the {count, number} are the same": "Ninguno de los {count, number} es el mismo sitio",
  "Not searched yet": "Aún no se ha buscado",
  'Not the same<span class="visually-hidden">: {name}</span>':
    'No es el mismo<span class="visually-hidden">: {name}</span>',
  "Nothing to decide": "Nada por decidir",
  "Nothing to review": "Nada por revisar",
  Proposed: "Propuesto",
  "Proposed by": "Propuesto por",
  "Run “samespot venues duplicates” on the server to search the directory for duplicates.":
    "Ejecute «samespot venues duplicates» en el servidor para buscar duplicados en el directorio.",
  "Same name": "Mismo nombre",
  "Same words in the name": "Mismas palabras en el nombre",
  'Searched <time datetime="{iso}">{time}</time>: {passed, number} venues, of which {compared, number} were new or changed. Run “samespot venues duplicates” on the server to search again.':
    'Búsqueda terminada <time datetime="{iso}">{time}</time>: {passed, number} lugares, de los que {compared, number} eran nuevos o habían cambiado. Ejecute «samespot venues duplicates» en el servidor para volver a buscar.',
  "Select a group first.": "Seleccione antes un grupo.",
  "Select a proposal first.": "Seleccione antes una propuesta.",
  "Select {name}": "Seleccionar {name}",
  "Side by side: {name}": "Lado a lado: {name}",
  "Similar name": "Nombre parecido",
  'Stays<span class="visually-hidden">: {name}</span>': 'Se conserva<span class="visually-hidden">: {name}</span>',
  Surer: "Más seguros",
  "The last search was interrupted after {passed, number} of {venues, number} venues. Run “samespot venues duplicates” again to go on.":
    "La última búsqueda se interrumpió después de {passed, number} de {venues, number} lugares. Vuelva a ejecutar «samespot venues duplicates» para continuar.",
  'The venue now<span class="visually-hidden">: {name}</span>':
    'El lugar ahora<span class="visually-hidden">: {name}</span>',
  "There is no such merge.": "No existe esa fusión.",
  "There is no such proposal.": "No existe esa propuesta.",
  "This proposal has already been decided.": "Esta propuesta ya estaba decidida.",
  "This has already been undone.": "Esto ya se había deshecho.",
  'Undo<span class="visually-hidden"> the merge of {venues, plural, one {# venue} other {# venues}}, {time}</span>':
    'Deshacer<span class="visually-hidden"> la fusión de {venues, plural, one {# lugar} other {# lugares}}, {time}</span>',
  'Undone <time datetime="{iso}">{time}</time> by <bdi>{who}</bdi>':
    'Deshecha <time datetime="{iso}">{time}</time> por <bdi>{who}</bdi>',
  "Venues side by side: {name}": "Lugares lado a lado: {name}",
  "Venues that seem to be one place, the surest first. Merging keeps the most used venue, or the most complete; the ids of the others lead to it, and their links and check-ins follow. One undo reverts all that was merged together.":
    "Lugares que parecen ser el mismo sitio, primero los más seguros. Al fusionar se conserva el lugar más usado o el más completo; los identificadores de los demás llevan a él, y pasan a él sus enlaces y check-ins. Deshacer una vez revierte todo lo que se fusionó junto.",
  'What users propose, oldest first, beside the venue as it is now, and new venues that wait for approval, beside those that may be the same. Accepting carries a proposal out in your name and theirs; it can be reverted at <a href="/operator/venues">Venues</a>. Those who proposed it see your answer.':
    'Lo que proponen los usuarios, primero lo más antiguo, junto al lugar tal como está ahora, y los lugares nuevos que esperan la aprobación, junto a los que pueden ser el mismo. Al aceptar una propuesta se lleva a cabo en su nombre y en el de quien la hizo; se puede revertir en <a href="/operator/venues">Lugares</a>. Quienes la propusieron ven su respuesta.',
  "Your answer": "Su respuesta",
  "different categories": "categorías distintas",
  "different phones": "teléfonos distintos",
  "different websites": "sitios web distintos",
  "same address": "misma dirección",
  "same phone": "mismo teléfono",
  "same website": "mismo sitio web",
  "{count, number} could not be restored.": "{count, number} no se han podido restaurar.",
  "{count, plural, one {# group} other {# groups}} marked as different places.":
    "{count, plural, one {# grupo marcado} other {# grupos marcados}} como sitios distintos.",
  "{count, plural, one {# group} other {# groups}} merged.":
    "{count, plural, one {# grupo fusionado} other {# grupos fusionados}}.",
  "{count, plural, one {# proposal} other {# proposals}} accepted.":
    "{count, plural, one {# propuesta aceptada} other {# propuestas aceptadas}}.",
  "{count, plural, one {# proposal} other {# proposals}} declined.":
    "{count, plural, one {# propuesta rechazada} other {# propuestas rechazadas}}.",
  "{count, plural, one {# venue restored, with its links and check-ins.} other {# venues restored, with their links and check-ins.}}":
    "{count, plural, one {# lugar restaurado, con sus enlaces y check-ins.} other {# lugares restaurados, con sus enlaces y check-ins.}}",
  "{decision, select, accepted {Accepted} other {Declined}} by <bdi>{who}</bdi>":
    "{decision, select, accepted {Aceptada} other {Rechazada}} por <bdi>{who}</bdi>",
  "{failed, number} of {of, number} failed.": "{failed, number} de {of, number} han fallado.",
  "{label} ({count, number})": "{label} ({count, number})",
  "{label}: {count, number} groups on all pages.": "{label}: {count, number} grupos en todas las páginas.",
  "{percent} % sure": "{percent} % de seguridad",
  '{venues, plural, one {# venue} other {# venues}} merged <time datetime="{iso}">{time}</time> by <bdi>{who}</bdi>':
    '{venues, plural, one {# lugar fusionado} other {# lugares fusionados}} <time datetime="{iso}">{time}</time> por <bdi>{who}</bdi>',
  "“<bdi>{comment}</bdi>”": "«<bdi>{comment}</bdi>»",
};
