import { latinOf } from "./latin.ts";
import { normalizeName } from "./normalize.ts";
import { isAscii } from "./repair.ts";

/** Scripts with few or no spaces between words. */
export const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Hangul}\p{Script=Thai}]/u;

/**
 * Words of names, by the kind of place they stand for. "Inn" stands for two: lodging and bar. Names that differ by such
 * words differ in kind, and a name with an extra one is often that of a part or a neighbour: "X Car Park". Words that
 * are not in Latin letters are translated to the first, English word of the kind.
 */
const KINDS_AND_WORDS = {
  food: "restaurant restaurante ristorante restoran diner bistro brasserie eatery grill grille kitchen canteen cafeteria takeaway pizzeria pizza pizzas trattoria osteria taverna gasthof gasthaus steakhouse steak buffet bbq barbecue sushi noodle noodles ramen curry kebab kebabs burger burgers sandwich sandwiches deli delicatessen chicken seafood rotisserie tandoori cantina taqueria taco tacos creperie food foods dining chippy chips cuisine bagel bagels donut donuts doughnuts gelato kopitiam kedai makan warung hawker wok ресторан 餐厅 餐廳 食堂 酒楼 酒樓 饭馆 飯館 レストラン 식당 ร้านอาหาร مطعم מסעדה ταβερνα εστιατοριο रेस्टोरेंट भोजनालय რესტორანი ռեստորան",
  coffee:
    "cafe caffe coffee coffeehouse tea tearoom teahouse espresso bakery bakeries boulangerie patisserie roasters coffeeshop kaffee kopi кафе кофейня 咖啡馆 咖啡館 咖啡厅 咖啡廳 咖啡 喫茶 カフェ 카페 ร้านกาแฟ مقهى كافيه קפה καφε καφενειο कैफे კაფე",
  bar: "bar pub tavern taverne inn lounge brewery taproom brewpub alehouse saloon club nightclub wine winebar cocktail beer bierhaus bodega",
  lodging:
    "hotel hotels hostel motel guesthouse lodge suites inn bnb apartments resort backpackers hospitz pension pousada auberge albergo hotell hostal отель гостиница 酒店 飯店 饭店 宾馆 賓館 旅馆 旅館 ホテル 호텔 โรงแรม فندق מלון ξενοδοχειο होटल სასტუმრო հյուրանոց 大酒店 大饭店 大飯店",
  shop: "shop shoppe store stores boutique market supermarket superstore supermercado mercado mart minimart minimarket outlet emporium newsagent newsagents grocery grocers convenience jewellers jewelers florist florists books bookshop bookstore furniture toys shoes clothing fashion gifts gallery магазин 商店 超市 マート 마트 متجر κατάστημα मार्केट",
  fuel: "petrol fuel gas filling azs азс",
  hair: "salon hair hairdressing hairdressers hairdresser barber barbers beauty nails nail spa парикмахерская 美容院 理发店",
  health:
    "hospital clinic polyclinic medical surgery dental dentist dentists dentistry doctors health healthcare physiotherapy veterinary vet vets optician opticians vision optical neurology neurosurgery pediatric pediatrics md больница 医院 醫院 病院 クリニック 병원 โรงพยาบาล مستشفى عيادة בית-חולים νοσοκομειο अस्पताल საავადმყოფო больницы",
  pharmacy:
    "pharmacy chemist drugstore apotheke pharmacie farmacia аптека 药房 藥房 药店 藥局 薬局 약국 صيدلية מרקחת φαρμακειο აფთიაქი",
  bank: "bank banking banco banque sparkasse credit mortgage банк 银行 銀行 은행 ธนาคาร بنك בנק τραπεζα बैंक ბანკი",
  post: "post postal correios",
  transit:
    "station bus tram metro mrt lrt subway railway rail train interchange terminal terminus ferry pier airport bahnhof gare estacion stazione вокзал станция метро 地铁站 地鐵站 捷運站 捷运站 火车站 火車站 车站 車站 站 駅 역",
  stop: "stop busstop halt stand taxi taxis rank остановка 公交站 巴士站 バス停留所 バス停 정류장",
  machine:
    "atm geldautomat bankomat cashpoint kiosk locker lockers payphone recharge charging charger банкомат 取款机 提款機 صراف",
  entrance:
    "entrance exit gate lobby playground toilet toilets restroom restrooms elevator lift escalator platform reception بوابة שער ворота",
  parking: "parking carpark garage parkhaus parkplatz estacionamiento парковка 停车场 停車場 駐車場 주차장",
  park: "park garden gardens green meadow meadows field fields links common parque jardin парк 公园 公園 공원",
  worship:
    "church cathedral chapel mosque masjid temple synagogue parish gurdwara shrine abbey kirk tabernacle baptist methodist iglesia igreja kirche eglise церковь храм 教堂 教会 教會 神社 寺 교회 วัด مسجد كنيسة מסגד εκκλησια मंदिर",
  school:
    "school college university academy institute campus nursery kindergarten preschool faculty department library escola escuela ecole schule школа университет 大学 大學 学校 學校 小学 小學 中学 中學 대학교 대학 학교 โรงเรียน มหาวิทยาลัย مدرسة جامعة σχολειο विद्यालय სკოლა",
  residence:
    "apartment apartments condo condominium condominiums residences residence flats house court villas tower towers mansions block blk residency",
  office:
    "office offices building buildings manor castle palace palais palazzo palacio schloss estate courthouse headquarters hq campus 大厦 大廈 大楼 大樓 ビル 빌딩 plaza tower towers centre center house complex chambers suite annex annexe برج مبنى",
  sport: "gym fitness pool swimming stadium arena sports golf tennis yoga pilates leisure gimnasio",
  culture:
    "museum gallery theatre theater cinema cinemas library exhibition hall museo musee teatro kino музей театр 博物馆 博物館 美术馆 美術館 박물관",
  mall: "mall plaza centre center arcade shopping 购物中心 購物中心 商场 商場",
  street: "street st road rd avenue ave lane ln drive dr way bridge square sq place pl terrace crescent close walk",
  cuisine:
    "chinese cantonese szechuan sichuan thai korean japanese vietnamese indian nepalese pakistani bengali malaysian indonesian italian mexican spanish greek turkish lebanese ethiopian peruvian vegan vegetarian halal",
  craft:
    "tattoo tattoos parlour parlor piercing tailor tailors tailoring bridal butcher butchers tour tours travel cleaners laundry launderette laundrette laundromat solicitors lawyers attorneys accountants insurance photography photographers plumbing plumbers electricians roofing motors hardware opticians cobbler locksmith locksmiths antiques carpets upholstery stationers",
  service:
    "service services wash carwash parts photo delivery pickup auto tire tires repair repairs money training grooming rental hire desk office",
} as const;

type PlaceKind = keyof typeof KINDS_AND_WORDS;

const bitOf = (kind: PlaceKind): number => 1 << Object.keys(KINDS_AND_WORDS).indexOf(kind);

const bitsOf = (...kinds: PlaceKind[]): number => kinds.reduce((bits, kind) => bits | bitOf(kind), 0);

/** What is done there, which a name may state or omit: "Blue Door", "Blue Door Cafe". */
export const TRADES = bitsOf("food", "cuisine", "coffee", "bar", "lodging", "shop", "hair", "craft");

/** All that a name may state or omit: trades, and "Pharmacy" or "Bank" as in "CVS Pharmacy", "Union Bank". */
export const LEFT_OUT = TRADES | bitsOf("pharmacy", "bank");

/** What stores and hospitals have in the same building, under their name. */
export const DEPARTMENTS = bitsOf("service", "fuel", "bank", "pharmacy", "health", "post");

/** Places with departments: the extra word of "X University Bookstore" names one of "X University". */
export const INSTITUTIONS = bitsOf("health", "school", "worship", "culture", "sport", "mall", "lodging", "park");

/** Places with rooms, wards, shops or platforms under their name: the extra word of "X Tower Ballroom" names one. */
export const CONTAINERS = INSTITUTIONS | bitsOf("office", "residence", "transit", "parking", "bank", "post");

/** What belongs to a place and bears its name, but is hardly ever meant by that: "X ATM", "X Car Park". */
export const BELONGINGS = bitsOf("machine", "entrance", "parking");

/** Transit stops in front of a place, with its name. A listing of an airport may mean its tram stop. */
export const STOPS = bitsOf("stop");

/** Returns the kinds of place of a normalized word in Latin letters, one bit each; 0 for any other word. */
export const kindsOfWord = (word: string): number => KINDS.get(word) ?? 0;

const KINDS = new Map<string, number>();

/** The English translation of each word in an UNSPACED script. */
const TRANSLATIONS = new Map<string, string>();

/** The English translation of each word in any other script but Latin. */
const WORDS_ABROAD = new Map<string, string>();
const NOT_LATIN = /(?!\p{Script=Latin})\p{L}/u;

for (const [kind, list] of Object.entries(KINDS_AND_WORDS)) {
  const [english = "", ...others] = list.split(" ").map(normalizeName);
  for (const word of [english, ...others])
    if (UNSPACED.test(word)) TRANSLATIONS.set(word, english);
    else if (NOT_LATIN.test(word)) WORDS_ABROAD.set(word, english);
    else KINDS.set(latinOf(word), kindsOfWord(latinOf(word)) | bitOf(kind as PlaceKind));
}

/** Words anywhere in a name; those of one character only before a word break. Longer ones come first. */
const TRANSLATED = new RegExp(
  [...TRANSLATIONS.keys()]
    .sort((a, b) => b.length - a.length)
    .map((word) => (word.length > 1 ? word : `${word}(?!\\p{L})`))
    .join("|"),
  "gu",
);

/**
 * Translates the words for kinds of place in a normalized name to English, unless its script is Latin. In UNSPACED
 * scripts they are found inside the text: after romanization, syllable by syllable, they would not be recognized.
 */
export function translateKinds(nameNorm: string): string {
  if (isAscii(nameNorm) || !NOT_LATIN.test(nameNorm)) return nameNorm;
  if (!UNSPACED.test(nameNorm)) {
    const wordIn = (word: string) => WORDS_ABROAD.get(word) ?? WORDS_ABROAD.get(word.replace(/^ال/, "")) ?? word;
    const phrased = nameNorm.replace(HEBREW_HOUSES, (_, what: string) => HOUSES[what] ?? "");
    return phrased.split(" ").map(wordIn).join(" ");
  }
  const translated = nameNorm
    .replace(LEGAL, " ")
    .replace(TRANSLATED, (word) => ` ${TRANSLATIONS.get(word)} `)
    .trim();
  return translated || nameNorm;
}

/** Kinds of place that Hebrew calls "house of" something. */
const HOUSES: Record<string, string> = {
  ...{ קפה: "cafe", ספר: "school", חולים: "hospital", מרקחת: "pharmacy", כנסת: "synagogue" },
};
const HEBREW_HOUSES = new RegExp(`(?<!\\p{L})בית (${Object.keys(HOUSES).join("|")})(?!\\p{L})`, "gu");

/** Legal forms in Chinese, Japanese, Korean and Thai. */
const LEGAL = /股份有限公司|有限责任公司|有限責任公司|有限公司|株式会社|有限会社|合同会社|주식회사|บริษัท|จำกัด/gu;

/** Whether a word is an article, a preposition, a legal form or the like, which names gain and lose. */
export const isFiller = (word: string): boolean => FILLERS.has(word);

const FILLERS = new Set(
  "the and of at a an in on by for de la le el und der die das del di da du des les los las y e et co inc llc ltd limited plc pte company corp corporation gmbh kft sa sl srl sarl sas ag bv nv llp pty pvt sdn bhd ltda oy me ооо".split(
    " ",
  ),
);
