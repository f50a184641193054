/** What is said of the demo data, and the operators’ page that removes it. */
export const demo = {
  "Continue the removal": "Continuar la eliminación",
  "Demo data": "Datos de demostración",
  "Not possible yet.": "Todavía no es posible.",
  "Nothing was removed.": "No se ha eliminado nada.",
  "No demo data": "No hay datos de demostración",
  "Reload the page to see what is left. If the removal was interrupted, it continues at the next start or within an hour, or at once if you continue it here.":
    "Vuelva a cargar la página para ver lo que queda. Si la eliminación se interrumpió, continúa en el próximo arranque o en menos de una hora, o de inmediato si la continúa aquí.",
  "Remove the demo data": "Eliminar los datos de demostración",
  "Remove the demo data for good. A single venue can be restored in its history, all of them together cannot.":
    "Eliminar los datos de demostración definitivamente. Un lugar suelto se puede restaurar en su historial; todos juntos, no.",
  "SAMPLE_DATA has added nothing to this directory.": "SAMPLE_DATA no ha añadido nada a este directorio.",
  "The demo account is the only admin of the web app. Name the handle of your own account in ADMINS, and restart Samespot.":
    "La cuenta de demostración es la única administradora de la aplicación web. Indique el alias de su propia cuenta en ADMINS y reinicie Samespot.",
  "The demo account itself: it is disabled, so that nobody can log in with it":
    "La propia cuenta de demostración: se desactiva para que nadie pueda iniciar sesión con ella",
  "The demo data is being removed.": "Se están eliminando los datos de demostración.",
  "The demo data is removed.": "Se han eliminado los datos de demostración.",
  "The demo data was removed. {used, plural, =0 {No sample venue is left.} one {# sample venue that is used has stayed.} other {# sample venues that are used have stayed.}} Set SAMPLE_DATA=off too: the credit for the sample then leaves the pages of the web app.":
    "Se eliminaron los datos de demostración. {used, plural, =0 {No queda ningún lugar de muestra.} one {Se ha conservado # lugar de muestra que está en uso.} other {Se han conservado # lugares de muestra que están en uso.}} Ponga también SAMPLE_DATA=off: así desaparece de las páginas de la aplicación web la atribución de la muestra.",
  "The directory has sample venues in Rhode Island of 2010, and a demo account with invented check-ins.":
    "El directorio tiene lugares de muestra de Rhode Island de 2010 y una cuenta de demostración con check-ins inventados.",
  "The setting SAMPLE_DATA has added sample venues in Rhode Island of 2010, and a demo account with a year of invented check-ins. Remove both before you use the directory for real.":
    "El ajuste SAMPLE_DATA ha añadido lugares de muestra de Rhode Island de 2010 y una cuenta de demostración con un año de check-ins inventados. Elimine ambas cosas antes de usar el directorio de verdad.",
  "There is no demo data to remove.": "No hay datos de demostración que eliminar.",
  "Tick the box to confirm the removal.": "Marque la casilla para confirmar la eliminación.",
  "Venues that people have added, with the demo account too, and the applications of the demo account":
    "Los lugares que se han añadido, también con la cuenta de demostración, y las aplicaciones de la cuenta de demostración",
  "What is removed": "Qué se elimina",
  "What stays": "Qué se conserva",
  "You are logged in with the demo account, which the removal disables. Create an account of your own first, name its handle in OPERATORS and ADMINS, restart Samespot, and log in here with it.":
    "Ha iniciado sesión con la cuenta de demostración, que la eliminación desactiva. Cree primero una cuenta propia, indique su alias en OPERATORS y ADMINS, reinicie Samespot e inicie sesión aquí con ella.",
  "{count, plural, =0 {No access of applications to the demo account} one {The access of # application to the demo account} other {The access of # applications to the demo account}}":
    "{count, plural, =0 {Ningún acceso de aplicaciones a la cuenta de demostración} one {El acceso de # aplicación a la cuenta de demostración} other {El acceso de # aplicaciones a la cuenta de demostración}}",
  "{count, plural, one {# check-in} other {# check-ins}} of the demo account":
    "{count, plural, one {# check-in} other {# check-ins}} de la cuenta de demostración",
  "{count, plural, one {# sample venue} other {# sample venues}} that nobody has used":
    "{count, plural, one {# lugar de muestra que nadie ha usado} other {# lugares de muestra que nadie ha usado}}",
  "{count, plural, one {# sample venue} other {# sample venues}} with links, check-ins of others, open proposals, or changes":
    "{count, plural, one {# lugar de muestra} other {# lugares de muestra}} con enlaces, check-ins de otras personas, propuestas abiertas o cambios",
};
