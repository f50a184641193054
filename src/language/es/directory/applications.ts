/** The directory’s pages of the applications that a user has registered. */
export const applications = {
  "2 to 50 letters, digits, dots, dashes and underscores.":
    "De 2 a 50 letras, cifras, puntos, guiones y guiones bajos.",
  "<b>Copy it now: it is not shown again.</b> Keep it in the settings of your server, never in code or apps that you distribute.":
    "<b>Cópielo ahora: no se vuelve a mostrar.</b> Guárdelo en los ajustes de su servidor, nunca en código ni en aplicaciones que distribuya.",
  "A program needs a client id and a secret to call the directory, and a redirect URI to log its users in.":
    "Un programa necesita un identificador de cliente y un secreto para llamar al directorio, y una URI de redirección para iniciar la sesión de sus usuarios.",
  Access: "Acceso",
  "Add your own <code>state</code> to the first two, and check that it comes back.":
    "Añada su propio <code>state</code> a las dos primeras y compruebe que vuelve.",
  Addresses: "Direcciones",
  "Ask to enable it": "Pedir que se habilite",
  "Call the API at": "Llame a la API en",
  "Change the secret at": "Cambie el secreto en",
  "Choose how long the current secret keeps working.": "Elija cuánto tiempo sigue funcionando el secreto actual.",
  "Client id and secrets": "Identificador de cliente y secretos",
  "Client id: {clientId}": "Identificador de cliente: {clientId}",
  'Copy<span class="visually-hidden"> the client id of {name}</span>':
    'Copiar<span class="visually-hidden"> el identificador de cliente de {name}</span>',
  'Copy<span class="visually-hidden"> the client id</span>':
    'Copiar<span class="visually-hidden"> el identificador de cliente</span>',
  'Copy<span class="visually-hidden"> this address: {label}</span>':
    'Copiar<span class="visually-hidden"> esta dirección: {label}</span>',
  'Created <time datetime="{iso}">{time}</time>.': 'Creado <time datetime="{iso}">{time}</time>.',
  "Current secret": "Secreto actual",
  "Delete the application": "Eliminar la aplicación",
  "End it immediately": "Anularlo de inmediato",
  "End now": "Anular ahora",
  'Ends <time datetime="{iso}">{time}</time>': 'Caduca <time datetime="{iso}">{time}</time>',
  "Exchange the code at": "Canjee el código en",
  "It has not been used since the current secret was created.": "No se ha usado desde que se creó el secreto actual.",
  "It is stopped: the directory refuses all of its calls, and nobody can log in with it. Its tokens and secrets are kept.":
    "Está detenida: el directorio rechaza todas sus llamadas y nadie puede iniciar sesión con ella. Se conservan sus tokens y secretos.",
  "It may do everything: read, harmonize and check people in.":
    "Puede hacerlo todo: leer, conciliar y hacer check-in por sus usuarios.",
  "It may log people in, search and read check-ins. It is not enabled to harmonize (intent=match, venues/match, add, annotate) or to check people in.":
    "Puede iniciar la sesión de sus usuarios, buscar y leer check-ins. No está habilitada para conciliar (intent=match, venues/match, add, annotate) ni para hacer check-in por sus usuarios.",
  "It was used after the current secret was created: some program still needs it.":
    "Se usó después de crearse el secreto actual: algún programa aún lo necesita.",
  "Keep it for {days, plural, one {# day} other {# days}}": "Conservarlo {days, plural, one {# día} other {# días}}",
  "Keep it for {hours, plural, one {# hour} other {# hours}}":
    "Conservarlo {hours, plural, one {# hora} other {# horas}}",
  'Last used <time datetime="{iso}">{time}</time>.': 'Usado por última vez <time datetime="{iso}">{time}</time>.',
  "No applications yet": "Aún no hay aplicaciones",
  "Not used yet.": "Aún sin usar.",
  "Older secret": "Secreto anterior",
  "OpenRefine service": "Servicio para OpenRefine",
  "Please enable {name}": "Solicitud para habilitar {name}",
  "Provider ids": "Identificadores de proveedor",
  'Ready to copy for this application. The <a href="{docs}">documentation</a> shows every call of the API.':
    'Listas para copiar, para esta aplicación. La <a href="{docs}">documentación</a> muestra todas las llamadas de la API.',
  "Redirect URIs": "URI de redirección",
  Register: "Registrar",
  "Register an application": "Registrar una aplicación",
  'Registered on <time datetime="{iso}">{day}</time>.': 'Registrada el <time datetime="{iso}">{day}</time>.',
  'Release<span class="visually-hidden"> {id}</span>': 'Liberar<span class="visually-hidden"> {id}</span>',
  Reserve: "Reservar",
  "Reserve a provider id": "Reservar un identificador de proveedor",
  "Reserve another": "Reservar otro",
  "Rotate the secret": "Rotar el secreto",
  "Saved.": "Guardado.",
  "Send users to": "Envíe a los usuarios a",
  "The application is already enabled, or you have already requested access.":
    "La aplicación ya está habilitada o ya ha solicitado el acceso.",
  'The application may change its own secret through the API. <span class="muted">For a program that stores the new secret itself. Anyone who gets hold of the secret can then change it too, without an account here; leave it off unless a program needs it.</span>':
    'La aplicación puede cambiar su propio secreto mediante la API. <span class="muted">Para un programa que guarda él mismo el secreto nuevo. Quien se haga con el secreto podrá también cambiarlo, sin tener cuenta aquí; déjelo desactivado si ningún programa lo necesita.</span>',
  "The older secret above stops working as soon as you rotate, whatever you choose.":
    "El secreto anterior deja de funcionar en cuanto lo rote, elija lo que elija.",
  "The operator's note: <bdi>{said}</bdi>": "Nota del operador: <bdi>{said}</bdi>",
  "The operators of this directory read it.": "Lo leen los operadores de este directorio.",
  'The previous secret ends <time datetime="{iso}">{time}</time>: put the new one in place before then.':
    'El secreto anterior caduca <time datetime="{iso}">{time}</time>: ponga el nuevo en su lugar antes de entonces.',
  "The redirect URI of a request": "La URI de redirección de una solicitud",
  "The secret has been ended and no longer works.": "El secreto se ha anulado y ya no funciona.",
  "This also deletes its secrets, its users' access tokens and the annotations made with its provider ids, at once. It cannot be undone.":
    "También elimina de inmediato sus secretos, los tokens de acceso de sus usuarios y las anotaciones hechas con sus identificadores de proveedor. No se puede deshacer.",
  "To ask users every time": "Para preguntar siempre a los usuarios",
  'Token flow. <span class="muted">For programs without a server: the access token is in the address that users return to, where scripts of the page, extensions and the browser\'s history can read it. Leave it off if you have a server.</span>':
    'Flujo de token. <span class="muted">Para programas sin servidor: el token de acceso está en la dirección a la que vuelven los usuarios, donde pueden leerlo los scripts de la página, las extensiones y el historial del navegador. Déjelo desactivado si tiene un servidor.</span>',
  "Type its name to confirm": "Escriba su nombre para confirmar",
  "Users see it when they are asked to allow the application.":
    "Los usuarios lo ven cuando se les pide que autoricen la aplicación.",
  "Ways to log in": "Formas de iniciar sesión",
  'Web connect. <span class="muted">A request without redirect_uri uses the first redirect URI instead of being refused.</span>':
    'Web connect. <span class="muted">Una solicitud sin redirect_uri usa la primera URI de redirección en lugar de rechazarse.</span>',
  "What do you need it for?": "¿Para qué lo necesita?",
  "When you rotate, what happens to the current secret?": "Al rotarlo, ¿qué ocurre con el secreto actual?",
  "Where users return to after the log-in. One per line; the first is the default. They must be https, except http://localhost, 127.0.0.1 and [::1] for development, where a request may name any port.":
    "Adónde vuelven los usuarios después de iniciar sesión. Una por línea; la primera es la predeterminada. Deben ser https, salvo http://localhost, 127.0.0.1 y [::1] para el desarrollo, con los que una solicitud puede indicar cualquier puerto.",
  'You can also ask <a href="{href}">{contact}</a>, with the client id <code>{clientId}</code>.':
    'También puede escribir a <a href="{href}">{contact}</a>, con el identificador de cliente <code>{clientId}</code>.',
  "You get a client id and a secret. Register one application for development and another for production, so that each has its own secret. You can change everything here later.":
    "Recibe un identificador de cliente y un secreto. Registre una aplicación para el desarrollo y otra para la producción, de modo que cada una tenga su propio secreto. Más adelante puede cambiarlo todo aquí.",
  "You get a new secret. Put it into your program while both work. If the current one has leaked, end it at once.":
    "Recibe un secreto nuevo. Póngalo en su programa mientras funcionan ambos. Si el actual se ha filtrado, anúlelo de inmediato.",
  "You have asked the operators of this directory to enable it. They see your request in their list.":
    "Ha pedido a los operadores de este directorio que la habiliten. Ven su solicitud en su lista.",
  "You have no application at this address.": "No tiene ninguna aplicación en esta dirección.",
  "You have {count, number} applications, the most that one account can have. Delete one to register another.":
    "Tiene {count, number} aplicaciones, el máximo de una cuenta. Elimine una para registrar otra.",
  "Your application can store the ids of its own listings on venues, as annotations. Reserve a provider id first: a short name that shows which annotations are yours.":
    "Su aplicación puede guardar en los lugares los identificadores de sus propias fichas, como anotaciones. Reserve antes un identificador de proveedor: un nombre corto que indica qué anotaciones son suyas.",
  "Your new client secret": "Su nuevo secreto de cliente",
  'Your programs that use this directory. Each has its own client id, secrets and redirect URIs. The <a href="{docs}">documentation</a> shows how to use them.':
    'Sus programas que usan este directorio. Cada uno tiene su identificador de cliente, sus secretos y sus URI de redirección. La <a href="{docs}">documentación</a> muestra cómo usarlos.',
  "Your request has been sent to the operators of this directory.":
    "Su solicitud se ha enviado a los operadores de este directorio.",
  'may be one of the above with more query parameters. <span class="muted">Some older client libraries add their own, such as redirect_state.</span>':
    'puede ser una de las anteriores con más parámetros de consulta. <span class="muted">Algunas bibliotecas de cliente antiguas añaden los suyos, como redirect_state.</span>',
  'must be one of the above exactly, except for the port on localhost. <span class="muted">The safer choice.</span>':
    'debe ser exactamente una de las anteriores, salvo el puerto en localhost. <span class="muted">La opción más segura.</span>',
  "{count, plural, =0 {No annotation} one {# annotation} other {# annotations}}":
    "{count, plural, =0 {Ninguna anotación} one {# anotación} other {# anotaciones}}",
  "{count, plural, =0 {No user is connected.} one {# user is connected.} other {# users are connected.}}":
    "{count, plural, =0 {No hay ningún usuario conectado.} one {Hay # usuario conectado.} other {Hay # usuarios conectados.}}",
  "{count, plural, =0 {no user connected} one {# user connected} other {# users connected}}":
    "{count, plural, =0 {ningún usuario conectado} one {# usuario conectado} other {# usuarios conectados}}",
  "{count, plural, one {# live secret} other {# live secrets}}":
    "{count, plural, one {# secreto vigente} other {# secretos vigentes}}",
  "{name} has been deleted.": "{name} se ha eliminado.",
  "{provider} has been released. Any application can reserve it now.":
    "{provider} se ha liberado. Ahora cualquier aplicación puede reservarlo.",
  "{provider} is now reserved for this application.": "{provider} está ahora reservado para esta aplicación.",
};
