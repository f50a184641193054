export const VISIT_KINDS = {
  coffee: ["Coffee Shop", "Donut Shop", "Bakery", "Café"],
  lunch: ["Sandwich Place", "Deli", "Pizza Place", "Diner", "Burger Place", "Mexican Restaurant"],
  dinner: ["Italian Restaurant", "Seafood Restaurant", "American Restaurant", "Steakhouse", "Japanese Restaurant"],
  brunch: ["Breakfast & Brunch Place", "Diner", "Bagel Shop", "Café"],
  bar: ["Bar", "Pub"],
  gym: ["Gym", "Yoga Studio"],
  groceries: ["Supermarket", "Convenience Store"],
  errand: ["Hardware Store", "Pharmacy", "Bookstore", "Pet Store", "Music Store"],
  cinema: ["Movie Theater"],
  beach: ["Beach"],
  sights: ["Museum", "Historic Site", "Art Gallery"],
  sweets: ["Ice Cream Shop"],
  shops: ["Gift Shop", "Bookstore", "Clothing Store"],
  bed: ["Inn", "Hotel", "Bed & Breakfast"],
} satisfies Record<string, string[]>;

/** Centres with a radius in metres. Home is the East Side of Providence. */
export const AREAS = {
  home: { lat: 41.829, lng: -71.402, radius: 1800 },
  downtown: { lat: 41.824, lng: -71.413, radius: 1200 },
  city: { lat: 41.824, lng: -71.413, radius: 6000 },
  newport: { lat: 41.487, lng: -71.312, radius: 3500 },
  coast: { lat: 41.43, lng: -71.45, radius: 25000 },
  blockIsland: { lat: 41.173, lng: -71.566, radius: 6000 },
  bristol: { lat: 41.677, lng: -71.267, radius: 5000 },
};

/** `hours` are local. */
export interface Habit {
  kind: keyof typeof VISIT_KINDS;
  area: keyof typeof AREAS;
  chance: number;
  hours: readonly [number, number];
}

const habit = (kind: Habit["kind"], area: Habit["area"], chance: number, from: number, to: number): Habit => ({
  kind,
  area,
  chance,
  hours: [from, to],
});

const WORKDAY = [
  habit("coffee", "home", 0.45, 7.4, 8.8),
  habit("lunch", "downtown", 0.2, 12, 13.4),
  habit("errand", "city", 0.06, 17, 18),
];
const WITH_GYM = [...WORKDAY, habit("gym", "city", 0.3, 17.6, 18.8)];

/** From Sunday. */
export const WEEK: readonly (readonly Habit[])[] = [
  [habit("brunch", "home", 0.3, 9.5, 11.5), habit("groceries", "city", 0.45, 14, 17)],
  WITH_GYM,
  WORKDAY,
  [...WITH_GYM, habit("groceries", "city", 0.2, 19, 20)],
  [...WORKDAY, habit("cinema", "city", 0.08, 18.8, 19.5)],
  [...WITH_GYM, habit("dinner", "downtown", 0.25, 19, 20), habit("bar", "downtown", 0.45, 21, 23.7)],
  [
    habit("coffee", "home", 0.4, 9, 10.5),
    habit("errand", "city", 0.25, 11, 15),
    habit("dinner", "city", 0.3, 18.5, 20),
    habit("bar", "downtown", 0.45, 21, 23.7),
  ],
];

export const TRIPS = {
  beach: [
    habit("coffee", "home", 0.4, 8, 9),
    habit("beach", "coast", 1, 10.5, 13),
    habit("sweets", "coast", 0.6, 15, 16.5),
    habit("dinner", "newport", 0.4, 18, 19.8),
  ],
  newport: [
    habit("sights", "newport", 0.9, 10.5, 12.5),
    habit("lunch", "newport", 0.5, 12.8, 14),
    habit("shops", "newport", 0.5, 14.3, 16),
    habit("bar", "newport", 0.5, 19, 22.5),
  ],
  blockIsland: [habit("bar", "blockIsland", 0.8, 13, 17), habit("bed", "blockIsland", 1, 18, 20)],
} satisfies Record<string, readonly Habit[]>;

/** By month-day. */
export const HOLIDAYS: Record<string, readonly Habit[]> = {
  "01-01": [habit("brunch", "home", 0.9, 11, 13)],
  "07-04": [habit("coffee", "bristol", 0.8, 8, 9.5), habit("sweets", "bristol", 0.8, 14, 16)],
  thanksgiving: [],
  "12-24": [habit("groceries", "city", 1, 9, 11), habit("shops", "city", 0.7, 13, 16)],
  "12-25": [],
  "12-31": [habit("dinner", "downtown", 1, 19, 20), habit("bar", "downtown", 1, 22, 23.8)],
};

export const SHOUTS: Partial<Record<Habit["kind"], readonly string[]>> = {
  coffee: [
    "First one today.",
    "Line out the door, still worth it.",
    "Iced, even in January.",
    "Trying the dark roast.",
  ],
  lunch: ["Working lunch.", "Best seat by the window.", "Extra pickles, please."],
  dinner: ["Somebody's birthday!", "Finally got a table.", "The chowder is as good as they say."],
  brunch: ["Pancakes for everyone.", "Slow Sunday."],
  bar: ["Trivia night!", "Live band tonight.", "One drink, I promise.", "Go Sox!"],
  gym: ["Back at it.", "Leg day."],
  groceries: ["Forgot the list. Again."],
  cinema: ["Popcorn for dinner."],
  beach: ["Water is warmer than it looks.", "Perfect waves today.", "Found parking before ten!"],
  sights: ["Rainy day plan.", "Only took me ten years to visit."],
  sweets: ["Coffee milk cone. Obviously.", "Two scoops."],
  bed: ["Staying the night."],
};
