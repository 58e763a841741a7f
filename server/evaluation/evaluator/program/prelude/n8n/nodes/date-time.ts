import type { N8nItem } from '../items';
import type { N8nParameters } from '../parameters';
import type { LuxonDate, LuxonDateTime } from './luxon-date';
import { formatMoment, toParsingFormat } from './moment-format';
import { copyValue, assignField } from './paths';
import { readTypedParameter } from './typed-parameters';

/** A global of the sandbox. */
declare const DateTime: LuxonDateTime;

type Fields = Record<string, unknown>;

/** Numbers with fewer digits are seconds. */
const MILLISECOND_DIGITS = 12;

const isNumeric = (value: unknown): boolean => !Number.isNaN(Number(value));

/** A number of seconds or milliseconds as a date. */
function fromNumber(value: unknown): LuxonDate {
  const given = Number(value);
  const moment = Number.isInteger(given) ? given : given * 1000;
  return Number.isInteger(moment) && String(moment).length < MILLISECOND_DIGITS
    ? DateTime.fromSeconds(moment)
    : DateTime.fromMillis(moment);
}

/** A date as the library moment reads it. */
function fromText(text: string, zone?: string): LuxonDate {
  const options = zone ? { zone } : {};
  // A time behind a space is in the zone, too.
  const inZone = zone ? [DateTime.fromSQL(text.trim(), options)] : [];
  for (const found of [DateTime.fromISO(text.trim(), options), ...inZone, DateTime.fromRFC2822(text, options)])
    if (found.isValid) return found;
  return DateTime.fromMillis(new Date(text.trim()).getTime());
}

/** A date with the zone in which the present version of the node works. */
function readDate(value: unknown, zone: string | undefined, format?: string): LuxonDate {
  if (DateTime.isDateTime(value)) return value;
  // A date that is missing is the present time.
  if (value === undefined && zone) return DateTime.now().setZone(zone);
  if (isNumeric(value) && !format) return fromNumber(value).setZone(zone ?? 'Etc/UTC');
  const text = String(value);
  const sign = text.includes('+') ? `Etc/GMT-${Number(text.split('+')[1]?.slice(0, 2))}` : undefined;
  const found = format ? DateTime.fromFormat(text, format) : fromText(text);
  const at = found.setZone(zone ?? sign ?? 'Etc/UTC');
  if (!found.isValid) throw new Error('Invalid date format');
  return at;
}

const DEFAULT_NAMES: Record<string, string> = {
  getCurrentDate: 'currentDate',
  addToDate: 'newDate',
  subtractFromDate: 'newDate',
  formatDate: 'formattedDate',
  roundDate: 'roundedDate',
  getTimeBetweenDates: 'timeDifference',
  extractDate: 'datePart',
};

function currentDate(parameters: N8nParameters): string {
  const zone = readTypedParameter(parameters, 'options.timezone', '');
  const now = zone ? DateTime.now().setZone(zone) : DateTime.now();
  if (!now.isValid) throw new Error(`The timezone ${zone} is not valid. Please check the timezone.`);
  const hasTime = readTypedParameter(parameters, 'includeTime', true);
  return (hasTime ? now : now.startOf('day')).toString();
}

function formatDate(parameters: N8nParameters, local: string): unknown {
  const date = readTypedParameter<unknown>(parameters, 'date', '');
  if (date === null || date === undefined) return date;
  const hasZone = readTypedParameter(parameters, 'options.timezone', false);
  const from = readTypedParameter<string | undefined>(parameters, 'options.fromFormat', undefined);
  const format = readTypedParameter(parameters, 'format', 'MM/dd/yyyy');
  const at = readDate(date, hasZone ? local : undefined, from);
  return at.toFormat(format === 'custom' ? readTypedParameter(parameters, 'customFormat', '') : format);
}

function computeDate(operation: string, parameters: N8nParameters): unknown {
  const local = DateTime.local().zoneName;
  const read = (name: string) => readDate(readTypedParameter<unknown>(parameters, name, ''), local);
  if (operation === 'getCurrentDate') return currentDate(parameters);
  if (operation === 'formatDate') return formatDate(parameters, local);
  if (operation === 'addToDate' || operation === 'subtractFromDate') {
    const amount = {
      [readTypedParameter(parameters, 'timeUnit', 'days')]: readTypedParameter(parameters, 'duration', 0),
    };
    const at = read('magnitude');
    return (operation === 'addToDate' ? at.plus(amount) : at.minus(amount)).toString();
  }
  if (operation === 'roundDate') {
    const at = read('date');
    if (readTypedParameter(parameters, 'mode', 'roundDown') === 'roundDown')
      return at.startOf(readTypedParameter(parameters, 'toNearest', 'month')).toString();
    const unit = readTypedParameter(parameters, 'to', 'month');
    return at
      .plus({ [unit]: 1 })
      .startOf(unit)
      .toString();
  }
  if (operation === 'getTimeBetweenDates') {
    const units = readTypedParameter(parameters, 'units', ['day']);
    const duration = read('endDate').diff(read('startDate'), units);
    return readTypedParameter(parameters, 'options.isoString', false) ? duration.toString() : duration.toObject();
  }
  if (operation !== 'extractDate') throw new Error(`The operation ${operation} is not known`);
  const part = readTypedParameter(parameters, 'part', 'month');
  const at = read('date');
  return part === 'week' ? at.weekNumber : at.get(part);
}

const UNIT_NAMES: Record<string, string> = { y: 'years', Q: 'quarters', M: 'months', w: 'weeks', d: 'days' };

function formerDate(parameters: N8nParameters, value: unknown, local: string): LuxonDate {
  const option = (name: string) => readTypedParameter(parameters, `options.${name}`, '');
  const [fromFormat, fromZone, toZone] = [option('fromFormat'), option('fromTimezone'), option('toTimezone')];
  const zone = fromZone || toZone ? fromZone || local : undefined;
  const at = isNumeric(value)
    ? fromNumber(value)
    : fromFormat
      ? DateTime.fromFormat(String(value), toParsingFormat(fromFormat), zone ? { zone } : {})
      : fromText(String(value), zone);
  if (!at.isValid && !fromFormat)
    throw new Error('The date input format could not be recognized. Please set the "From Format" field');
  return zone ? at.setZone(toZone || local) : at;
}

function formerResult(parameters: N8nParameters): string | undefined {
  const given = readTypedParameter<unknown>(parameters, 'value', '');
  const value = DateTime.isDateTime(given) ? given.toISO() : given;
  const local = DateTime.local().zoneName;
  if (readTypedParameter(parameters, 'action', 'format') === 'format') {
    if (value === undefined) return undefined;
    const at = formerDate(parameters, value, local);
    return at.isValid ? formatMoment(at, readTypedParameter(parameters, 'toFormat', 'MM/DD/YYYY')) : 'Invalid date';
  }
  const format = readTypedParameter(parameters, 'options.fromFormat', '');
  const at = format
    ? DateTime.fromFormat(String(value), toParsingFormat(format))
    : DateTime.fromMillis(new Date(value as string).getTime());
  if (!at.isValid) throw new Error('Unrecognized date input. Please specify a format in the "From Format" field.');
  const unit = readTypedParameter(parameters, 'timeUnit', 'days');
  const amount = { [UNIT_NAMES[unit] ?? unit]: readTypedParameter(parameters, 'duration', 0) };
  const isAdded = readTypedParameter(parameters, 'operation', 'add') === 'add';
  return (isAdded ? at.plus(amount) : at.minus(amount)).toUTC().toISO() ?? undefined;
}

/** The item that the node `dateTime` makes of an item. */
export function computeItemDate(version: number, parameters: N8nParameters, item: N8nItem): N8nItem | N8nItem[] {
  if (version < 2) {
    const value = formerResult(parameters);
    if (value === undefined) return [];
    const json = copyValue(item.json);
    assignField(json, readTypedParameter(parameters, 'dataPropertyName', 'data'), value, false);
    return { json, binary: item.binary };
  }
  const operation = readTypedParameter(parameters, 'operation', 'getCurrentDate');
  const keepsFields = readTypedParameter(parameters, 'options.includeInputFields', false);
  const json: Fields = keepsFields ? { ...item.json } : {};
  const name = readTypedParameter(parameters, 'outputFieldName', DEFAULT_NAMES[operation] ?? 'date');
  json[name] = computeDate(operation, parameters);
  return keepsFields ? { json, binary: item.binary } : { json };
}
