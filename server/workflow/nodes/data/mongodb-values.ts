import { isLargeJson, serializeJson } from '@/server/evaluation/expressions/large-json';
import { isRegularExpression, toMongoValue } from '@/server/network/mongodb/json-document';
import type { MongoOperationInput } from '@/server/network/mongodb/operations';
import { MAX_MONGO_DOCUMENTS } from '@/server/network/mongodb/result-documents';
import { createConfigFailure, NodeFailure } from '@/server/platform/errors/node-failure';
import type { MongoConfig } from './mongodb-config';

type JsonRecord = Record<string, unknown>;

/** The limit of what a node sends, in bytes of JSON. */
export const MAX_MONGO_SENT_BYTES = 10 * 1024 * 1024;

/** What is stored as it is: names that begin with a dollar sign are no operators there. */
const STORED_FIELDS = new Set(['documents', 'document']);
/** Texts that begin with a dollar sign name fields there, as in a change that is a list of stages. */
const COMPUTED_FIELDS = new Set(['pipeline', 'projection']);

const isJsonRecord = (value: unknown): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const hasLargeValue = (value: unknown): boolean =>
  isLargeJson(value) || (typeof value === 'object' && value !== null && Object.values(value).some(hasLargeValue));

/** An object that stands for itself, unlike an id or a date. */
const isDocument = (value: unknown): value is JsonRecord =>
  isJsonRecord(value) && !('_bsontype' in value) && !(value instanceof Date);

/** What the server would not take as a value: an operator such as `$ne`, or, `isComputed`, the name of a field. */
function findOperator(value: unknown, isComputed: boolean): string | undefined {
  if (typeof value === 'string') return isComputed && value.startsWith('$') ? value.slice(0, 100) : undefined;
  if (isRegularExpression(value)) return '$regularExpression';
  if (Array.isArray(value)) return findOperatorAmong(value, isComputed);
  if (!isDocument(value)) return undefined;
  return Object.keys(value).find((name) => name.startsWith('$')) ?? findOperatorAmong(Object.values(value), isComputed);
}

function findOperatorAmong(values: unknown[], isComputed: boolean): string | undefined {
  for (const value of values) {
    const found = findOperator(value, isComputed);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether texts that begin with a dollar sign name fields or variables in what this operator has. */
const CHANGES_COMPUTING = new Map([
  ['$expr', true],
  ['$match', false],
  ['$literal', false],
]);

/**
 * The value of an expression within a query is a value: it may come from a stranger, and an operator or the name of a
 * field in it would find other documents. A query that is one expression as a whole may have them. `value`: as it is
 * sent. Throws NodeFailure CONFIG.
 */
function requireNoForeignOperators(written: unknown, value: unknown, path: string, isComputed: boolean): void {
  if (typeof written === 'string') {
    // A dollar sign that the author has written names a field on purpose.
    const isForeign = written.includes('{{') && !(typeof value === 'string' && written.startsWith('$'));
    const operator = isForeign ? findOperator(value, isComputed) : undefined;
    if (operator === undefined) return;
    const [problem, advice] =
      typeof value === 'string'
        ? [`begins with a dollar sign (${operator})`, 'write $literal around it']
        : [`has the operator ${operator}`, 'write operators into the query'];
    throw createConfigFailure(path, `is a value, and ${problem}: ${advice}`);
  }
  if (typeof written !== 'object' || written === null || typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(written)) {
    if (Object.hasOwn(value, name))
      requireNoForeignOperators(
        inner,
        (value as JsonRecord)[name],
        Array.isArray(written) ? `${path}[${name}]` : `${path}.${name}`,
        CHANGES_COMPUTING.get(name) ?? isComputed,
      );
  }
}

/** Reads the fields of the config with the types of MongoDB. Its methods throw NodeFailure CONFIG or TOO_LARGE. */
class MongoFieldReader {
  private sentBytes = 0;

  constructor(
    private readonly config: MongoConfig,
    private readonly written: JsonRecord,
  ) {}

  private read(field: keyof MongoConfig & string): unknown {
    const given = this.config[field];
    if (given === undefined || given === null || given === '') return undefined;
    const text = serializeJson(given) ?? 'null';
    this.sentBytes += Buffer.byteLength(text);
    if (this.sentBytes > MAX_MONGO_SENT_BYTES)
      throw new NodeFailure('TOO_LARGE', 'What the node sends is larger than 10 MiB.', false);
    const value: unknown = hasLargeValue(given) ? JSON.parse(text) : given;
    const sent = toMongoValue(value, { field, hasTextIds: this.config.hasTextIds !== true });
    const writtenField = this.written[field];
    const isWhole = typeof writtenField === 'string';
    const isComputed = COMPUTED_FIELDS.has(field) || (field === 'change' && Array.isArray(sent));
    if (!isWhole && !STORED_FIELDS.has(field)) requireNoForeignOperators(writtenField, sent, field, isComputed);
    return sent;
  }

  document(field: keyof MongoConfig & string, value = this.read(field)): JsonRecord | undefined {
    if (value !== undefined && !isDocument(value)) throw createConfigFailure(field, 'must be an object');
    return value;
  }

  documents(field: keyof MongoConfig & string, what: string, value = this.read(field)): JsonRecord[] {
    const list: unknown[] = Array.isArray(value) ? value : value === undefined ? [] : [value];
    if (list.length > MAX_MONGO_DOCUMENTS)
      throw createConfigFailure(field, `must have at most ${MAX_MONGO_DOCUMENTS} entries`);
    if (!list.every(isDocument)) throw createConfigFailure(field, `must be ${what}`);
    return list;
  }

  /** Fields with new values are those of `$set`. */
  change(): JsonRecord | JsonRecord[] {
    const given = this.read('change');
    if (Array.isArray(given)) return this.documents('change', 'a list of stages', given);
    const value = this.document('change', given) ?? {};
    const names = Object.keys(value);
    const operators = names.filter((name) => name.startsWith('$'));
    if (names.length === 0) throw createConfigFailure('change', 'has no fields');
    if (operators.length === 0) return { $set: value };
    if (operators.length < names.length)
      throw createConfigFailure('change', 'must have fields or operators, not both: put the fields into $set');
    return value;
  }

  replacement(): JsonRecord {
    const value = this.document('document') ?? {};
    const operator = Object.keys(value).find((name) => name.startsWith('$'));
    if (operator !== undefined)
      throw createConfigFailure('document', `has the operator ${operator}: operators belong to an update`);
    return value;
  }
}

/** What an operation needs. `written`: the config as its author wrote it. Throws NodeFailure CONFIG or TOO_LARGE. */
export function buildMongoInput(
  config: MongoConfig,
  written: JsonRecord,
  usualDatabase: string | undefined,
  timeoutMs: number,
): MongoOperationInput {
  const { operation, which = 'all', upsert = false, returns = 'after', skip = 0, limit } = config;
  const database = config.database || usualDatabase;
  if (database === undefined) throw createConfigFailure('database', 'is required: the credential names none');
  const collection = config.collection ?? '';
  for (const [field, name] of [
    ['database', database],
    ['collection', collection],
  ] as const)
    if (name === '' || name.includes('\0') || !name.isWellFormed())
      throw createConfigFailure(field, name === '' ? 'is required' : 'is not a name');
  const reader = new MongoFieldReader(config, written);
  const isUpdate = operation === 'update' || operation === 'find_and_update';
  const isReplacement = operation === 'replace' || operation === 'find_and_replace';
  const documents = operation === 'insert' ? reader.documents('documents', 'a document, or a list of them') : [];
  if (operation === 'insert' && documents.length === 0) throw createConfigFailure('documents', 'has no documents');
  return {
    database,
    collection,
    query: reader.document('query') ?? {},
    pipeline: operation === 'aggregate' ? reader.documents('pipeline', 'a list of stages') : [],
    projection: reader.document('projection'),
    sort: reader.document('sort'),
    skip,
    limit,
    documents,
    change: isUpdate ? reader.change() : {},
    document: isReplacement ? reader.replacement() : {},
    isUpsert: upsert,
    isForAll: which === 'all',
    returnsChanged: returns === 'after',
    timeoutMs: Math.max(1, Math.ceil(timeoutMs)),
  };
}
