/** Usual column names, in English and the languages of the files so far, the clearest first. */
const NAMES = {
  id: `id ids ref reference storeid storecode storeno storenumber storenr uid uuid guid key rowid externalid externalref
    locationid locationcode placeid poiid listingid venueid branchid branchcode shopid shopcode siteid outletid
    filialnummer filialnr filialid kundennummer standortid marktid codigo identifiant identificador identificativo clave
    siret fsqplaceid osmid wofid sourceid partnerid merchantid branchcode storefrontid code nr no number`,
  lat: `lat latitude breite breitengrad geobreite latitud latitudine latitudedecimal latwgs84 gpslat geolat y ycoord coordy
    coordinatey latituden szerokosc szerokoscgeograficzna breddegrad latitud leveysaste pointy широта 纬度 緯度`,
  lng: `lng lon long longitude laenge lange geolaenge langengrad laengengrad longitud longitudine longitudedecimal lonwgs84
    lngwgs84 gpslon gpslng gpslong geolon geolng x xcoord coordx coordinatex dlugosc dlugoscgeograficzna lengdegrad
    longitudew pituusaste pointx долгота 经度 経度`,
  ll: `ll latlng latlon latlong coordinates coordinate coords koordinaten koordinate coordonnees coordonneesgps
    coordenadas coordinate geo geopoint geom geometry position point gps gpscoordinates wkt latitudelongitude geopoint2d
    geopunkt coordonneesgeo coordonneesgeographiques geolocalisation geolocation thegeom pointgeo centroid bbox`,
  name: `name names storename shopname locationname placename venuename sitename branchname outletname listingname poiname
    nom nometablissement nombre nombrecomercial filialname standortname marktname naam winkelnaam navn namn nome
    nomefantasia nimi nazwa nazev jmeno isim ad название имя наименование 名称 名前 店名 店舗名 店铺名称 enseigne insegna
    denomination denominacion denominazione establishmentname facilityname companyname
    organizationname organisationname displayname displaynametext appellation intitule bezeichnung businessname companyname firmenname bedrijfsnaam raisonsociale razonsocial ragionesociale
    unvan dba title label listing poi venue store shop outlet branch filiale standort geschaft negocio business company
    firma`,
  address: `address address1 addressline addressline1 addr addr1 street street1 streetaddress streetname fulladdress
    mailingaddress addrstreet addrfull adresse adresse1 adressepostale anschrift straße strasse straßehausnummer
    strassehausnummer strasseundhausnummer rue voie direccion domicilio calle indirizzo via endereco morada rua logradouro
    adres straat straatnaam adress gatuadress nomvoie nomdevoie nomrue libellevoie nombrevia nombredevia nombrecalle
    nomevia logradouronome nomelogradouro straßenname strassenname freeform addressfreeform streetaddr addresslines formattedaddress vejnavn
    gatenavn gatunamn adresvoie lineadireccion gate osoite katuosoite ulica adresa ulice cim utca adresi адрес улица 住所 地址`,
  city: `city town cityname locality municipality village place posttown addrcity addresslocality citytown towncity localityname cityortown nomcommune libellecommune comnom ort stadt ortschaft gemeinde wohnort ville
    commune localite ciudad localidad municipio poblacion citta comune localita cidade plaats woonplaats stad by poststed
    postort kaupunki kunta miasto miejscowosc mesto obec varos sehir ilce город 市 城市 市区町村`,
  state: `state stateprovince province region statecode provincecode addrstate addressregion administrativearea stateregion stateorprovince adminregion bundesland kanton canton provincia
    provincie regione comunidad comunidadautonoma estado uf departement departamento prefecture county wojewodztwo lan fylke
    il область регион 省 都道府県`,
  zip: `zip zipcode postcode postalcode postal zippostalcode addrpostcode zippostal postcodezip zippostcode pincode plz postleitzahl codepostal cp codigopostal
    cap codicepostale cep postnummer postnr postinumero kodpocztowy psc iranyitoszam postakodu индекс почтовыйиндекс 邮编 郵便番号`,
  country: `country countrycode countryname cc iso iso2 addrcountry addresscountry countryregion regioncountry countryregioncode countryorregion land staat pays pais paese nazione kraj zeme orszag ulke
    страна 国 国家`,
  phone: `phone phonenumber phone1 phoneno phones mainphone primaryphone contactphone internationalphone
    internationalphonenumber nationalphonenumber displayphone telephone telephonenumber telephone1 tel telno
    telnr mobile telefon telefonnummer telefonnr rufnummer numerodetelephone telefono telefonofijo numerodetelefono telefone
    fone telefoon telefoonnummer tlf puhelin puhelinnumero telefonszam телефон 电话 電話番号`,
  url: `url website websites websiteuri web site webaddress websiteurl homepage webpage webseite internet www link siteweb siteinternet sitioweb
    paginaweb sito sitoweb сайт 网站`,
  twitter: "twitter twitterhandle twittername twitteraccount x(twitter)",
  category: `category categories primarycategory primarytype categoriesprimary type kind categoryname kategorie branche categorie rubrique categoria tipo
    rubro sector amenity kategoria kategori категория 类别 カテゴリ`,
  // Not notes or comments: those are for the owner of a list, and a description is published with a venue that is added.
  description: `description desc details about beschreibung descripcion descrizione descricao omschrijving opis описание 说明`,
};

export type Attribute = keyof typeof NAMES;

interface Meaning {
  field: Attribute;
  rank: number;
}

/** Ignores case, accents, spaces and signs: "Código Postal" becomes `codigopostal`, "Store #" `storeno`. */
export const fold = (name: string): string =>
  name
    .toLowerCase()
    .replace(/#|№|\bn[°º]/gu, "no")
    .normalize("NFD")
    .replace(/[^\p{L}\p{N}]/gu, "");

const MEANINGS = new Map(
  (Object.entries(NAMES) as [Attribute, string][]).flatMap(([field, names]) =>
    names.split(/\s+/).map((name, rank): [string, Meaning] => [fold(name), { field, rank }]),
  ),
);

export const meaningOf = (name: string): Meaning | undefined => MEANINGS.get(fold(name));

/** Ambiguous names: they mean ids only if nearly all values differ. */
const VAGUE = new Set("ref reference key code codigo clave identificativo nr no number".split(" "));

/** Whether the name alone shows that the column holds ids, even if some occur twice. */
export const isIdName = (name: string): boolean => meaningOf(name)?.field === "id" && !VAGUE.has(fold(name));

/** Returns the attributes that have a name with this prefix; none for a prefix without letters and digits. */
export function attributesBeginning(prefix: string): Set<Attribute> {
  const wanted = fold(prefix);
  const begun = wanted === "" ? [] : [...MEANINGS].filter(([name]) => name.startsWith(wanted));
  return new Set(begun.map(([, { field }]) => field));
}

/** Divides a name that says the same twice: "Country / Region". */
const EITHER = /\s*[/,|&+]\s*|\s+(?:and|or|und|oder|y|et|ou|e|en)\s+/iu;

/** The words of a name such as `addr:street`, `location.postalCode` or "Store city". */
export const wordsIn = (name: string): string[] =>
  name.split(/[^\p{L}\p{N}\p{M}]+|(?<=\p{Ll})(?=\p{Lu})/u).filter(Boolean);

/**
 * Returns the attributes that a name may mean, the likeliest first: its longest end, as `postalCode` of `location.postalCode`, goes
 * before single words, and the last word before the others. Ids of something else ("category id") mean nothing.
 */
export function fieldsNamedIn(name: string): Attribute[] {
  return name.split(EITHER).flatMap((part) => {
    const words = wordsIn(part).slice(-MOST_WORDS);
    const ends = words.flatMap((_, at) =>
      at < words.length - 1 ? (meaningOf(words.slice(at).join(""))?.field ?? []) : [],
    );
    const single = words.toReversed().flatMap((word) => (word.length > 1 ? (meaningOf(word)?.field ?? []) : []));
    const isOfOther =
      ends.length === 0 && single[0] === "id" && single.some((field) => field !== "id" && field !== "name");
    return isOfOther ? [] : [...ends, ...single];
  });
}

const MOST_WORDS = 8;
