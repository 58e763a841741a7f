import { serializeJson } from '@/server/evaluation/expressions/large-json';
import type { SendMongoCommand } from './mongodb';
import { readMongoCursor } from './operations';
import { MongoResultDocuments } from './result-documents';

/** Databases that the server keeps for itself. */
const SERVER_DATABASES = new Set(['admin', 'config', 'local']);

/** The texts at `name` of the objects of a list. */
const listNames = (list: unknown): string[] =>
  (Array.isArray(list) ? list : []).flatMap((one: unknown) => {
    const { name } = Object(one) as Record<string, unknown>;
    return typeof name === 'string' ? [name] : [];
  });

/** The databases that the user may read. */
export async function listMongoDatabases(ask: SendMongoCommand): Promise<string[]> {
  const reply = await ask('admin', { listDatabases: 1, nameOnly: true, authorizedDatabases: true });
  return listNames(reply['databases']).filter((name) => !SERVER_DATABASES.has(name));
}

/** The collections and views of a database that the user may read. */
export async function listMongoCollections(ask: SendMongoCommand, database: string): Promise<string[]> {
  const found = new MongoResultDocuments(async () => undefined);
  const command = { listCollections: 1, nameOnly: true, authorizedCollections: true, cursor: {} };
  await readMongoCursor({ database, collection: '$cmd.listCollections' }, command, { ask, found });
  return listNames(JSON.parse(serializeJson(found.list) ?? '[]'))
    .filter((name) => !name.startsWith('system.'))
    .toSorted();
}
