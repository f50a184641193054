import { normalizeName } from "../../../matching/normalize/normalize.ts";
import { allCategories, descendantIds, searchCategories } from "../../categories/tree.ts";

export interface Kind {
  words: string[];
  ids: Set<string>;
}

/** The whole text must name them: "coffee", "coffee shops", "movies". */
export function categoriesCalled(text: string): Set<string> {
  const called = SYNONYMS.get(text)?.flatMap((name) => BY_NAME.get(name) ?? []);
  const found = called ?? (GENERIC.has(text) ? [] : searchCategories(text).map(({ id }) => id));
  return new Set(found.flatMap(descendantIds));
}

export function kindsIn(term: readonly string[]): Kind[] {
  const kinds: Kind[] = [];
  for (const fromStart of [true, false])
    for (let count = Math.min(4, term.length); count > 0; count--) {
      const some = fromStart ? term.slice(0, count) : term.slice(-count);
      const ids = categoriesCalled(some.join(" "));
      if (ids.size === 0) continue;
      if (!kinds.some((kind) => kind.words.join() === some.join())) kinds.push({ words: some, ids });
      break;
    }
  return kinds;
}

/** Too common in category names to identify one. */
const GENERIC = new Set(
  "shop shops store stores place places center centers service services house hall home club supply supplies".split(
    " ",
  ),
);

const BY_NAME = new Map(allCategories.map(({ id, name }) => [normalizeName(name), id]));

const SYNONYMS = new Map(
  `cafe, cafes: cafe, coffee shop
   coffee: coffee shop, cafe
   coffee house, coffeehouse, espresso: coffee shop, cafe
   gas, petrol, petrol station, fuel: gas station
   grocery, groceries, grocery store, grocery stores, supermarkets: supermarket, food and grocery
   movies, movie theatre, movie theatres, cinema, cinemas, multiplex: movie theater
   theatre, theatres: theater, performing arts
   burger, burgers, hamburgers: burger place
   pizza, pizzas, pizzeria, pizzerias, pizza shop: pizza place
   bbq, barbeque: barbecue restaurant
   atm, atms, bank, banks: bank and cash machine
   drugstore, drugstores, drug store, chemist, chemists: pharmacy
   doughnut, doughnuts: donut shop
   sub, subs, sandwich: sandwich place
   ice cream parlor, gelato, frozen yogurt: ice cream shop
   laundry, laundrette, launderette: laundromat, dry cleaner
   hairdresser, hairdressers, haircut, beauty salon, salon: hair salon
   barbershop, barber shop, barber shops: barber
   bar, bars: bar, pub
   pub, pubs, tavern, taverns: pub, bar
   club, clubs, disco: nightclub
   bookshop, bookshops, book store, book stores: bookstore
   hotel, hotels: hotel, inn, motel, resort
   b and b, bed and breakfast: bed and breakfast
   vet, vets, animal hospital: veterinarian
   fitness center, health club: gym, fitness
   off licence, package store, wine shop: liquor store
   car mechanic, mechanic, garage: auto repair shop
   rent a car: car rental
   parking garage, parking lot, car park: parking
   subway station, train: train station
   er, emergency room: hospital
   dentists office: dentist
   daycare, day care: preschool and child care
   college, university: college, university
   bike shop: bicycle shop`
    .split("\n")
    .flatMap((line) => {
      const [called = "", names = ""] = line.split(":");
      const ours = names.split(",").map((name) => name.trim());
      const spoken = called.includes(",") ? called.split(",") : [called];
      return spoken.map((each) => [each.trim(), ours] as const);
    }),
);
