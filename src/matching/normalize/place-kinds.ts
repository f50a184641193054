import { latinOf } from "./latin.ts";
import { normalizeName } from "./normalize.ts";

/** Scripts that put no blanks between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Hangul}\p{Script=Thai}]/u;

/**
 * What kind of place a word of a name tells of. A word may tell of several: "inn" is lodging and a bar. Two names that differ
 * by such words differ in kind, and one that has such a word more is often a part or a neighbour of the other: "X Car Park".
 * What is not in Latin letters stands here as people write it; the first word of a kind is in English.
 */
const KINDS_AND_WORDS = {
  food: "restaurant restaurante ristorante restoran diner bistro brasserie eatery grill grille kitchen canteen cafeteria takeaway pizzeria pizza pizzas trattoria osteria steakhouse steak buffet bbq barbecue sushi noodle noodles ramen curry kebab kebabs burger burgers sandwich sandwiches deli delicatessen chicken seafood rotisserie tandoori cantina taqueria taco tacos creperie food foods dining chippy chips cuisine bagel bagels donut donuts doughnuts gelato kopitiam kedai makan warung hawker wok ресторан 餐厅 餐廳 食堂 酒楼 酒樓 饭馆 飯館 レストラン 식당 ร้านอาหาร",
  coffee:
    "cafe caffe coffee coffeehouse tea tearoom teahouse espresso bakery bakeries boulangerie patisserie roasters coffeeshop kaffee kopi кафе кофейня 咖啡馆 咖啡館 咖啡厅 咖啡廳 咖啡 喫茶 カフェ 카페 ร้านกาแฟ",
  bar: "bar pub tavern taverne inn lounge brewery taproom brewpub alehouse saloon club nightclub wine winebar cocktail beer bierhaus bodega",
  lodging:
    "hotel hotels hostel motel guesthouse lodge suites inn bnb apartments resort backpackers hospitz pension pousada auberge albergo hotell hostal отель гостиница 酒店 飯店 饭店 宾馆 賓館 旅馆 旅館 ホテル 호텔 โรงแรม",
  shop: "shop shoppe store stores boutique market supermarket superstore supermercado mercado mart minimart minimarket outlet emporium newsagent newsagents grocery grocers convenience jewellers jewelers florist florists books bookshop bookstore furniture toys shoes clothing fashion gifts gallery магазин 商店 超市 マート 마트",
  fuel: "petrol fuel gas filling azs азс",
  hair: "salon hair hairdressing hairdressers hairdresser barber barbers beauty nails nail spa",
  health:
    "hospital clinic polyclinic medical surgery dental dentist dentists dentistry doctors health healthcare physiotherapy veterinary vet vets optician opticians vision optical neurology neurosurgery pediatric pediatrics md больница 医院 醫院 病院 クリニック 병원 โรงพยาบาล",
  pharmacy: "pharmacy chemist drugstore apotheke pharmacie farmacia аптека 药房 藥房 药店 藥局 薬局 약국",
  bank: "bank banking banco banque sparkasse credit mortgage банк 银行 銀行 은행 ธนาคาร",
  post: "post postal correios",
  transit:
    "station bus tram metro mrt lrt subway railway rail train interchange terminal terminus ferry pier airport bahnhof gare estacion stazione вокзал станция метро 地铁站 地鐵站 捷運站 捷运站 火车站 火車站 车站 車站 站 駅 역",
  stop: "stop busstop halt stand taxi taxis rank остановка 公交站 巴士站 バス停留所 バス停 정류장",
  machine:
    "atm geldautomat bankomat cashpoint kiosk locker lockers payphone recharge charging charger банкомат 取款机 提款機",
  entrance:
    "entrance exit gate lobby playground toilet toilets restroom restrooms elevator lift escalator platform reception",
  parking: "parking carpark garage parkhaus parkplatz estacionamiento парковка 停车场 停車場 駐車場 주차장",
  park: "park garden gardens green meadow meadows field fields links common parque jardin парк 公园 公園 공원",
  worship:
    "church cathedral chapel mosque masjid temple synagogue parish gurdwara shrine abbey kirk tabernacle baptist methodist iglesia igreja kirche eglise церковь храм 教堂 教会 教會 神社 寺 교회 วัด",
  school:
    "school college university academy institute campus nursery kindergarten preschool faculty department library escola escuela ecole schule школа университет 大学 大學 学校 學校 小学 小學 中学 中學 대학교 대학 학교 โรงเรียน มหาวิทยาลัย",
  residence:
    "apartment apartments condo condominium condominiums residences residence flats house court villas tower towers mansions block blk residency",
  office: "office offices building plaza tower towers centre center house complex chambers suite annex annexe",
  sport: "gym fitness pool swimming stadium arena sports golf tennis yoga pilates leisure gimnasio",
  culture:
    "museum gallery theatre theater cinema cinemas library exhibition hall museo musee teatro kino музей театр 博物馆 博物館 美术馆 美術館 박물관",
  mall: "mall plaza centre center arcade shopping 购物中心 購物中心 商场 商場",
  street: "street st road rd avenue ave lane ln drive dr way bridge square sq place pl terrace crescent close walk",
  service:
    "service services wash carwash parts photo delivery pickup auto tire tires repair repairs money training grooming rental hire desk office",
} as const;

type PlaceKind = keyof typeof KINDS_AND_WORDS;

const bitOf = (kind: PlaceKind): number => 1 << Object.keys(KINDS_AND_WORDS).indexOf(kind);

const bitsOf = (...kinds: PlaceKind[]): number => kinds.reduce((bits, kind) => bits | bitOf(kind), 0);

/** Names gain and lose the words for what is done there: "Blue Door", "Blue Door Cafe". */
export const TRADES = bitsOf("food", "coffee", "bar", "lodging", "shop", "hair");

/** What stores and hospitals have in the same house, under their name. */
export const DEPARTMENTS = bitsOf("service", "fuel", "bank", "pharmacy", "health", "post");

/** Places that have others in them: what "X University" has more, in "X University Bookstore", is a department of it. */
export const INSTITUTIONS = bitsOf("health", "school", "worship", "culture", "sport", "mall", "lodging", "park");

/** What belongs to a place, bears its name and is hardly ever meant by it: "X ATM", "X Car Park". */
export const BELONGINGS = bitsOf("machine", "entrance", "parking");

/** Where vehicles stop in front of a place, and have its name: an airport's tram stop may be meant by the airport. */
export const STOPS = bitsOf("stop");

/** The kinds that a normalized word in Latin letters tells of, a bit each; 0 for any other word. */
export const kindsOfWord = (word: string): number => KINDS.get(word) ?? 0;

const KINDS = new Map<string, number>();

/** Words of scripts without blanks, and the English word for each. */
const TRANSLATIONS = new Map<string, string>();

for (const [kind, list] of Object.entries(KINDS_AND_WORDS)) {
  const [english = "", ...others] = list.split(" ").map(normalizeName);
  for (const word of [english, ...others])
    if (UNSPACED.test(word)) TRANSLATIONS.set(word, english);
    else KINDS.set(latinOf(word), kindsOfWord(latinOf(word)) | bitOf(kind as PlaceKind));
}

/** Within a name, or, of one sign, at its end. The longer first. */
const TRANSLATED = new RegExp(
  [...TRANSLATIONS.keys()]
    .sort((a, b) => b.length - a.length)
    .map((word) => (word.length > 1 ? word : `${word}(?!\\p{L})`))
    .join("|"),
  "gu",
);

/**
 * Puts English words for the kinds of places that a normalized Chinese, Japanese, Korean or Thai name tells of: these names
 * have no blanks, and read in Latin letters, syllable by syllable, nothing would be found.
 */
export function translateKinds(nameNorm: string): string {
  if (!UNSPACED.test(nameNorm)) return nameNorm;
  return nameNorm.replace(TRANSLATED, (word) => ` ${TRANSLATIONS.get(word)} `).trim();
}

/** Words that names gain and lose without meaning another place. */
export const isFiller = (word: string): boolean => FILLERS.has(word);

const FILLERS = new Set(
  "the and of at a an in on by for de la le el und der die das del di da du des les los las y e et co inc llc ltd limited plc pte company corp corporation gmbh kft sa sl srl ag bv llp pty sdn bhd ltda me ооо".split(
    " ",
  ),
);
