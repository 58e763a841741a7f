import type { Readable } from 'node:stream';
import type { Attributes, FileEntry, SFTPWrapper } from 'ssh2';
import { NodeFailure } from '@/server/platform/errors/node-failure';
import { FolderEntryCollector, parentFolders, toIsoTimeOrNull, type RemoteEntry, type RemoteFiles } from './entries';
import type { RemoteCredential, RemoteUseOptions } from './credential';
import {
  pathDeniedFailure,
  pathNotFoundFailure,
  transferRefusedFailure,
  folderTooLargeFailure,
  redactedLine,
} from './failures';
import { isChannelRefusal, withSshSession, type SshSession } from './ssh';

/** Answers to the requests for one listing: a server may send few entries in each, or none. */
const MAX_LISTING_RESPONSES = 20_000;
/** Bytes of a request: OpenSSH permits 256 KiB, with its header. */
const SFTP_PART_BYTES = 252 * 1024;
/** Requests to write that are sent before the first one is answered. */
const MAX_PENDING_WRITES = 16;

/** Statuses of the protocol (draft-ietf-secsh-filexfer-02, section 7). */
const SFTP_END_OF_FILE = 1;
const SFTP_NO_SUCH_FILE = 2;
const SFTP_PERMISSION_DENIED = 3;
const SFTP_FAILURE = 4;

/** Bits of the mode that tell the type of a file. */
const FILE_TYPE_MASK = 0o170000;
const ENTRY_TYPES_BY_MODE: Readonly<Record<number, RemoteEntry['type']>> = {
  0o100000: 'file',
  0o040000: 'folder',
  0o120000: 'link',
};
const entryTypeByMode = (mode: number | undefined): RemoteEntry['type'] =>
  ENTRY_TYPES_BY_MODE[(mode ?? 0) & FILE_TYPE_MASK] ?? 'other';

type SftpCallback<Value> = (error: Error | undefined | null, value?: Value) => void;

const sftpStatus = (error: unknown): unknown => (error as { code?: unknown }).code;

/** Connects by SFTP, lets `work` act on the files, and closes the connection. Throws NodeFailure. */
export const withSftpFiles = <Result>(
  credential: RemoteCredential,
  use: RemoteUseOptions,
  work: (files: RemoteFiles) => Promise<Result>,
): Promise<Result> =>
  withSshSession(credential, use, async (session) =>
    work(new SftpRemoteFiles(await openSftpChannel(session), use.redact)),
  );

const openSftpChannel = ({ client }: SshSession): Promise<SFTPWrapper> =>
  new Promise((resolve, reject) => {
    client.sftp((error, sftp) => {
      if (!error) resolve(sftp);
      else if (!isChannelRefusal(error)) reject(error);
      else reject(new NodeFailure('TRANSFER_REFUSED', `The server has no SFTP: ${error.message}`, false));
    });
  });

class SftpRemoteFiles implements RemoteFiles {
  constructor(
    private readonly sftp: SFTPWrapper,
    private readonly redact: RemoteUseOptions['redact'],
  ) {}

  async list(folder: string): Promise<RemoteEntry[]> {
    const handle = await this.about<Buffer>(folder, (done) => this.sftp.opendir(folder, done));
    const entries = new FolderEntryCollector(folder);
    for (let answers = 0; ; answers += 1) {
      if (answers === MAX_LISTING_RESPONSES) throw folderTooLargeFailure(`${MAX_LISTING_RESPONSES} parts`);
      const some = await this.part(folder, handle);
      if (!some) break;
      for (const { filename, attrs } of some) entries.add(filename, toEntryAttributes(attrs));
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
      if (underWay.length === MAX_PENDING_WRITES) await underWay.shift();
    }
    await Promise.all(underWay);
    await this.about(path, (done) => this.sftp.close(handle, done));
  }

  async remove(path: string): Promise<void> {
    const { mode } = await this.about<Attributes>(path, (done) => this.sftp.lstat(path, done));
    const isFolder = entryTypeByMode(mode) === 'folder';
    await this.about(path, (done) => (isFolder ? this.sftp.rmdir(path, done) : this.sftp.unlink(path, done)));
  }

  move(from: string, to: string): Promise<void> {
    return this.about(from, (done) => this.sftp.rename(from, to, done));
  }

  async makeFolder(path: string): Promise<void> {
    for (const folder of [...parentFolders(path), path]) if (!(await this.isFolder(folder))) await this.make(folder);
  }

  private async isFolder(path: string): Promise<boolean> {
    try {
      const { mode } = await requestSftp<Attributes>((done) => this.sftp.stat(path, done));
      return entryTypeByMode(mode) === 'folder';
    } catch (error) {
      if (typeof sftpStatus(error) === 'number') return false;
      throw error;
    }
  }

  private async make(path: string): Promise<void> {
    try {
      await requestSftp((done) => this.sftp.mkdir(path, done));
    } catch (error) {
      // Another client may have made it meanwhile.
      if (sftpStatus(error) !== SFTP_FAILURE || !(await this.isFolder(path))) throw this.failure(path, error);
    }
  }

  /** Entries of an open folder; undefined: there are no more. */
  private async part(folder: string, handle: Buffer): Promise<FileEntry[] | undefined> {
    try {
      return await requestSftp<FileEntry[]>((done) => this.sftp.readdir(handle, done as never));
    } catch (error) {
      if (sftpStatus(error) === SFTP_END_OF_FILE) return undefined;
      throw this.failure(folder, error);
    }
  }

  /** Bytes of an open file; none at its end. */
  private bytes(path: string, handle: Buffer, at: number): Promise<Buffer> {
    const buffer = Buffer.alloc(SFTP_PART_BYTES);
    return this.about<Buffer>(path, (done) =>
      this.sftp.read(handle, buffer, 0, SFTP_PART_BYTES, at, (error, length) =>
        done(error, buffer.subarray(0, length)),
      ),
    );
  }

  /** What was read is complete, or has failed: the end of the connection closes it, too. */
  private async close(handle: Buffer): Promise<void> {
    await requestSftp((done) => this.sftp.close(handle, done)).catch(() => undefined);
  }

  private async about<Value = void>(path: string, request: (done: SftpCallback<Value>) => void): Promise<Value> {
    try {
      return await requestSftp(request);
    } catch (error) {
      throw this.failure(path, error);
    }
  }

  /** The answer to a request about a path; other errors are those of the connection. */
  private failure(path: string, error: unknown): unknown {
    const status = sftpStatus(error);
    if (error instanceof NodeFailure || typeof status !== 'number') return error;
    if (status === SFTP_NO_SUCH_FILE) return pathNotFoundFailure(path);
    if (status === SFTP_PERMISSION_DENIED) return pathDeniedFailure(path);
    const said = redactedLine((error as Error).message, this.redact);
    // The only word of the protocol for all else.
    return transferRefusedFailure(
      path,
      status === SFTP_FAILURE ? `${said} (it may exist, not be empty, or be in use)` : said,
    );
  }
}

const toEntryAttributes = ({ mode, size, mtime }: Partial<Attributes>): Omit<RemoteEntry, 'name' | 'path'> => ({
  type: entryTypeByMode(mode),
  size: size === undefined ? null : Number(size),
  modifiedAt: toIsoTimeOrNull(mtime === undefined ? undefined : new Date(mtime * 1000)),
});

/** A request as a promise. */
const requestSftp = <Value = void>(request: (done: SftpCallback<Value>) => void): Promise<Value> =>
  new Promise((resolve, reject) => {
    request((error, value) => (error ? reject(error) : resolve(value as Value)));
  });
