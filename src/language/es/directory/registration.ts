/** What an application may be called, may register and may reserve, and how its secrets end. */
export const registration = {
  "A provider id needs 2 to 50 letters, digits, dots, dashes or underscores.":
    "Un identificador de proveedor necesita de 2 a 50 letras, cifras, puntos, guiones o guiones bajos.",
  "An application can reserve at most {most, number} provider ids.":
    "Una aplicación puede reservar como máximo {most, number} identificadores de proveedor.",
  "An application needs 1 to {most, number} redirect URIs.":
    "Una aplicación necesita de 1 a {most, number} URI de redirección.",
  "An application needs a name.": "Una aplicación necesita un nombre.",
  "The application does not have this provider id.": "La aplicación no tiene este identificador de proveedor.",
  "The name must hold a letter or a digit.": "El nombre debe contener una letra o una cifra.",
  "The overlap must be between 0 hours and 7 days.": "El solapamiento debe ser de entre 0 horas y 7 días.",
  "The provider id {name} has annotations, so it cannot be released.":
    "El identificador de proveedor {name} tiene anotaciones, por lo que no se puede liberar.",
  "The provider id {name} is already reserved for another application.":
    "El identificador de proveedor {name} ya está reservado para otra aplicación.",
  "The redirect URI {uri} contains characters that must be percent-encoded.":
    "La URI de redirección {uri} contiene caracteres que deben codificarse con porcentaje.",
  "The redirect URI {uri} is longer than {most} characters.":
    "La URI de redirección {uri} tiene más de {most} caracteres.",
  "The redirect URI {uri} must be an absolute URL, such as https://example.org/callback.":
    "La URI de redirección {uri} debe ser una URL absoluta, como https://example.org/callback.",
  "The redirect URI {uri} must be https; plain http is allowed only for localhost, 127.0.0.1 and [::1].":
    "La URI de redirección {uri} debe ser https; http sin cifrar solo se permite para localhost, 127.0.0.1 y [::1].",
  "The redirect URI {uri} must be written as {better}.": "La URI de redirección {uri} debe escribirse así: {better}.",
  "The redirect URI {uri} must not contain a user name or password.":
    "La URI de redirección {uri} no debe contener un nombre de usuario ni una contraseña.",
  "The redirect URI {uri} must not contain a wildcard (*); register each URI.":
    "La URI de redirección {uri} no debe contener comodines (*); registre cada URI.",
  "The redirect URI {uri} must not have a fragment (#).": "La URI de redirección {uri} no debe tener fragmento (#).",
  "The redirect URI {uri} must not have the parameters {names}, which the response adds.":
    "La URI de redirección {uri} no debe tener los parámetros {names}, que añade la respuesta.",
  "The secret was replaced in the meantime, so nothing was changed. Check the secrets below first.":
    "Entretanto se sustituyó el secreto, por lo que no se cambió nada. Compruebe antes los secretos de abajo.",
  "This is not the application's name. Type it exactly as shown above.":
    "Este no es el nombre de la aplicación. Escríbalo exactamente como aparece arriba.",
  "This is the current secret, which the application needs to log in. Rotate it without an overlap instead.":
    "Este es el secreto actual, que la aplicación necesita para iniciar sesión. En su lugar, rótelo sin solapamiento.",
  "Type the name to confirm.": "Escriba el nombre para confirmar.",
  "You have {most, number} applications already. Delete one that you no longer need.":
    "Ya tiene {most, number} aplicaciones. Elimine una que ya no necesite.",
};
