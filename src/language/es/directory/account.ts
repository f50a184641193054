/** The directory’s start page, log-in, sign-up and settings, and what a name or password may be. */
export const account = {
  "A browser on {system}": "Un navegador en {system}",
  "{browser} on {system}": "{browser} en {system}",
  "<b><bdi>{application}</bdi></b> asks for your password again, although you are logged in.":
    "<b><bdi>{application}</bdi></b> vuelve a pedirle la contraseña, aunque ya ha iniciado sesión.",
  "A new password logs you out everywhere else. Connected applications stay connected.":
    "Con una contraseña nueva se cierran todas sus demás sesiones. Las aplicaciones conectadas siguen conectadas.",
  "All others": "Todas las demás",
  'Already have an account? <a href="{href}">Log in</a>': '¿Ya tiene una cuenta? <a href="{href}">Inicie sesión</a>',
  "Applications you allow can read it.": "Pueden leerlo las aplicaciones que usted autorice.",
  "At least 8 characters.": "Al menos 8 caracteres.",
  'Belongs to <bdi>{owner}</bdi>. Connected since <time datetime="{iso}">{since}</time>.':
    'Pertenece a <bdi>{owner}</bdi>. Conectada desde el <time datetime="{iso}">{since}</time>.',
  "Change password": "Cambiar la contraseña",
  "Choose which sessions to end": "Elija qué sesiones quiere cerrar",
  "Connected applications": "Aplicaciones conectadas",
  "Create account": "Crear cuenta",
  "Current password": "Contraseña actual",
  'Disconnect<span class="visually-hidden"> {name}</span>': 'Desconectar<span class="visually-hidden"> {name}</span>',
  'Disconnect…<span class="visually-hidden"> {name}</span>': 'Desconectar…<span class="visually-hidden"> {name}</span>',
  "Disconnected. The application's access token no longer works.":
    "Desconectada. El token de acceso de la aplicación ya no funciona.",
  'Do you write programs? <a href="/applications">Register your application</a>: it gets a client id and a secret for the <a href="{docs}">API</a>.':
    '¿Escribe programas? <a href="/applications">Registre su aplicación</a>: recibe un identificador de cliente y un secreto para la <a href="{docs}">API</a>.',
  "E-mail": "Correo electrónico",
  "End selected": "Cerrar la selección",
  "Enter your current password": "Introduzca su contraseña actual",
  "Enter your handle": "Introduzca su alias",
  "Enter your password": "Introduzca su contraseña",
  "First name": "Nombre",
  Handle: "Alias",
  "Handle or password is wrong. Check both and try again.":
    "El alias o la contraseña no son correctos. Compruebe ambos y vuelva a intentarlo.",
  "Its access ends at once. What it has read before, it may keep.":
    "Su acceso termina de inmediato. Puede conservar lo que haya leído antes.",
  "Last name": "Apellidos",
  "Log in to the directory": "Iniciar sesión en el directorio",
  "Log out everywhere": "Cerrar sesión en todas partes",
  "Logged in as <b><bdi>{handle}</bdi></b>.": "Sesión iniciada como <b><bdi>{handle}</bdi></b>.",
  "New password": "Contraseña nueva",
  'New here? <a href="{href}">Create an account</a>': '¿Es su primera visita? <a href="{href}">Cree una cuenta</a>',
  "No application is connected": "No hay ninguna aplicación conectada",
  'No account yet? The <a href="/">operator of this directory</a> creates accounts.':
    '¿Aún no tiene cuenta? El <a href="/">operador de este directorio</a> crea las cuentas.',
  Password: "Contraseña",
  "Places and check-ins, open to the applications you choose. Applications send you here to log in; they never see your password.":
    "Lugares y check-ins, abiertos a las aplicaciones que usted elija. Las aplicaciones le envían aquí para iniciar sesión; nunca ven su contraseña.",
  'Questions about this directory: <a href="{href}">{text}</a>':
    'Preguntas sobre este directorio: <a href="{href}">{text}</a>',
  Stopped: "Detenida",
  "The application will not wait that long. Go back to the application then and start again.":
    "La aplicación no esperará tanto. Después, vuelva a la aplicación y empiece de nuevo.",
  "The directory has stopped it, so it cannot use your account now.":
    "El directorio la ha detenido, por lo que ahora no puede usar su cuenta.",
  "The handle {handle} is taken. Choose another.": "El alias {handle} ya está en uso. Elija otro.",
  "The venue directory": "El directorio de lugares",
  "They may read your profile, check-ins and proposals, check you in, and add venues and propose changes in your name, until you disconnect them.":
    "Pueden leer su perfil, sus check-ins y sus propuestas, hacer check-in por usted y añadir lugares y proponer cambios en su nombre, hasta que las desconecte.",
  "This application is not connected.": "Esta aplicación no está conectada.",
  "This is not your current password": "Esta no es su contraseña actual",
  "This logs you out of this and every other browser immediately. A session also ends after a day without use, and after thirty days at the latest.":
    "Así se cierra de inmediato su sesión en este navegador y en todos los demás. Una sesión también termina tras un día sin uso y, como máximo, a los treinta días.",
  "Too many sign-ups from your network. Try again in {wait}.":
    "Demasiadas cuentas creadas desde su red. Vuelva a intentarlo dentro de {wait}.",
  Welcome: "Le damos la bienvenida",
  "When you allow an application to use your account, it appears here.":
    "Cuando autorice a una aplicación a usar su cuenta, aparecerá aquí.",
  "Where you are logged in. Connected applications stay connected, whatever you end here.":
    "Dónde tiene la sesión iniciada. Las aplicaciones conectadas siguen conectadas, cierre lo que cierre aquí.",
  "You are not logged in anywhere else.": "No tiene la sesión iniciada en ningún otro sitio.",
  "Your applications": "Sus aplicaciones",
  "Your name for logging in: 2 to 30 letters, digits, dots, dashes or underscores.":
    "Su nombre para iniciar sesión: de 2 a 30 letras, cifras, puntos, guiones o guiones bajos.",
  "Your other sessions": "Sus demás sesiones",
  "Your password has been changed, and your other sessions have been ended.":
    "Su contraseña se ha cambiado y sus demás sesiones se han cerrado.",
  "email may have at most 254 characters": "email: como máximo 254 caracteres",
  "email must be an e-mail address": "email: debe ser una dirección de correo electrónico",
  "handle is reserved; choose another": "handle: está reservado; elija otro",
  "handle must not be 24 digits or letters from a to f, because it would look like an id":
    "handle: no debe ser de 24 cifras o letras de la a a la f, porque parecería un identificador",
  "handle needs 2 to 30 letters, digits, dots, dashes or underscores":
    "handle: se necesitan de 2 a 30 letras, cifras, puntos, guiones o guiones bajos",
  "password is too common; choose another": "password: es demasiado común; elija otra",
  "password may have at most {max} characters": "password: como máximo {max} caracteres",
  "password must not be the handle, the name or the e-mail address; choose another":
    "password: no debe ser el alias, el nombre ni la dirección de correo electrónico; elija otra",
  "password needs at least 8 characters": "password: se necesitan al menos 8 caracteres",
  "to continue to <b><bdi>{application}</bdi></b>": "para continuar en <b><bdi>{application}</bdi></b>",
  "{venues, number} venues in {countries, plural, one {{country}} other {# countries}}":
    "{venues, number} lugares en {countries, plural, one {{country}} other {# países}}",
};
