import { isIP, type Socket } from 'node:net';
import { PassThrough, type Readable } from 'node:stream';
import type * as FtpLibrary from 'basic-ftp';
import type { Client, FileInfo } from 'basic-ftp';
import type { FtpConfig } from '@/contract/credentials/remote';
import { NodeFailure } from '@/server/errors/node-failure';
import { awaitStart } from '@/server/starts';
import { YieldTimer } from '@/server/cooperative';
import { OutboundSocket, PeerSocket, secured } from '@/server/outbound/socket';
import { CONNECT_MS, turns, wrongKind, type RemoteCredential, type Use } from './credential';
import { Entries, MAX_ENTRIES, parentsOf, timeOf, type Entry } from './entries';
import { connectionFailure, noPath, refused, refusedLogin, tooLong, words } from './failures';
import type { RemoteFiles } from './transfer';
import { stopped } from './turns';

/** Milliseconds that a server may be silent. */
const SILENCE_MS = 30_000;
/** Bytes of a listing, and characters of one of its lines: its patterns take long for longer ones. */
const MAX_LISTING = 2 * 1024 * 1024;
const MAX_LINE = 2000;
const LINES_AT_ONCE = 100;
/** Characters of the replies to a command. */
const MAX_REPLIES = 16 * 1024;

/** Replies (RFC 959, section 4.2): the login is refused; the file is not there, or not permitted. */
const NOT_LOGGED_IN = 530;
const UNAVAILABLE = 550;
const MISSING = /no such|not found|not exist|cannot find|can't find/i;

type Library = typeof FtpLibrary;

/** Connects by FTP or FTPS, lets `work` act on the files, and closes the connection. Throws NodeFailure. */
export async function withFtp<Result>(
  credential: RemoteCredential,
  { signal, redact }: Use,
  work: (files: RemoteFiles) => Promise<Result>,
): Promise<Result> {
  const { workspaceId, type, config } = credential;
  if (type !== 'ftp') throw wrongKind(credential, 'an FTP server');
  const server = { ...(config as FtpConfig), workspaceId };
  // Loaded on demand: few workspaces use it.
  const library = await import('basic-ftp');
  const endTurn = await turns.take(workspaceId, signal);
  const socket = new OutboundSocket(server);
  const client = new library.Client(SILENCE_MS, { maxListingBytes: MAX_LISTING });
  limitReplies(client);
  const stop = () => client.close();
  signal.addEventListener('abort', stop, { once: true });
  let isConnected = false;
  try {
    if (signal.aborted) throw stopped();
    await connected(client, socket, server, library, redact);
    await awaitStart(signal);
    isConnected = true;
    return await work(new FtpFiles(client, library, redact));
  } catch (error) {
    if (signal.aborted) throw stopped();
    throw connectionFailure(error, { host: server.host, isConnected, redact });
  } finally {
    signal.removeEventListener('abort', stop);
    client.close();
    socket.destroy();
    endTurn();
  }
}

/** Signs in without doing anything. Throws NodeFailure. */
export async function checkFtp(credential: RemoteCredential, use: Use): Promise<string> {
  const count = await withFtp(credential, use, async (files) => (await files.list('.')).length);
  return `The server accepted the login. Its folder has ${count} ${count === 1 ? 'entry' : 'entries'}.`;
}

async function connected(
  client: Client,
  socket: OutboundSocket,
  server: FtpConfig,
  { FTPError, enterPassiveModeIPv4, enterPassiveModeIPv6 }: Library,
  redact: Use['redact'],
): Promise<void> {
  const { host, tls, ca, username, password } = server;
  const { ftp } = client;
  const options = { ca, ...(isIP(host) ? { host } : { servername: host }) };
  const timer = setTimeout(() => client.close(), CONNECT_MS);
  try {
    // The sockets that the library connects, but for the first one.
    ftp._newSocket = () => new PeerSocket(socket);
    client.prepareTransfer = async () => {
      const reply = await enterPassiveModeIPv6(ftp).catch(() => enterPassiveModeIPv4(ftp));
      if (ftp.dataSocket) ignoreReset(ftp.dataSocket);
      return reply;
    };
    ftp.socket = tls === 'implicit' ? secured(socket, server) : socket;
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
    const said = words(error.message, redact);
    if (error.code === NOT_LOGGED_IN) throw refusedLogin(host, said);
    if (tls === 'explicit' && !ftp.hasTLS)
      throw new NodeFailure('TLS', `${host} offers no TLS before the login. It said: ${said}`, false);
    throw new NodeFailure('CONNECTION_FAILED', `${host}: ${said}`, error.code < 500);
  } finally {
    clearTimeout(timer);
  }
}

/** Servers reset a data connection that they do not use. The reply, which may come later, tells why. */
function ignoreReset(socket: Socket): void {
  const destroy = socket.destroy.bind(socket);
  const isUnused = (error: NodeJS.ErrnoException | undefined) => error?.code === 'ECONNRESET' && socket.bytesRead === 0;
  socket.destroy = (error) => destroy(isUnused(error) ? undefined : error);
}

/** A listing is parsed a few lines at a time, and no further than there may be entries. */
async function parsed(text: string, parse: (part: string) => FileInfo[]): Promise<FileInfo[]> {
  const lines = text.split('\n');
  if (lines.some(({ length }) => length > MAX_LINE))
    throw new NodeFailure('BAD_RESPONSE', 'The listing of the server can not be read: a line is too long.', false);
  const yieldTimer = new YieldTimer();
  let found: FileInfo[] = [];
  for (let at = 0; at < lines.length && found.length <= MAX_ENTRIES; at += LINES_AT_ONCE) {
    await yieldTimer.take();
    found = [...found, ...parse(lines.slice(at, at + LINES_AT_ONCE).join('\n'))];
  }
  return found;
}

/** The server says no more than replies to what it was asked. */
function limitReplies({ ftp }: Client): void {
  const context = ftp as unknown as { _onControlSocketData(chunk: string): void };
  const [receive, send] = [context._onControlSocketData.bind(ftp), ftp.send.bind(ftp)];
  let left = MAX_REPLIES;
  ftp.send = (command) => {
    left = MAX_REPLIES;
    send(command);
  };
  context._onControlSocketData = (chunk) => {
    left -= chunk.length;
    if (left >= 0) receive(chunk);
    else
      ftp.closeWithError(new NodeFailure('BAD_RESPONSE', 'The server sent more than a reply to a command has.', false));
  };
}

class FtpFiles implements RemoteFiles {
  constructor(
    private readonly client: Client,
    private readonly library: Library,
    private readonly redact: Use['redact'],
  ) {
    const { parseList } = client;
    // The library waits for what this returns.
    client.parseList = ((text: string) => parsed(text, parseList)) as unknown as typeof parseList;
  }

  async list(folder: string): Promise<Entry[]> {
    return this.about(folder, async () => {
      // Without an argument: servers take some as options, or as patterns.
      await this.client.cd(folder);
      const entries = new Entries(folder);
      for (const info of await this.listed()) entries.add(info.name, this.factsOf(info));
      return entries.sorted;
    });
  }

  private async listed(): Promise<FileInfo[]> {
    try {
      return await this.client.list();
    } catch (error) {
      throw /Maximum bytes/.test((error as Error).message) ? tooLong('2 MiB of text') : error;
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
    for (const folder of [...parentsOf(path), path]) {
      const path = await this.client.protectWhitespace(folder);
      const { code, message } = await this.client.sendIgnoringError(`MKD ${path}`);
      if (code < 400 || (await this.isFolder(path))) continue;
      throw refused(folder, words(message, this.redact), code < 500);
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

  private factsOf({ type, size, modifiedAt }: FileInfo): Omit<Entry, 'name' | 'path'> {
    const { File, Directory, SymbolicLink } = this.library.FileType;
    const kind =
      type === File ? 'file' : type === Directory ? 'folder' : type === SymbolicLink ? 'link' : ('other' as const);
    return { type: kind, size: Number.isSafeInteger(size) ? size : null, modifiedAt: timeOf(modifiedAt) };
  }

  /** Turns a reply to a command about a path into a failure; other errors are those of the connection. */
  private async about<Value>(path: string, work: () => Promise<Value>): Promise<Value> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof this.library.FTPError)) throw error;
      const said = words(error.message, this.redact);
      if (error.code === UNAVAILABLE && MISSING.test(error.message)) throw noPath(path);
      throw refused(path, said, error.code < 500);
    }
  }
}
