/** Replaces abbreviations and spelling variants among a name's words by one form: "bldg" becomes "building". */
export const spellOut = (words: string[]): string[] =>
  words.some((word) => FORMS.has(word)) ? words.map((word) => FORMS.get(word) ?? word) : words;

/** Each line: the form, then what it replaces. "St" may be short for "saint" or "street", so both become "st". */
const FORMS = new Map(
  `st saint street
  building bldg
  center centre ctr cntr
  department dept
  university univ uni
  hospital hosp
  international intl
  national natl
  association assn assoc
  government govt
  services svcs
  service svc
  management mgmt
  brothers bros
  school sch
  elementary elem
  junior jr
  apartments apts
  avenue ave
  road rd
  boulevard blvd
  square sq
  market mkt
  mount mt
  fort ft
  theater theatre theatr
  cafe caf kafe
  caffe caff
  bbq barbeque barbecue
  shop shoppe
  donuts doughnuts
  quick kwik
  2 two
  3 three
  4 four
  5 five
  6 six
  7 seven
  8 eight
  9 nine
  10 ten
  11 eleven`
    .split("\n")
    .flatMap((line) => {
      const [form = "", ...others] = line.trim().split(" ");
      return others.map((other): [string, string] => [other, form]);
    }),
);
