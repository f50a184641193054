/** Words of one language for making names of places. `*` stands for a proper name. */
export interface Language {
  names: string[];
  /** Places with parts. */
  wholes: string[];
  /** `+` stands for the whole. */
  parts: string[];
  /** Names of siblings, with each of the words in place of `#`. */
  siblings: Record<string, string[]>;
  /** `+` or `#` stands for the firm. */
  towers: string[];
  firms: string[];
  /** What a shop may have inside; `+` stands for the shop. */
  trades: string[];
  /** Shops that follow one another, or share a counter: one house and one phone. */
  tenants: string[];
  /** Two spellings of one place. */
  same: [string, string][];
}

export const LATIN: Record<string, Language> = {
  English: {
    names: ["Highland", "Mercy", "Garfield", "St. Mary's", "Quaker Ridge"],
    wholes: ["* Building", "* Hospital", "Hotel *", "* University", "* Shopping Center", "* Museum", "* Manor"],
    parts: [
      ...["+ Ballroom", "+ Helipad", "+ Loading Dock", "+ Rooftop Terrace", "+ Chapel", "+ Gift Shop", "+ Cafe"],
      ...["+ Level 2", "+ Room 104", "+ (Basement)", "+ Annex", "+ Lobby Bar", "Boardroom, +", "Atrium at +"],
      ...["Maternity Ward, +", "The Vault @ +", "+ Fitness Center", "+ Mezzanine", "+ East Wing", "3rd Floor, +"],
    ],
    siblings: {
      "First # Church": ["Baptist", "Methodist", "Lutheran", "Presbyterian"],
      "* # Department": ["Police", "Fire", "Water", "Parks"],
      "* # School": ["Elementary", "Middle", "High"],
      "# * Street Station": ["North", "South", "East"],
      "Room # * Hall": ["101", "102", "12A"],
      "* Gate #": ["A", "B", "C4", "7"],
      "* Service Plaza #": ["Northbound", "Southbound", "Eastbound"],
      "* Department of #": [
        "Radiology",
        "Cardiology",
        "Neurology",
        "Nephrology",
        "Oncology",
        "Hepatology",
        "Hematology",
      ],
      "University of * Department of #": ["Physics", "Physiology", "Philosophy", "Ecology", "Geology"],
      "* #": ["Neurology", "Nephrology", "Cardiology", "Urgent Care", "Orthopedics", "Orthodontics"],
      "The # Inn": ["Swan", "Swann's Head", "Crown", "Bell"],
      "Dr. # Weiss": ["Alan", "Karen", "John", "Joan", "Carl", "Carla"],
      "# School": ["St. Mary's", "St. Mark's", "St. Martin's", "St. Anne's"],
      "# * Avenue Deli": ["1st", "2nd", "Third"],
      "* # Locker Room": ["Men's", "Women's", "Boys", "Girls"],
      "* # Pavilion": ["Upper", "Lower", "Red", "Blue"],
      "# * Reformed Church": ["First", "Second", "Fourth"],
    },
    towers: ["+, One * Tower", "* Plaza - +", "+ (* House)"],
    firms: [
      "Acme Law Group",
      "Bell & Stone LLP",
      "Corvus Capital",
      "Delta Dental Lab",
      "Evans Architects",
      "Quill Media",
    ],
    trades: [
      ...["+ Cafe", "+ Bakery", "+ Hotel", "+ Pharmacy", "+ Restaurant", "+ Bar", "+ Coffee Shop", "+ Gift Shop"],
      ...["+ Tire Center", "+ Optical", "+ Fuel", "+ Hair Salon", "Cafe at +", "+ Garden Center", "+ Food Court"],
    ],
    tenants: [
      ...["Taco Bell", "KFC", "Thai Orchid", "Namaste India", "Pizza Hut", "Long John Silver's", "Corner Deli"],
      ...["Ming's Kitchen", "Bella Napoli Restaurant", "Bombay Restaurant"],
    ],
    same: [
      ["Zephyr Books", "Zephyr Bookstore"],
      ["The * Grill", "* Grill"],
      ["* Diner", "*' Diner"],
      ["Garfield Ctr", "Garfield Center"],
      ["Bldg 14", "Building 14"],
      ["Motel Six", "Motel 6"],
      ["Pier Thirty", "Pier 30"],
      ["*", "* Korean Restaurant"],
      ["*", "* Pharmacy"],
      ["*", "* Coffee Shop"],
      ["* Hardware", "* Hardware Inc."],
      ["* Univ", "* University"],
      ["Bluemoon Tavern", "Blue Moon Tavern"],
      ["Kwik Fix *", "Quick Fix *"],
      ["* Theatre", "* Theater"],
      ["* Dept of Health", "* Department of Health"],
      ["Mt * Lodge", "Mount * Lodge"],
      ["* & Sons", "* and Sons Ltd"],
      ["Dominoes Pizza", "Domino's Pizza"],
      ["Seafood Shack", "Sea Food Shack"],
    ],
  },
  German: {
    names: ["Sonnenberg", "Lindenau", "Adler"],
    wholes: ["Klinikum *", "Hotel *", "Rathaus *", "Museum *"],
    parts: [
      "+ Raum 104",
      "+ Saal B",
      "+ Tiefgarage",
      "Festsaal +",
      "+ 3. Stock",
      "+ Hubschrauberlandeplatz",
      "+ (Keller)",
    ],
    siblings: {
      "Praxis für # *": ["Neurologie", "Nephrologie", "Hepatologie", "Hämatologie"],
      "Gymnasium * #": ["Nord", "Süd", "Ost"],
      "*er #": ["Grundschule", "Realschule", "Hauptschule"],
      "Raststätte * #": ["Ost", "West"],
      "Dr. # Weber Zahnarzt": ["Klaus", "Karin", "Jan", "Jana"],
      "Klinik für # *": ["Urologie", "Neurologie", "Radiologie", "Kardiologie"],
      "# Kirche *": ["Evangelische", "Katholische"],
    },
    towers: ["+, *-Turm", "+ im *haus"],
    firms: ["Krause Steuerberatung", "Bauer Immobilien", "Nordlicht Software GmbH", "Vogel & Partner"],
    trades: ["+ Café", "+ Bäckerei", "+ Hotel", "+ Apotheke", "+ Restaurant", "Café im +", "+ Friseur"],
    tenants: ["Nordsee", "Vapiano", "Gasthof Krone", "Restaurant Athen", "Pizzeria Roma", "Eiscafé Venezia"],
    same: [
      ["Gasthaus *", "Gasthaus zum *"],
      ["* Bäckerei", "* Baeckerei"],
      ["Cafe *", "Café *"],
      ["* GmbH", "*"],
      ["* Apotheke", "*-Apotheke"],
      ["Hotel * Garni", "Hotel *"],
    ],
  },
  French: {
    names: ["Beauséjour", "Montclair", "Vauban"],
    wholes: ["Hôpital *", "Hôtel *", "Musée *", "Centre commercial *"],
    parts: [
      "+ Salle 12",
      "+ 3e étage",
      "+ (Sous-sol)",
      "Salle de bal +",
      "+ Bâtiment C",
      "Héliport de l'+",
      "+ Terrasse",
    ],
    siblings: {
      "Cabinet de # *": ["neurologie", "néphrologie", "urologie"],
      "École # *": ["maternelle", "élémentaire"],
      "* #": ["Nord", "Sud", "Est"],
      "Dr # Lefèvre": ["Paul", "Paule", "Luc", "Lucie"],
      "Service de # *": ["cardiologie", "radiologie"],
      "Église # *": ["protestante", "catholique"],
    },
    towers: ["+, Tour *", "+ - Immeuble Le *"],
    firms: ["Cabinet Morel", "Studio Dupuis", "Banque Aubert", "Notaires Girard"],
    trades: ["+ Café", "Boulangerie +", "Hôtel +", "Pharmacie +", "Restaurant +", "+ Coiffure"],
    tenants: ["Quick", "Le Palmier", "Restaurant Le Lotus", "Restaurant Chez Anna", "Brasserie du Port"],
    same: [
      ["Boulangerie *", "Boulangerie du *"],
      ["Le *", "*"],
      ["* SARL", "*"],
      ["Restaurant *", "*"],
      ["St *", "Saint *"],
    ],
  },
  Spanish: {
    names: ["Altamira", "Las Flores", "Cervantes"],
    wholes: ["Hospital *", "Hotel *", "Edificio *", "Universidad *"],
    parts: ["+ Aula 5", "+ Piso 3", "+ (Sótano)", "Salón de baile +", "+ Azotea", "Capilla +"],
    siblings: {
      "Consulta de # *": ["neurología", "nefrología", "urología"],
      "Escuela # *": ["primaria", "secundaria"],
      "Estación * #": ["Norte", "Sur", "Oeste"],
      "Dr. # Ortega": ["Mario", "María", "Julio", "Julia"],
      "Puerta # *": ["A", "B", "3"],
      "Iglesia # *": ["Bautista", "Metodista"],
    },
    towers: ["+, Torre *", "+ (Edificio *)"],
    firms: ["Abogados Ruiz", "Clínica Dental Vega", "Seguros Prado", "Notaría Campos"],
    trades: ["Cafetería +", "Panadería +", "Hotel +", "Farmacia +", "Restaurante +", "+ Bar"],
    tenants: ["Telepizza", "El Gallo", "Restaurante Pekín", "Restaurante Lima", "Bar Manolo"],
    same: [
      ["Farmacia *", "*"],
      ["El *", "*"],
      ["* S.A.", "*"],
      ["Peluquería *", "Peluqueria *"],
    ],
  },
};
