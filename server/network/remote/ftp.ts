import { isIP, type Socket } from 'node:net';
import { PassThrough, type Readable } from 'node:stream';
import type * as FtpLibrary from 'basic-ftp';
import type { Client, FileInfo } from 'basic-ftp';
import type { FtpServerConfig } from '@/contract/credentials/ssh-ftp';
import { NodeFailure } from '@/server/platform/errors/node-failure';
import { awaitPermittedStart } from '@/server/platform/timers/starts';
import { YieldTimer } from '@/server/platform/timers/cooperative';
import { OutboundSocket, PeerSocket, startVerifiedTls } from '@/server/network/outbound/socket';
import {
  REMOTE_CONNECT_TIMEOUT_MS,
  remoteSemaphores,
  wrongCredentialFailure,
  type RemoteCredential,
  type RemoteUseOptions,
} from './credential';
import {
  FolderEntryCollector,
  MAX_FOLDER_ENTRIES,
  parentFolders,
  toIsoTimeOrNull,
  type RemoteEntry,
  type RemoteFiles,
} from './entries';
import {
  remoteConnectionFailure,
  pathNotFoundFailure,
  transferRefusedFailure,
  loginRefusedFailure,
  folderTooLargeFailure,
  redactedLine,
} from './failures';
import { remoteStoppedFailure } from './workspace-semaphores';

/** The time in milliseconds for which a server may be silent. */
const FTP_SILENCE_TIMEOUT_MS = 30_000;
/** Bytes of a listing, and characters of one of its lines: its patterns take long for longer ones. */
const MAX_LISTING_BYTES = 2 * 1024 * 1024;
const MAX_LISTING_LINE_LENGTH = 2000;
const LISTING_LINES_PER_TURN = 100;
/** The maximum length of the replies to a command, in characters. */
const MAX_FTP_REPLY_LENGTH = 16 * 1024;

/** Replies (RFC 959, section 4.2): the login is refused; the file is not there, or not permitted. */
const FTP_NOT_LOGGED_IN = 530;
const FTP_FILE_UNAVAILABLE = 550;
const MISSING_FILE_PATTERN = /no such|not found|not exist|cannot find|can't find/i;

type FtpLibraryModule = typeof FtpLibrary;

/** Connects by FTP or FTPS, lets `work` act on the files, and closes the connection. Throws NodeFailure. */
export async function withFtpFiles<Result>(
  credential: RemoteCredential,
  { signal, redact }: RemoteUseOptions,
  work: (files: RemoteFiles) => Promise<Result>,
): Promise<Result> {
  const { workspaceId, type, config } = credential;
  if (type !== 'ftp') throw wrongCredentialFailure(credential, 'an FTP server');
  const server = { ...(config as FtpServerConfig), workspaceId };
  // Loaded on demand: few workspaces use it.
  const library = await import('basic-ftp');
  const endTurn = await remoteSemaphores.take(workspaceId, signal);
  const socket = new OutboundSocket(server);
  const client = new library.Client(FTP_SILENCE_TIMEOUT_MS, { maxListingBytes: MAX_LISTING_BYTES });
  limitFtpReplies(client);
  const stop = () => client.close();
  signal.addEventListener('abort', stop, { once: true });
  let isConnected = false;
  try {
    if (signal.aborted) throw remoteStoppedFailure();
    await connectFtp(client, socket, server, library, redact);
    await awaitPermittedStart(signal);
    isConnected = true;
    return await work(new FtpRemoteFiles(client, library, redact));
  } catch (error) {
    if (signal.aborted) throw remoteStoppedFailure();
    throw remoteConnectionFailure(error, { host: server.host, isConnected, redact });
  } finally {
    signal.removeEventListener('abort', stop);
    client.close();
    socket.destroy();
    endTurn();
  }
}

/** Signs in without doing anything. Throws NodeFailure. */
export async function checkFtpLogin(credential: RemoteCredential, use: RemoteUseOptions): Promise<string> {
  const count = await withFtpFiles(credential, use, async (files) => (await files.list('.')).length);
  return `The server accepted the login. Its folder has ${count} ${count === 1 ? 'entry' : 'entries'}.`;
}

async function connectFtp(
  client: Client,
  socket: OutboundSocket,
  server: FtpServerConfig,
  { FTPError, enterPassiveModeIPv4, enterPassiveModeIPv6 }: FtpLibraryModule,
  redact: RemoteUseOptions['redact'],
): Promise<void> {
  const { host, tls, ca, username, password } = server;
  const { ftp } = client;
  const options = { ca, ...(isIP(host) ? { host } : { servername: host }) };
  const timer = setTimeout(() => client.close(), REMOTE_CONNECT_TIMEOUT_MS);
  try {
    // The sockets that the library connects, but for the first one.
    ftp._newSocket = () => new PeerSocket(socket);
    client.prepareTransfer = async () => {
      const reply = await enterPassiveModeIPv6(ftp).catch(() => enterPassiveModeIPv4(ftp));
      if (ftp.dataSocket) ignoreUnusedReset(ftp.dataSocket);
      return reply;
    };
    ftp.socket = tls === 'implicit' ? startVerifiedTls(socket, server) : socket;
    if (tls === 'implicit') ftp.tlsOptions = options;
    const greeting = ftp.handle(undefined, (reply, task) => {
      if (reply instanceof Error) task.reject(reply);
      // A lower one announces another.
      else if (reply.code >= 200) task.resolve(reply);
    });
    socket.connect();
    await greeting;
    if (tls === 'explicit') await client.useTLS(options);
    await client.login(username, password);
    await client.useDefaultSettings();
  } catch (error) {
    if (!(error instanceof FTPError)) throw error;
    const said = redactedLine(error.message, redact);
    if (error.code === FTP_NOT_LOGGED_IN) throw loginRefusedFailure(host, said);
    if (tls === 'explicit' && !ftp.hasTLS)
      throw new NodeFailure('TLS', `${host} offers no TLS before the login. It said: ${said}`, false);
    throw new NodeFailure('CONNECTION_FAILED', `${host}: ${said}`, error.code < 500);
  } finally {
    clearTimeout(timer);
  }
}

/** Servers reset a data connection that they do not use. The reply, which may come later, tells why. */
function ignoreUnusedReset(socket: Socket): void {
  const destroy = socket.destroy.bind(socket);
  const isUnused = (error: NodeJS.ErrnoException | undefined) => error?.code === 'ECONNRESET' && socket.bytesRead === 0;
  socket.destroy = (error) => destroy(isUnused(error) ? undefined : error);
}

/** A listing is parsed a few lines at a time, and no further than there may be entries. */
async function parseListing(text: string, parse: (part: string) => FileInfo[]): Promise<FileInfo[]> {
  const lines = text.split('\n');
  if (lines.some(({ length }) => length > MAX_LISTING_LINE_LENGTH))
    throw new NodeFailure('BAD_RESPONSE', 'The listing of the server can not be read: a line is too long.', false);
  const yieldTimer = new YieldTimer();
  let found: FileInfo[] = [];
  for (let at = 0; at < lines.length && found.length <= MAX_FOLDER_ENTRIES; at += LISTING_LINES_PER_TURN) {
    await yieldTimer.take();
    found = [...found, ...parse(lines.slice(at, at + LISTING_LINES_PER_TURN).join('\n'))];
  }
  return found;
}

/** The server says no more than replies to what it was asked. */
function limitFtpReplies({ ftp }: Client): void {
  const context = ftp as unknown as { _onControlSocketData(chunk: string): void };
  const [receive, send] = [context._onControlSocketData.bind(ftp), ftp.send.bind(ftp)];
  let left = MAX_FTP_REPLY_LENGTH;
  ftp.send = (command) => {
    left = MAX_FTP_REPLY_LENGTH;
    send(command);
  };
  context._onControlSocketData = (chunk) => {
    left -= chunk.length;
    if (left >= 0) receive(chunk);
    else
      ftp.closeWithError(new NodeFailure('BAD_RESPONSE', 'The server sent more than a reply to a command has.', false));
  };
}

class FtpRemoteFiles implements RemoteFiles {
  constructor(
    private readonly client: Client,
    private readonly library: FtpLibraryModule,
    private readonly redact: RemoteUseOptions['redact'],
  ) {
    const { parseList } = client;
    // The library waits for what this returns.
    client.parseList = ((text: string) => parseListing(text, parseList)) as unknown as typeof parseList;
  }

  async list(folder: string): Promise<RemoteEntry[]> {
    return this.about(folder, async () => {
      // Without an argument: servers take some as options, or as patterns.
      await this.client.cd(folder);
      const entries = new FolderEntryCollector(folder);
      for (const info of await this.listed()) entries.add(info.name, this.factsOf(info));
      return entries.sorted;
    });
  }

  private async listed(): Promise<FileInfo[]> {
    try {
      return await this.client.list();
    } catch (error) {
      throw /Maximum bytes/.test((error as Error).message) ? folderTooLargeFailure('2 MiB of text') : error;
    }
  }

  async *read(path: string): AsyncGenerator<Buffer> {
    const content = new PassThrough();
    const arrival = this.about(path, () => this.client.downloadTo(content, path));
    arrival.catch((error: Error) => content.destroy(error));
    try {
      yield* content as AsyncIterable<Buffer>;
      // The content also ends when the connection does.
      await arrival;
    } finally {
      content.destroy();
    }
  }

  async write(path: string, content: Readable): Promise<void> {
    // The library reports it while it reads the content.
    content.on('error', () => undefined);
    try {
      await this.about(path, () => this.client.uploadFrom(content, path));
    } finally {
      content.destroy();
    }
  }

  async remove(path: string): Promise<void> {
    await this.about(path, async () => {
      try {
        await this.client.remove(path);
      } catch (error) {
        // The protocol does not tell a folder from a file.
        const isRemoved = error instanceof this.library.FTPError && (await this.removeFolder(path));
        if (!isRemoved) throw error;
      }
    });
  }

  async move(from: string, to: string): Promise<void> {
    await this.about(from, () => this.client.rename(from, to));
  }

  async makeFolder(path: string): Promise<void> {
    for (const folder of [...parentFolders(path), path]) {
      const path = await this.client.protectWhitespace(folder);
      const { code, message } = await this.client.sendIgnoringError(`MKD ${path}`);
      if (code < 400 || (await this.isFolder(path))) continue;
      throw transferRefusedFailure(folder, redactedLine(message, this.redact), code < 500);
    }
  }

  private async isFolder(path: string): Promise<boolean> {
    const start = await this.client.pwd();
    const { code } = await this.client.sendIgnoringError(`CWD ${path}`);
    if (code < 400) await this.client.cd(start);
    return code < 400;
  }

  private async removeFolder(path: string): Promise<boolean> {
    const { code } = await this.client.sendIgnoringError(`RMD ${await this.client.protectWhitespace(path)}`);
    return code < 400;
  }

  private factsOf({ type, size, modifiedAt }: FileInfo): Omit<RemoteEntry, 'name' | 'path'> {
    const { File, Directory, SymbolicLink } = this.library.FileType;
    const kind =
      type === File ? 'file' : type === Directory ? 'folder' : type === SymbolicLink ? 'link' : ('other' as const);
    return { type: kind, size: Number.isSafeInteger(size) ? size : null, modifiedAt: toIsoTimeOrNull(modifiedAt) };
  }

  /** Turns a reply to a command about a path into a failure; other errors are those of the connection. */
  private async about<Value>(path: string, work: () => Promise<Value>): Promise<Value> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof this.library.FTPError)) throw error;
      const said = redactedLine(error.message, this.redact);
      if (error.code === FTP_FILE_UNAVAILABLE && MISSING_FILE_PATTERN.test(error.message))
        throw pathNotFoundFailure(path);
      throw transferRefusedFailure(path, said, error.code < 500);
    }
  }
}
