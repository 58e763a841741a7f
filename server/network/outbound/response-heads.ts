import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';

/** A head that has no end within this size is passed on as it is: the parser refuses it. */
const MAX_HEAD_BYTES = 65_536;
const HEAD_END_PATTERN = /\n\r?\n/;
/** Bytes of `HEAD_END_PATTERN` that may be at the end of the chunk before. */
const HEAD_END_OVERLAP = 2;
/**
 * Lines that end with LF alone, that are folded, with a blank before the colon, with several lengths, or with control
 * characters.
 */
const ODD_LINE_PATTERN =
  /[^\r]\n|\n[\t ]|\r\n[^:\r\n]*[\t ]:|\r\ncontent-length:[^\r\n]*,|[\u0001-\u0008\u000b\u000c\u000e-\u001f]/i;
const ORDINARY_STATUS_LINE = /^HTTP\/1\.[01] \d/;

function isOddHead(head: string): boolean {
  if (!ORDINARY_STATUS_LINE.test(head) || ODD_LINE_PATTERN.test(head)) return true;
  const lower = head.toLowerCase();
  const at = lower.indexOf('\r\ncontent-length:');
  return at !== -1 && (lower.includes('\r\ncontent-length:', at + 1) || lower.includes('\r\ntransfer-encoding:'));
}

const isHeaderField = (name: string) => (line: string) => line.slice(0, name.length + 1).toLowerCase() === `${name}:`;
const isContentLength = isHeaderField('content-length');
const isTransferEncoding = isHeaderField('transfer-encoding');

/**
 * A head as the parser takes it: what curl and browsers read in it, in the form of RFC 9112. Different lengths stay,
 * and are refused.
 */
function repairResponseHead(head: string): string {
  const [status = '', ...lines] = head
    .replaceAll(/\r?\n[\t ]+/g, ' ')
    .replaceAll(/[\u0001-\u0008\u000b\u000c\u000e-\u001f]/g, ' ')
    .split(/\r?\n/);
  const fields = lines.map((line) => line.replace(/^([^:\s]+)[\t ]+:/, '$1:'));
  const codings = fields.filter(isTransferEncoding).map((line) =>
    line
      .slice(line.indexOf(':') + 1)
      .trim()
      .toLowerCase(),
  );
  const isChunked = codings.some((coding) => coding.endsWith('chunked'));
  const isPlain = codings.every((coding) => coding === 'identity');
  const lengths = new Set(
    fields.filter(isContentLength).flatMap((line) =>
      line
        .slice(line.indexOf(':') + 1)
        .split(',')
        .map((each) => each.trim()),
    ),
  );
  const others = fields.filter((line) => !isContentLength(line) && !(isPlain && isTransferEncoding(line)));
  const written = isChunked ? [] : [...lengths].map((length) => `Content-Length: ${length}`);
  const version = /^http\/1\.0/i.test(status) ? 'HTTP/1.0' : 'HTTP/1.1';
  return [status.replace(/^http\/[\d.]+ +/i, `${version} `), ...written, ...others].join('\r\n');
}

/** The responses of a connection, with their heads in the form that the parser takes. */
class ResponseHeadReader {
  private isInHead = false;
  private held: Buffer[] = [];
  private size = 0;
  private tail = '';

  /** A request is being sent: what comes next begins with a head. */
  begin(): void {
    this.isInHead = true;
  }

  /** Returns the bytes that can be passed on. */
  read(chunk: Buffer): Buffer {
    if (!this.isInHead) return chunk;
    const isFirst = this.size === 0;
    this.held.push(chunk);
    const before = this.size - this.tail.length;
    const text = this.tail + chunk.toString('latin1', 0, MAX_HEAD_BYTES);
    this.size += chunk.length;
    const end = HEAD_END_PATTERN.exec(text);
    if (!end && this.size < MAX_HEAD_BYTES && !(isFirst && /^\s*[^h\s]/i.test(text))) {
      this.tail = text.slice(-HEAD_END_OVERLAP);
      return Buffer.alloc(0);
    }
    const all = this.held.length === 1 ? chunk : Buffer.concat(this.held);
    this.held = [];
    this.size = 0;
    this.tail = '';
    this.isInHead = false;
    return end ? this.repair(all, before + end.index + end[0].length) : all;
  }

  private repair(bytes: Buffer, end: number): Buffer {
    const head = bytes.toString('latin1', 0, end);
    const [, status = ''] = /^\s*http\/[\d.]+ +(\d+)/i.exec(head) ?? [];
    // An interim response: another head follows.
    const isInterim = /^1\d\d$/.test(status) && status !== '101';
    if (!isInterim && !isOddHead(head.trimStart())) return bytes;
    // The parser takes 100 for a fault, for no request asks for it.
    const own = status === '100' ? [] : [Buffer.from(`${repairResponseHead(head.trim())}\r\n\r\n`, 'latin1')];
    if (isInterim) this.begin();
    const rest = end < bytes.length ? [this.read(bytes.subarray(end))] : [];
    return Buffer.concat([...own, ...rest]);
  }
}

const readersBySocket = new WeakMap<object, ResponseHeadReader>();

subscribe('undici:client:sendHeaders', (message) => {
  readersBySocket.get((message as { socket: object }).socket)?.begin();
});

/**
 * Lets a connection take responses whose heads the parser of undici refuses, and curl and browsers do not: undici has
 * no setting for it. The parser gets the bytes from `socket.read()`.
 */
export function acceptOddHeads<Connection extends Socket>(socket: Connection): Connection {
  const reader = new ResponseHeadReader();
  readersBySocket.set(socket, reader);
  const read = socket.read.bind(socket) as (size?: number) => Buffer | null;
  socket.read = (size?: number) => {
    for (let chunk = read(size); chunk !== null; chunk = read(size)) {
      const passed = reader.read(chunk);
      if (passed.length > 0) return passed;
    }
    return null;
  };
  return socket;
}
