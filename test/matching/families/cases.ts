import type { Listing } from "../../../src/matching/prepare.ts";

type Side = Partial<Listing> & { name: string };

/** Two records `metres` apart, and whether they are one place. Written by hand, in twelve scripts. */
export interface Case {
  one: Side;
  other: Side;
  metres: number;
  isSame: boolean;
}

const same = (one: Side, other: Side, metres = 20): Case => ({ one, other, metres, isSame: true });
const another = (one: Side, other: Side, metres = 20): Case => ({ one, other, metres, isSame: false });
const at = (name: string, address: string, more: Partial<Listing> = {}): Side => ({ name, address, ...more });

/** Addresses in their national forms. */
const ADDRESSES: Case[] = [
  same(at("Banco Andino", "Cra. 7 No. 71-21"), at("Banco Andino", "Carrera 7 # 71-21"), 60),
  another(at("Banco Andino", "Cra. 7 No. 71-21"), at("Banco Andino", "Carrera 7 # 82-40"), 350),
  same(at("Kovács Fogászat", "Váci utca 10. I. em. 3."), at("Kovacs Fogaszat", "Váci u. 10"), 40),
  same(at("さくら歯科", "中央区銀座2丁目8番1号"), at("さくら歯科", "銀座2-8-1"), 40),
  another(at("さくら歯科", "銀座2丁目8番1号"), at("さくら歯科", "銀座6丁目3番2号"), 400),
  same(at("Corner Dental", "15/A High Street"), at("Corner Dental", "15A High St"), 40),
  same(at("Galeria Forma", "ul. Długa 5/7"), at("Galeria Forma", "Długa 5 m. 7"), 40),
  same(at("Padaria Lisboa", "Rua Augusta, 1508 - Loja 2"), at("Padaria Lisboa", "R. Augusta 1508"), 40),
  same(at("صيدلية الشفاء", "شارع الملك ١٢"), at("صيدلية الشفاء", "شارع الملك 12"), 40),
  same(at("Trattoria Nonna", "Via Roma 12/b"), at("Trattoria Nonna", "Via Roma, 12"), 40),
  same(at("Bäckerei Vogt", "Hauptstr. 5, Hinterhaus, 2. OG"), at("Bäckerei Vogt", "Hauptstraße 5"), 40),
  same(at("Аптека Здоровье", "ул. Ленина, д. 15, стр. 2"), at("Аптека Здоровье", "улица Ленина 15"), 40),
  same(at("永和豆浆", "中山路12号3楼"), at("永和豆浆", "中山路12号"), 40),
  same(at("Studio Nord", "Storgata 4, 2. etg"), at("Studio Nord", "Storgt. 4"), 40),
  same(at("Café Central", "4 bis, rue de la Paix"), at("Cafe Central", "4 rue de la Paix"), 40),
  same(at("Eczane Yıldız", "Atatürk Cad. No:15 Kat:2 D:4"), at("Yıldız Eczane", "Atatürk Caddesi 15"), 40),
];

/** Names in two scripts, or in one that is not Latin. */
const SCRIPTS: Case[] = [
  same({ name: "Кафе Пушкин" }, { name: "Cafe Pushkin" }),
  same({ name: "Ταβέρνα Ακρόπολις" }, { name: "Taverna Akropolis" }),
  same({ name: "スターバックス" }, { name: "Starbucks" }),
  same({ name: "მარიამი" }, { name: "Mariami" }),
  same({ name: "فندق هيلتون" }, { name: "Hilton Hotel" }),
  same({ name: "בית קפה נמרוד" }, { name: "Nimrod Cafe" }),
  same({ name: "होटल ताज" }, { name: "Hotel Taj" }),
  same({ name: "롯데리아" }, { name: "Lotteria" }),
  same({ name: "โรงแรมสยาม" }, { name: "Siam Hotel" }),
  same({ name: "Երևան Պլազա" }, { name: "Yerevan Plaza" }),
  another({ name: "Кафе Пушкин" }, { name: "Cafe Gogol" }),
  another({ name: "فندق هيلتون" }, { name: "Marriott Hotel" }),
  another({ name: "スターバックス" }, { name: "Tully's" }),
  same({ name: "麦当劳" }, { name: "麦当劳餐厅" }),
  same({ name: "北京腾飞科技有限公司" }, { name: "腾飞科技" }),
  same({ name: "星巴克（南京路店）" }, { name: "星巴克" }),
  another({ name: "中国银行" }, { name: "中国工商银行" }),
  another({ name: "和平饭店" }, { name: "和平饭店停车场" }),
  another({ name: "第一小学" }, { name: "第二小学" }),
  another({ name: "大阪市立北小学校" }, { name: "大阪市立南小学校" }),
  another({ name: "서울은행" }, { name: "한국은행" }),
  another({ name: "โรงเรียนวัดเหนือ" }, { name: "โรงเรียนวัดใต้" }),
  same({ name: "مطعم الأندلس" }, { name: "مطعم الاندلس" }),
  another({ name: "مدرسة النور للبنين" }, { name: "مدرسة النور للبنات" }),
];

/** Names in Latin script. */
const NAMES: Case[] = [
  same({ name: "CVS" }, { name: "CVS Pharmacy" }),
  same({ name: "Motel Six" }, { name: "Motel 6" }),
  same({ name: "Bldg 14" }, { name: "Building 14" }),
  same({ name: "Nomad" }, { name: "Nomad Korean Restaurant" }, 3),
  same(at("Sunnyside Diner", "12 Elm St"), at("Sunny Side Dyner", "12 Elm Street"), 3),
  same(
    at("Old Mill", "9 Dock Rd", { phone: "401 555 0110" }),
    at("Rossi's", "9 Dock Road", { phone: "4015550110" }),
    5,
  ),
  same({ name: "Hair by Zoe" }, { name: "Hair By Zoë Ltd." }),
  same({ name: "Gasthof Löwen" }, { name: "Gasthaus Loewen" }),
  same({ name: "Dunkin Donuts" }, { name: "Dunkin' Doughnuts" }),
  same({ name: "Mc Gregor's Pub" }, { name: "McGregors" }),
  another({ name: "First Baptist Church" }, { name: "First Methodist Church" }),
  another({ name: "Providence Police Department" }, { name: "Providence Fire Department" }),
  another({ name: "Dr. Alan Weiss" }, { name: "Dr. Karen Weiss" }),
  another({ name: "St. Mary's Church" }, { name: "St. Mark's Church" }),
  another({ name: "Service Plaza Northbound" }, { name: "Service Plaza Southbound" }),
  another({ name: "Radiology Department" }, { name: "Cardiology Department" }),
  another({ name: "Acme Law, Harbor Tower" }, { name: "Bell Capital, Harbor Tower" }),
  another(at("Alpha Media", "1 Tower Plaza"), at("Beta Legal", "1 Tower Plaza"), 0),
  another({ name: "Grundschule Nord" }, { name: "Grundschule Süd" }),
  another({ name: "Gate 12" }, { name: "Gate 21" }),
  another({ name: "Hôpital Saint-Louis" }, { name: "Hôpital Saint-Louis Salle 12" }),
  another({ name: "Mercy Hospital" }, { name: "Mercy Hospital Helipad" }),
];

export const CASES: Case[] = [...ADDRESSES, ...SCRIPTS, ...NAMES];
