/** The start page and the settings. */
export const home = {
  '<a href="{href}">Your settings at the directory</a> list what you have allowed. You can end it there.':
    '<a href="{href}">Sus ajustes en el directorio</a> muestran lo que ha permitido. Puede ponerle fin allí.',
  "<b>Download the result.</b> Your rows are unchanged, with venue, score and reason added. You can also add the missing venues.":
    "<b>Descargue el resultado.</b> Sus filas no cambian; se les añaden el lugar, la puntuación y el motivo. También puede añadir los lugares que faltan.",
  "<b>Review the doubtful rows.</b> The clear ones are matched already; one key decides each of the others.":
    "<b>Revise las filas dudosas.</b> Las claras ya tienen su lugar; cada una de las demás se decide con una tecla.",
  "<b>Upload a file.</b> Samespot guesses what each column holds. You correct it.":
    "<b>Suba un archivo.</b> Samespot supone qué contiene cada columna. Usted lo corrige.",
  '<span class="chip chip-success">Connected</span> Samespot may read your profile and check-ins, check you in and add venues in your name at <b>{directory}</b>.':
    '<span class="chip chip-success">Conectado</span> Samespot puede leer su perfil y sus check-ins, hacer check-in por usted y añadir lugares en su nombre en <b>{directory}</b>.',
  '<span class="chip chip-warning">Not connected</span> Connect again to search, add venues and see your check-ins.':
    '<span class="chip chip-warning">No conectado</span> Vuelva a conectarse para buscar, añadir lugares y ver sus check-ins.',
  '<span class="chip chip-warning">Not connected</span> since <time datetime="{iso}">{day}, {time} UTC</time>, because the directory ended the connection. Connect again to search, add venues and see your check-ins.':
    '<span class="chip chip-warning">No conectado</span> desde el <time datetime="{iso}">{day}, {time} UTC</time>, porque el directorio puso fin a la conexión. Vuelva a conectarse para buscar, añadir lugares y ver sus check-ins.',
  "A browser that is still logged in at the directory can come back without a password: end that session too, in your settings at the directory.":
    "Un navegador que mantiene su sesión en el directorio puede volver sin contraseña: cierre también esa sesión, en sus ajustes en el directorio.",
  Account: "Cuenta",
  "Add a venue. Samespot shows similar ones first, so that no place is added twice.":
    "Añada un lugar. Samespot muestra antes los similares para que no se añada ninguno dos veces.",
  "All files": "Todos los archivos",
  "All your other sessions have been ended.": "Se han cerrado todas sus demás sesiones.",
  "Check in on the page of a venue, or with an application.":
    "Haga check-in en la página de un lugar o con una aplicación.",
  "Connection to the directory": "Conexión con el directorio",
  "Directory account": "Cuenta del directorio",
  Disconnect: "Desconectarse",
  "Disconnected here.": "Desconectado aquí.",
  "Disconnected.": "Desconectado.",
  "Disconnect…": "Desconectarse…",
  'Do you also know its address or phone? <a href="{href}">Match a listing</a> to see which venue it is.':
    '¿Conoce también la dirección o el teléfono? <a href="{href}">Busque la coincidencia de una ficha</a> para ver qué lugar es.',
  "End all my sessions": "Cerrar todas mis sesiones",
  "End all others": "Cerrar todas las demás",
  'End<span class="visually-hidden"> {browser}</span>': 'Cerrar<span class="visually-hidden"> {browser}</span>',
  "Ending all sessions logs you out of this browser and every other at once. A session also ends after two weeks without use, and after ninety days at the latest.":
    "Al cerrar todas las sesiones, se cierra de inmediato la de este navegador y la de todos los demás. Una sesión también termina a las dos semanas sin uso y, a más tardar, a los noventa días.",
  "Hello, {name}": "Hola, {name}",
  Home: "Inicio",
  "In progress": "En curso",
  "Is it the same spot?": "¿Es el mismo sitio?",
  "Is this listing the same spot as that venue?": "¿Esta ficha y ese lugar son el mismo sitio?",
  "Latest check-ins": "Últimos check-ins",
  "Log in with the directory": "Iniciar sesión con el directorio",
  "Log out here": "Cerrar sesión aquí",
  "Match a whole list": "Conciliar una lista entera",
  "Missing venues": "Lugares que faltan",
  "One place": "Un solo lugar",
  "Samespot has deleted its copy of the access, but the directory did not end it. End it in your settings at the directory too.":
    "Samespot ha borrado su copia del acceso, pero el directorio no le puso fin. Póngale fin también en sus ajustes en el directorio.",
  'Samespot then returns its access to the directory and deletes its copy. <a href="{href}">Your settings at the directory</a> list everything that you have allowed.':
    'Samespot devuelve entonces su acceso al directorio y borra su copia. <a href="{href}">Sus ajustes en el directorio</a> muestran todo lo que ha permitido.',
  "Search for one place": "Buscar un solo lugar",
  'Search for venues near any place, in a list and on a map. Or <a href="{href}">match a listing</a> to see which venue it is.':
    'Busque lugares cerca de cualquier sitio, en una lista y en un mapa. O <a href="{href}">busque la coincidencia de una ficha</a> para ver qué lugar es.',
  "See where you have been, day by day. Samespot never sees your password.":
    "Vea dónde ha estado, día a día. Samespot nunca ve su contraseña.",
  "Switch account": "Cambiar de cuenta",
  "The directory has ended Samespot's access.": "El directorio ha puesto fin al acceso de Samespot.",
  "The next log-in in this browser asks for your password. You may still be logged in at the directory: log out there too.":
    "El próximo inicio de sesión en este navegador pedirá su contraseña. Es posible que su sesión en el directorio siga abierta: ciérrela también allí.",
  "The session has been ended.": "La sesión se ha cerrado.",
  "This account can no longer use Samespot. Ask an admin of Samespot.":
    "Esta cuenta ya no puede usar Samespot. Consulte a un administrador de Samespot.",
  "This account is disabled": "Esta cuenta está desactivada",
  "This session had already ended.": "Esta sesión ya había terminado.",
  'To end one of the others, <a href="{href}">confirm that it is you</a> first.':
    'Para cerrar una de las otras, <a href="{href}">confirme su identidad</a> primero.',
  "Try our example": "Probar nuestro ejemplo",
  "Unknown browser": "Navegador desconocido",
  "Upload a file of places. Samespot matches each row to a venue; you review only the doubtful ones and download the file with its venue ids.":
    "Suba un archivo de lugares. Samespot busca el lugar de cada fila; usted revisa solo las dudosas y descarga el archivo con los ids de sus lugares.",
  "Upload your list of places: CSV, Excel, GeoJSON, JSON or Parquet. Samespot matches each row to a venue in the directory, shows how sure it is and why, and returns your file with the venue ids filled in.":
    "Suba su lista de lugares: CSV, Excel, GeoJSON, JSON o Parquet. Samespot busca en el directorio el lugar de cada fila, muestra su grado de certeza y el porqué, y le devuelve el archivo con los ids de los lugares.",
  "Where you are logged in.": "Dónde tiene la sesión iniciada.",
  "You are logged out.": "Ha cerrado la sesión.",
  "You then cannot search, add venues or see your check-ins here until you connect again. Files in progress wait until then.":
    "Después no podrá buscar, añadir lugares ni ver aquí sus check-ins hasta que vuelva a conectarse. Los archivos en curso esperan hasta entonces.",
  "Your list in three steps": "Su lista en tres pasos",
  "Your settings at the directory": "Sus ajustes en el directorio",
  you: "usted",
};
