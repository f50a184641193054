/** The page of a run, and the question about the positions of a file. */
export const progress = {
  "All rows have the same position.": "Todas las filas tienen la misma posición.",
  "An admin of this Samespot has to ask the directory's operator.":
    "Un administrador de este Samespot tiene que pedírselo al operador del directorio.",
  "Begin again: {repair}": "Empezar de nuevo: {repair}",
  "Beginning again makes a new draft of the same rows; this run stays as it is.":
    "Al empezar de nuevo se crea otro borrador de las mismas filas; esta ejecución queda como está.",
  "Cancel it": "Cancelar definitivamente",
  "Cancel…": "Cancelar…",
  "Change both signs": "Cambiar ambos signos",
  "Change the sign": "Cambiar el signo",
  Corrected: "Corregida",
  "Corrected, they lie about {distance} from it.": "Corregidas, están a unos {distance} de ella.",
  "Counting…": "Contando…",
  "Deleting the added venues": "Eliminando los lugares añadidos",
  "Download what is done so far": "Descargar lo hecho hasta ahora",
  "For example line {line, number}, {name}: at {is}.": "Por ejemplo, la línea {line, number}, {name}: en {is}.",
  "For example line {line, number}, {name}: at {is}; corrected, at {wouldBe}.":
    "Por ejemplo, la línea {line, number}, {name}: en {is}; corregida, en {wouldBe}.",
  "In the file": "En el archivo",
  "Latitude and longitude seem to be swapped, without the sign.":
    "La latitud y la longitud parecen estar intercambiadas, sin el signo.",
  "Latitude and longitude seem to be swapped, without the signs.":
    "La latitud y la longitud parecen estar intercambiadas, sin los signos.",
  "Latitude and longitude seem to be swapped.": "La latitud y la longitud parecen estar intercambiadas.",
  "Latitudes and longitudes seem to have the wrong signs.":
    "Las latitudes y las longitudes parecen tener los signos equivocados.",
  "Map of some of the rows": "Mapa de algunas de las filas",
  "No venues are added until this is answered.": "No se añade ningún lugar hasta que se responda.",
  "No worker is running at the moment. This continues when one starts.":
    "En este momento no hay ningún proceso de trabajo en marcha. Continuará cuando se inicie uno.",
  "Nothing is lost. Resume when it works again.": "No se ha perdido nada. Reanude cuando vuelva a funcionar.",
  "Nothing is lost. You can close this page: it tries again every minute, and continues when the directory allows it.":
    "No se ha perdido nada. Puede cerrar esta página: se vuelve a intentar cada minuto y continúa cuando el directorio lo permita.",
  "Only rows that this brings close to the others are changed.":
    "Solo se cambian las filas que así quedan cerca de las demás.",
  "Only the person who started this can answer.": "Solo puede responder la persona que inició esto.",
  Pause: "Pausar",
  "Paused.": "En pausa.",
  "Pin {number}:": "Marcador {number}:",
  "Pins: corrected. The positions in the file are not on Earth.":
    "Marcadores: corregidas. Las posiciones del archivo no están en la Tierra.",
  "Reading the file": "Leyendo el archivo",
  Refresh: "Actualizar",
  Resume: "Reanudar",
  "Review {count, plural, one {# listing} other {# listings}}":
    "Revisar {count, plural, one {# ficha} other {# fichas}}",
  "Rings: as in the file. Pins: corrected.": "Anillos: como en el archivo. Marcadores: corregidas.",
  Row: "Fila",
  "Samespot is comparing the positions with the directory. If they look wrong, it will ask you here.":
    "Samespot está comparando las posiciones con el directorio. Si parecen equivocadas, le preguntará aquí.",
  "Save and refresh": "Guardar y actualizar",
  "Shift them back": "Desplazarlas de vuelta",
  "Some of these rows": "Algunas de estas filas",
  "Swap them back": "Volver a intercambiarlas",
  "The cells of your file stay as they are.": "Las celdas de su archivo quedan como están.",
  "The directory asked Samespot to wait until {time} UTC. It continues by itself then.":
    "El directorio pidió a Samespot que espere hasta las {time} UTC. Entonces continuará por sí solo.",
  "The directory cannot be reached. Samespot tries again by itself at {time} UTC.":
    "No se puede acceder al directorio. Samespot volverá a intentarlo por sí solo a las {time} UTC.",
  "The directory does not allow Samespot to do this.": "El directorio no permite que Samespot haga esto.",
  "The directory does not answer, or refuses Samespot.": "El directorio no responde o rechaza a Samespot.",
  "The directory no longer accepts the access of the person who started this. It continues by itself when that person connects again.":
    "El directorio ya no acepta el acceso de la persona que inició esto. Continuará por sí solo cuando esa persona vuelva a conectarse.",
  "The download has the cells of your file as they are.":
    "La descarga contiene las celdas de su archivo tal como están.",
  "The latitudes seem to have the wrong sign.": "Las latitudes parecen tener el signo equivocado.",
  "The longitudes seem to have the wrong sign.": "Las longitudes parecen tener el signo equivocado.",
  "The positions are right": "Las posiciones son correctas",
  "The positions are used as they are, because you said that they are right.":
    "Las posiciones se usan tal como están, porque usted indicó que son correctas.",
  "The positions seem to be shifted, all by the same distance.":
    "Las posiciones parecen estar desplazadas, todas la misma distancia.",
  "The repair changes {changed, number} of the first {rows, plural, one {# row} other {# rows}}.":
    "La corrección cambia {changed, number} de {rows, plural, one {la primera fila} other {las primeras # filas}}.",
  "The rows are read with {repaired}.": "Las filas se leen así: {repaired}.",
  "The rows lie {known, select, yes {about {distance}} other {far}} from the towns they name, all in the same direction. The exact distance is not known, so they cannot be shifted back here.":
    "Las filas están {known, select, yes {a unos {distance}} other {lejos}} de las localidades que indican, todas en la misma dirección. No se conoce la distancia exacta, por lo que aquí no se pueden desplazar de vuelta.",
  "The rows were read with {repaired}.": "Las filas se leyeron así: {repaired}.",
  "Too many tabs are following the progress. Close some of them.":
    "Demasiadas pestañas siguen el progreso. Cierre algunas.",
  "Waiting for a connection to the directory.": "A la espera de una conexión con el directorio.",
  "What is done is kept. Resume continues where it stopped.":
    "Lo hecho se conserva. Al reanudar, continúa donde se detuvo.",
  Working: "En marcha",
  "Writing your ids to the directory": "Escribiendo sus ids en el directorio",
  "You can also choose other columns below. The cells of your file are never changed.":
    "También puede elegir otras columnas más abajo. Las celdas de su archivo no se cambian nunca.",
  "You can close this page and come back. It waits until somebody resumes it.":
    "Puede cerrar esta página y volver. Espera hasta que alguien la reanude.",
  "You can close this page and come back: it continues without you.":
    "Puede cerrar esta página y volver: continúa sin usted.",
  "You can close this page and come back: it waits until somebody resumes it.":
    "Puede cerrar esta página y volver: espera hasta que alguien lo reanude.",
  "You can close this page. It continues when the person who started it connects again.":
    "Puede cerrar esta página. Continuará cuando la persona que lo inició vuelva a conectarse.",
  "You cannot resume it afterwards. The results so far are kept and can be downloaded; the other listings are not matched. You can then begin again with other columns.":
    "Después no podrá reanudarlo. Los resultados obtenidos hasta ahora se conservan y se pueden descargar; las demás fichas no se concilian. Luego puede empezar de nuevo con otras columnas.",
  "a few seconds left": "quedan unos segundos",
  "about {hours, plural, one {# hour} other {# hours}} left":
    "{hours, plural, one {queda alrededor de # hora} other {quedan unas # horas}}",
  "about {minutes, plural, one {# minute} other {# minutes}} left":
    "{minutes, plural, one {queda alrededor de # minuto} other {quedan unos # minutos}}",
  "about {seconds} seconds left": "quedan unos {seconds} segundos",
  "{done, number} of about {total, plural, one {# row} other {# rows}} read":
    "{done, number} de alrededor de {total, plural, one {# fila leída} other {# filas leídas}}",
  "{done, number} of {total, plural, one {# listing} other {# listings}}":
    "{done, number} de {total, plural, one {# ficha} other {# fichas}}",
  "{done, number} of {total, plural, one {# listing} other {# listings}}, counted {seconds, number} seconds ago":
    "{done, number} de {total, plural, one {# ficha} other {# fichas}}, contadas hace {seconds, number} segundos",
  "{number, number} a second": "{number, number} por segundo",
  "{rows, plural, one {# row} other {# rows}} with different names are all in one place.":
    "{rows, plural, one {# fila} other {# filas}} con nombres distintos están en el mismo sitio.",
  "{what}, paused": "{what}, en pausa",
  "{wrong, number} of {rows, plural, one {# row} other {# rows}} have a latitude beyond 90 degrees.":
    "{wrong, number} de {rows, plural, one {# fila} other {# filas}} tienen una latitud de más de 90 grados.",
  "{wrong, number} of {rows, plural, one {# row} other {# rows}} have a latitude beyond 90 degrees; swapped back, none has.":
    "{wrong, number} de {rows, plural, one {# fila} other {# filas}} tienen una latitud de más de 90 grados; si se vuelven a intercambiar, ninguna.",
  "{wrong, number} of {rows, plural, one {# row} other {# rows}} lie {known, select, yes {about {distance}} other {far}} from a venue of the same name, all in the same direction.":
    "{wrong, number} de {rows, plural, one {# fila} other {# filas}} están {known, select, yes {a unos {distance}} other {lejos}} de un lugar del mismo nombre, todas en la misma dirección.",
  "{wrong, number} of {rows, plural, one {# row} other {# rows}} lie {known, select, yes {about {distance}} other {far}} from the town they name, as far as the directory knows it. It may have no venues where these rows are.":
    "{wrong, number} de {rows, plural, one {# fila} other {# filas}} están {known, select, yes {a unos {distance}} other {lejos}} de la localidad que indican, hasta donde el directorio la conoce. Puede que no tenga lugares donde están estas filas.",
  "{wrong, number} of {rows, plural, one {# row} other {# rows}} lie {known, select, yes {about {distance}} other {far}} from the town they name.":
    "{wrong, number} de {rows, plural, one {# fila} other {# filas}} están {known, select, yes {a unos {distance}} other {lejos}} de la localidad que indican.",
  "{wrong, number} of {rows, plural, one {# row} other {# rows}} match a venue of the directory once they are corrected. As they are, none of them does.":
    "{wrong, number} de {rows, plural, one {# fila} other {# filas}} coinciden con un lugar del directorio una vez corregidas. Tal como están, no coincide ninguna.",
};
