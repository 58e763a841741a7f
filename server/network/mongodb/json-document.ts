import { BSONRegExp, EJSON, ObjectId } from 'bson';
import { MAX_REGEX_OPTIONS } from './bson-fields';
import { createConfigFailure } from '@/server/platform/errors/node-failure';

/** Levels of a document: the limit of the server. */
const MAX_SENT_NESTING = 100;
const OBJECT_ID_PATTERN = /^[0-9a-f]{24}$/i;

/** The names of the objects that stand for one value (Extended JSON), with the type of what they hold. */
const EXTENDED_FORMS: Readonly<Record<string, readonly string[]>> = {
  $oid: ['string'],
  $date: ['string', 'number', 'object'],
  $numberInt: ['string'],
  $numberLong: ['string'],
  $numberDouble: ['string'],
  $numberDecimal: ['string'],
  $binary: ['object'],
  $uuid: ['string'],
  $timestamp: ['object'],
  $regularExpression: ['object'],
  $minKey: ['number'],
  $maxKey: ['number'],
};

/** What makes the server run code that came as a value. */
const SCRIPT_OPERATORS = new Set(['$where', '$function', '$accumulator']);

/** Where a value stands in the config, and how its ids are written. */
export interface DocumentPlace {
  field: string;
  /** A text of 24 hexadecimal digits under `_id` is an object id. */
  hasTextIds: boolean;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What a form holds are texts and numbers: the library would read forms inside of it, too. */
function requireSimpleMembers(held: unknown): void {
  const { options } = Object(held) as Record<string, unknown>;
  if (typeof options === 'string' && options.length > MAX_REGEX_OPTIONS) throw new Error('it has too many options');
  if (typeof held === 'object' && Object.values(Object(held) as object).some((each) => typeof each === 'object'))
    throw new Error('it holds an object');
}

/** The value that an object of Extended JSON stands for; undefined: it is none. */
function readExtendedValue(value: Record<string, unknown>, field: string): unknown {
  const [name = '', ...others] = Object.keys(value);
  const types = Object.hasOwn(EXTENDED_FORMS, name) ? EXTENDED_FORMS[name] : undefined;
  if (others.length > 0 || !types?.includes(typeof value[name])) return undefined;
  const text = value[name];
  if (name === '$date' && typeof text === 'number') return new Date(text);
  try {
    requireSimpleMembers(text);
    const read: unknown = EJSON.deserialize(value, { relaxed: false });
    if (read instanceof Date && Number.isNaN(read.getTime())) throw new Error('is no date');
    return read;
  } catch (error) {
    throw createConfigFailure(field, `has a ${name} that cannot be read: ${(error as Error).message.slice(0, 200)}`);
  }
}

/** Turns JSON into what is sent. Throws NodeFailure CONFIG, which names the field. */
class DocumentWriter {
  constructor(private readonly place: DocumentPlace) {}

  write(value: unknown, path: string, depth: number, isId: boolean): unknown {
    const { field, hasTextIds } = this.place;
    if (typeof value === 'string') {
      if (!value.isWellFormed())
        throw createConfigFailure(path, 'has half of a surrogate pair, which cannot be stored');
      return isId && hasTextIds && OBJECT_ID_PATTERN.test(value) ? new ObjectId(value) : value;
    }
    if (depth > MAX_SENT_NESTING) throw createConfigFailure(field, `is nested deeper than ${MAX_SENT_NESTING} levels`);
    if (Array.isArray(value)) return value.map((item, index) => this.write(item, `${path}[${index}]`, depth + 1, isId));
    if (!isRecord(value)) return value;
    const extended = readExtendedValue(value, path);
    if (extended !== undefined) return extended;
    const entries = Object.entries(value).map(([name, each]): [string, unknown] => {
      if (SCRIPT_OPERATORS.has(name))
        throw createConfigFailure(field, `has ${name}, which runs code in the database: it is not permitted`);
      // The library takes an object with this name for one of its own.
      if (name === '_bsontype' || name.includes('\0') || !name.isWellFormed())
        throw createConfigFailure(field, 'has a name that MongoDB cannot store');
      // Operators such as $in stand between the name and its ids.
      const isIdBelow = name === '_id' || (isId && name.startsWith('$'));
      return [name, this.write(each, `${path}.${name}`, depth + 1, isIdBelow)];
    });
    return Object.fromEntries(entries);
  }
}

/** A value of the config with the types of MongoDB. Throws NodeFailure CONFIG, which names the field. */
export const toMongoValue = (value: unknown, place: DocumentPlace): unknown =>
  new DocumentWriter(place).write(value, place.field, 0, false);

export const isRegularExpression = (value: unknown): boolean => value instanceof BSONRegExp;
