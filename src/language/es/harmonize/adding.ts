/** Listings added to the directory as new venues, one or all. */
export const adding = {
  "A misspelt name can hide an existing venue. If a listing looks odd, open it and search with other words, or skip it: skipped listings are not added with the others.":
    "Un nombre mal escrito puede ocultar un lugar existente. Si una ficha le parece rara, ábrala y busque con otras palabras, u omítala: las fichas omitidas no se añaden con las demás.",
  "Add as new": "Añadir como nuevo",
  "Add venue": "Añadir lugar",
  "Add {number, number} as new": "Añadir {number, number} como nuevos",
  "Adding could not start: something else is running, or this was cancelled.":
    "No se ha podido empezar a añadir: hay otra tarea en curso o esta se ha cancelado.",
  "An add of this listing is under way.": "Ya se está añadiendo esta ficha.",
  Back: "Volver",
  "Choose a category for the listings without one, or leave them out.":
    "Elija una categoría para las fichas que no la tienen o déjelas fuera.",
  "Leave out listings without a category": "Dejar fuera las fichas sin categoría",
  "Only listings with a category are added. The others stay without a venue; the results say how many, and list them.":
    "Solo se añaden las fichas que tienen categoría. Las demás se quedan sin lugar; los resultados dicen cuántas son y las muestran.",
  "Counting the listings.": "Contando las fichas.",
  "Edit the form": "Editar el formulario",
  "Every listing is matched, waits for review, or failed.":
    "Todas las fichas tienen coincidencia, esperan su revisión o han fallado.",
  "Is it one of these?": "¿Es uno de estos?",
  "Line {line, number}": "Línea {line, number}",
  "{count, plural, one {# held back, because its position looks wrong} other {# held back, because their positions look wrong}}":
    "{count, plural, one {# retenida porque su posición parece incorrecta} other {# retenidas porque sus posiciones parecen incorrectas}}",
  '{count, plural, one {# is} other {# are}} <a href="{href}">held back</a>, because {count, plural, one {its position looks} other {their positions look}} wrong.':
    '{count, plural, one {# está} other {# están}} <a href="{href}">{count, plural, one {retenida} other {retenidas}}</a>, porque {count, plural, one {su posición parece incorrecta} other {sus posiciones parecen incorrectas}}.',
  "{count, plural, one {# listing has} other {# listings have}} no suggestion; correct {count, plural, one {it} other {them}} by hand.":
    "{count, plural, one {# ficha no tiene sugerencia; corríjala} other {# fichas no tienen sugerencia; corríjalas}} a mano.",
  "{count, plural, one {# listing is} other {# listings are}} held back":
    "{count, plural, one {# ficha está retenida} other {# fichas están retenidas}}",
  "{count, plural, one {# position was} other {# positions were}} put right. The directory is asked about {count, plural, one {this listing} other {these listings}} again.":
    "{count, plural, one {Se ha corregido # posición. Se vuelve a preguntar al directorio por esta ficha.} other {Se han corregido # posiciones. Se vuelve a preguntar al directorio por estas fichas.}}",
  "{km, number} km from {place}": "a {km, number} km de {place}",
  "A position that looks mistyped would put the venue in the wrong place, so these are not added with the others. If one is right after all, open the listing and add it on its own.":
    "Una posición que parece mal escrita pondría el lugar en un sitio equivocado, así que estas no se añaden con las demás. Si alguna es correcta a pesar de todo, abra la ficha y añádala sola.",
  "far from the other listings": "lejos de las demás fichas",
  "by hand": "a mano",
  "Listings that are held back": "Fichas retenidas",
  "No position was left to put right.": "No quedaba ninguna posición por corregir.",
  "Nothing was put right yet: the positions are still being compared. Try again in a moment.":
    "Todavía no se ha corregido nada: las posiciones aún se están comparando. Inténtelo de nuevo en un momento.",
  "Nothing was put right: something else is running, or this was cancelled.":
    "No se ha corregido nada: hay otra tarea en marcha o esta se ha cancelado.",
  "Put {count, plural, one {# position} other {# positions}} right":
    "Corregir {count, plural, one {# posición} other {# posiciones}}",
  "Samespot then asks the directory again, because the venues may exist already. Only listings that still have no match are offered here. The cells of your file stay as they are.":
    "Después Samespot vuelve a preguntar al directorio, porque los lugares pueden existir ya. Aquí solo se ofrecen las fichas que sigan sin coincidencia. Las celdas de su archivo no cambian.",
  "Show those held back": "Ver las retenidas",
  Suggested: "Sugerida",
  "Use {position}": "Usar {position}",
  "Listings without a match": "Fichas sin coincidencia",
  "Map of the similar venues": "Mapa de los lugares similares",
  "None of these: add anyway": "Ninguno de estos: añadir de todos modos",
  "Nothing has been added yet, because the directory has venues similar to “{name}”.":
    "Todavía no se ha añadido nada, porque el directorio tiene lugares similares a «{name}».",
  "Nothing to add": "No hay nada que añadir",
  "Only one person at a time can add it. Send the form when they are done.":
    "Solo puede añadirla una persona a la vez. Envíe el formulario cuando haya terminado la otra.",
  "Pick the place on the map": "Elija el sitio en el mapa",
  "Samespot searches for each of them once more. Listings with a similar venue go to the review, and those far from the town that they name are held back; the others become venues in the directory, in your name.":
    "Samespot busca cada una de ellas una vez más. Las fichas con un lugar similar pasan a la revisión y las que están lejos de la localidad que indican quedan retenidas; las demás se convierten en lugares del directorio, en nombre de usted.",
  "Nothing was put right: there are more positions than the page showed. Check what will change, then try again.":
    "No se corrigió nada: hay más posiciones de las que mostraba la página. Compruebe qué cambiará y vuelva a intentarlo.",
  "Put {count, plural, one {# position} other {# positions}} right…":
    "Corregir {count, plural, one {# posición} other {# posiciones}}…",
  "{count, plural, one {# listing moves} other {# listings move}} from the position in the file to the suggested one:":
    "{count, plural, one {# ficha pasa} other {# fichas pasan}} de la posición del archivo a la propuesta:",
  "{count, plural, one {# position} other {# positions}}: {repair}":
    "{count, plural, one {# posición} other {# posiciones}}: {repair}",
  "{count, plural, one {# position} other {# positions}} put right":
    "{count, plural, one {# posición corregida} other {# posiciones corregidas}}",
  "“Undo” on the results puts them back as they were, except for listings that have been decided or corrected since.":
    "«Deshacer», en los resultados, las deja como estaban, salvo las fichas que se hayan decidido o corregido desde entonces.",
  '<a href="{href}">Look at those without a match, and put their positions right together</a>.':
    '<a href="{href}">Vea las que no tienen coincidencia y corrija sus posiciones a la vez</a>.',
  '{count, plural, one {# has a position that looks} other {# have positions that look}} mistyped: <a href="{href}">see which are held back</a>.':
    '{count, plural, one {# tiene una posición que parece mal escrita} other {# tienen posiciones que parecen mal escritas}}: <a href="{href}">vea cuáles quedan retenidas</a>.',
  "Send the form again to add it there, or choose another position.":
    "Vuelva a enviar el formulario para añadirla ahí, o elija otra posición.",
  "Send the form to finish it: nothing is added twice.": "Envíe el formulario para terminar: nada se añade dos veces.",
  "Similar venues": "Lugares similares",
  "The grey dots are existing venues.": "Los puntos grises son lugares existentes.",
  "The ring is the position you entered.": "El anillo es la posición que ha introducido.",
  "The listings without a match have no position. Add them one by one in the review.":
    "Las fichas sin coincidencia no tienen posición. Añádalas una a una en la revisión.",
  "The positions of this file look wrong, and nobody has said yet that they are right.":
    "Las posiciones de este archivo parecen incorrectas, y nadie ha confirmado todavía que sean correctas.",
  "There are many. The number appears here in a moment.": "Son muchas. El número aparecerá aquí en un momento.",
  'This is it<span class="visually-hidden">: {name}</span>': 'Es este<span class="visually-hidden">: {name}</span>',
  "This listing becomes a venue in the directory. Samespot searches once more first and shows you similar venues that you have not seen.":
    "Esta ficha se convierte en un lugar del directorio. Antes, Samespot busca una vez más y le muestra los lugares similares que no haya visto.",
  "This listing was already added, as “{name}”. Nothing was added now.":
    "Esta ficha ya se había añadido, como «{name}». Ahora no se ha añadido nada.",
  '{count, plural, one {# more has} other {# more have}} no position and must be <a href="{href}">added by hand</a>.':
    '{count, plural, one {# más no tiene posición y se debe <a href="{href}">añadir a mano</a>.} other {# más no tienen posición y se deben <a href="{href}">añadir a mano</a>.}}',
  "{count, plural, one {Similar venue} other {Similar venues}}":
    "{count, plural, one {Lugar similar} other {Lugares similares}}",
  "House number and street tell where it is, by venues of the same street: usually within a block, one in ten farther than 150 m. Each of these venues says so until its position is edited.":
    "El número y la calle indican dónde está, según otros lugares de la misma calle: normalmente a menos de una manzana, y en uno de cada diez casos a más de 150 m. Cada uno de estos lugares lo indica hasta que se edite su posición.",
  "{count, plural, one {# has} other {# have}} only a position estimated from the address, and can be added too.":
    "{count, plural, one {# solo tiene} other {# solo tienen}} una posición estimada a partir de la dirección y también se {count, plural, one {puede} other {pueden}} añadir.",
  "{count, plural, one {# listing has} other {# listings have}} only an estimated position: add {count, plural, one {it} other {them}} too":
    "{count, plural, one {# ficha solo tiene} other {# fichas solo tienen}} una posición estimada: {count, plural, one {añadirla} other {añadirlas}} también",
};
