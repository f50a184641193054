/** Failures of the directory, in place of a page or above its form. */
export const directoryErrors = {
  "Not found in the directory": "No se encuentra en el directorio",
  "Please try again in {wait}.": "Vuelva a intentarlo dentro de {wait}.",
  "The directory did not accept this": "El directorio no lo ha aceptado",
  "The directory has not enabled Samespot for this": "El directorio no ha habilitado a Samespot para esto",
  "The directory rejected Samespot": "El directorio ha rechazado a Samespot",
  "The directory's answer cannot be read": "La respuesta del directorio no se puede leer",
  "The listing is on another venue": "La ficha está en otro lugar",
  "The venue directory already has a venue that looks like this one.":
    "El directorio de lugares ya tiene un lugar parecido a este.",
  "The venue directory already has this listing's id on another venue. A listing can be on one venue only.":
    "El directorio de lugares ya tiene el identificador de esta ficha en otro lugar. Una ficha solo puede estar en un lugar.",
  "The venue directory asks us to slow down.": "El directorio de lugares nos pide que vayamos más despacio.",
  "The venue directory did not accept this request.": "El directorio de lugares no ha aceptado esta solicitud.",
  "The venue directory does not accept this server as an application. Ask the person who runs this server to check its credentials.":
    "El directorio de lugares no acepta este servidor como aplicación. Pida a la persona que administra este servidor que compruebe sus credenciales.",
  "The venue directory does not allow this server to do this. The person who runs this server must ask the directory's operator.":
    "El directorio de lugares no permite que este servidor haga esto. La persona que administra este servidor debe pedirlo al operador del directorio.",
  "The venue directory does not answer. Please try again in a moment.":
    "El directorio de lugares no responde. Vuelva a intentarlo dentro de un momento.",
  "The venue directory does not have this. It may have been removed.":
    "El directorio de lugares no tiene esto. Es posible que se haya eliminado.",
  "The venue directory no longer accepts our access to your account. Please connect again.":
    "El directorio de lugares ya no acepta nuestro acceso a su cuenta. Vuelva a conectarse.",
  "The venue directory sent an answer that cannot be read. Please try again in a moment.":
    "El directorio de lugares ha enviado una respuesta que no se puede leer. Vuelva a intentarlo dentro de un momento.",
  "The venue may already exist": "Es posible que el lugar ya exista",
  "There is no such venue. It may have been removed.": "No existe ese lugar. Es posible que se haya eliminado.",
  "Too many requests": "Demasiadas solicitudes",
};
