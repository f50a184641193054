/** The directory’s page of a venue, and the values of a venue in forms. */
export const venue = {
  "Map of {name}": "Mapa de {name}",
  "Venue id": "Identificador del lugar",
};
