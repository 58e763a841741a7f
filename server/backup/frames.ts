import { createHash, createHmac, timingSafeEqual, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { BackupFault } from './fault';
import { BackupRecord } from './records';

/** A part of a backup: a record, or bytes that belong to the record before them. */
export type Frame = { record: BackupRecord } | { data: Buffer };

const MAGIC = Buffer.from('weft backup 1\n');
const RECORD = 'R'.charCodeAt(0);
const DATA = 'D'.charCodeAt(0);
/** Kind (one byte) and length of the payload (four bytes, big endian). */
const HEAD = 5;
const MAX_RECORD = 64 * 1024 * 1024;
const MAX_DATA = 1024 * 1024;

export const sealOf = (digest: string, key: string): string =>
  createHmac('sha256', key).update(`weft backup ${digest}`).digest('hex');

/** Whether one of the keys made the seal of a digest. */
export const isSealedBy = (digest: string, seal: string, keys: readonly string[]): boolean =>
  keys.some((key) => {
    const [right, given] = [Buffer.from(sealOf(digest, key)), Buffer.from(seal)];
    return right.length === given.length && timingSafeEqual(right, given);
  });

/** Encodes frames and hashes them on the way. */
export class FrameWriter {
  private readonly hash = createHash('sha256');

  /** SHA-256 of everything encoded so far. */
  digest(): string {
    return this.hash.copy().digest('hex');
  }

  begin(): Buffer {
    this.hash.update(MAGIC);
    return MAGIC;
  }

  record(record: BackupRecord): Buffer {
    return this.frame(RECORD, Buffer.from(JSON.stringify(record)));
  }

  *data(bytes: Uint8Array): Generator<Buffer> {
    for (let at = 0; at < bytes.length; at += MAX_DATA) yield this.frame(DATA, bytes.subarray(at, at + MAX_DATA));
  }

  private frame(kind: number, payload: Uint8Array): Buffer {
    const frame = Buffer.allocUnsafe(HEAD + payload.length);
    frame.writeUInt8(kind, 0);
    frame.writeUInt32BE(payload.length, 1);
    frame.set(payload, HEAD);
    this.hash.update(frame);
    return frame;
  }
}

/** Reads the frames of a file, one in memory at a time. Throws a BackupFault if the file is no backup, damaged or cut off. */
export class FrameReader {
  private readonly hash: Hash = createHash('sha256');

  constructor(private readonly file: string) {}

  /** SHA-256 of everything before the frame that was read last. */
  digest(): string {
    return this.hash.copy().digest('hex');
  }

  async *frames(): AsyncGenerator<Frame> {
    const bytes = new ByteReader(this.file);
    try {
      const magic = await bytes.take(MAGIC.length);
      if (!magic?.equals(MAGIC)) throw new BackupFault('This file is not a backup of this service.');
      this.hash.update(magic);
      for (;;) {
        const head = await bytes.take(HEAD);
        if (!head) return;
        const [kind, length] = [head.readUInt8(0), head.readUInt32BE(1)];
        if (length > (kind === RECORD ? MAX_RECORD : MAX_DATA)) throw damaged();
        const payload = await bytes.take(length);
        if (!payload) throw damaged();
        yield kind === DATA ? { data: payload } : { record: parse(kind, payload) };
        this.hash.update(head).update(payload);
      }
    } finally {
      await bytes.close();
    }
  }
}

export const damaged = () => new BackupFault('The backup is damaged or incomplete. Nothing was restored.');

function parse(kind: number, payload: Buffer): BackupRecord {
  if (kind !== RECORD) throw damaged();
  let json: unknown;
  try {
    json = JSON.parse(payload.toString('utf8'));
  } catch {
    throw damaged();
  }
  const record = BackupRecord.safeParse(json);
  if (!record.success) throw new BackupFault('The backup has a format that this version of the service does not know.');
  return record.data;
}

/** The bytes of a gzip file, in pieces of any length. */
class ByteReader {
  private readonly chunks: AsyncIterator<Buffer>;
  private rest: Buffer = Buffer.alloc(0);

  constructor(file: string) {
    // The reader gets the error from the iterator.
    const unzipped = pipeline(createReadStream(file), createGunzip(), () => undefined);
    this.chunks = unzipped[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  }

  /** Exactly so many bytes; undefined at the end. Throws if the end is within them. */
  async take(length: number): Promise<Buffer | undefined> {
    const parts = [this.rest];
    let size = this.rest.length;
    while (size < length) {
      const chunk = await this.next();
      if (!chunk) break;
      parts.push(chunk);
      size += chunk.length;
    }
    if (size === 0 && length > 0) return undefined;
    if (size < length) throw damaged();
    const all = parts.length === 1 ? this.rest : Buffer.concat(parts);
    this.rest = all.subarray(length);
    return all.subarray(0, length);
  }

  private async next(): Promise<Buffer | undefined> {
    try {
      const { value, done } = await this.chunks.next();
      return done ? undefined : value;
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      if (!code.startsWith('Z_')) throw error;
      throw code === 'Z_DATA_ERROR' && this.rest.length === 0
        ? new BackupFault('This file is not a backup of this service, or it is damaged. Nothing was restored.')
        : damaged();
    }
  }

  async close(): Promise<void> {
    await this.chunks.return?.();
  }
}
