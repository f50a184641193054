/** Why a file cannot be used, as `src/files` and `src/harmonize/file` word it. */
export const refusals = {
  // Before others that would match it as a whole.
  "{sentence} Split it into several files, or save the list as CSV.":
    "{sentence} Divídalo en varios archivos o guarde la lista como CSV.",
  "A file may have at most {megabytes} MB. Split it and upload the parts separately.":
    "Un archivo puede tener como máximo {megabytes} MB. Divídalo y suba las partes por separado.",
  "This file is empty. Choose a file with at least one listing.":
    "Este archivo está vacío. Elija un archivo con al menos una ficha.",
  "This file is empty from line {line} on.": "Este archivo está vacío desde la línea {line}.",
  "The file begins with a megabyte of empty lines. Delete them, so that the column names are in the first line.":
    "El archivo empieza con un megabyte de líneas vacías. Bórrelas para que los nombres de las columnas estén en la primera línea.",
  "This file has only one line: the column names, or one listing without them. Add what is missing.":
    "Este archivo tiene una sola línea: los nombres de las columnas, o una ficha sin ellos. Añada lo que falta.",
  "The upload took too long.": "La subida ha tardado demasiado.",
  "This file is packed several times. Unpack it, and upload the list inside.":
    "Este archivo está comprimido varias veces. Descomprímalo y suba la lista que contiene.",
  "This file needs too much memory to be read.": "Leer este archivo requiere demasiada memoria.",
  "Reading this file takes too long.": "Leer este archivo lleva demasiado tiempo.",
  "Unpacked, this file is more than {ratio} times as large.":
    "Descomprimido, este archivo es más de {ratio} veces mayor.",
  "Unpacked, this file has more than {megabytes} MB.": "Descomprimido, este archivo tiene más de {megabytes} MB.",
  "This file has more than {most} rows, which is the limit.":
    "Este archivo tiene más de {most} filas, que es el límite.",
  "The first {megabytes} MB of this workbook's sheets hold no table. Move the list to the front.":
    "Los primeros {megabytes} MB de las hojas de este libro no contienen ninguna tabla. Ponga la lista al principio.",
  "As text, this file has more than {megabytes} MB.": "Como texto, este archivo tiene más de {megabytes} MB.",
  "The different texts of this workbook have more than {megabytes} MB.":
    "Los textos distintos de este libro ocupan más de {megabytes} MB.",
  "A sheet of this workbook takes more than {megabytes} MB unpacked.":
    "Una hoja de este libro ocupa más de {megabytes} MB descomprimida.",
  "This file holds {count} files or sheets; the limit is {most}.":
    "Este archivo contiene {count} archivos u hojas; el límite es {most}.",
  "This file is protected by a password. Remove it, then upload the file again.":
    "Este archivo está protegido con una contraseña. Quítela y suba el archivo de nuevo.",
  "This file is damaged or incomplete: it cannot be unpacked. Save it again, then upload it once more.":
    "Este archivo está dañado o incompleto: no se puede descomprimir. Guárdelo de nuevo y súbalo otra vez.",
  "This file is damaged or incomplete: it cannot be unpacked (gzip). Pack it again, then upload it once more.":
    "Este archivo está dañado o incompleto: no se puede descomprimir (gzip). Comprímalo de nuevo y súbalo otra vez.",
  "The positions in this file are not in degrees of latitude and longitude, but in {name}. Export it in WGS 84 (EPSG:4326).":
    "Las posiciones de este archivo no están en grados de latitud y longitud, sino en {name}. Expórtelo en WGS 84 (EPSG:4326).",
  "This JSON is nested more than {depth} levels deep. Write its lists with fewer levels, or as CSV.":
    "Este JSON tiene más de {depth} niveles de anidamiento. Escriba las listas con menos niveles o como CSV.",
  "This Parquet file is encrypted. Write it without encryption.":
    "Este archivo Parquet está cifrado. Escríbalo sin cifrado.",
  "This Parquet file is compressed with {codec}. Write it with snappy, gzip or zstd.":
    "Este archivo Parquet está comprimido con {codec}. Escríbalo con snappy, gzip o zstd.",
  "This Parquet file is damaged or incomplete. Write it again, or save the list as CSV.":
    "Este archivo Parquet está dañado o incompleto. Escríbalo de nuevo o guarde la lista como CSV.",
  "This Parquet file says that it has {rows} rows.": "Este archivo Parquet dice que tiene {rows} filas.",
  "This Parquet file has parts that are too large to be read. Write it with smaller row groups, such as 20,000 rows.":
    "Este archivo Parquet tiene partes demasiado grandes para leerlas. Escríbalo con grupos de filas más pequeños, por ejemplo de 100.000 filas.",
  'This file has no records: Samespot expects a list of objects, one for each listing. In pandas write it with orient="records".':
    'Este archivo no tiene registros: Samespot espera una lista de objetos, uno por ficha. En pandas, escríbalo con orient="records".',
  "The first line of this file cannot be read: {why}.": "La primera línea de este archivo no se puede leer: {why}.",
  "This file has more than {most} columns, which is the limit. Is the separator right?":
    "Este archivo tiene más de {most} columnas, que es el límite. ¿Es correcto el separador?",
  "This zip file is empty. Choose a file with at least one listing.":
    "Este archivo zip está vacío. Elija un archivo con al menos una ficha.",
  "This zip file holds {count} files ({names}). Upload the one with the list.":
    "Este archivo zip contiene {count} archivos ({names}). Suba el que tiene la lista.",
  "This is a binary workbook (.xlsb). Save it as an Excel workbook (.xlsx) or as CSV.":
    "Es un libro binario (.xlsb). Guárdelo como libro de Excel (.xlsx) o como CSV.",
  "This is a text document (.docx). Put the list into a sheet, and save it as .xlsx or CSV.":
    "Es un documento de texto (.docx). Ponga la lista en una hoja y guárdela como .xlsx o CSV.",
  "This is an OpenDocument file (.ods). Save the sheet as an Excel workbook (.xlsx) or as CSV.":
    "Es un archivo de OpenDocument (.ods). Guarde la hoja como libro de Excel (.xlsx) o como CSV.",
  "This is a map file (.kmz). Export the places as GeoJSON or CSV.":
    "Es un archivo de mapa (.kmz). Exporte los lugares como GeoJSON o CSV.",
  "This workbook has no sheet with text. Choose a file with at least one listing.":
    "Este libro no tiene ninguna hoja con texto. Elija un archivo con al menos una ficha.",
  "This workbook is damaged: a part of it cannot be read. Open it in a spreadsheet, save it again as .xlsx, then upload that.":
    "Este libro está dañado: no se puede leer una parte. Ábralo en una hoja de cálculo, guárdelo de nuevo como .xlsx y súbalo.",
  "This is a spreadsheet in an old format (.xls), or one with a password. Save it as .xlsx without a password.":
    "Es una hoja de cálculo en un formato antiguo (.xls), o con contraseña. Guárdela como .xlsx sin contraseña.",
  "This is a PDF. Send the list as .xlsx or CSV instead.": "Es un PDF. Envíe la lista como .xlsx o CSV.",
  "This is an image (PNG). Send the list as .xlsx or CSV instead.":
    "Es una imagen (PNG). Envíe la lista como .xlsx o CSV.",
  "This file is compressed (zstd). Unpack it and send the list inside.":
    "Este archivo está comprimido (zstd). Descomprímalo y envíe la lista que contiene.",
  "This file is compressed (bzip2). Unpack it and send the list inside.":
    "Este archivo está comprimido (bzip2). Descomprímalo y envíe la lista que contiene.",
  "This file is compressed (xz). Unpack it and send the list inside.":
    "Este archivo está comprimido (xz). Descomprímalo y envíe la lista que contiene.",
  "This is an archive (7z). Unpack it and send the list inside.":
    "Es un archivo comprimido (7z). Descomprímalo y envíe la lista que contiene.",
  "This is an archive (rar). Unpack it and send the list inside.":
    "Es un archivo comprimido (rar). Descomprímalo y envíe la lista que contiene.",
  "This is an archive (tar). Unpack it and send the list inside.":
    "Es un archivo empaquetado (tar). Desempaquételo y envíe la lista que contiene.",
  "This is a part of a shapefile. Open the shapefile in a map program such as QGIS, and export it as GeoJSON or CSV.":
    "Es una parte de un shapefile. Abra el shapefile en un programa de mapas como QGIS y expórtelo como GeoJSON o CSV.",
  "This is a shapefile. Open it in a map program such as QGIS, and export it as GeoJSON or CSV.":
    "Es un shapefile. Ábralo en un programa de mapas como QGIS y expórtelo como GeoJSON o CSV.",
  "This is a database (SQLite or GeoPackage). Export the table as CSV or GeoJSON.":
    "Es una base de datos (SQLite o GeoPackage). Exporte la tabla como CSV o GeoJSON.",
  "This is a map file (.kml). Export the places as GeoJSON or CSV.":
    "Es un archivo de mapa (.kml). Exporte los sitios como GeoJSON o CSV.",
  "This is a file of waypoints (.gpx). Convert it to GeoJSON or CSV, for example with QGIS.":
    "Es un archivo de puntos (.gpx). Conviértalo a GeoJSON o CSV, por ejemplo con QGIS.",
  "This is a Numbers workbook. Export it as an Excel workbook (.xlsx) or as CSV.":
    "Es un libro de Numbers. Expórtelo como libro de Excel (.xlsx) o como CSV.",
  "This is a web page (HTML) or XML. Save the list itself as CSV, .xlsx or GeoJSON.":
    "Es una página web (HTML) o XML. Guarde la lista misma como CSV, .xlsx o GeoJSON.",
  "This is no list that Samespot can read: much of it is not text (NUL and other control characters). Save it as CSV, .xlsx, GeoJSON, JSON or Parquet.":
    "No es una lista que Samespot pueda leer: gran parte no es texto (NUL y otros caracteres de control). Guárdela como CSV, .xlsx, GeoJSON, JSON o Parquet.",
};
