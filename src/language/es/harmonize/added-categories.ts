/** The categories of venues to be added: guessed, or chosen by hand. */
export const addedCategories = {
  "Back to the guess": "Volver a la suposición",
  "Back to the guess: {count, plural, one {# listing} other {# listings}}.":
    "Con la categoría supuesta de nuevo: {count, plural, one {# ficha} other {# fichas}}.",
  "Category chosen for {count, plural, one {# listing} other {# listings}}.":
    "Categoría elegida para {count, plural, one {# ficha} other {# fichas}}.",
  "Category for listings without a guess": "Categoría para las fichas sin categoría supuesta",
  "Category for the {count, plural, one {# listing} other {# listings}} without a guess":
    "Categoría para {count, plural, one {la ficha} other {las # fichas}} sin categoría supuesta",
  "Category of their venues": "Categoría de sus lugares",
  "Category: <b>{name}</b>": "Categoría: <b>{name}</b>",
  "Choose a category": "Elija una categoría",
  "Choose a category for the chosen listings. Nothing was changed.":
    "Elija una categoría para las fichas elegidas. No se ha cambiado nada.",
  "Each of them has a category, which the list below shows. Change it there before you add them, where it is wrong.":
    "Cada una tiene una categoría, que muestra la lista de abajo. Cámbiela allí antes de añadirlas donde no sea la correcta.",
  "From the beginning": "Desde el principio",
  "The category of each venue is guessed from the column of categories, from venues nearby of the same name, or from a word of the name. Choose another one where the guess is wrong.":
    "La categoría de cada lugar se supone por la columna de categorías, por los lugares cercanos del mismo nombre o por una palabra del nombre. Elija otra donde la suposición no sea correcta.",
  "Use this category": "Usar esta categoría",
  "as venues nearby of the same name": "como los lugares cercanos del mismo nombre",
  "by “{from}” in the name": "por «{from}» en el nombre",
  "chosen by hand": "elegida a mano",
  "none guessed": "sin suposición",
  "the file says “{from}”": "el archivo dice «{from}»",
};
