/** An amount of time by unit, such as `{days: 2}`. */
type TimeAmount = Record<string, number>;

/** The part of a date of luxon that nodes use. */
export interface LuxonDate {
  readonly isValid: boolean;
  readonly zoneName: string;
  readonly year: number;
  readonly quarter: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly weekday: number;
  readonly weekNumber: number;
  readonly ordinal: number;
  get(unit: string): number;
  plus(amount: TimeAmount): LuxonDate;
  minus(amount: TimeAmount): LuxonDate;
  startOf(unit: string): LuxonDate;
  diff(other: LuxonDate, units: string[]): { toObject(): TimeAmount; toString(): string };
  setZone(zone: string): LuxonDate;
  setLocale(locale: string): LuxonDate;
  toUTC(): LuxonDate;
  toMillis(): number;
  toFormat(format: string): string;
  toISO(): string | null;
  toString(): string;
}

interface ZoneOptions {
  zone?: string;
  setZone?: boolean;
}

/** The part of luxon's `DateTime`, a global of the sandbox, that nodes use. */
export interface LuxonDateTime {
  now(): LuxonDate;
  local(): LuxonDate;
  isDateTime(value: unknown): value is LuxonDate;
  fromISO(text: string, options?: ZoneOptions): LuxonDate;
  fromHTTP(text: string, options?: ZoneOptions): LuxonDate;
  fromRFC2822(text: string, options?: ZoneOptions): LuxonDate;
  fromSQL(text: string, options?: ZoneOptions): LuxonDate;
  fromFormat(text: string, format: string, options?: ZoneOptions): LuxonDate;
  fromJSDate(date: Date): LuxonDate;
  fromMillis(moment: number): LuxonDate;
  fromSeconds(moment: number): LuxonDate;
}
