/** The page of the client secret. */
export const secrets = {
  "A new secret is already waiting: switch that one on.": "Ya hay un secreto nuevo en espera: active ese.",
  'A new secret, created on <time datetime="{iso}">{text}</time>, is waiting: its test failed or was interrupted. Samespot tests it again every few seconds.':
    'Un secreto nuevo, creado el <time datetime="{iso}">{text}</time>, está en espera: su prueba falló o se interrumpió. Samespot lo vuelve a probar cada pocos segundos.',
  "A newer one is waiting to be switched on.": "Hay uno más reciente que espera a ser activado.",
  "A secret from the directory": "Un secreto del directorio",
  Accepted: "Aceptado",
  "After 1 hour": "Después de 1 hora",
  "After 24 hours": "Después de 24 horas",
  "After 7 days": "Después de 7 días",
  "As soon as nothing uses it, after 24 hours at the latest": "En cuanto nada lo use, a más tardar después de 24 horas",
  "At the directory": "En el directorio",
  By: "Por",
  "Change it only if Samespot was registered again.": "Cámbielo solo si Samespot se ha registrado de nuevo.",
  "Choose when the current secret ends.": "Elija cuándo caduca el secreto actual.",
  "Client id": "Identificador de cliente",
  "Client secret": "Secreto de cliente",
  "Command line": "Línea de comandos",
  Created: "Creado",
  "End the old secret now": "Anular ahora el secreto antiguo",
  'Ended <time datetime="{iso}">{text}</time>': 'Caducó el <time datetime="{iso}">{text}</time>',
  "First start or settings": "Primer arranque o configuración",
  "From the settings (<code>CLIENT_SECRET</code>)": "De la configuración (<code>CLIENT_SECRET</code>)",
  History: "Historial",
  "History of the secrets": "Historial de los secretos",
  "In use": "En uso",
  "In use since": "En uso desde",
  "It ends earlier if nothing uses it any more.": "Caduca antes si ya nada lo usa.",
  "Last use": "Último uso",
  "Last used": "Usado por última vez",
  "Last used there": "Usado allí por última vez",
  'Last used there <time datetime="{iso}">{text}</time>.':
    'Usado allí por última vez el <time datetime="{iso}">{text}</time>.',
  "New secret": "Secreto nuevo",
  "No secret has been created here. The one in use comes from the settings.":
    "Aquí no se ha creado ningún secreto. El que está en uso procede de la configuración.",
  "Nobody can log in. People who are logged in can continue. Create a new secret at the directory and paste it below.":
    "Nadie puede iniciar sesión. Quienes ya la han iniciado pueden continuar. Cree un secreto nuevo en el directorio y péguelo abajo.",
  "Not known": "Desconocido",
  "Nothing was changed.": "No se ha cambiado nada.",
  Origin: "Origen",
  "Paste the client id as the directory shows it: it has no spaces.":
    "Pegue el identificador de cliente tal como lo muestra el directorio: no contiene espacios.",
  "Paste the secret as the directory shows it: it has no spaces.":
    "Pegue el secreto tal como lo muestra el directorio: no contiene espacios.",
  "Pasted here": "Pegado aquí",
  Refused: "Rechazado",
  "Rotate now": "Rotar ahora",
  "Rotated here": "Rotado aquí",
  "Rotated on the command line": "Rotado en la línea de comandos",
  "Samespot cannot rotate this secret.": "Samespot no puede rotar este secreto.",
  "Samespot could not check the secret at the directory.":
    "Samespot no ha podido comprobar el secreto en el directorio.",
  "Samespot identifies itself to <b>{directory}</b> with a client secret. Secrets are never shown. Times are in UTC.":
    "Samespot se identifica ante <b>{directory}</b> con un secreto de cliente. Los secretos no se muestran nunca. Las horas están en UTC.",
  "Samespot is not registered at the venue directory yet. An admin has to register it there and set CLIENT_ID and CLIENT_SECRET.":
    "Samespot todavía no está registrado en el directorio de lugares. Un administrador tiene que registrarlo allí y definir CLIENT_ID y CLIENT_SECRET.",
  "Samespot uses the new secret at once, in every process. The current one stays valid for other programs that still use it.":
    "Samespot usa el secreto nuevo de inmediato, en todos los procesos. El actual sigue siendo válido para otros programas que aún lo usan.",
  State: "Estado",
  "Switched on": "Activado",
  "Test and switch on": "Probar y activar",
  "The client id comes from the settings: change CLIENT_ID there.":
    "El identificador de cliente procede de la configuración: cambie allí CLIENT_ID.",
  'The directory accepts it until <time datetime="{iso}">{text}</time>.':
    'El directorio lo acepta hasta el <time datetime="{iso}">{text}</time>.',
  "The directory did not answer, so Samespot does not know whether it created a new secret.":
    "El directorio no ha respondido, así que Samespot no sabe si ha creado un secreto nuevo.",
  "The directory does not accept the secret in use.": "El directorio no acepta el secreto en uso.",
  "The directory has a newer secret that never reached Samespot. Rotate now to get one that works.":
    "El directorio tiene un secreto más reciente que nunca llegó a Samespot. Rótelo ahora para obtener uno que funcione.",
  "The directory no longer accepts the secret in use, so Samespot cannot rotate it. Create a new one at the directory and paste it here.":
    "El directorio ya no acepta el secreto en uso, así que Samespot no puede rotarlo. Cree uno nuevo en el directorio y péguelo aquí.",
  "The directory’s answer cannot be read, so Samespot does not know whether it created a new secret.":
    "La respuesta del directorio no se puede leer, así que Samespot no sabe si ha creado un secreto nuevo.",
  "The directory’s {host, select, API {API host} other {log-in host}} did not answer, so the secret could not be tested.":
    "El servidor {host, select, API {de la API} other {de inicio de sesión}} del directorio no ha respondido, así que no se ha podido probar el secreto.",
  "The directory’s {host, select, API {API host} other {log-in host}} does not accept the secret.":
    "El servidor {host, select, API {de la API} other {de inicio de sesión}} del directorio no acepta el secreto.",
  "The directory’s {host, select, API {API host} other {log-in host}} sent an answer that cannot be read, so the secret could not be tested.":
    "El servidor {host, select, API {de la API} other {de inicio de sesión}} del directorio ha enviado una respuesta que no se puede leer, así que no se ha podido probar el secreto.",
  "The new secret is stored, but not in use: Samespot tests it again every few seconds. The current one works until it ends.":
    "El secreto nuevo está guardado, pero no en uso: Samespot lo vuelve a probar cada pocos segundos. El actual funciona hasta que caduque.",
  "The newer one is already in use elsewhere: paste it, or create another at the directory and paste that.":
    "El más reciente ya se usa en otro sitio: péguelo, o cree otro en el directorio y pegue ese.",
  "Rotating ends the old secret below at once.": "Al rotarlo, el secreto antiguo de abajo caduca de inmediato.",
  "The old secret": "El secreto antiguo",
  "The old secret has ended: it no longer works.": "El secreto antiguo ha caducado: ya no funciona.",
  "The owner of the application at the directory can create one. Samespot tests what you paste; if the test fails, nothing changes and the secret is not stored. The current secret works until the owner ends it at the directory. Another client id means another application, which everyone has to allow again.":
    "El propietario de la aplicación en el directorio puede crear uno. Samespot prueba lo que usted pega; si la prueba falla, nada cambia y el secreto no se guarda. El secreto actual funciona hasta que el propietario lo anule en el directorio. Otro identificador de cliente significa otra aplicación, que todas las personas tienen que volver a permitir.",
  "The secret has been rotated meanwhile, or is being rotated. Nothing was done. Reload the page and try again.":
    "Entretanto se ha rotado el secreto, o se está rotando. No se ha hecho nada. Vuelva a cargar la página e inténtelo de nuevo.",
  "The secret in use ends on {time}.": "El secreto en uso caduca el {time}.",
  "The secret in use still works; what you pasted was not stored.":
    "El secreto en uso sigue funcionando; lo que ha pegado no se ha guardado.",
  "The secret in use works until {time}. Rotate again before then: this gets a new secret and ends the lost one.":
    "El secreto en uso funciona hasta el {time}. Rótelo de nuevo antes: así se obtiene un secreto nuevo y se anula el perdido.",
  "The secret is being changed just now. Try again in a moment.":
    "El secreto se está cambiando en este momento. Inténtelo de nuevo dentro de un instante.",
  "The secret passed its test: every process now uses it.":
    "El secreto ha superado su prueba: ahora lo usan todos los procesos.",
  "The secret was rotated: every process now uses the new one.":
    "El secreto se ha rotado: todos los procesos usan ahora el nuevo.",
  "This directory does not let applications rotate their secrets.":
    "Este directorio no permite que las aplicaciones roten sus secretos.",
  "This secret is already in use.": "Este secreto ya está en uso.",
  "Waiting for its test": "A la espera de su prueba",
  "When the current secret ends": "Cuándo caduca el secreto actual",
  'Works until <time datetime="{iso}">{text}</time>': 'Funciona hasta el <time datetime="{iso}">{text}</time>',
  "an admin": "un administrador",
  "{how}, by {by}": "{how}, por {by}",
};
