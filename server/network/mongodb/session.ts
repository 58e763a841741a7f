import { once } from 'node:events';
import type { Socket } from 'node:net';
import { Binary } from 'bson';
import type { MongoHost } from '@/contract/credentials/mongodb-address';
import { OutboundSocket, startVerifiedTls } from '@/server/network/outbound/socket';
import type { PooledSession } from '@/server/network/pools/pool';
import { NodeFailure } from '@/server/platform/errors/node-failure';
import { unreadableMongoReply } from './bson-fields';
import { MongoServerError } from './failures';
import { ScramClient, type MongoUser, type ScramMechanism } from './scram';
import { encodeMongoMessage, MongoMessageReader, readMongoReply, type MongoDocument } from './wire';
import type { ReserveMemory } from '@/server/network/pools/memory';

/** A member, and on whose behalf it is called. */
export interface MongoMember extends MongoHost {
  workspaceId: string;
  tls: 'verify' | 'require' | 'off';
  ca?: string | undefined;
}

/** What a member says about itself. */
export interface MongoMemberRole {
  isWritable: boolean;
  /** The member that takes writes, if this one knows it. */
  primary: string | undefined;
  mechanisms: string[];
}

/** The number of steps of a sign-in that a server may ask for. */
const MAX_SIGN_IN_STEPS = 3;

/** The first version of the protocol with OP_MSG: MongoDB 3.6. */
const MIN_WIRE_VERSION = 6;

const binaryBytes = (value: unknown): Buffer => {
  if (value instanceof Binary) return Buffer.from(value.buffer.subarray(0, value.position));
  throw unreadableMongoReply();
};

/** A connection to one member. One command at a time. */
export class MongoSession implements PooledSession {
  private readonly reader = new MongoMessageReader({
    pause: () => this.stream.pause(),
    resume: () => this.stream.resume(),
    close: (error) => this.end(error),
  });
  private readonly socket: OutboundSocket;
  private readonly stream: Socket;
  private lastRequestId = 0;
  private lost: Error | undefined;
  private refuse: ((error: Error) => void) | undefined;

  constructor(private readonly member: MongoMember) {
    this.socket = new OutboundSocket(member);
    this.stream =
      member.tls === 'off'
        ? this.socket
        : startVerifiedTls(this.socket, { ...member, isVerified: member.tls === 'verify' });
    this.stream.on('error', (error) => this.end(error));
    this.stream.on('close', () => this.end(new Error('the server closed the connection')));
    this.stream.on('data', this.reader.receive);
  }

  get isUsable(): boolean {
    return this.lost === undefined;
  }

  get failure(): Error | undefined {
    return this.reader.failure ?? this.lost;
  }

  async connect(): Promise<void> {
    const connected = once(this.stream, this.member.tls === 'off' ? 'connect' : 'secureConnect');
    this.socket.connect();
    await this.unlessEnded(connected);
  }

  /** The reply to a command. Throws MongoServerError if the server refuses it, NodeFailure, and errors of Node.js. */
  async ask(command: MongoDocument, reserve?: ReserveMemory): Promise<MongoDocument> {
    if (this.failure) throw this.failure;
    const requestId = (this.lastRequestId = (this.lastRequestId % 0x3fffffff) + 1);
    const message = encodeMongoMessage(requestId, command);
    const reply = this.reader.awaitReply(requestId, reserve);
    this.stream.write(message);
    const answer = readMongoReply(await this.unlessEnded(reply));
    if (answer['ok'] !== 1) throw new MongoServerError(answer);
    return answer;
  }

  /** Says who calls, and asks for the role of the member. */
  async greet(user: MongoUser | undefined): Promise<MongoMemberRole> {
    // Every version of the server knows this name of the command.
    const reply = await this.ask({
      isMaster: 1,
      client: { driver: { name: 'weft', version: '1' }, os: { type: process.platform } },
      ...(user ? { saslSupportedMechs: `${user.source}.${user.username}` } : {}),
      $db: 'admin',
    });
    if (!(Number(reply['maxWireVersion']) >= MIN_WIRE_VERSION))
      throw new NodeFailure('CONNECTION_FAILED', 'The server is older than MongoDB 3.6.', false);
    const offered: unknown = reply['saslSupportedMechs'];
    return {
      isWritable: reply['ismaster'] === true || reply['isWritablePrimary'] === true,
      primary: typeof reply['primary'] === 'string' ? reply['primary'] : undefined,
      mechanisms: Array.isArray(offered) ? offered.map(String) : [],
    };
  }

  async signIn(user: MongoUser, mechanism: ScramMechanism): Promise<void> {
    const scram = new ScramClient(mechanism, user);
    const $db = user.source;
    const payload = new Binary(scram.firstMessage);
    const start = { saslStart: 1, mechanism, payload, options: { skipEmptyExchange: true }, $db };
    let reply = await this.ask(start);
    const { conversationId } = reply;
    const proof = new Binary(await scram.buildProof(binaryBytes(reply['payload'])));
    reply = await this.ask({ saslContinue: 1, conversationId, payload: proof, $db });
    scram.requireServerSignature(binaryBytes(reply['payload']));
    for (let step = 0; reply['done'] !== true; step += 1) {
      if (step === MAX_SIGN_IN_STEPS) throw unreadableMongoReply();
      reply = await this.ask({ saslContinue: 1, conversationId, payload: new Binary(Buffer.alloc(0)), $db });
    }
  }

  /** Operations leave nothing behind: cursors are closed by those that open them. */
  async reset(): Promise<void> {}

  close(): void {
    this.end(new Error('the connection was closed'));
  }

  private unlessEnded<Result>(work: Promise<Result>): Promise<Result> {
    return Promise.race([work, new Promise<never>((_, reject) => (this.refuse = reject))]);
  }

  private end(error: Error): void {
    this.lost ??= error;
    this.stream.destroy();
    this.socket.destroy();
    this.refuse?.(this.failure ?? this.lost);
  }
}
