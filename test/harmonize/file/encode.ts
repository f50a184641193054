import { encodingWatch } from "../../../src/files/encoding/encoding.ts";
import { type Encoding, encodingCalled } from "../../../src/shared/csv/text.ts";

/** The encoding that is guessed of a file that comes in pieces of so many bytes. */
export function guessed(bytes: Buffer, size = 16): Promise<Encoding> {
  const watch = encodingWatch();
  for (let at = 0; at < bytes.length; at += size) watch.see(bytes.subarray(at, at + size));
  return watch.encoding();
}

const tables = new Map<Encoding, Map<string, number[]>>();

/** The bytes of each character that has one or two in an encoding, as its decoder reads them. */
function tableOf(encoding: Encoding): Map<string, number[]> {
  const known = tables.get(encoding);
  if (known) return known;
  const decoder = new TextDecoder(encoding, { fatal: true });
  const table = new Map<string, number[]>();
  const enter = (...bytes: number[]) => {
    try {
      const char = decoder.decode(Uint8Array.from(bytes));
      if ([...char].length === 1 && !table.has(char)) table.set(char, bytes);
    } catch {
      // These are no character.
    }
  };
  for (let one = 0; one < 256; one += 1) enter(one);
  for (let one = 0x81; one < 0xff; one += 1) for (let other = 0x40; other < 0xff; other += 1) enter(one, other);
  tables.set(encoding, table);
  return table;
}

/** A text in an encoding; a character that it lacks is left out. */
export function encode(text: string, encoding: Encoding): Buffer {
  if (encoding === "utf-8") return Buffer.from(text);
  if (encoding !== "iso-2022-jp") return Buffer.from([...text].flatMap((char) => tableOf(encoding).get(char) ?? []));
  const japanese = tableOf("euc-jp");
  const bytes = text
    .split(/([^\0-\x7f]+)/)
    .flatMap((part, at) =>
      at % 2 === 0
        ? [...Buffer.from(part)]
        : [
            ...Buffer.from("\x1b$B"),
            ...[...part].flatMap((char) => japanese.get(char) ?? []).map((byte) => byte & 0x7f),
            ...Buffer.from("\x1b(B"),
          ],
    );
  return Buffer.from(bytes);
}

/** Names, streets and towns of a country, and the encodings its lists come in. */
const LISTS: [encodings: string, names: string, streets: string, towns: string][] = [
  [
    "windows-1251 koi8-r iso-8859-5 ibm866 x-mac-cyrillic utf-8",
    "Кафе Пушкин,Магазин Продукты,Аптека Здоровье,Ресторан Прага,Школа №5",
    "улица Ленина,проспект Мира,Невский проспект",
    "Москва,Казань,Самара",
  ],
  [
    "windows-1251 koi8-u",
    "Кав'ярня Їжак,Піцерія Європа,Аптека Здоров'я,Пекарня Хлібна",
    "вулиця Хрещатик,вулиця Лесі Українки",
    "Київ,Львів,Одеса",
  ],
  [
    "gb18030 utf-8",
    "西湖茶馆,灵隐面馆,中国银行,人民医院,新华书店,外婆家餐厅",
    "延安路,中山北路,解放东路",
    "杭州市,北京市,上海市",
  ],
  [
    "big5",
    "鼎泰豐,誠品書店,台北車站,國立臺灣大學,便利商店,永康牛肉麵",
    "忠孝東路,信義路,和平東路",
    "臺北市,高雄市,臺中市",
  ],
  [
    "shift_jis euc-jp iso-2022-jp utf-8",
    "スターバックスコーヒー,東京駅,セブンイレブン,ラーメン二郎,郵便局,すし屋さくら",
    "千代田区丸の内,新宿区西新宿,渋谷区道玄坂",
    "東京都,大阪市,京都市",
  ],
  [
    "euc-kr",
    "스타벅스,서울역,국민은행,이마트,김밥천국,파리바게뜨",
    "세종대로,강남대로,테헤란로",
    "서울특별시,부산광역시,대구광역시",
  ],
  [
    "windows-1252 macintosh utf-8",
    "Bäckerei Müller,Café Größe,Gasthaus Zum Löwen,Apotheke Süd,Schulze GmbH",
    "Hauptstraße,Königsallee,Bahnhofstraße",
    "Köln,München,Düsseldorf",
  ],
  [
    "windows-1252",
    "Café de la Gare,Boulangerie Génin,Hôtel des Îles,Crêperie Bretonne",
    "rue de l'Église,avenue Foch",
    "Orléans,Besançon,Nîmes",
  ],
  [
    "windows-1250 iso-8859-2",
    "Kawiarnia Śródmieście,Piekarnia Żółw,Restauracja Wisła,Księgarnia Łódź",
    "ulica Długa,ulica Świętokrzyska",
    "Łódź,Kraków,Gdańsk",
  ],
  [
    "windows-1253 iso-8859-7",
    "Καφενείο Αθήνα,Φαρμακείο Υγεία,Ξενοδοχείο Ήλιος,Ταβέρνα Πλάκα",
    "Οδός Ερμού,Λεωφόρος Συγγρού",
    "Αθήνα,Πάτρα",
  ],
  [
    "windows-1254",
    "Kahve Dünyası,Çarşı Eczanesi,Şişli Fırını,Güneş Oteli,İstanbul Lokantası",
    "İstiklal Caddesi,Atatürk Bulvarı",
    "İstanbul,Eskişehir",
  ],
  ["windows-1255 iso-8859-8", "קפה ירושלים,בית מרקחת,מסעדת הים,מלון דוד", "רחוב הרצל,שדרות רוטשילד", "תל אביב,חיפה"],
  [
    "windows-1256 iso-8859-6",
    "مقهى القاهرة,صيدلية الشفاء,مطعم النيل,فندق السلام",
    "شارع التحرير,شارع الهرم",
    "القاهرة,الرياض",
  ],
  ["windows-1257", "Kafejnīca Rīga,Aptieka Veselība,Šķūnis,Ēdnīca Ķekava", "Brīvības iela,Dārza iela", "Rīga,Jūrmala"],
  ["windows-874", "ร้านกาแฟ,โรงแรมสุโขทัย,ธนาคารกรุงเทพ,ร้านอาหารไทย", "ถนนสุขุมวิท,ถนนสีลม", "กรุงเทพ,เชียงใหม่"],
];

/** A list of each country in each of its encodings, with so many rows. */
export const lists = (rows: number): [encoding: Encoding, text: string][] =>
  LISTS.flatMap(([encodings, ...columns]) => {
    const [names = [], streets = [], towns = []] = columns.map((column) => column.split(","));
    const pick = (from: string[], at: number) => from[at % from.length] ?? "";
    const lines = Array.from(
      { length: rows },
      (_, at) =>
        `${at},${pick(names, at)},${pick(streets, at + 1)} ${at * 7 + 1},${pick(towns, at + 2)},41.${800 + at},-71.4`,
    );
    const text = `id,name,address,city,lat,lng\r\n${lines.join("\r\n")}\r\n`;
    return encodings.split(" ").flatMap((label): [Encoding, string][] => {
      const encoding = encodingCalled(label);
      return encoding ? [[encoding, text]] : [];
    });
  });
