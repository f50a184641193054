/** The status page of admins: its checks, figures and processes. */
export const status = {
  'Venues, proposals, duplicates and applications of the directory: <a href="{href}">its operators’ pages</a>, for those whom OPERATORS names there.':
    'Lugares, propuestas, duplicados y aplicaciones del directorio: <a href="{href}">las páginas de sus operadores</a>, para quienes nombra allí OPERATORS.',
  "{files, plural, one {# file belongs} other {# files belong}} to the directory at {directory}.":
    "{files, plural, one {# archivo pertenece} other {# archivos pertenecen}} al directorio en {directory}.",
  "A worker is running.": "Hay un worker en marcha.",
  "Active sessions": "Sesiones activas",
  "Broken connections": "Conexiones rotas",
  "Calls to the directory": "Llamadas al directorio",
  "Certificate of {host}": "Certificado de {host}",
  Certificates: "Certificados",
  "Checked just now; times are in UTC.": "Comprobado ahora mismo; las horas están en UTC.",
  Checks: "Comprobaciones",
  "Connections to the directory": "Conexiones con el directorio",
  Database: "Base de datos",
  "Database connections": "Conexiones con la base de datos",
  "Database nodes": "Nodos de la base de datos",
  "Database roles": "Roles de la base de datos",
  "Directory: API host": "Directorio: servidor de la API",
  "Directory: log-in host": "Directorio: servidor de inicio de sesión",
  "Directory: replicas": "Directorio: réplicas",
  "Encryption keys": "Claves de cifrado",
  "Files of other directories": "Archivos de otros directorios",
  Gone: "Desaparecido",
  Good: "Bien",
  Host: "Servidor",
  "If that is an earlier address of this one, set BASE_URL or API_PORT to it to see them again.":
    "Si esa es una dirección anterior de este, ponga BASE_URL o API_PORT con ese valor para volver a verlos.",
  "Indexes are being built: {names}.": "Se están creando índices: {names}.",
  "It expired {days, plural, one {# day} other {# days}} ago.":
    "Caducó hace {days, plural, one {# día} other {# días}}.",
  "It offers metadata: applications can rotate their secrets.":
    "Ofrece metadatos: las aplicaciones pueden rotar sus secretos.",
  "It offers metadata: secrets have to be rotated by hand.":
    "Ofrece metadatos: los secretos se tienen que rotar a mano.",
  "It offers no metadata, which is fine.": "No ofrece metadatos, lo cual está bien.",
  "Last seen": "Visto por última vez",
  Listings: "Fichas",
  "Log-ins at the web app": "Inicios de sesión en la aplicación web",
  Migrations: "Migraciones",
  "Needs attention": "Requiere atención",
  "No answer from {names}. Its venues cannot be found or added until it is back; searches by words or without a position fail too.":
    "Sin respuesta de {names}. Sus lugares no se pueden encontrar ni añadir hasta que vuelva; las búsquedas por palabras o sin posición también fallan.",
  "No process has reported that it is running.": "Ningún proceso ha comunicado que está en marcha.",
  "No proxy, and none in TRUST_PROXY.": "Sin proxy, y ninguno en TRUST_PROXY.",
  "None is running, so no file goes on. Start a process with worker in its ROLES.":
    "No hay ninguno en marcha, así que ningún archivo avanza. Inicie un proceso con worker en sus ROLES.",
  "None needed: plain http, on this machine only.": "No hace falta ninguno: http sin cifrar, solo en esta máquina.",
  "Not applied yet: {names}.": "Todavía sin aplicar: {names}.",
  "Not working": "No funciona",
  Now: "Ahora",
  "PostgreSQL {version} answers in {time}; the data takes {size}.":
    "PostgreSQL {version} responde en {time}; los datos ocupan {size}.",
  Processes: "Procesos",
  Proxy: "Proxy",
  "Refused requests": "Peticiones rechazadas",
  Roles: "Funciones",
  Running: "En marcha",
  Status: "Estado",
  "TRUST_PROXY names {trusted}, but this page came without a proxy.":
    "TRUST_PROXY nombra {trusted}, pero esta página ha llegado sin proxy.",
  Tasks: "Tareas",
  "The directory accepts it.": "El directorio lo acepta.",
  "The secret in use ends {time}. Rotate it again at /admin/secrets.":
    "El secreto en uso caduca el {time}. Rótelo de nuevo en /admin/secrets.",
  "The web app and the directory share the role {role}, so the database does not keep them from each other’s tables. A database administrator can run: {remedy} Then restart Samespot. If this warning remains, the log says why.":
    "La aplicación web y el directorio comparten el rol {role}, así que la base de datos no protege las tablas de cada uno frente al otro. Un administrador de la base de datos puede ejecutar: {remedy} Después, reinicie Samespot. Si este aviso persiste, el registro dice por qué.",
  "The web app connects as {role}, which has no rights on the directory’s tables.":
    "La aplicación web se conecta como {role}, que no tiene permisos sobre las tablas del directorio.",
  "There was no answer{code}.": "No ha habido respuesta{code}.",
  "This page came over {protocol} for {ip}, through a proxy in TRUST_PROXY.":
    "Esta página ha llegado por {protocol} para {ip}, a través de un proxy de TRUST_PROXY.",
  "This page came through {ip}, which TRUST_PROXY does not name.":
    "Esta página ha llegado a través de {ip}, que TRUST_PROXY no nombra.",
  "Correct the clocks of both machines.": "Corrija los relojes de ambas máquinas.",
  "If its authority is your own or it is self-signed, set NODE_EXTRA_CA_CERTS to the file (PEM) of that authority for every process, doctor too, and restart them; otherwise serve the whole chain.":
    "Si la autoridad es propia o el certificado está autofirmado, asigne a NODE_EXTRA_CA_CERTS el archivo (PEM) de la autoridad en todos los procesos, también en doctor, y reinícielos; de lo contrario, sirva la cadena completa.",
  "Renew the certificate.": "Renueve el certificado.",
  "Serve a certificate for this name, or use the name that it is for.":
    "Sirva un certificado para este nombre, o use el nombre para el que se emitió.",
  "This process": "Este proceso",
  "This process since its start": "Este proceso desde su arranque",
  "Up since": "En marcha desde",
  Version: "Versión",
  Work: "Trabajo",
  "{configured, plural, one {# key} other {# keys}} in ENCRYPTION_KEYS, {inUse, plural, one {# key} other {# keys}} in use by the app’s data.":
    "{configured, plural, one {# clave} other {# claves}} en ENCRYPTION_KEYS, {inUse, plural, one {# clave} other {# claves}} en uso por los datos de la aplicación.",
  "{days, plural, one {# day} other {# days}} left, but it is not trusted from here ({distrust}).":
    "{days, plural, one {Queda # día} other {Quedan # días}}, pero desde aquí no es de confianza ({distrust}).",
  "{days, plural, one {# day} other {# days}} left.": "{days, plural, one {Queda # día} other {Quedan # días}}.",
  "{kind}: {active} running, {waiting} waiting{waiting, plural, =0 {} other {, the oldest for {time}}}":
    "{kind}: {active} en marcha, {waiting} en espera{waiting, plural, =0 {} other {, la más antigua desde hace {time}}}",
  "{matched, number} matched, {pending, number} to be matched, {failed, number} failed.":
    "{matched, number} con coincidencia, {pending, number} por conciliar, {failed, number} con error.",
  "{name} does not answer, or its lag is unknown{asked, select, true {} other {, so it is not asked}}.":
    "{name} no responde, o se desconoce su retraso{asked, select, true {} other {, así que no se le consulta}}.",
  "{name} is {seconds} s behind{asked, select, true {} other {, so it is not asked}}.":
    "{name} lleva {seconds} s de retraso{asked, select, true {} other {, así que no se le consulta}}.",
  "{name}: {busy} busy and {idle} idle of at most {max}{waiting, plural, =0 {} one {, # call waiting} other {, # calls waiting}}":
    "{name}: {busy} ocupadas y {idle} libres de {max} como máximo{waiting, plural, =0 {} one {, # llamada en espera} other {, # llamadas en espera}}",
  "{nodes, plural, one {# node} other {# nodes}} of Citus hold the venues; all answer.":
    "{nodes, plural, one {# nodo de Citus contiene} other {# nodos de Citus contienen}} los lugares; todos responden.",
  "{number, plural, one {# migration} other {# migrations}} applied, none missing.":
    "{number, plural, one {# migración aplicada} other {# migraciones aplicadas}}, no falta ninguna.",
  "{problems, plural, =0 {Everything works.} one {One thing needs attention.} other {# things need attention.}}":
    "{problems, plural, =0 {Todo funciona.} one {Una cosa requiere atención.} other {# cosas requieren atención.}}",
  "{url} answers in {time}.": "{url} responde en {time}.",
  Workers: "Workers",
};
