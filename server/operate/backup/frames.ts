import { createHash, createHmac, timingSafeEqual, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { BackupFault } from './fault';
import type { BackupFileFormat, BackupRecord } from './records';

interface FileHeaderRecord {
  kind: 'header';
}

/** A part of a file: a record, or bytes that belong to the record before them. */
export type BackupFrame<Header extends FileHeaderRecord> = { record: Header | BackupRecord } | { data: Buffer };

const RECORD_FRAME = 'R'.charCodeAt(0);
const DATA_FRAME = 'D'.charCodeAt(0);
/** Kind (one byte) and length of the payload (four bytes, big endian). */
const FRAME_HEAD_BYTES = 5;
const MAX_RECORD_BYTES = 64 * 1024 * 1024;
const MAX_DATA_BYTES = 1024 * 1024;

export const sealBackupDigest = (digest: string, key: string): string =>
  createHmac('sha256', key).update(`weft backup ${digest}`).digest('hex');

/** Whether one of the keys made the seal of a digest. */
export const isDigestSealedBy = (digest: string, seal: string, keys: readonly string[]): boolean =>
  keys.some((key) => {
    const [right, given] = [Buffer.from(sealBackupDigest(digest, key)), Buffer.from(seal)];
    return right.length === given.length && timingSafeEqual(right, given);
  });

/** Encodes frames and hashes them on the way. */
export class FrameWriter {
  private readonly hash = createHash('sha256');

  /** SHA-256 of everything encoded so far. */
  digest(): string {
    return this.hash.copy().digest('hex');
  }

  begin(magic: string): Buffer {
    const bytes = Buffer.from(magic);
    this.hash.update(bytes);
    return bytes;
  }

  record(record: FileHeaderRecord | BackupRecord): Buffer {
    return this.frame(RECORD_FRAME, Buffer.from(JSON.stringify(record)));
  }

  *data(bytes: Uint8Array): Generator<Buffer> {
    for (let at = 0; at < bytes.length; at += MAX_DATA_BYTES)
      yield this.frame(DATA_FRAME, bytes.subarray(at, at + MAX_DATA_BYTES));
  }

  private frame(kind: number, payload: Uint8Array): Buffer {
    const frame = Buffer.allocUnsafe(FRAME_HEAD_BYTES + payload.length);
    frame.writeUInt8(kind, 0);
    frame.writeUInt32BE(payload.length, 1);
    frame.set(payload, FRAME_HEAD_BYTES);
    this.hash.update(frame);
    return frame;
  }
}

/**
 * Reads the frames of a file, one in memory at a time. Throws a BackupFault if it has another format, or is damaged or
 * cut off.
 */
export class BackupFrameReader<Header extends FileHeaderRecord> {
  private readonly hash: Hash = createHash('sha256');

  constructor(
    private readonly file: string,
    private readonly format: BackupFileFormat<Header>,
  ) {}

  /** SHA-256 of everything before the frame that was read last. */
  digest(): string {
    return this.hash.copy().digest('hex');
  }

  async *frames(): AsyncGenerator<BackupFrame<Header>> {
    const damaged = () => damagedFileFault(this.format);
    const bytes = new GzipByteReader(this.file, this.format);
    try {
      const wanted = Buffer.from(this.format.magic);
      const magic = await bytes.take(wanted.length);
      if (!magic?.equals(wanted))
        throw new BackupFault(`This file is not ${nounWithArticle(this.format)} of this service.`);
      this.hash.update(magic);
      let isFirst = true;
      for (;;) {
        const head = await bytes.take(FRAME_HEAD_BYTES);
        if (!head) return;
        const [kind, length] = [head.readUInt8(0), head.readUInt32BE(1)];
        if (length > (kind === RECORD_FRAME ? MAX_RECORD_BYTES : MAX_DATA_BYTES)) throw damaged();
        const payload = await bytes.take(length);
        if (!payload) throw damaged();
        yield kind === DATA_FRAME ? { data: payload } : { record: this.parse(kind, payload, isFirst) };
        this.hash.update(head).update(payload);
        isFirst = false;
      }
    } finally {
      await bytes.close();
    }
  }

  /** The first record names the format; if it is known, a later record that does not conform to it is damaged. */
  private parse(kind: number, payload: Buffer, isFirst: boolean): Header | BackupRecord {
    if (kind !== RECORD_FRAME) throw damagedFileFault(this.format);
    let json: unknown;
    try {
      json = JSON.parse(payload.toString('utf8'));
    } catch {
      throw damagedFileFault(this.format);
    }
    const record = this.format.record.safeParse(json);
    if (record.success) return record.data;
    if (!isFirst) throw damagedFileFault(this.format);
    throw new BackupFault(
      `The ${this.format.noun} has a format that this version of the service does not know, or it is damaged. ${this.format.consequence}`,
    );
  }
}

type BackupFormatTexts = Pick<BackupFileFormat<FileHeaderRecord>, 'noun' | 'consequence'>;

const nounWithArticle = ({ noun }: BackupFormatTexts) => `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;

export const damagedFileFault = ({ noun, consequence }: BackupFormatTexts) =>
  new BackupFault(`The ${noun} is damaged or incomplete. ${consequence}`);

/** The bytes of a gzip file, in pieces of any length. */
class GzipByteReader {
  private readonly chunks: AsyncIterator<Buffer>;
  private rest: Buffer = Buffer.alloc(0);

  constructor(
    file: string,
    private readonly words: BackupFormatTexts,
  ) {
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
    if (size < length) throw damagedFileFault(this.words);
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
        ? new BackupFault(
            `This file is not ${nounWithArticle(this.words)} of this service, or it is damaged. ${this.words.consequence}`,
          )
        : damagedFileFault(this.words);
    }
  }

  async close(): Promise<void> {
    await this.chunks.return?.();
  }
}
