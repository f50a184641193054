/** What can go wrong with a listing or a call of the directory, why a listing was decided, and corrections of positions. */
export const problems = {
  "A file may have at most {most, number} rows. Split it and upload the parts separately.":
    "Un archivo puede tener como máximo {most, number} filas. Divídalo y suba las partes por separado.",
  "Already on the venue “{name}” ({id}), where this file put it before its match was corrected. Ask the directory to remove it there, then annotate again.":
    "Ya está en el lugar «{name}» ({id}), donde lo puso este archivo antes de que se corrigiera la coincidencia. Pida al directorio que lo quite de allí y vuelva a anotarlo.",
  "Already on the venue “{name}” ({id}).": "Ya está en el lugar «{name}» ({id}).",
  "In its name, \uFFFD stands for a character that was lost. Correct the name or, if the encoding of the file was wrong, upload it again.":
    "En su nombre, \uFFFD sustituye a un carácter que se ha perdido. Corrija el nombre o, si la codificación del archivo era incorrecta, vuelva a subirlo.",
  "Line {line}: {why}.": "Línea {line}: {why}.",
  "No provider id is reserved for this Samespot. Ask whoever runs it to set PROVIDER_ID.":
    "No hay ningún id de proveedor reservado para este Samespot. Pida a quien lo administra que configure PROVIDER_ID.",
  "Not found in the directory": "No encontrado en el directorio",
  "Please try again in {wait}.": "Vuelva a intentarlo dentro de {wait}.",
  "Samespot does not know whether this listing was added. Search for it before you add it again.":
    "Samespot no sabe si esta ficha se ha añadido. Búsquela antes de volver a añadirla.",
  "Samespot stopped {times} times while working on this listing, so it was skipped. Retry it, or remove it from the file.":
    "Samespot se ha detenido {times} veces mientras procesaba esta ficha, así que se ha omitido. Vuelva a intentarlo o quítela del archivo.",
  "The add could not be undone: {said}": "No se ha podido deshacer la adición: {said}",
  "The add was not undone, because its venue is also in {holders}.":
    "La adición no se ha deshecho, porque su lugar también está en {holders}.",
  "“{name}” ({rows, plural, one {# row} other {# rows}})": "«{name}» ({rows, plural, one {# fila} other {# filas}})",
  "{rows, plural, one {# row} other {# rows}} of other files of the same person":
    "{rows, plural, one {# fila} other {# filas}} de otros archivos de la misma persona",
  "{rows, plural, one {# row} other {# rows}} of other people’s files":
    "{rows, plural, one {# fila} other {# filas}} de archivos de otras personas",
  "undecided again, because its venue was deleted from the directory":
    "de nuevo sin decidir, porque su lugar se ha eliminado del directorio",
  "The directory accepts no venue with this name.": "El directorio no acepta ningún lugar con este nombre.",
  "The directory did not accept this": "El directorio no lo ha aceptado",
  "The directory does not allow Samespot to change its own secret. Ask the owner of the application to allow it there.":
    "El directorio no permite que Samespot cambie su propio secreto. Pida al propietario de la aplicación que lo permita allí.",
  "The directory has a newer secret than the one in use. Get that one, or create another there, and paste it here.":
    "El directorio tiene un secreto más reciente que el que se usa. Obtenga ese, o cree otro allí, y péguelo aquí.",
  "The directory has no category “{value}”. Choose one for all listings without a category.":
    "El directorio no tiene ninguna categoría «{value}». Elija una para todas las fichas sin categoría.",
  "The directory has not enabled Samespot for this": "El directorio no ha habilitado a Samespot para esto",
  "The directory no longer accepts our access to your account. Connect again, then retry.":
    "El directorio ya no acepta nuestro acceso a su cuenta. Vuelva a conectarla y reinténtelo.",
  "The directory rejected Samespot": "El directorio ha rechazado a Samespot",
  "The directory's answer cannot be read": "No se puede leer la respuesta del directorio",
  "The listing is on another venue": "La ficha está en otro lugar",
  "The name contains characters that cannot be stored.": "El nombre contiene caracteres que no se pueden guardar.",
  "The name may have at most 200 characters.": "El nombre puede tener como máximo 200 caracteres.",
  "The name must contain a letter or a digit.": "El nombre debe contener una letra o una cifra.",
  "The position {position} is {km, number} km from {place}. Check it before you add the listing.":
    "La posición {position} está a {km, number} km de {place}. Compruébela antes de añadir la ficha.",
  "The positions in this file look wrong. Confirm them, or begin again with repaired positions. Until then no venues are added.":
    "Las posiciones de este archivo parecen incorrectas. Confírmelas o empiece de nuevo con las posiciones reparadas. Hasta entonces no se añade ningún lugar.",
  "The venue directory already has a venue that looks like this one.":
    "El directorio de lugares ya tiene un lugar que se parece a este.",
  "The venue directory already has this listing's id on another venue. A listing can be on one venue only.":
    "El directorio de lugares ya tiene el id de esta ficha en otro lugar. Una ficha solo puede estar en un lugar.",
  "The venue directory asks us to slow down.": "El directorio de lugares nos pide que vayamos más despacio.",
  "The venue directory did not accept this log-in.": "El directorio de lugares no ha aceptado este inicio de sesión.",
  "The venue directory did not accept this request.": "El directorio de lugares no ha aceptado esta solicitud.",
  "The venue directory does not accept this server as an application. Ask the person who runs this server to check its credentials.":
    "El directorio de lugares no acepta este servidor como aplicación. Pida a quien administra este servidor que compruebe sus credenciales.",
  "The venue directory does not allow this server to do this. The person who runs this server must ask the directory's operator.":
    "El directorio de lugares no permite a este servidor hacer esto. Quien administra este servidor debe pedírselo al operador del directorio.",
  "The venue directory does not answer. Please try again in a moment.":
    "El directorio de lugares no responde. Vuelva a intentarlo dentro de un momento.",
  "The venue directory does not have this. It may have been removed.":
    "El directorio de lugares no lo tiene. Puede que se haya eliminado.",
  "The venue directory no longer accepts our access to your account. Please connect again.":
    "El directorio de lugares ya no acepta nuestro acceso a su cuenta. Vuelva a conectarla.",
  "The venue directory sent an answer that cannot be read. Please try again in a moment.":
    "El directorio de lugares ha enviado una respuesta que no se puede leer. Vuelva a intentarlo dentro de un momento.",
  "The venue may already exist": "Es posible que el lugar ya exista",
  "There is no such venue. It may have been removed.": "No existe ese lugar. Puede que se haya eliminado.",
  "This directory does not delete venues.": "Este directorio no elimina lugares.",
  "This line has {cells} cells, but the file has {columns} columns.":
    "Esta línea tiene {cells} celdas, pero el archivo tiene {columns} columnas.",
  "Latitude and longitude are the same, {value}: one was copied into the other.":
    "La latitud y la longitud son iguales, {value}: una se copió en la otra.",
  "This listing has neither a position nor a town.": "Esta ficha no tiene ni posición ni localidad.",
  "This listing has no category. Choose one for all listings without a category.":
    "Esta ficha no tiene categoría. Elija una para todas las fichas sin categoría.",
  "This listing has no name.": "Esta ficha no tiene nombre.",
  "This listing has no position.": "Esta ficha no tiene posición.",
  "This listing is already matched with “{venue}”. Undo that decision first.":
    "Esta ficha ya está conciliada con «{venue}». Deshaga antes esa decisión.",
  "This position does not exist. Latitude ranges from -90 to 90, longitude from -180 to 180.":
    "Esta posición no existe. La latitud va de -90 a 90 y la longitud, de -180 a 180.",
  "This position does not exist. Latitude {lat}, longitude {lng}: are they swapped?":
    "Esta posición no existe. Latitud {lat}, longitud {lng}: ¿están intercambiadas?",
  "Too many requests": "Demasiadas solicitudes",
  "a quote is opened and not closed": "hay unas comillas abiertas sin cerrar",
  "added as new": "añadida como nueva",
  "added as new, together with all other listings without a match":
    "añadida como nueva, junto con todas las demás fichas sin coincidencia",
  "chosen by search": "elegido mediante una búsqueda",
  "decided elsewhere, taken over from “{file}”": "decidida en otro sitio, tomada de «{file}»",
  "decided elsewhere, taken over from “{file}” (there {was}, which has been merged into this venue)":
    "decidida en otro sitio, tomada de «{file}» (allí {was}, que se ha fusionado con este lugar)",
  "estimated between house numbers of the street": "estimada entre números de la calle",
  "found in the directory before adding": "encontrada en el directorio antes de añadirla",
  "it is not valid JSON, or no object": "no es JSON válido o no es un objeto",
  "With {repair} it is among them: {position}.": "Con {repair} está entre ellas: {position}.",
  "With {repair} it is there: {position}.": "Con {repair} está allí: {position}.",
  "The position {position} is far from the other listings of this file.":
    "La posición {position} está lejos de las demás fichas de este archivo.",
  "Check it before you add the listing.": "Compruébela antes de añadir la ficha.",
  "a correction": "una corrección",
  "both decimal points moved": "ambas comas decimales movidas",
  "the decimal point of the latitude moved": "la coma decimal de la latitud movida",
  "the decimal point of the longitude moved": "la coma decimal de la longitud movida",
  "left out, because latitude and longitude are the same": "omitida, porque la latitud y la longitud son iguales",
  "left out, because rows of this name with other addresses have the same":
    "no se usa, porque otras filas con este nombre y otras direcciones tienen la misma",
  "latitude and longitude swapped back": "latitud y longitud devueltas a su orden",
  "latitude and longitude swapped back, and both signs changed":
    "latitud y longitud devueltas a su orden, y ambos signos cambiados",
  "latitude and longitude swapped back, and the sign of the latitude changed":
    "latitud y longitud devueltas a su orden, y el signo de la latitud cambiado",
  "latitude and longitude swapped back, and the sign of the longitude changed":
    "latitud y longitud devueltas a su orden, y el signo de la longitud cambiado",
  "{field} corrected to “{now}”, in the file there is none": "{field}: corregido a «{now}», en el archivo no hay nada",
  "{field} corrected to “{now}”, in the file “{was}”": "{field}: corregido a «{now}», en el archivo «{was}»",
  "{field} taken out, in the file “{was}”": "{field}: quitado, en el archivo «{was}»",
  address: "dirección",
  category: "categoría",
  city: "ciudad",
  country: "país",
  description: "descripción",
  phone: "teléfono",
  "postal code": "código postal",
  state: "estado",
  website: "sitio web",
  "name corrected, in the file there is none": "nombre corregido, en el archivo no hay ninguno",
  "name corrected, in the file “{name}”": "nombre corregido, en el archivo «{name}»",
  "none of the similar venues": "ninguno de los lugares similares",
  "position corrected, in the file there is none": "posición corregida, en el archivo no hay ninguna",
  "position corrected, in the file {position}": "posición corregida, en el archivo {position}",
  "position: {how}": "posición: {how}",
  "shifted back": "desplazada de vuelta",
  "taken from venues with the house number": "tomada de lugares con ese número de la calle",
  "the add was undone": "la adición se ha deshecho",
  "the line has more than {most} cells": "la línea tiene más de {most} celdas",
  "the line is longer than a million characters": "la línea tiene más de un millón de caracteres",
  "the sign of the latitude changed": "el signo de la latitud cambiado",
  "the sign of the longitude changed": "el signo de la longitud cambiado",
  "the signs of latitude and longitude changed": "los signos de latitud y longitud cambiados",
  "the worker has not looked for tasks for {seconds} seconds":
    "el worker no busca tareas desde hace {seconds} segundos",
  'there is text between a closing quote and the next cell (write a quote inside quotes as "")':
    'hay texto entre unas comillas de cierre y la celda siguiente (escriba las comillas dentro de comillas como "")',
  "{venues, plural, =0 {no similar venue} one {the only similar venue is another place} other {none of the # similar venues}}":
    "{venues, plural, =0 {ningún lugar similar} one {el único lugar similar es otro sitio} other {ninguno de los # lugares similares}}",
  "“{column}” contains characters that were lost or cannot be read in this encoding; they are shown as \uFFFD.":
    "«{column}» contiene caracteres que se han perdido o que no se pueden leer con esta codificación; se muestran como \uFFFD.",
  "“{value}” is not a position.": "«{value}» no es una posición.",
  "“{venue}” was added to the directory, but meanwhile somebody has decided otherwise about the listing.":
    "«{venue}» se ha añadido al directorio, pero entretanto alguien ha decidido otra cosa sobre la ficha.",
};
