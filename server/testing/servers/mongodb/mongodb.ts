import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { BSON } from 'bson';
import type { TestCertificate } from '../../certificates';
import { CommandRefusal, StoredDatabases } from './commands';
import { MongoSignIn, type KnownUser } from './sign-in';

/*
 * No program of a MongoDB server can be installed here from a package, so tests play against this one. It speaks the protocol (OP_MSG, SCRAM),
 * keeps documents in memory, and is used by the official driver in the same way.
 */

interface MongoOptions {
  user?: KnownUser;
  tls?: TestCertificate;
  /** What it says about itself besides the usual, such as `ismaster: false`. */
  role?: () => Record<string, unknown>;
  /** Takes the place of the answer to a command; undefined: the usual answer. */
  answer?(command: Record<string, unknown>): Record<string, unknown> | undefined;
}

export interface MongoParty {
  port: number;
  databases: StoredDatabases;
  /** The commands that have come, without those of connections and sign-ins. */
  commands: Record<string, unknown>[];
  /** Ends all connections. */
  dropConnections(): void;
  close(): Promise<void>;
}

const OP_REPLY = 1;
const OP_QUERY = 2004;
const OP_MSG = 2013;

interface RequestMessage {
  id: number;
  code: number;
  command: Record<string, unknown>;
}

/** The command of a message; documents may follow it in sections of their own. */
function readRequest(message: Buffer): RequestMessage {
  const [id, code] = [message.readInt32LE(4), message.readInt32LE(12)];
  if (code === OP_QUERY) {
    const at = message.indexOf(0, 20) + 9;
    return { id, code, command: BSON.deserialize(message.subarray(at, at + message.readInt32LE(at))) };
  }
  let command: Record<string, unknown> = {};
  for (let at = 20; at < message.length;) {
    const kind = message[at];
    const size = message.readInt32LE(at + 1);
    if (kind === 0) command = { ...BSON.deserialize(message.subarray(at + 1, at + 1 + size)), ...command };
    else {
      const nameEnd = message.indexOf(0, at + 5);
      const documents: unknown[] = [];
      for (let next = nameEnd + 1; next < at + 1 + size; next += message.readInt32LE(next))
        documents.push(BSON.deserialize(message.subarray(next, next + message.readInt32LE(next))));
      command[message.toString('utf8', at + 5, nameEnd)] = documents;
    }
    at += 1 + size;
  }
  return { id, code, command };
}

/** A reply with a document, in the form of the request. */
export function writeMongoReply(document: Record<string, unknown>, requestId: number, code = OP_MSG): Buffer {
  const body = BSON.serialize(document);
  const head = Buffer.alloc(code === OP_QUERY ? 36 : 21);
  head.writeInt32LE(head.length + body.length, 0);
  head.writeInt32LE(requestId, 8);
  head.writeInt32LE(code === OP_QUERY ? OP_REPLY : OP_MSG, 12);
  if (code === OP_QUERY) head.writeInt32LE(1, 32);
  return Buffer.concat([head, body]);
}

/** Commands before a sign-in. */
const OPEN_COMMANDS = new Set(['isMaster', 'ismaster', 'hello', 'saslStart', 'saslContinue', 'ping', 'endSessions']);

/** Starts a server on this machine. */
export async function startMongo({ user, tls, role, answer }: MongoOptions = {}): Promise<MongoParty> {
  const databases = new StoredDatabases();
  const commands: Record<string, unknown>[] = [];
  const sockets = new Set<Socket>();

  const greet = () => ({
    ismaster: true,
    maxBsonObjectSize: 16_777_216,
    maxMessageSizeBytes: 48_000_000,
    maxWriteBatchSize: 100_000,
    minWireVersion: 0,
    maxWireVersion: 21,
    ...(user ? { saslSupportedMechs: ['SCRAM-SHA-1', 'SCRAM-SHA-256'] } : {}),
    ...role?.(),
  });

  function act(command: Record<string, unknown>, signIn: MongoSignIn | undefined): Record<string, unknown> {
    const [name = ''] = Object.keys(command);
    const own = answer?.(command);
    if (own) return own;
    if (name === 'isMaster' || name === 'ismaster' || name === 'hello') return greet();
    if (name === 'saslStart' && signIn) return signIn.start(command);
    if (name === 'saslContinue' && signIn) return signIn.continue(command);
    if (signIn && !signIn.isDone && !OPEN_COMMANDS.has(name))
      throw new CommandRefusal(13, `Command ${name} requires authentication`);
    commands.push(command);
    return databases.run(command);
  }

  function serve(socket: Socket): void {
    sockets.add(socket.on('error', () => undefined).on('close', () => sockets.delete(socket)));
    const signIn = user ? new MongoSignIn(user) : undefined;
    let waiting = Buffer.alloc(0);
    socket.on('data', (chunk: Buffer) => {
      waiting = Buffer.concat([waiting, chunk]);
      while (waiting.length >= 16 && waiting.length >= waiting.readInt32LE(0)) {
        const { id, code, command } = readRequest(waiting.subarray(0, waiting.readInt32LE(0)));
        waiting = waiting.subarray(waiting.readInt32LE(0));
        try {
          socket.write(writeMongoReply({ ok: 1, ...act(command, signIn) }, id, code));
        } catch (error) {
          const number = error instanceof CommandRefusal ? error.code : 2;
          socket.write(writeMongoReply({ ok: 0, code: number, errmsg: (error as Error).message }, id, code));
        }
      }
    });
  }

  const server = tls ? createTlsServer({ key: tls.key, cert: tls.cert }, serve) : createServer(serve);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const dropConnections = () => sockets.forEach((socket) => socket.destroy());
  return {
    port: (server.address() as AddressInfo).port,
    databases,
    commands,
    dropConnections,
    async close() {
      dropConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
