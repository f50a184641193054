/** The list of files, uploads, and what runs share. */
export const harmonize = {
  "This file will be deleted after {date}, unless somebody changes or downloads it before.":
    "Este archivo se eliminará después del {date}, salvo que alguien lo modifique o lo descargue antes.",
  "Adding venues": "Añadiendo lugares",
  Annotating: "Anotando",
  "Begin again with other columns": "Empezar de nuevo con otras columnas",
  "Being deleted": "En eliminación",
  "Choose files of yours first. Nothing was deleted.": "Elija antes archivos suyos. No se ha eliminado nada.",
  "CSV in any usual encoding, Excel (.xlsx), GeoJSON, JSON, NDJSON or Parquet, also as gzip or zip; up to {most} MB. You check the columns before anything starts.":
    "CSV en cualquier codificación habitual, Excel (.xlsx), GeoJSON, JSON, NDJSON o Parquet, también en gzip o zip; hasta {most} MB. Usted revisa las columnas antes de que empiece nada.",
  Cancelled: "Cancelado",
  "Cancelled. The results so far are kept.": "Cancelado. Los resultados obtenidos hasta ahora se conservan.",
  "Choose a file, or paste your list with the column names in the first line.":
    "Elija un archivo o pegue su lista con los nombres de las columnas en la primera línea.",
  "Copied from a spreadsheet, or as CSV, with the column names in the first line; up to 1 MB.":
    "Copiadas de una hoja de cálculo o como CSV, con los nombres de las columnas en la primera línea; hasta 1 MB.",
  "Delete all {count, number} files of yours shown here…":
    "Eliminar los {count, number} archivos suyos que se muestran aquí…",
  "Delete it": "Eliminar",
  "Delete the chosen files…": "Eliminar los archivos elegidos…",
  "Delete…": "Eliminar…",
  Done: "Terminado",
  "Everyone here can now review and download it.": "Ahora todos los miembros pueden revisarlo y descargarlo.",
  Failed: "Con error",
  "Find a file by its name": "Buscar un archivo por su nombre",
  "From the command line": "Desde la línea de comandos",
  Matching: "Buscando coincidencias",
  "No file found": "Ningún archivo encontrado",
  "No files yet": "Todavía no hay archivos",
  "No list at hand?": "¿No tiene una lista a mano?",
  "No match": "Sin coincidencia",
  "None of these files has “{words}” in its name.": "Ninguno de estos archivos tiene «{words}» en su nombre.",
  "Not matched yet": "Sin conciliar todavía",
  "Not started": "Sin empezar",
  "Nothing was started: it is already running, something else is running, or there is nothing left to do.":
    "No se inició nada: ya está en marcha, hay otra tarea en marcha o no queda nada por hacer.",
  "Now only you can see it.": "Ahora solo usted puede verlo.",
  "Other files": "Otros archivos",
  "Our example has 293 places in Rhode Island, with the usual mistakes.":
    "Nuestro ejemplo tiene 293 lugares de Rhode Island, con los errores habituales.",
  "Paste rows instead": "Pegar filas en su lugar",
  "Pasted list": "Lista pegada",
  Paused: "En pausa",
  Reading: "Leyendo",
  "Reading the first lines…": "Leyendo las primeras líneas…",
  'Review {count}<span class="visually-hidden"> of {name}</span>':
    'Revisar {count}<span class="visually-hidden"> de {name}</span>',
  Rows: "Filas",
  "Shared by {whose}": "Compartido por {whose}",
  "Shared with all members": "Compartido con todos los miembros",
  "That did not work. Please reload this page and upload the file again.":
    "No ha funcionado. Vuelva a cargar esta página y suba el archivo de nuevo.",
  "That is more than can be pasted (1 MB). Upload it as a file.":
    "Es más de lo que se puede pegar (1 MB). Súbalo como archivo.",
  "The connection was cut. Please upload the file again.": "Se cortó la conexión. Suba el archivo de nuevo.",
  "The file is now called {name}.": "El archivo se llama ahora {name}.",
  "The name was not changed: enter a name.": "El nombre no se cambió: escriba un nombre.",
  "The positions are used as they are. You can now add the listings without a match.":
    "Las posiciones se usan tal como están. Ahora puede añadir las fichas sin coincidencia.",
  "There is no example here. Choose one of your files, or paste a list.":
    "Aquí no hay ningún ejemplo. Elija uno de sus archivos o pegue una lista.",
  "This deletes the uploaded file permanently. Nothing has been done with it yet.":
    "El archivo subido se elimina definitivamente. Todavía no se ha hecho nada con él.",
  "To review": "Por revisar",
  "Undoing the add": "Deshaciendo lo añadido",
  Upload: "Subir",
  "Upload a file": "Subir un archivo",
  "Upload a list of places. Samespot matches each row to a venue in the directory; you review the doubtful ones and download the list with its venue ids.":
    "Suba una lista de lugares. Samespot busca para cada fila el lugar del directorio que coincide; usted revisa las dudosas y descarga la lista con los ids de sus lugares.",
  "Upload your first list above. Nothing is written to the directory unless you ask for it.":
    "Suba arriba su primera lista. No se escribe nada en el directorio si usted no lo pide.",
  Uploading: "Subiendo",
  "Use these rows": "Usar estas filas",
  "Your files": "Sus archivos",
  "another member": "otro miembro",
  "{count, plural, one {# file is} other {# files are}} deleted. Nothing changes in the directory.":
    "{count, plural, one {# archivo eliminado} other {# archivos eliminados}}. En el directorio no cambia nada.",
  "{count, plural, one {# listing} other {# listings}}": "{count, plural, one {# ficha} other {# fichas}}",
  "{count, plural, one {Delete # file} other {Delete # files}}":
    "{count, plural, one {Eliminar # archivo} other {Eliminar # archivos}}",
  "{count, plural, one {Delete it} other {Delete them}}": "{count, plural, one {Eliminarlo} other {Eliminarlos}}",
  "{count, plural, one {Delete this file?} other {Delete these # files?}}":
    "{count, plural, one {¿Eliminar este archivo?} other {¿Eliminar estos # archivos?}}",
  "{name} has {megabytes} MB, more than can be uploaded at once. Split it.":
    "{name} tiene {megabytes} MB, más de lo que se puede subir de una vez. Divídalo.",
  "{name} is empty.": "{name} está vacío.",
  "{percent} % uploaded": "{percent} % subido",
  "“{name}” is deleted. Nothing changes in the directory.":
    "«{name}» se ha eliminado. En el directorio no cambia nada.",
};
