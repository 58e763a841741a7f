import type { LuxonDate } from './luxon-date';

type DateTimeValue = LuxonDate;

const ordinal = (value: number): string => {
  const last = value % 10;
  const suffix = Math.floor((value % 100) / 10) === 1 ? 'th' : (['th', 'st', 'nd', 'rd'][last] ?? 'th');
  return `${value}${suffix}`;
};
/** The week of the year in which Sunday is the first day, and the week with 1 January the first. */
const sundayWeek = (at: DateTimeValue): { week: number; year: number } => {
  const saturday = at.plus({ days: 6 - (at.weekday % 7) });
  return { week: Math.ceil(saturday.ordinal / 7), year: saturday.year };
};
const offset = (at: DateTimeValue, colon: string) => at.toFormat(colon === ':' ? 'ZZ' : 'ZZZ');

/** The letters of a format, as the first versions of n8n's date node write them, longest first. */
const TOKENS: Readonly<Record<string, string | ((at: DateTimeValue) => string)>> = {
  YYYYYY: (at) => `${at.year < 0 ? '-' : '+'}${String(Math.abs(at.year)).padStart(6, '0')}`,
  YYYY: 'yyyy',
  YY: 'yy',
  Y: (at) => String(at.year),
  GGGG: 'kkkk',
  GG: 'kk',
  gggg: (at) => String(sundayWeek(at).year),
  gg: (at) => String(sundayWeek(at).year).slice(-2),
  Qo: (at) => ordinal(at.quarter),
  Q: 'q',
  MMMM: 'LLLL',
  MMM: 'LLL',
  MM: 'LL',
  Mo: (at) => ordinal(at.month),
  M: 'L',
  DDDD: 'ooo',
  DDDo: (at) => ordinal(at.ordinal),
  DDD: 'o',
  DD: 'dd',
  Do: (at) => ordinal(at.day),
  D: 'd',
  dddd: 'cccc',
  ddd: 'ccc',
  dd: (at) => at.toFormat('ccc').slice(0, 2),
  do: (at) => ordinal(at.weekday % 7),
  d: (at) => String(at.weekday % 7),
  e: (at) => String(at.weekday % 7),
  E: 'c',
  WW: 'WW',
  Wo: (at) => ordinal(at.weekNumber),
  W: 'W',
  ww: (at) => String(sundayWeek(at).week).padStart(2, '0'),
  wo: (at) => ordinal(sundayWeek(at).week),
  w: (at) => String(sundayWeek(at).week),
  HH: 'HH',
  H: 'H',
  hh: 'hh',
  h: 'h',
  kk: (at) => String(at.hour || 24).padStart(2, '0'),
  k: (at) => String(at.hour || 24),
  mm: 'mm',
  m: 'm',
  ss: 'ss',
  s: 's',
  SSS: 'SSS',
  SS: (at) => at.toFormat('SSS').slice(0, 2),
  S: (at) => at.toFormat('SSS').slice(0, 1),
  A: (at) => (at.hour < 12 ? 'AM' : 'PM'),
  a: (at) => (at.hour < 12 ? 'am' : 'pm'),
  ZZ: (at) => offset(at, ''),
  Z: (at) => offset(at, ':'),
  zz: 'ZZZZ',
  z: 'ZZZZ',
  X: 'X',
  x: 'x',
  LTS: 'h:mm:ss a',
  LT: 'h:mm a',
  LLLL: 'cccc, LLLL d, yyyy h:mm a',
  LLL: 'LLLL d, yyyy h:mm a',
  LL: 'LLLL d, yyyy',
  L: 'LL/dd/yyyy',
  llll: 'ccc, LLL d, yyyy h:mm a',
  lll: 'LLL d, yyyy h:mm a',
  ll: 'LLL d, yyyy',
  l: 'L/d/yyyy',
};
const NAMES = Object.keys(TOKENS).toSorted((one, other) => other.length - one.length);
const TOKEN = new RegExp(`\\[([^\\]]*)\\]|${NAMES.join('|')}`, 'g');

/** A date in a format of the library moment. */
export const formatMoment = (at: DateTimeValue, format: string): string =>
  format.replace(TOKEN, (token, escaped: string | undefined) => {
    if (escaped !== undefined) return escaped;
    const found = TOKENS[token];
    return typeof found === 'function' ? found(at) : at.setLocale('en').toFormat(found ?? '');
  });

/** A format of moment as one with which luxon reads dates. */
export const toParsingFormat = (format: string): string =>
  format.replace(TOKEN, (token, escaped: string | undefined) => {
    if (escaped !== undefined) return `'${escaped}'`;
    const found = { A: 'a', a: 'a', Z: 'ZZ', ZZ: 'ZZZ', Do: 'd', Y: 'y' }[token] ?? TOKENS[token];
    return typeof found === 'string' ? found : token;
  });
