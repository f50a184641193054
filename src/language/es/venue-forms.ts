/** The forms that add and correct a venue, and proposals. */
export const venueForms = {
  "Add anyway": "Añadir de todos modos",
  "Added.": "Añadido.",
  "Adding “{name}” was interrupted. Nothing is added twice.":
    "Se interrumpió la adición de «{name}». Nada se añade dos veces.",
  "An operator of the directory decides on your proposal. This page shows what became of it.":
    "Un operador del directorio decide sobre su propuesta. Esta página muestra en qué ha quedado.",
  "Another venue: its id or page": "Otro lugar: su identificador o su página",
  "Arrow keys move the map, Enter sets the position to the cross.":
    "Las teclas de flecha mueven el mapa; Intro fija la posición en la cruz.",
  "As on the sign.": "Como en el rótulo.",
  "At most 300 characters.": "Como máximo 300 caracteres.",
  "Change at least one value first.": "Cambie antes al menos un dato.",
  "Change what is wrong. An operator of the directory decides on it; a venue that you have just added is changed at once.":
    "Cambie lo que no sea correcto. Un operador del directorio decide al respecto; un lugar que acaba de añadir se cambia de inmediato.",
  "Changed.": "Cambiado.",
  "Check it on the map, then add the venue.": "Compruébela en el mapa y, después, añada el lugar.",
  Contact: "Contacto",
  "Correct its details, move it, say that it has closed, or report a duplicate.":
    "Corrija sus datos, muévalo, indique que ha cerrado o informe de un duplicado.",
  "Cross street": "Calle transversal",
  Description: "Descripción",
  "Drag to move": "Arrastre para mover",
  'Duplicate of <a href="{href}">{id}</a>': 'Duplicado de <a href="{href}">{id}</a>',
  "Empty the form": "Vaciar el formulario",
  "For the operators of the directory.": "Para los operadores del directorio.",
  "Give the venue a name.": "Escriba el nombre del lugar.",
  "How do you know?": "¿Cómo lo sabe?",
  "It is a duplicate": "Es un duplicado",
  "Latitude ranges from −90 to 90, longitude from −180 to 180.":
    "La latitud va de −90 a 90; la longitud, de −180 a 180.",
  "Latitude, longitude. Or click on the map; with the keyboard, move it with the arrow keys and press Enter.":
    "Latitud, longitud. O haga clic en el mapa; con el teclado, muévalo con las teclas de flecha y pulse Intro.",
  "Leave it empty to find it from the address, or write latitude, longitude. Or click on the map; with the keyboard, move it with the arrow keys and press Enter.":
    "Déjela vacía para hallarla por la dirección, o escriba latitud, longitud. O haga clic en el mapa; con el teclado, muévalo con las teclas de flecha y pulse Intro.",
  "Map to place the pin": "Mapa para colocar el marcador",
  "Move the pin if it is not right, then add the venue.":
    "Mueva el marcador si no es correcta y, después, añada el lugar.",
  "Name: use at least one letter or digit.": "Nombre: use al menos una letra o una cifra.",
  "None of these: add as new": "Ninguno de estos: añadir como nuevo",
  "Position estimated from the address: check the pin.":
    "Posición estimada a partir de la dirección: compruebe el marcador.",
  "Position found from the address.": "Posición encontrada a partir de la dirección.",
  "See it on the map": "Ver en el mapa",
  "No similar venue was found nearby.": "Cerca no se ha encontrado ningún lugar similar.",
  "Nothing to send.": "No hay nada que enviar.",
  Open: "Abierto",
  "Open its form and send it again": "Abra su formulario y envíelo de nuevo",
  "Phone: write a number of 7 to 15 digits, such as +1 401 555 0100.":
    "Teléfono: escriba un número de 7 a 15 cifras, como +1 401 555 0100.",
  "Pick a category from the list.": "Elija una categoría de la lista.",
  "Please send it again.": "Envíelo de nuevo.",
  "Position set to {position}.": "Posición fijada en {position}.",
  "Postal code: use letters, digits, spaces and hyphens only, such as 02903.":
    "Código postal: use solo letras, cifras, espacios y guiones, como 02903.",
  "Suggest an edit: <bdi>{name}</bdi>": "Sugerir un cambio: <bdi>{name}</bdi>",
  "Suggest an edit: {name}": "Sugerir un cambio: {name}",
  "Suggest an edit": "Sugerir un cambio",
  "Remove the invisible or control characters.": "Quite los caracteres invisibles o de control.",
  "Replace each \ufffd by the character that was lost.": "Sustituya cada \ufffd por el carácter que se perdió.",
  "Report the duplicate": "Informar del duplicado",
  'Same place<span class="visually-hidden"> as {name}</span>':
    'El mismo lugar<span class="visually-hidden"> que {name}</span>',
  "Samespot first looks for similar venues, and shows them before anything is added.":
    "Samespot busca primero lugares similares y los muestra antes de añadir nada.",
  Send: "Enviar",
  "Something wrong?": "¿Algo no es correcto?",
  "Thank you.": "Gracias.",
  "The directory already has venues similar to “<bdi>{name}</bdi>”. Open one to see its details.":
    "El directorio ya tiene lugares similares a «<bdi>{name}</bdi>». Abra uno para ver sus datos.",
  "The directory does not know where this address is. It needs house number, street, and the city or postal code. Or click on the map, or write the position.":
    "El directorio no sabe dónde está esta dirección. Necesita el número, la calle y la ciudad o el código postal. O haga clic en el mapa, o escriba la posición.",
  "The directory has the new values.": "El directorio tiene los datos nuevos.",
  "The position is estimated from the neighbouring house numbers.":
    "La posición se ha estimado por los números vecinos de la calle.",
  "The position was found from the address.": "La posición se ha encontrado a partir de la dirección.",
  "The position you entered": "La posición que ha indicado",
  "The venue is in the directory and can be found.": "El lugar está en el directorio y se puede encontrar.",
  "The venue may have been added.": "Es posible que el lugar se haya añadido.",
  "The venue that is the same place: its id or page": "El lugar que es el mismo: su identificador o su página",
  "These venues are similar to “<bdi>{name}</bdi>”. Open one to see its details, or add yours as new.":
    "Estos lugares son similares a «<bdi>{name}</bdi>». Abra uno para ver sus datos o añada el suyo como nuevo.",
  "This directory takes no proposals.": "Este directorio no acepta propuestas.",
  "This form is from before your last log-in.": "Este formulario es anterior a su último inicio de sesión.",
  "Venues of the directory that look alike appear here while you type.":
    "Los que tiene el directorio aparecen aquí mientras escribe.",
  "Twitter name: write it as on Twitter, such as @samespot.":
    "Nombre de Twitter: escríbalo como en Twitter, por ejemplo @samespot.",
  "Use at most {most, number} characters.": "Use como máximo {most, number} caracteres.",
  "Website: write the full address, such as https://example.org, without a user name.":
    "Sitio web: escriba la dirección completa, como https://example.org, sin nombre de usuario.",
  "What you typed before is here again.": "Lo que había escrito vuelve a estar aquí.",
  "Where is it? Give the street and number with the city or postal code, click on the map, or write latitude, longitude, such as 41.8240, -71.4128.":
    "¿Dónde está? Indique la calle y el número con la ciudad o el código postal, haga clic en el mapa o escriba latitud, longitud; por ejemplo, 41.8240, -71.4128.",
  "Which venue is the same place?": "¿Qué lugar es el mismo?",
  "Write the place as a name, such as Providence, RI; as a postal code; or as latitude, longitude, such as 41.8240, -71.4128.":
    "Escriba el sitio como nombre, por ejemplo Providence, RI; como código postal; o como latitud, longitud, por ejemplo 41.8240, -71.4128.",
  "Write the place as latitude, longitude, such as 41.8240, -71.4128.":
    "Escriba el sitio como latitud, longitud; por ejemplo, 41.8240, -71.4128.",
  "Yes, it is <bdi>{name}</bdi>": "Sí, es <bdi>{name}</bdi>",
  "Your proposals": "Sus propuestas",
  another: "otra",
  "{count} used.": "{count} usados.",
  "{label}: <bdi>{value}</bdi>": "{label}: <bdi>{value}</bdi>",
  "All your proposals": "Todas sus propuestas",
  "No operator decides on it now.": "Ya ningún operador decidirá sobre ella.",
  "No proposals yet": "Todavía no hay propuestas",
  'Take back and delete<span class="visually-hidden">: {name}</span>':
    'Retirar y eliminar<span class="visually-hidden">: {name}</span>',
  'Take back<span class="visually-hidden">: {name}</span>': 'Retirar<span class="visually-hidden">: {name}</span>',
  "Taken back.": "Retirada.",
  "The venue is not there any more.": "El lugar ya no está.",
  "{count, plural, one {# listing that had it is} other {# listings that had it are}} undecided again.":
    "{count, plural, one {# ficha que lo tenía queda} other {# fichas que lo tenían quedan}} de nuevo sin decidir.",
  "The venue was deleted. No operator had decided on it.":
    "El lugar se ha eliminado. Ningún operador había decidido sobre él.",
  "To correct a venue or report a duplicate, choose “Suggest an edit” on its page.":
    "Para corregir un lugar o avisar de un duplicado, elija «Sugerir un cambio» en su página.",
  "What you have proposed for venues and which venues of yours wait for approval, newest first, with the answers of the directory’s operators.":
    "Lo que ha propuesto para los lugares y los lugares suyos que esperan la aprobación, primero lo más reciente, con las respuestas de los operadores del directorio.",
  "You wrote “<bdi>{text}</bdi>”": "Usted escribió «<bdi>{text}</bdi>»",
  "Your proposals for venues": "Sus propuestas para lugares",
  "{label} now: <bdi>{value}</bdi>": "{label} ahora: <bdi>{value}</bdi>",
  "{state, select, open {Open} accepted {Accepted} withdrawn {Taken back} other {Declined}}":
    "{state, select, open {Abierta} accepted {Aceptada} withdrawn {Retirada} other {Rechazada}}",
  "“<bdi>{text}</bdi>”": "«<bdi>{text}</bdi>»",
};
