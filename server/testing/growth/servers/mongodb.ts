import { Long } from 'bson';
import { BYTES_PER_MIB } from '@/contract/units';
import { withMongoSession } from '@/server/network/mongodb/mongodb';
import { MONGO_OPERATIONS } from '@/server/network/mongodb/operations';
import { MongoResultDocuments } from '@/server/network/mongodb/result-documents';
import { writeMongoReply } from '../../servers/mongodb/mongodb';
import { neverAborted, repeated, startRawServer, type HostileServer } from '../hostile-server';
import { serverCredential } from './credential';

const INPUT = {
  database: 'a',
  collection: 'b',
  query: {},
  pipeline: [],
  projection: undefined,
  sort: undefined,
  skip: 0,
  limit: undefined,
  documents: [],
  change: {},
  document: {},
  isUpsert: false,
  isForAll: true,
  returnsChanged: true,
  timeoutMs: 60_000,
};

/** A MongoDB server that answers a search with these documents. */
const mongodb = (largest: number, buildDocuments: (size: number) => object[]): HostileServer => ({
  largest,
  async start(size) {
    const found = writeMongoReply({ ok: 1, cursor: { id: Long.ZERO, firstBatch: buildDocuments(size) } }, 0);
    const greeting = writeMongoReply({ ok: 1, ismaster: true, maxWireVersion: 21 }, 0);
    const { port, close } = await startRawServer((socket) =>
      socket.on('data', (request: Buffer) => {
        const reply = request.includes('isMaster') ? greeting : found;
        reply.writeInt32LE(request.readInt32LE(4), 8);
        socket.write(reply);
      }),
    );
    const config = { host: '127.0.0.1', port, tls: 'off' };
    const reserve = async () => undefined;
    const use = { signal: neverAborted(), redact: (text: string) => text, reserve };
    return {
      credential: { type: 'mongodb', config },
      call: () =>
        withMongoSession(serverCredential('mongodb', config), use, (ask) =>
          MONGO_OPERATIONS.find(INPUT, { ask, found: new MongoResultDocuments(reserve) }),
        ),
      close,
    };
  },
});

const nested = (levels: number): object => {
  let value: object = {};
  for (let level = 0; level < levels; level += 1) value = { a: value };
  return value;
};

export const mongodbServers: Record<string, HostileServer> = {
  'mongodb: empty documents (items)': mongodb(9000, (size) => Array.from({ length: size }, () => ({}))),
  'mongodb: a document with many fields (items)': mongodb(300_000, (size) => [
    Object.fromEntries(Array.from({ length: size }, (_, index) => [`f${index}`, index])),
  ]),
  'mongodb: a list of numbers (items)': mongodb(800_000, (size) => [{ list: Array.from({ length: size }, () => 1) }]),
  'mongodb: documents in each other (levels)': mongodb(900, (size) => [nested(size)]),
  'mongodb: a long text': mongodb(9 * BYTES_PER_MIB, (size) => [{ text: repeated('x', size).slice(0, size) }]),
};
