import { Binary, EJSON, Long, ObjectId } from 'bson';
import { aggregate, find, updateMany, updateOne } from 'mingo';

/*
 * What a server of MongoDB does with documents, in the memory of the test. Queries, pipelines and operators are those of the library mingo.
 */

export type StoredDocument = Record<string, unknown>;
type Command = Record<string, unknown>;

/** A refusal, as the server words it. */
export class CommandRefusal extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

/** Documents of a batch, if the command names no number. */
const FIRST_BATCH_DOCUMENTS = 101;

const records = (value: unknown): Command[] => (Array.isArray(value) ? (value as Command[]) : []);
const record = (value: unknown): Command => (value ?? {}) as Command;
const writeId = (id: unknown): string => EJSON.stringify({ id });
const isSameId = (one: unknown, other: unknown) => writeId(one) === writeId(other);

export class StoredDatabases {
  private readonly databases = new Map<string, Map<string, StoredDocument[]>>();
  private readonly cursors = new Map<string, { rest: StoredDocument[]; namespace: string }>();
  private lastCursor = 0;

  /** The documents of a collection, which exists from then on. */
  collection(database: string, name: string): StoredDocument[] {
    const collections = this.databases.get(database) ?? new Map<string, StoredDocument[]>();
    this.databases.set(database, collections);
    const documents = collections.get(name) ?? [];
    collections.set(name, documents);
    return documents;
  }

  get openCursors(): number {
    return this.cursors.size;
  }

  clear(): void {
    this.databases.clear();
    this.cursors.clear();
  }

  run(command: Command): Command {
    const [name = ''] = Object.keys(command);
    const act = this.commands[name];
    if (!act) throw new CommandRefusal(59, `no such command: '${name}'`);
    return act(String(command['$db']), String(command[name]), command);
  }

  private readonly commands: Readonly<
    Record<string, (database: string, collection: string, command: Command) => Command>
  > = {
    ping: () => ({}),
    endSessions: () => ({}),
    listDatabases: () => ({ databases: [...this.databases.keys(), 'admin'].map((name) => ({ name })) }),
    listCollections: (database) => {
      const names = [...(this.databases.get(database)?.keys() ?? [])];
      return this.openCursor(
        `${database}.$cmd.listCollections`,
        names.map((name) => ({ name, type: 'collection' })),
        {},
      );
    },
    find: (database, collection, command) => {
      const cursor = find<StoredDocument>(
        this.collection(database, collection),
        record(command['filter']),
        command['projection'] as never,
      );
      if (command['sort']) cursor.sort(command['sort'] as never);
      if (command['skip']) cursor.skip(Number(command['skip']));
      if (command['limit']) cursor.limit(Number(command['limit']));
      return this.openCursor(`${database}.${collection}`, cursor.all(), command);
    },
    aggregate: (database, collection, command) => {
      const unknown = records(command['pipeline']).find((stage) => !Object.keys(stage)[0]?.startsWith('$'));
      if (unknown) throw new CommandRefusal(40324, 'Unrecognized pipeline stage name');
      const found = aggregate(this.collection(database, collection), records(command['pipeline']), {
        collectionResolver: (name) => this.collection(database, name),
      });
      return this.openCursor(`${database}.${collection}`, found, record(command['cursor']));
    },
    getMore: (database, _, command) => {
      const id = String(command['getMore']);
      const cursor = this.cursors.get(id);
      if (cursor?.namespace !== `${database}.${String(command['collection'])}`)
        throw new CommandRefusal(43, `cursor id ${id} not found`);
      const nextBatch = cursor.rest.splice(0, Number(command['batchSize'] ?? cursor.rest.length));
      if (cursor.rest.length === 0) this.cursors.delete(id);
      return { cursor: { id: Long.fromString(cursor.rest.length === 0 ? '0' : id), ns: cursor.namespace, nextBatch } };
    },
    killCursors: (_database, _collection, command) => {
      for (const id of Array.isArray(command['cursors']) ? command['cursors'] : []) this.cursors.delete(String(id));
      return {};
    },
    insert: (database, collection, command) => this.insert(this.collection(database, collection), command),
    update: (database, collection, command) => this.update(this.collection(database, collection), command),
    delete: (database, collection, command) => this.delete(this.collection(database, collection), command),
    findAndModify: (database, collection, command) =>
      this.findAndModify(this.collection(database, collection), command),
  };

  private openCursor(namespace: string, all: StoredDocument[], { batchSize }: Command): Command {
    const firstBatch = all.slice(0, Number(batchSize ?? FIRST_BATCH_DOCUMENTS));
    const rest = all.slice(firstBatch.length);
    if (rest.length === 0) return { cursor: { id: Long.ZERO, ns: namespace, firstBatch } };
    this.lastCursor += 1;
    // A number that a double does not hold, as servers have them.
    const id = Long.fromString('4611686018427387904').add(Long.fromNumber(this.lastCursor));
    this.cursors.set(id.toString(), { rest, namespace });
    return { cursor: { id, ns: namespace, firstBatch } };
  }

  private insert(documents: StoredDocument[], command: Command): Command {
    let count = 0;
    const known = new Set(documents.map(({ _id }) => writeId(_id)));
    for (const [index, document] of records(command['documents']).entries()) {
      if (known.has(writeId(document['_id']))) {
        const errmsg = `E11000 duplicate key error collection: test index: _id_ dup key: { _id: ${String(document['_id'])} }`;
        return { n: count, writeErrors: [{ index, code: 11_000, errmsg }] };
      }
      documents.push(document);
      known.add(writeId(document['_id']));
      count += 1;
    }
    return { n: count };
  }

  private update(documents: StoredDocument[], command: Command): Command {
    let [n, nModified] = [0, 0];
    const upserted: Command[] = [];
    for (const [index, { q, u, multi, upsert }] of records(command['updates']).entries()) {
      const done = changeDocuments(documents, record(q), u as Command | Command[], multi === true);
      if (done.matchedCount === 0 && upsert === true) {
        const made = upsertDocument(documents, record(q), u as Command | Command[]);
        upserted.push({ index, _id: made['_id'] });
        n += 1;
      }
      n += done.matchedCount;
      nModified += done.modifiedCount;
    }
    return { n, nModified, ...(upserted.length > 0 ? { upserted } : {}) };
  }

  private delete(documents: StoredDocument[], command: Command): Command {
    let n = 0;
    for (const { q, limit } of records(command['deletes'])) {
      const found = find<StoredDocument>(documents, record(q)).all();
      for (const document of limit === 1 ? found.slice(0, 1) : found) {
        documents.splice(documents.indexOf(document), 1);
        n += 1;
      }
    }
    return { n };
  }

  private findAndModify(documents: StoredDocument[], command: Command): Command {
    const query = record(command['query']);
    const cursor = find<StoredDocument>(documents, query);
    if (command['sort']) cursor.sort(command['sort'] as never);
    const [found] = cursor.all();
    const project = (document: StoredDocument) =>
      command['fields'] ? find([document], {}, command['fields'] as never).all()[0] : document;
    const change = command['update'] as Command | Command[];
    if (!found) {
      if (command['upsert'] !== true) return { value: null };
      const made = upsertDocument(documents, query, change);
      return { value: command['new'] === true ? project(made) : null };
    }
    const before = { ...found };
    if (command['remove'] === true) documents.splice(documents.indexOf(found), 1);
    else changeDocuments(documents, { _id: found['_id'] }, change, false);
    const after = documents.find(({ _id }) => isSameId(_id, found['_id']));
    return { value: project(command['new'] === true && after ? after : before) };
  }
}

const isReplacement = (change: Command | Command[]): change is Command =>
  !Array.isArray(change) && !Object.keys(change).some((name) => name.startsWith('$'));

function changeDocuments(documents: StoredDocument[], query: Command, change: Command | Command[], isForAll: boolean) {
  const [found] = find<StoredDocument>(documents, query).all();
  if (!isReplacement(change)) {
    const unknown = Array.isArray(change) ? undefined : Object.keys(change).find((name) => !CHANGE_OPERATORS.has(name));
    if (unknown) throw new CommandRefusal(9, `Unknown modifier: ${unknown}`);
    return (isForAll ? updateMany : updateOne)(documents, query, change as never, { cloneMode: 'none' });
  }
  if (!found) return { matchedCount: 0, modifiedCount: 0 };
  if ('_id' in change && !isSameId(found['_id'], change['_id']))
    throw new CommandRefusal(66, "the (immutable) field '_id' was found to have been altered");
  documents[documents.indexOf(found)] = { _id: found['_id'], ...change };
  return { matchedCount: 1, modifiedCount: 1 };
}

const CHANGE_OPERATORS = new Set(
  '$set $unset $inc $mul $min $max $push $pull $pullAll $addToSet $pop $rename $bit $currentDate'.split(' '),
);

const isPlainValue = (value: unknown) =>
  typeof value !== 'object' || value === null || value instanceof Date || '_bsontype' in value;

/** The document that takes its values from what the query equals, and from the change. */
function upsertDocument(documents: StoredDocument[], query: Command, change: Command | Command[]): StoredDocument {
  const equal = Object.fromEntries(
    Object.entries(query).filter(([name, value]) => !name.startsWith('$') && isPlainValue(value)),
  );
  const made: StoredDocument = { _id: new ObjectId(), ...equal, ...(isReplacement(change) ? change : {}) };
  documents.push(made);
  if (!isReplacement(change)) changeDocuments(documents, { _id: made['_id'] }, change, false);
  return made;
}

export const readBinaryBytes = (value: unknown): Buffer =>
  value instanceof Binary ? Buffer.from(value.buffer.subarray(0, value.position)) : Buffer.alloc(0);
