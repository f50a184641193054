/** Warnings about the columns and cells of a file. */
export const columns = {
  "All rows are matched anyway. But the directory keeps one venue for each id, so the id can be written there for only one of these rows. Samespot finds all of them by the id.":
    "Aun así se concilian todas las filas. Pero el directorio guarda un solo lugar por id, así que el id solo se puede escribir allí para una de esas filas. Samespot las encuentra todas por el id.",
  "Both metres of Web Mercator belong together: choose a column for the x as well.":
    "Los dos valores en metros de Web Mercator van juntos: elija también una columna para la x.",
  "Both metres of Web Mercator belong together: choose a column for the y as well.":
    "Los dos valores en metros de Web Mercator van juntos: elija también una columna para la y.",
  "Latitude and longitude belong together: choose a column for the latitude as well.":
    "La latitud y la longitud van juntas: elija también una columna para la latitud.",
  "Latitude and longitude belong together: choose a column for the longitude as well.":
    "La latitud y la longitud van juntas: elija también una columna para la longitud.",
  "{count, plural, one {{lines} has} other {# of the first rows, {lines}{more, select, yes { and others} other {}}, have}} the same number for latitude and longitude. Samespot leaves {count, plural, one {this position} other {these positions}} out and uses the town.":
    "{count, plural, one {{lines} tiene} other {# de las primeras filas, {lines}{more, select, yes { y otras} other {}}, tienen}} el mismo número como latitud y longitud. Samespot omite {count, plural, one {esta posición} other {estas posiciones}} y usa la localidad.",
  "{count, number} rows named “{name}” have one position, but different addresses. Samespot leaves it out and uses their towns.":
    "{count, number} filas con el nombre «{name}» tienen una misma posición, pero direcciones distintas. Samespot la omite y usa sus localidades.",
  "Latitude and longitude seem to be swapped in {swapped, number} of the first {rows, number} rows. Swap the two columns.":
    "La latitud y la longitud parecen estar intercambiadas en {swapped, number} de las primeras {rows, number} filas. Intercambie las dos columnas.",
  "No column is chosen for the name. Choose one: Samespot cannot match listings without a name.":
    "No se ha elegido ninguna columna para el nombre. Elija una: Samespot no puede conciliar fichas sin nombre.",
  "No column is chosen for the place. Choose latitude and longitude, or the city or postal code.":
    "No se ha elegido ninguna columna para la ubicación. Elija la latitud y la longitud, o la ciudad o el código postal.",
  "Therefore Samespot did not choose it as your own ids. Choose it if it is.":
    "Por eso Samespot no la ha elegido como columna de sus propios ids. Elíjala si lo es.",
  "To recognize listings of the previous edition, choose the column of your own ids.":
    "Para reconocer las fichas de la edición anterior, elija la columna de sus propios ids.",
  "line {line, number} (“{name}”)": "línea {line, number} («{name}»)",
  "{count, number} of {rows, plural, one {1 row} other {the first # rows}} {count, plural, one {contains} other {contain}} characters that cannot be read in this encoding; they are shown as \uFFFD, for example “{value}” (“{column}”, line {line, number}). Most such rows can still be matched. Check the encoding below.":
    "{count, number} de {rows, plural, one {1 fila} other {las primeras # filas}} {count, plural, one {contiene} other {contienen}} caracteres que no se pueden leer con esta codificación; se muestran como \uFFFD, por ejemplo «{value}» («{column}», línea {line, number}). La mayoría de esas filas se pueden conciliar igualmente. Compruebe la codificación más abajo.",
  "{count, plural, one {# formula of this sheet has} other {# formulas of this sheet have}} no stored value, so the cell is read as empty. Open the workbook in a spreadsheet, save it there, and upload it again.":
    "{count, plural, one {# fórmula de esta hoja no tiene} other {# fórmulas de esta hoja no tienen}} un valor guardado, por lo que la celda se lee como vacía. Abra el libro en una hoja de cálculo, guárdelo allí y súbalo de nuevo.",
  "{count, plural, one {{lines} seems} other {# of the first rows, {lines}{more, select, yes { and others} other {}}, seem}} to have a latitude with the opposite sign of nearly all others. Is a minus missing?":
    "{count, plural, one {la {lines} parece} other {# de las primeras filas ({lines}{more, select, yes { y otras} other {}}) parecen}} tener una latitud con el signo contrario al de casi todas las demás. ¿Falta un signo menos?",
  "{count, plural, one {{lines} seems} other {# of the first rows, {lines}{more, select, yes { and others} other {}}, seem}} to have a longitude with the opposite sign of nearly all others. Is a minus missing?":
    "{count, plural, one {la {lines} parece} other {# de las primeras filas ({lines}{more, select, yes { y otras} other {}}) parecen}} tener una longitud con el signo contrario al de casi todas las demás. ¿Falta un signo menos?",
  "{count, plural, one {{lines} seems} other {# of the first rows, {lines}{more, select, yes { and others} other {}}, seem}} to have latitude and longitude swapped. Check {count, plural, one {this row} other {these rows}} in the results.":
    "{count, plural, one {la {lines} parece} other {# de las primeras filas ({lines}{more, select, yes { y otras} other {}}) parecen}} tener intercambiadas la latitud y la longitud. {count, plural, one {Compruebe esta fila} other {Compruebe estas filas}} en los resultados.",
  "“{column}” is not used: most of its values, such as “{value}”, do not look like what its name says. If they are right, choose the meaning yourself.":
    "«{column}» no se usa: la mayoría de sus valores, como «{value}», no parecen lo que dice su nombre. Si son correctos, elija usted el significado.",
  "“{column}” reads {value} because a spreadsheet dropped the digits: format the column as text there":
    "«{column}» contiene {value} porque una hoja de cálculo perdió las cifras: dé allí formato de texto a la columna",
  "“{column}” reads {value}: no telephone number can be read from it, so it is not compared":
    "«{column}» contiene {value}: no se puede leer ningún número de teléfono, por lo que no se compara",
  "“{column}”: {count, number} of {rows, plural, one {1 row} other {the first # rows}} {count, plural, one {reads {example}} other {read {example} or similar}}. A spreadsheet dropped the digits{isPhone, select, yes {, so these phone numbers are not compared} other {}}. Format the column as text in the spreadsheet, enter the numbers again and save the file.":
    "«{column}»: {count, number} de {rows, plural, one {1 fila} other {las primeras # filas}} {count, plural, one {contiene {example}} other {contienen {example} o algo parecido}}. Una hoja de cálculo perdió las cifras{isPhone, select, yes {, por lo que estos números de teléfono no se comparan} other {}}. Dé formato de texto a la columna en la hoja de cálculo, vuelva a escribir los números y guarde el archivo.",
  "“{column}”: {count, number} of {rows, plural, one {1 row} other {the first # rows}} {count, plural, one {shows an error} other {show errors}} of the spreadsheet ({error}), read as empty. Correct the formula there and save the file, if the value matters.":
    "«{column}»: {count, number} de {rows, plural, one {1 fila} other {las primeras # filas}} {count, plural, one {muestra un error} other {muestran errores}} de la hoja de cálculo ({error}), que se {count, plural, one {lee} other {leen}} como vacío. Corrija allí la fórmula y guarde el archivo, si el valor importa.",
  "“{column}”: {count, plural, one {# of its values occurs} other {# of its values occur}} in more than one of {rows, plural, one {the first row} other {the first # rows}}: {values}{more, select, yes { and others} other {}}.":
    "«{column}»: {count, plural, one {# de sus valores aparece} other {# de sus valores aparecen}} en más de una de {rows, plural, one {la primera fila} other {las primeras # filas}}: {values}{more, select, yes { y otros} other {}}.",
  "“{value}”": "«{value}»",
  "“{x}” and “{y}” look like metres of a map. If they are Web Mercator (EPSG:3857), choose them so. Those of a national grid must be converted to latitude and longitude before the upload.":
    "«{x}» y «{y}» parecen metros de un mapa. Si son de Web Mercator (EPSG:3857), elíjalos así. Los de una cuadrícula nacional deben convertirse en latitud y longitud antes de subir el archivo.",
};
