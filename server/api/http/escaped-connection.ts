import type { IncomingMessage, ServerResponse } from 'node:http';
import { Duplex } from 'node:stream';
import type { Socket } from 'node:net';

/** The error of Node's parser for input that it refuses. */
export interface HttpParseError extends NodeJS.ErrnoException {
  /** The bytes that it got last. */
  rawPacket?: Buffer;
}

const REQUEST_LINE_PATTERN = /^([A-Z]+ )([\x21-\x7e\x80-\xff]+)( HTTP\/1\.[01]\r?\n)/;

/**
 * The same bytes with an address of ASCII; undefined: the address is not complete, or something else is wrong with it.
 */
function escapeRequestTarget(bytes: Buffer): Buffer | undefined {
  const end = bytes.indexOf('\n') + 1;
  const [line, method = '', target = '', rest = ''] = REQUEST_LINE_PATTERN.exec(bytes.toString('latin1', 0, end)) ?? [];
  if (line === undefined) return undefined;
  const escaped = target.replaceAll(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`);
  return Buffer.concat([Buffer.from(method + escaped + rest, 'latin1'), bytes.subarray(end)]);
}

/** Connections whose first parser has nothing to say any more. */
const replacedSockets = new WeakSet<Duplex>();

/** Whether the parser of a connection was replaced: what it still reports is of no interest. */
export const isParserReplaced = (socket: Duplex): boolean => replacedSockets.has(socket);

/** A connection whose first request was changed before it is parsed again. */
class EscapedConnection extends Duplex {
  constructor(
    private readonly socket: Socket,
    first: Buffer,
  ) {
    super({ allowHalfOpen: true });
    replacedSockets.add(socket);
    this.push(first);
    socket.removeAllListeners('data').removeAllListeners('end');
    socket.on('data', (chunk: Buffer) => {
      if (!this.push(chunk)) socket.pause();
    });
    socket.on('end', () => this.push(null));
    socket.on('error', (error) => this.destroy(error));
    socket.on('close', () => this.destroy());
    this.on('error', () => undefined);
  }

  get remoteAddress(): string | undefined {
    return this.socket.remoteAddress;
  }

  destroySoon(): void {
    if (this.writableFinished) return void this.destroy();
    this.once('finish', () => this.destroy());
    if (!this.writableEnded) this.end();
  }

  override _read(): void {
    this.socket.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.socket.write(chunk, done);
  }

  override _final(done: () => void): void {
    this.socket.end(done);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.socket.destroy();
    done(error);
  }
}

/**
 * Node's parser refuses addresses with other bytes than ASCII, which curl and many programs send as they are. The
 * connection is parsed again with these bytes escaped. Undefined: the request is refused for another reason, or an
 * answer to an earlier one is still being sent.
 */
export function reparseEscaped({ code, rawPacket }: HttpParseError, socket: Duplex): Duplex | undefined {
  const isAnswering = Boolean((socket as Duplex & { _httpMessage?: ServerResponse | null })._httpMessage);
  if (code !== 'HPE_INVALID_URL' || !rawPacket || isAnswering || socket instanceof EscapedConnection) return undefined;
  const request = escapeRequestTarget(rawPacket);
  return request && new EscapedConnection(socket as Socket, request);
}

/** Whether the connection of a request ends with its answer, because only its first request is escaped. */
export const isEscapedConnection = ({ socket }: IncomingMessage): boolean =>
  (socket as Duplex) instanceof EscapedConnection;
