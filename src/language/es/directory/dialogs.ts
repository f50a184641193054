/** The directory’s dialogs: what an application asks for, and links and forms that cannot be answered. */
export const dialogs = {
  '<bdi>{application}</bdi> at <span class="mono">{origin}</span>: {description} (<code>{error}</code>)':
    '<bdi>{application}</bdi>, en <span class="mono">{origin}</span>: {description} (<code>{error}</code>)',
  "Add venues in your name, and link its own records to venues":
    "Añadir lugares en su nombre y enlazar sus propios registros con lugares",
  Allow: "Permitir",
  "Allow <b><bdi>{application}</bdi></b> to use your account?":
    "¿Permitir que <b><bdi>{application}</bdi></b> use su cuenta?",
  "Allow {application}?": "¿Permitir el acceso de {application}?",
  "As you operate the directory, edit and merge all venues and revert changes":
    "Como usted opera el directorio, editar y fusionar todos los lugares y revertir cambios",
  "Back to the application": "De vuelta a la aplicación",
  "Check you in, and change or delete the check-ins it made":
    "Hacer check-in por usted, y cambiar o borrar los check-ins que ha hecho",
  "Choose Allow or Deny.": "Elija «Permitir» o «Denegar».",
  "Correct or take back what it has just added in your name": "Corregir o retirar lo que acaba de añadir en su nombre",
  "Create an account": "Crear una cuenta",
  Deny: "Denegar",
  "Go back to the application": "Volver a la aplicación",
  "It does not name the application (client_id is missing).": "No indica la aplicación (falta client_id).",
  "It does not say where to return to (redirect_uri is missing).": "No indica adónde volver (falta redirect_uri).",
  "It has already been answered, or it has expired after ten minutes. Go back to the application and start again.":
    "Ya se ha respondido o ha caducado a los diez minutos. Vuelva a la aplicación y empiece de nuevo.",
  "It names an application that is not registered here (client_id).":
    "Indica una aplicación que no está registrada aquí (client_id).",
  "It names {name} more than once.": "Indica {name} más de una vez.",
  "It never sees your password.": "Nunca ve su contraseña.",
  "Logged in as <b>{handle}</b>.": "Sesión iniciada como <b>{handle}</b>.",
  "No decision was sent": "No se ha enviado ninguna decisión",
  "Propose edits, report duplicates and take proposals back in your name, and read your proposals":
    "Proponer cambios, notificar duplicados y retirar propuestas en su nombre, y leer sus propuestas",
  "Read your check-ins": "Leer sus check-ins",
  "Read your profile": "Leer su perfil",
  "The application has not registered the address to return to (redirect_uri).":
    "La aplicación no ha registrado la dirección a la que se debe volver (redirect_uri).",
  "The application made a mistake in its link. Go back and tell its developers.":
    "La aplicación cometió un error en su enlace. Vuelva e informe a sus desarrolladores.",
  "The directory has stopped {name}, so it cannot log you in here. It has not been given access to your account, and nothing has changed there. Ask {operator} about it.":
    "El directorio ha detenido {name}, por lo que no puede iniciar su sesión aquí. No ha obtenido acceso a su cuenta, en la que no ha cambiado nada. Consulte con {operator}.",
  "The link that brought you here is invalid. {why}": "El enlace que le ha traído aquí no es válido. {why}",
  "The application was registered by <b><bdi>{owner}</bdi></b>. It will be able to:":
    "La aplicación la registró <b><bdi>{owner}</bdi></b>. Podrá:",
  "This application is stopped": "Esta aplicación está detenida",
  "This form does not match its request. Go back to the application and start again.":
    "Este formulario no corresponde a su solicitud. Vuelva a la aplicación y empiece de nuevo.",
  "This is the venue directory, not the application that sent you here.":
    "Este es el directorio de lugares, no la aplicación que le ha enviado aquí.",
  "This log-in link is broken": "Este enlace para iniciar sesión está roto",
  "This page was out of date, so nothing was saved. Send the form again.":
    "Esta página estaba desactualizada, por lo que no se guardó nada. Envíe el formulario de nuevo.",
  "This request cannot be answered": "No se puede responder a esta solicitud",
  "This request is over": "Esta solicitud ha terminado",
  "Too many failed attempts. Try again in {wait}.":
    "Demasiados intentos fallidos. Vuelva a intentarlo dentro de {wait}.",
  "Use another account": "Usar otra cuenta",
  'You will return to <span class="mono">{origin}</span>. You can disconnect the application at any time in your settings at this directory.':
    'Volverá a <span class="mono">{origin}</span>. Puede desconectar la aplicación en cualquier momento en sus ajustes de este directorio.',
  'Your answer goes to <span class="mono">{origin}</span>. This window closes by itself.':
    'Su respuesta se envía a <span class="mono">{origin}</span>. Esta ventana se cierra sola.',
  "Your browser did not send our cookie. Allow cookies for this site and try again.":
    "Su navegador no envió nuestra cookie. Permita las cookies de este sitio y vuelva a intentarlo.",
  "the directory's operator": "el operador del directorio",
  "the directory's operator ({contact})": "el operador del directorio ({contact})",
};
