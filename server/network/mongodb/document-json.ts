import { Binary, Decimal128, EJSON, Long, ObjectId, UUID } from 'bson';
import { NodeFailure } from '@/server/platform/errors/node-failure';
import { MAX_JSON_NESTING } from '@/server/evaluation/expressions/json-depth';
import { setField } from '@/server/evaluation/expressions/scope';

/** Decimal digits that every double preserves. */
const EXACT_DOUBLE_DIGITS = 15;
/** Only levels of documents count as levels of JSON: two more are around them in the output. */
export const MAX_DOCUMENT_NESTING = MAX_JSON_NESTING - 2;

export const tooDeepFailure = () =>
  new NodeFailure('OUTPUT_TOO_DEEP', `The output is nested deeper than ${MAX_JSON_NESTING} levels.`, false);

/** A decimal number as number, if that is exactly the same; else as text. */
function decimalJson(text: string): number | string {
  const digits = text.replace(/^-?0*\.?0*/, '').replace('.', '');
  return /^-?\d+(?:\.\d+)?$/.test(text) && digits.length <= EXACT_DOUBLE_DIGITS ? Number(text) : text;
}

/** A value of BSON as JSON: ids, dates and bytes as texts, numbers as numbers where a number has them exactly. */
function toJsonValue(value: unknown, depth: number): unknown {
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value !== 'object' || value === null) return value ?? null;
  if (depth > MAX_DOCUMENT_NESTING) throw tooDeepFailure();
  if (Array.isArray(value)) return value.map((item) => toJsonValue(item, depth + 1));
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (value instanceof ObjectId) return value.toHexString();
  if (value instanceof UUID) return value.toHexString(true);
  if (value instanceof Binary) return Buffer.from(value.buffer.subarray(0, value.position)).toString('base64');
  if (value instanceof Decimal128) return decimalJson(value.toString());
  // A timestamp is a kind of a long integer.
  if ('_bsontype' in value && typeof value._bsontype === 'string')
    return value instanceof Long && value._bsontype === 'Long' ? value.toString() : EJSON.serialize(value);
  const fields: Record<string, unknown> = {};
  for (const [name, each] of Object.entries(value)) setField(fields, name, toJsonValue(each, depth + 1));
  return fields;
}

/** A value of a reply that is read already, as JSON. */
export const toMongoReplyJson = (value: unknown): unknown => toJsonValue(value, 0);
