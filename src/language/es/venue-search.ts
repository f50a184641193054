/** The search for venues, and the match of one listing. */
export const venueSearch = {
  "Add a venue": "Añadir un lugar",
  "Coffee, library, a name…": "Café, biblioteca, un nombre…",
  Near: "Cerca de",
  "Providence, RI or 41.82, -71.41": "Providence, RI o 41.82, -71.41",
  "Use my location": "Usar mi ubicación",
  What: "Qué",
};
