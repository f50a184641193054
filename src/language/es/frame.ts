/** Texts on pages of every kind. */
export const frame = {
  "Choose one of the languages on the settings page.": "Elija uno de los idiomas de la página de ajustes.",
  "In this browser. Until you choose, your browser’s own settings decide.":
    "En este navegador. Hasta que elija, deciden los ajustes del navegador.",
  Language: "Idioma",
  "about {age} ago": "hace alrededor de {age}",
  "just now": "ahora mismo",
  Menu: "Menú",
};
