import { Long, ObjectId } from 'bson';
import { MongoServerError } from './failures';
import type { SendMongoCommand } from './mongodb';
import { MAX_MONGO_DOCUMENTS, type MongoResultDocuments } from './result-documents';
import { toMongoReplyJson } from './document-json';
import { BSON_DOCUMENT, unreadableMongoReply, walkBsonFields } from './bson-fields';
import { readMongoReply, type MongoDocument } from './wire';

/** The input of an operation, with the types of MongoDB. */
export interface MongoOperationInput {
  database: string;
  collection: string;
  query: MongoDocument;
  pipeline: MongoDocument[];
  projection: MongoDocument | undefined;
  sort: MongoDocument | undefined;
  skip: number;
  /** Undefined: as many as a result may have. */
  limit: number | undefined;
  documents: MongoDocument[];
  /** Operators, or stages of a pipeline. */
  change: MongoDocument | MongoDocument[];
  document: MongoDocument;
  isUpsert: boolean;
  isForAll: boolean;
  returnsChanged: boolean;
  /** Milliseconds after which the server gives up. */
  timeoutMs: number;
}

export interface MongoOperationTools {
  ask: SendMongoCommand;
  found: MongoResultDocuments;
}

type MongoOperation = (input: MongoOperationInput, tools: MongoOperationTools) => Promise<unknown>;

/** Documents that are requested at a time. */
const CURSOR_BATCH_DOCUMENTS = 1000;

/** The id of a cursor, and what it has given. An id of 0: there is no more. */
function readCursorReply({ cursor }: MongoDocument, name: 'firstBatch' | 'nextBatch'): { id: Long; batch: Buffer } {
  const fields: MongoDocument = Buffer.isBuffer(cursor) ? readMongoReply(cursor) : {};
  const { id, [name]: batch } = fields;
  if (!Buffer.isBuffer(batch) || !(Number.isSafeInteger(id) || id instanceof Long)) throw unreadableMongoReply();
  return { id: Long.fromString(String(id)), batch };
}

/** Reads a cursor to its end; one that a result has no room for is closed on the server. */
export async function readMongoCursor(
  { database, collection }: Pick<MongoOperationInput, 'database' | 'collection'>,
  command: MongoDocument,
  { ask, found }: MongoOperationTools,
): Promise<void> {
  let { id, batch } = readCursorReply(await ask(database, command), 'firstBatch');
  try {
    for (;;) {
      for (const { type, value } of walkBsonFields(batch)) {
        if (type !== BSON_DOCUMENT) throw unreadableMongoReply();
        await found.add(value);
      }
      if (id.isZero()) return;
      const next = { getMore: id, collection, batchSize: CURSOR_BATCH_DOCUMENTS };
      ({ id, batch } = readCursorReply(await ask(database, next), 'nextBatch'));
    }
  } catch (error) {
    // The server would keep the cursor for some minutes. The failure that is reported is the first one.
    if (!id.isZero()) await ask(database, { killCursors: collection, cursors: [id] }).catch(() => undefined);
    throw error;
  }
}

/** What the server says of writes: single documents may have failed, and members may not have stored them. */
function requireWritten(reply: MongoDocument, stored = 0): MongoDocument {
  const [refused] = Array.isArray(reply['writeErrors']) ? (reply['writeErrors'] as MongoDocument[]) : [];
  const failure = refused ?? (reply['writeConcernError'] as MongoDocument | undefined);
  if (!failure) return reply;
  const before = stored > 0 ? ` (${stored} documents before it are stored)` : '';
  throw new MongoServerError({ ...failure, errmsg: `${String(failure['errmsg'])}${before}` });
}

const countWritten = (count: unknown): number => (Number.isSafeInteger(count) ? Number(count) : 0);

async function writeUpdate(
  { database, collection, query, isUpsert, timeoutMs }: MongoOperationInput,
  change: MongoDocument | MongoDocument[],
  isForAll: boolean,
  { ask }: MongoOperationTools,
) {
  const updates = [{ q: query, u: change, multi: isForAll, upsert: isUpsert }];
  const reply = requireWritten(await ask(database, { update: collection, updates, maxTimeMS: timeoutMs }));
  const upserted = Array.isArray(reply['upserted']) ? (reply['upserted'] as MongoDocument[]) : [];
  return {
    matchedCount: countWritten(reply['n']) - upserted.length,
    modifiedCount: countWritten(reply['nModified']),
    upsertedId: toMongoReplyJson(upserted[0]?.['_id'] ?? null),
  };
}

async function findAndModify(
  { database, collection, query, sort, projection, isUpsert, returnsChanged, timeoutMs }: MongoOperationInput,
  action: MongoDocument,
  { ask, found }: MongoOperationTools,
): Promise<unknown> {
  const isRemoval = action['remove'] === true;
  const reply = await ask(database, {
    findAndModify: collection,
    query,
    sort,
    fields: projection,
    ...action,
    ...(isRemoval ? {} : { new: returnsChanged, upsert: isUpsert }),
    maxTimeMS: timeoutMs,
  });
  requireWritten(reply);
  const { value } = reply;
  if (value === null || value === undefined) return null;
  if (!Buffer.isBuffer(value)) throw unreadableMongoReply();
  await found.add(value);
  return found.first;
}

async function findDocuments(input: MongoOperationInput, limit: number, tools: MongoOperationTools): Promise<void> {
  const { collection, query, projection, sort, skip, timeoutMs } = input;
  const batchSize = Math.min(limit, CURSOR_BATCH_DOCUMENTS);
  const command = { find: collection, filter: query, projection, sort, skip, limit, batchSize, maxTimeMS: timeoutMs };
  await readMongoCursor(input, command, tools);
}

const aggregateCommand = (
  { collection, timeoutMs }: MongoOperationInput,
  pipeline: MongoDocument[],
): MongoDocument => ({
  aggregate: collection,
  pipeline,
  cursor: { batchSize: CURSOR_BATCH_DOCUMENTS },
  maxTimeMS: timeoutMs,
});

export const MONGO_OPERATIONS = {
  find: async (input, tools) => {
    // One more than fits tells that there are more.
    await findDocuments(input, input.limit ?? MAX_MONGO_DOCUMENTS + 1, tools);
    return tools.found.list;
  },
  find_one: async (input, tools) => {
    await findDocuments(input, 1, tools);
    return tools.found.first;
  },
  count: async (input, tools) => {
    const stages = [{ $match: input.query }, { $group: { _id: null, count: { $sum: 1 } } }];
    await readMongoCursor(input, aggregateCommand(input, stages), tools);
    const { count = 0 } = Object(tools.found.first) as { count?: unknown };
    return count;
  },
  aggregate: async (input, tools) => {
    await readMongoCursor(input, aggregateCommand(input, input.pipeline), tools);
    return tools.found.list;
  },
  insert: async ({ database, collection, documents, timeoutMs }, { ask }) => {
    // With ids of this side the result names them.
    const withIds = documents.map((one) => ({ ...one, _id: one['_id'] ?? new ObjectId() }));
    const reply = await ask(database, { insert: collection, documents: withIds, maxTimeMS: timeoutMs });
    requireWritten(reply, countWritten(reply['n']));
    return { insertedCount: withIds.length, insertedIds: withIds.map(({ _id }) => toMongoReplyJson(_id)) };
  },
  update: (input, tools) => writeUpdate(input, input.change, input.isForAll, tools),
  replace: (input, tools) => writeUpdate(input, input.document, false, tools),
  delete: async ({ database, collection, query, isForAll, timeoutMs }, { ask }) => {
    const deletes = [{ q: query, limit: isForAll ? 0 : 1 }];
    const reply = requireWritten(await ask(database, { delete: collection, deletes, maxTimeMS: timeoutMs }));
    return { deletedCount: countWritten(reply['n']) };
  },
  find_and_update: (input, tools) => findAndModify(input, { update: input.change }, tools),
  find_and_replace: (input, tools) => findAndModify(input, { update: input.document }, tools),
  find_and_delete: (input, tools) => findAndModify(input, { remove: true }, tools),
} as const satisfies Record<string, MongoOperation>;

export type MongoOperationName = keyof typeof MONGO_OPERATIONS;
