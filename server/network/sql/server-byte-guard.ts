import { NodeFailure } from '@/server/platform/errors/node-failure';
import { PacedParser } from '@/server/network/outbound/paced-parser';

/**
 * Bytes that a server may send for one result. A result within the limit of its JSON takes at most 1.5 times as much:
 * binary data is sent as hexadecimal digits.
 */
export const MAX_RESULT_BYTES_RECEIVED = 16 * 1024 * 1024;
const unreadableServerResponse = () => new NodeFailure('BAD_RESPONSE', 'The server’s answer could not be read.', false);

/** The limit before a statement, for responses to the handshake and to settings. */
const MAX_GREETING_BYTES = 1024 * 1024;

/**
 * What a server sends, on its way to the parser of the driver. The server is foreign: it may send more than fits into
 * memory, or bytes that the parser throws at, which would end this process.
 */
export class ServerByteGuard {
  failure: Error | undefined;
  private left = MAX_GREETING_BYTES;
  private parser: PacedParser | undefined;

  /** `close`: ends the connection with an error. `check`: throws at what the parser must not see. */
  constructor(
    private readonly close: (error: Error) => void,
    private readonly check?: (piece: Buffer) => void,
  ) {}

  /** Permits so many bytes from now on. */
  permit(bytes = MAX_GREETING_BYTES): void {
    this.left = bytes;
  }

  readonly receive = (chunk: Buffer, parse: (chunk: Buffer) => void): void => {
    if (this.failure) return;
    this.left -= chunk.length;
    if (this.left < 0) return this.fail(new NodeFailure('TOO_LARGE', 'The result is larger than 10 MiB.', false));
    this.parser ??= new PacedParser((piece) => this.pass(piece, parse));
    this.parser.receive(chunk);
  };

  private pass(piece: Buffer, parse: (chunk: Buffer) => void): void {
    if (this.failure) return;
    try {
      this.check?.(piece);
      parse(piece);
    } catch (error) {
      this.fail(error instanceof NodeFailure ? error : unreadableServerResponse());
    }
  }

  /** Ends the connection. */
  fail(error: Error): void {
    this.failure = error;
    this.close(error);
  }
}
