import { BSON } from 'bson';
import { NodeFailure } from '@/server/platform/errors/node-failure';
import type { ReserveMemory } from '@/server/network/pools/memory';
import { BYTES_PER_MIB } from '@/contract/units';
import { unreadableMongoReply, walkBsonFields } from './bson-fields';

/** The size of a message in either direction: a document of 16 MiB, which is the limit of the server, and its envelope. */
export const MAX_MONGO_MESSAGE_BYTES = 16 * BYTES_PER_MIB + 16 * 1024;
/** Larger messages are read only if memory can be reserved for them: none before the sign-in. */
const UNRESERVED_MESSAGE_BYTES = 256 * 1024;

const HEADER_BYTES = 16;
/** Flags and the kind of the section stand before the document. */
const BODY_AT = HEADER_BYTES + 5;
const OP_MSG = 2013;
const CHECKSUM_FLAG = 1;
/** Bits of flags that a reader must know. Only the checksum is known here: the others announce further messages. */
const REQUIRED_FLAGS = 0xffff;

/** A document as the driver of BSON gives and takes it. */
export type MongoDocument = Record<string, unknown>;

/** A command as a message of the protocol (OP_MSG). */
export function encodeMongoMessage(requestId: number, command: MongoDocument): Buffer {
  const body = serializeCommand(command);
  const message = Buffer.alloc(BODY_AT + body.length);
  message.writeInt32LE(message.length, 0);
  message.writeInt32LE(requestId, 4);
  message.writeInt32LE(OP_MSG, 12);
  message.set(body, BODY_AT);
  return message;
}

function serializeCommand(command: MongoDocument): Uint8Array {
  const tooLarge = () => new NodeFailure('TOO_LARGE', 'What is sent is larger than 16 MiB.', false);
  try {
    const body = BSON.serialize(command, { ignoreUndefined: true });
    if (body.length + BODY_AT <= MAX_MONGO_MESSAGE_BYTES) return body;
  } catch (error) {
    // The library writes into 17 MiB, and fails behind them.
    throw error instanceof RangeError ? tooLarge() : error;
  }
  throw tooLarge();
}

/** The connection, as far as the reader controls it. */
interface PausableConnection {
  pause(): void;
  resume(): void;
  /** Ends it with an error. */
  close(error: Error): void;
}

interface AwaitedMessage {
  requestId: number;
  reserve: ReserveMemory | undefined;
  resolve(document: Buffer): void;
}

/**
 * What a server sends, message by message. The server is foreign: the length that a message announces is checked before
 * memory is used for it, and a reply to no request ends the connection.
 */
export class MongoMessageReader {
  failure: NodeFailure | undefined;
  private awaited: AwaitedMessage | undefined;
  private pieces: Buffer[] = [];
  private received = 0;
  /** The length of the message that arrives; 0: its header has not arrived. */
  private length = 0;

  constructor(private readonly connection: PausableConnection) {}

  /** One reply may arrive. Resolves with its document, unread; never rejects. */
  awaitReply(requestId: number, reserve?: ReserveMemory): Promise<Buffer> {
    return new Promise((resolve) => (this.awaited = { requestId, reserve, resolve }));
  }

  readonly receive = (chunk: Buffer): void => {
    if (this.failure) return;
    if (!this.awaited) return this.fail(unreadableMongoReply());
    this.pieces.push(chunk);
    this.received += chunk.length;
    if (this.length === 0 && this.received >= HEADER_BYTES) this.readHeader();
    if (this.length > 0 && this.received >= this.length) this.endMessage();
  };

  private readHeader(): void {
    const header = Buffer.concat(this.pieces);
    this.pieces = [header];
    const length = header.readInt32LE(0);
    if (length > MAX_MONGO_MESSAGE_BYTES)
      return this.fail(new NodeFailure('TOO_LARGE', 'The server’s reply is larger than 16 MiB.', false));
    const { requestId, reserve } = this.awaited ?? {};
    const isExpected = header.readInt32LE(8) === requestId && header.readInt32LE(12) === OP_MSG;
    if (!isExpected || length < BODY_AT + 5) return this.fail(unreadableMongoReply());
    const isLarge = length > UNRESERVED_MESSAGE_BYTES;
    if (isLarge && !reserve)
      return this.fail(new NodeFailure('TOO_LARGE', 'The server’s reply is larger than 256 KiB.', false));
    this.length = length;
    if (!isLarge || !reserve) return;
    this.connection.pause();
    reserve(length).then(
      () => this.connection.resume(),
      (error: unknown) => this.fail(error),
    );
  }

  private endMessage(): void {
    const { awaited } = this;
    const message = Buffer.concat(this.pieces);
    const flags = message.readUInt32LE(HEADER_BYTES);
    const end = message.length - (flags & CHECKSUM_FLAG ? 4 : 0);
    const isReadable =
      message.length === this.length &&
      (flags & REQUIRED_FLAGS & ~CHECKSUM_FLAG) === 0 &&
      message[BODY_AT - 1] === 0 &&
      message.readInt32LE(BODY_AT) === end - BODY_AT;
    if (!isReadable) return this.fail(unreadableMongoReply());
    this.awaited = undefined;
    this.pieces = [];
    this.received = 0;
    this.length = 0;
    awaited?.resolve(message.subarray(BODY_AT, end));
  }

  private fail(error: unknown): void {
    this.failure ??= error instanceof NodeFailure ? error : unreadableMongoReply();
    this.pieces = [];
    this.connection.close(this.failure);
  }
}

/** Fields of replies with documents, which are read one by one. */
const UNREAD_FIELDS = new Set(['cursor', 'firstBatch', 'nextBatch', 'value']);
const MAX_READ_FIELD_BYTES = BYTES_PER_MIB;

/** The reply to a command, or its cursor. Documents of collections stay unread. Throws NodeFailure BAD_RESPONSE. */
export function readMongoReply(document: Buffer): MongoDocument {
  const unread: MongoDocument = {};
  const fields: Buffer[] = [];
  let size = 5;
  for (const { type, name, value, whole } of walkBsonFields(document)) {
    if ((type === 3 || type === 4) && UNREAD_FIELDS.has(name)) unread[name] = value;
    else {
      fields.push(whole);
      size += whole.length;
    }
    if (size > MAX_READ_FIELD_BYTES) throw unreadableMongoReply();
  }
  const head = Buffer.alloc(4);
  head.writeInt32LE(size);
  try {
    return { ...BSON.deserialize(Buffer.concat([head, ...fields, Buffer.alloc(1)])), ...unread };
  } catch {
    throw unreadableMongoReply();
  }
}
