/** The operators’ pages of applications and of venues and their changes. */
export const operator = {
  '<bdi>{name}</bdi> <code class="small">{id}</code> into <code class="small">{into}</code>':
    '<bdi>{name}</bdi> <code class="small">{id}</code> en <code class="small">{into}</code>',
  '<time datetime="{iso}">{time}</time> by <bdi>{who}</bdi>':
    '<time datetime="{iso}">{time}</time> por <bdi>{who}</bdi>',
  "A former user": "Un antiguo usuario",
  "Access from the next call on": "Acceso a partir de la próxima llamada",
  "All applications": "Todas las aplicaciones",
  "All applications registered here: what each may do, how much it calls, and who asks for more.":
    "Todas las aplicaciones registradas aquí: qué puede hacer cada una, cuántas llamadas hace y quién pide más.",
  "All applications registered with this directory, and what each may access. Requests come first, then the newest applications.":
    "Todas las aplicaciones registradas en este directorio y el acceso de cada una. Primero las solicitudes y después las aplicaciones más recientes.",
  "Another operator has changed this in the meantime, so nothing was saved. Check the current state and try again.":
    "Entretanto otro operador ha cambiado esto, por lo que no se ha guardado nada. Compruebe el estado actual y vuelva a intentarlo.",
  Application: "Aplicación",
  "Asked for more access": "Pidió más acceso",
  "Asks for more access": "Pide más acceso",
  "Calls this hour": "Llamadas de esta hora",
  'Change its values, move it, close or reopen it. The change is in the history, with what was there before, and can be reverted. <a href="{page}">The venue’s page</a>':
    'Cambie sus datos, muévalo, ciérrelo o vuelva a abrirlo. El cambio queda en el historial, con lo que había antes, y se puede revertir. <a href="{page}">Página del lugar</a>',
  "Changed. Below is what was there before. The change can be reverted.":
    "Se ha cambiado. Abajo está lo que había antes. El cambio se puede revertir.",
  Changes: "Cambios",
  "Changes of these venues": "Cambios de estos lugares",
  "Choose the venue that stays": "Elija el lugar que se conserva",
  "Choose the venue, or the duplicate": "Elija el lugar, o el duplicado",
  "Choose what the application may do.": "Elija lo que puede hacer la aplicación.",
  'Choose<span class="visually-hidden">: {name}, {line}</span>':
    'Elegir<span class="visually-hidden">: {name}, {line}</span>',
  Compared: "Comparación",
  Details: "Detalles",
  "Edit <bdi>{name}</bdi>": "Editar <bdi>{name}</bdi>",
  "Edit {name}": "Editar {name}",
  'Edit, move or close <bdi class="clip">{name}</bdi>': 'Editar, mover o cerrar <bdi class="clip">{name}</bdi>',
  "Edit, move, close or reopen a venue, or merge a duplicate into the venue that stays. Its id then leads to that one for ever, and its links and check-ins follow. Each change can be reverted.":
    "Edite, mueva, cierre o vuelva a abrir un lugar, o fusione un duplicado con el lugar que se conserva. Su identificador lleva entonces para siempre a ese lugar, al que pasan sus enlaces y check-ins. Cada cambio se puede revertir.",
  "Edit, move, close, reopen or merge a venue; see the last changes and revert them.":
    "Editar, mover, cerrar, reabrir o fusionar un lugar; ver los últimos cambios y revertirlos.",
  "Edits and duplicates that users propose, and new venues that wait for approval.":
    "Cambios y duplicados que proponen los usuarios, y lugares nuevos que esperan aprobación.",
  Enabled: "Habilitada",
  "Enabled. The application may now do everything.": "Habilitada. La aplicación ya puede hacerlo todo.",
  "Every call and every log-in is refused. Tokens are kept, so it works as before when it is enabled again.":
    "Se rechazan todas las llamadas y todos los inicios de sesión. Los tokens se conservan, así que funciona como antes cuando se vuelve a habilitar.",
  Everything: "Todo",
  "For a merge, the venue that stays: its name, page or id":
    "Para fusionar, el lugar que se conserva: su nombre, su página o su identificador",
  "Groups of venues that seem to be one place, to be merged or set apart.":
    "Grupos de lugares que parecen ser uno solo, para fusionarlos o separarlos.",
  'Its owner asked for more access <time datetime="{iso}">{time}</time>. Saving this form answers the request.':
    'Su propietario pidió más acceso <time datetime="{iso}">{time}</time>. Al guardar este formulario se responde a la solicitud.',
  "Last changes": "Últimos cambios",
  "Last note": "Última nota",
  "Log in again": "Volver a iniciar sesión",
  "Log people in, read, harmonize (intent=match, venues/match, add, annotate) and check people in.":
    "Iniciar la sesión de personas, leer, conciliar (intent=match, venues/match, add, annotate) y hacer check-in por ellas.",
  "Log people in, search, and read the check-ins of people who allowed it.":
    "Iniciar la sesión de personas, buscar y leer los check-ins de quienes lo hayan autorizado.",
  "May read": "Puede leer",
  "Merge the duplicate into the venue that stays": "Fusionar el duplicado con el lugar que se conserva",
  "Merged. The old id leads to this venue from now on.":
    "Fusionado. Desde ahora el identificador antiguo lleva a este lugar.",
  "Name, owner or client id": "Nombre, propietario o identificador de cliente",
  Never: "Nunca",
  "No application has this name, owner or client id.":
    "Ninguna aplicación tiene este nombre, propietario o identificador de cliente.",
  "No applications": "No hay aplicaciones",
  "No operator has changed anything yet.": "Ningún operador ha cambiado nada todavía.",
  "Nobody has registered one yet.": "Nadie ha registrado ninguna todavía.",
  "Not counted": "Sin contar",
  "Not counted: it has no limit": "Sin contar: no tiene límite",
  Nothing: "Nada",
  "Nothing has been changed yet.": "Todavía no se ha cambiado nada.",
  "Nothing was changed because you logged in more than ten minutes ago. Log in again to continue.":
    "No se ha cambiado nada porque inició sesión hace más de diez minutos. Vuelva a iniciar sesión para continuar.",
  "Only read": "Solo leer",
  "Operate the directory": "Operar el directorio",
  Owner: "Propietario",
  Registered: "Registrada",
  'Revert<span class="visually-hidden">: {what} {name}</span>':
    'Revertir<span class="visually-hidden">: {what} {name}</span>',
  Reverted: "Revertido",
  "Reverted. The venue is as it was before, with its links and check-ins.":
    "Revertido. El lugar está como antes, con sus enlaces y check-ins.",
  "Secret last used": "Último uso del secreto",
  "Stopped. The directory now refuses all of its calls.": "Detenida. El directorio rechaza ahora todas sus llamadas.",
  "Swap them": "Intercambiarlos",
  "The application may now log people in and read, but nothing else.":
    "Ahora la aplicación puede iniciar la sesión de personas y leer, pero nada más.",
  "The directory has no venue with this id or name.":
    "El directorio no tiene ningún lugar con este identificador o nombre.",
  "The duplicate": "El duplicado",
  "The owner sees it.": "El propietario lo ve.",
  "The sample venues and the demo account, and their removal.":
    "Los lugares de muestra y la cuenta de demostración, y su eliminación.",
  "The venue that stays": "El lugar que se conserva",
  "The venue, or the duplicate: its name, page or id":
    "El lugar, o el duplicado: su nombre, su página o su identificador",
  "There is no application at this address.": "No hay ninguna aplicación en esta dirección.",
  "This is the same venue.": "Es el mismo lugar.",
  "This is the web app's own application. Without it, nobody can log in to the web app.":
    "Es la aplicación de la propia web. Sin ella, nadie puede iniciar sesión en la web.",
  "To change it, log in again. You can then make changes for ten minutes.":
    "Para cambiarlo, vuelva a iniciar sesión. Después podrá hacer cambios durante diez minutos.",
  "Type its name to confirm.": "Escriba su nombre para confirmar.",
  "Type its name to reduce its access": "Escriba su nombre para reducir su acceso",
  "Users connected": "Usuarios conectados",
  When: "Cuándo",
  "Where to search for a name: a place, or latitude, longitude":
    "Dónde buscar un nombre: una localidad, o latitud, longitud",
  Who: "Quién",
  "a former user": "un antiguo usuario",
  "proposed by <bdi>{proposers}</bdi>": "propuesto por <bdi>{proposers}</bdi>",
  "You operate this directory: only operators see these pages.":
    "Usted opera este directorio: solo los operadores ven estas páginas.",
  "{count, plural, one {# asks for more access} other {# ask for more access}}":
    "{count, plural, one {# pide más acceso} other {# piden más acceso}}",
  "{count, plural, one {# group waits} other {# groups wait}}":
    "{count, plural, one {# grupo pendiente} other {# grupos pendientes}}",
  "{count, plural, one {# waits} other {# wait}}{newVenues, plural, =0 {} one {, # of them a new venue} other {, # of them new venues}}":
    "{count, plural, one {# pendiente} other {# pendientes}}{newVenues, plural, =0 {} one {, # de un lugar nuevo} other {, # de lugares nuevos}}",
  "{kind, select, merged {Merged} deleted {Deleted} other {Edited}}":
    "{kind, select, merged {Fusionado:} deleted {Eliminado:} other {Editado:}}",
};
