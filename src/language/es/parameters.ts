/** What is wrong with a parameter. Each message begins with its name, which forms replace by their label. */
export const parameters = {
  "closed must be true or false": "closed: debe ser true o false",
  "name must hold a letter or a digit": "name: debe contener una letra o una cifra",
  "phone must hold a telephone number of 7 to 15 digits, such as +1 401 555 0100":
    "phone: debe contener un número de teléfono de 7 a 15 cifras, como +1 401 555 0100",
  "primaryCategoryId is not a category id. See venues/categories.":
    "primaryCategoryId: no es el identificador de una categoría. Consulte venues/categories.",
  "problem must be no_category": "problem: debe ser no_category",
  "twitter must be a handle such as @samespot": "twitter: debe ser un nombre como @samespot",
  "url must be a full http or https address": "url: debe ser una dirección http o https completa",
  "url must not hold a user name or password": "url: no debe contener un nombre de usuario ni una contraseña",
  "zip must be a postal code": "zip: debe ser un código postal",
  "{name} contains characters that cannot be stored": "{name}: contiene caracteres que no se pueden guardar",
  "{name} contains characters that cannot be stored: U+FFFD stands for a lost character, replace it with the original one":
    "{name}: contiene caracteres que no se pueden guardar; U+FFFD ocupa el lugar de un carácter perdido: sustitúyalo por el original",
  "{name} is out of range: latitude goes from -90 to 90, longitude from -180 to 180":
    "{name}: fuera de los límites; la latitud va de -90 a 90 y la longitud de -180 a 180",
  "{name} is required": "{name}: dato obligatorio",
  "{name} may have at most {max} characters": "{name}: como máximo {max} caracteres",
  "{name} must be <latitude>,<longitude> in decimal degrees, such as 41.82,-71.41":
    "{name}: debe ser <latitud>,<longitud> en grados decimales, como 41.82,-71.41",
  "{name} must be a whole number from {min} to {max}": "{name}: debe ser un número entero de {min} a {max}",
  "{name} was given more than once": "{name}: indicado más de una vez",
};
