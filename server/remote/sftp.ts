import type { Readable } from 'node:stream';
import type { Attributes, FileEntry, SFTPWrapper } from 'ssh2';
import { NodeFailure } from '@/server/errors/node-failure';
import { Entries, parentsOf, timeOf, type Entry } from './entries';
import type { RemoteCredential, Use } from './credential';
import { denied, noPath, refused, tooLong, words } from './failures';
import { isRefusal, withSsh, type SshSession } from './ssh';
import type { RemoteFiles } from './transfer';

/** Answers to the requests for one listing: a server may send few entries in each, or none. */
const MAX_ANSWERS = 20_000;
/** Bytes of a request: OpenSSH permits 256 KiB, with its header. */
const PART = 252 * 1024;
/** Requests to write that are sent before the first one is answered. */
const MAX_UNDER_WAY = 16;

/** Statuses of the protocol (draft-ietf-secsh-filexfer-02, section 7). */
const END = 1;
const NO_SUCH_FILE = 2;
const PERMISSION_DENIED = 3;
const FAILURE = 4;

/** Bits of the mode that tell the type of a file. */
const TYPE = 0o170000;
const TYPES: Readonly<Record<number, Entry['type']>> = { 0o100000: 'file', 0o040000: 'folder', 0o120000: 'link' };
const typeOf = (mode: number | undefined): Entry['type'] => TYPES[(mode ?? 0) & TYPE] ?? 'other';

type Done<Value> = (error: Error | undefined | null, value?: Value) => void;

const statusOf = (error: unknown): unknown => (error as { code?: unknown }).code;

/** Connects by SFTP, lets `work` act on the files, and closes the connection. Throws NodeFailure. */
export const withSftp = <Result>(
  credential: RemoteCredential,
  use: Use,
  work: (files: RemoteFiles) => Promise<Result>,
): Promise<Result> =>
  withSsh(credential, use, async (session) => work(new SftpFiles(await openSftp(session), use.redact)));

const openSftp = ({ client }: SshSession): Promise<SFTPWrapper> =>
  new Promise((resolve, reject) => {
    client.sftp((error, sftp) => {
      if (!error) resolve(sftp);
      else if (!isRefusal(error)) reject(error);
      else reject(new NodeFailure('TRANSFER_REFUSED', `The server has no SFTP: ${error.message}`, false));
    });
  });

class SftpFiles implements RemoteFiles {
  constructor(
    private readonly sftp: SFTPWrapper,
    private readonly redact: Use['redact'],
  ) {}

  async list(folder: string): Promise<Entry[]> {
    const handle = await this.about<Buffer>(folder, (done) => this.sftp.opendir(folder, done));
    const entries = new Entries(folder);
    for (let answers = 0; ; answers += 1) {
      if (answers === MAX_ANSWERS) throw tooLong(`${MAX_ANSWERS} parts`);
      const some = await this.part(folder, handle);
      if (!some) break;
      for (const { filename, attrs } of some) entries.add(filename, factsOf(attrs));
    }
    await this.close(handle);
    return entries.sorted;
  }

  /** Each part has memory of its own: the streams of the library share theirs between connections. */
  async *read(path: string): AsyncGenerator<Buffer> {
    const handle = await this.about<Buffer>(path, (done) => this.sftp.open(path, 'r', done));
    try {
      for (let at = 0; ;) {
        const part = await this.bytes(path, handle, at);
        if (part.length === 0) return;
        at += part.length;
        yield part;
      }
    } finally {
      await this.close(handle);
    }
  }

  async write(path: string, content: Readable): Promise<void> {
    // It is reported when the content is read.
    content.on('error', () => undefined);
    const handle = await this.about<Buffer>(path, (done) => this.sftp.open(path, 'w', done)).catch((error: unknown) => {
      content.destroy();
      throw error;
    });
    const underWay: Promise<void>[] = [];
    let at = 0;
    for await (const part of content as AsyncIterable<Buffer>) {
      const position = at;
      at += part.length;
      const written = this.about(path, (done) => this.sftp.write(handle, part, 0, part.length, position, done));
      // The first failure is reported below; others follow from it.
      written.catch(() => undefined);
      underWay.push(written);
      if (underWay.length === MAX_UNDER_WAY) await underWay.shift();
    }
    await Promise.all(underWay);
    await this.about(path, (done) => this.sftp.close(handle, done));
  }

  async remove(path: string): Promise<void> {
    const { mode } = await this.about<Attributes>(path, (done) => this.sftp.lstat(path, done));
    const isFolder = typeOf(mode) === 'folder';
    await this.about(path, (done) => (isFolder ? this.sftp.rmdir(path, done) : this.sftp.unlink(path, done)));
  }

  move(from: string, to: string): Promise<void> {
    return this.about(from, (done) => this.sftp.rename(from, to, done));
  }

  async makeFolder(path: string): Promise<void> {
    for (const folder of [...parentsOf(path), path]) if (!(await this.isFolder(folder))) await this.make(folder);
  }

  private async isFolder(path: string): Promise<boolean> {
    try {
      const { mode } = await ask<Attributes>((done) => this.sftp.stat(path, done));
      return typeOf(mode) === 'folder';
    } catch (error) {
      if (typeof statusOf(error) === 'number') return false;
      throw error;
    }
  }

  private async make(path: string): Promise<void> {
    try {
      await ask((done) => this.sftp.mkdir(path, done));
    } catch (error) {
      // Another client may have made it meanwhile.
      if (statusOf(error) !== FAILURE || !(await this.isFolder(path))) throw this.failure(path, error);
    }
  }

  /** Entries of an open folder; undefined: there are no more. */
  private async part(folder: string, handle: Buffer): Promise<FileEntry[] | undefined> {
    try {
      return await ask<FileEntry[]>((done) => this.sftp.readdir(handle, done as never));
    } catch (error) {
      if (statusOf(error) === END) return undefined;
      throw this.failure(folder, error);
    }
  }

  /** Bytes of an open file; none at its end. */
  private bytes(path: string, handle: Buffer, at: number): Promise<Buffer> {
    const buffer = Buffer.alloc(PART);
    return this.about<Buffer>(path, (done) =>
      this.sftp.read(handle, buffer, 0, PART, at, (error, length) => done(error, buffer.subarray(0, length))),
    );
  }

  /** What was read is complete, or has failed: the end of the connection closes it, too. */
  private async close(handle: Buffer): Promise<void> {
    await ask((done) => this.sftp.close(handle, done)).catch(() => undefined);
  }

  private async about<Value = void>(path: string, request: (done: Done<Value>) => void): Promise<Value> {
    try {
      return await ask(request);
    } catch (error) {
      throw this.failure(path, error);
    }
  }

  /** The answer to a request about a path; other errors are those of the connection. */
  private failure(path: string, error: unknown): unknown {
    const status = statusOf(error);
    if (error instanceof NodeFailure || typeof status !== 'number') return error;
    if (status === NO_SUCH_FILE) return noPath(path);
    if (status === PERMISSION_DENIED) return denied(path);
    const said = words((error as Error).message, this.redact);
    // The only word of the protocol for all else.
    return refused(path, status === FAILURE ? `${said} (it may exist, not be empty, or be in use)` : said);
  }
}

const factsOf = ({ mode, size, mtime }: Partial<Attributes>): Omit<Entry, 'name' | 'path'> => ({
  type: typeOf(mode),
  size: size === undefined ? null : Number(size),
  modifiedAt: timeOf(mtime === undefined ? undefined : new Date(mtime * 1000)),
});

/** A request as a promise. */
const ask = <Value = void>(request: (done: Done<Value>) => void): Promise<Value> =>
  new Promise((resolve, reject) => {
    request((error, value) => (error ? reject(error) : resolve(value as Value)));
  });
