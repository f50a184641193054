/** The page of mappings. */
export const mappings = {
  "An id may have at most {most} characters. Write one per line.":
    "Un id puede tener como máximo {most} caracteres. Escriba uno por línea.",
  Decision: "Decisión",
  "Download as CSV": "Descargar como CSV",
  "Download as JSON": "Descargar como JSON",
  File: "Archivo",
  "Find the venue of a listing, or the listings of a venue.":
    "Encuentre el lugar de una ficha o las fichas de un lugar.",
  "Harmonize a file": "Conciliar un archivo",
  Ids: "Ids",
  Listing: "Ficha",
  "Look up": "Consultar",
  "Match a file of listings first. Then you can look up its mappings here.":
    "Concilie primero un archivo de fichas. Después podrá consultar aquí sus correspondencias.",
  "No listing and no matched venue in the files that you can see has one of these ids.":
    "Ninguna ficha ni ningún lugar coincidente de los archivos que puede ver tiene uno de estos ids.",
  "No mappings yet": "Todavía no hay correspondencias",
  None: "Ninguno",
  "Not found": "No encontrados",
  "Paste ids of either kind; Samespot looks them up in all files that you can see.":
    "Pegue ids de cualquiera de los dos tipos; Samespot los busca en todos los archivos que puede ver.",
  "Paste ids of either kind; Samespot looks them up in the newest {files} files that you can see.":
    "Pegue ids de cualquiera de los dos tipos; Samespot los busca en los {files} archivos más recientes que puede ver.",
  "These venues have too many listings to show them all. Look up fewer ids at once.":
    "Estos lugares tienen demasiadas fichas para mostrarlas todas. Consulte menos ids a la vez.",
  "When (UTC)": "Cuándo (UTC)",
  "You entered {ids} ids. Look up at most {most} at once.":
    "Ha introducido {ids} ids. Consulte como máximo {most} a la vez.",
  "Your listing": "Su ficha",
  "Your own ids or venue ids, one per line or separated by commas; at most 1,000.":
    "Sus propios ids o ids de lugares, uno por línea o separados por comas; como máximo 1000.",
  added: "añadido",
  automatically: "automáticamente",
  "by <bdi>{name}</bdi>": "por <bdi>{name}</bdi>",
  failed: "con error",
  "in the previous edition": "en la edición anterior",
  matched: "coincidente",
  none: "sin coincidencia",
  pending: "pendiente",
  rejected: "rechazado",
  review: "por revisar",
  superseded: "sustituido",
  "{mapped, plural, one {# mapping} other {# mappings}} found":
    "{mapped, plural, one {# correspondencia encontrada} other {# correspondencias encontradas}}",
  "{unknown, plural, one {# id} other {# ids}} not known":
    "{unknown, plural, one {# id desconocido} other {# ids desconocidos}}",
  "{without, plural, one {# listing} other {# listings}} without a venue":
    "{without, plural, one {# ficha} other {# fichas}} sin lugar",
};
