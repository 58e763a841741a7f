import { isUtf8 } from 'node:buffer';
import { isKnownEncoding, decodeTextForDisplay } from '@/server/platform/messages/text-encoding';

/** Senders that name no encoding, or another one than they use, mostly write in this one. */
const FALLBACK_CHARSET = 'windows-1252';

const CHARSET_PARAMETER = /;\s*charset\s*=\s*(?:"([^"]*)"|([^;\s]+))/i;
const BOUNDARY_PARAMETER = /;\s*boundary\s*=\s*(?:"([^"]*)"|([^;\s]+))/i;

/** The facts that the headers of a message, or of one of its parts, state. */
interface MailPartHeaders {
  charset: string | undefined;
  boundary: string | undefined;
  isText: boolean;
  transfer: string;
}

/**
 * Declares the encodings of a message that does not: raw bytes in headers become UTF-8, and texts that are not in the
 * encoding that they name, or name none, are declared to be in that of Western Europe. The parser of messages would
 * replace such bytes. Other bytes stay as they are.
 */
export function declareCharsets(mail: Buffer): Buffer {
  const parts: Buffer[] = [];
  const boundaries = new Set<string>();
  let at = 0;
  while (at < mail.length) {
    const body = findBodyStart(mail, at);
    const headers = mail.subarray(at, body);
    const facts = readPartHeaders(headers);
    if (facts.boundary) boundaries.add(facts.boundary);
    const next = findNextPart(mail, body, boundaries);
    parts.push(repairPartHeaders(headers, facts, mail.subarray(body, next.end)), mail.subarray(body, next.start));
    at = next.start;
  }
  return Buffer.concat(parts);
}

/** The position after the empty line that ends headers. */
function findBodyStart(mail: Buffer, from: number): number {
  for (let at = from; at < mail.length;) {
    const end = mail.indexOf(0x0a, at);
    if (end < 0) return mail.length;
    if (end === at || (end === at + 1 && mail[at] === 0x0d)) return end + 1;
    at = end + 1;
  }
  return mail.length;
}

/** Finds where the body ends, and where the headers of the next part begin. */
function findNextPart(mail: Buffer, from: number, boundaries: ReadonlySet<string>): { end: number; start: number } {
  let end: number | undefined;
  for (let at = from; boundaries.size > 0;) {
    const found = mail.subarray(at, at + 2).equals(DOUBLE_DASH) ? at : mail.indexOf('\n--', at) + 1;
    if (found === 0) break;
    const lineEnd = mail.indexOf(0x0a, found);
    const line = mail.toString('latin1', found + 2, lineEnd < 0 ? mail.length : lineEnd).trimEnd();
    const next = lineEnd < 0 ? mail.length : lineEnd + 1;
    if (boundaries.has(line)) return { end: end ?? found, start: next };
    if (line.endsWith('--') && boundaries.has(line.slice(0, -2))) end ??= found;
    if (lineEnd < 0) break;
    at = lineEnd;
  }
  return { end: end ?? mail.length, start: mail.length };
}

const DOUBLE_DASH = Buffer.from('--');

function readPartHeaders(headers: Buffer): MailPartHeaders {
  const text = headers.toString('latin1').replaceAll(/\r?\n[ \t]+/g, ' ');
  const valueOf = (name: string) => new RegExp(`^${name}[ \\t]*:(.*)$`, 'im').exec(text)?.[1]?.trim() ?? '';
  const type = valueOf('content-type');
  const [, quoted, plain] = CHARSET_PARAMETER.exec(type) ?? [];
  const [, inQuotes, bare] = BOUNDARY_PARAMETER.exec(type) ?? [];
  return {
    charset: (quoted ?? plain)?.trim(),
    boundary: /^multipart\//i.test(type) ? (inQuotes ?? bare) : undefined,
    isText: type === '' || /^text\/(plain|html)\b/i.test(type),
    transfer: valueOf('content-transfer-encoding').toLowerCase(),
  };
}

function repairPartHeaders(headers: Buffer, facts: MailPartHeaders, body: Buffer): Buffer {
  const text = isUtf8(headers) ? headers : Buffer.from(decodeHeaderLines(headers, facts.charset));
  if (!facts.isText || !isCharsetWrong(facts, body)) return text;
  const written = text.toString().replace(/^content-type[ \t]*:/gim, 'X-Declared-Type:');
  const type = /^x-declared-type:\s*text\/html\b/im.test(written) ? 'html' : 'plain';
  return Buffer.from(`Content-Type: text/${type}; charset=${FALLBACK_CHARSET}\r\n${written}`);
}

/** Each line that is no UTF-8 is most likely in the encoding of the text below, else in that of Western Europe. */
function decodeHeaderLines(headers: Buffer, charset: string | undefined): string {
  const lines: string[] = [];
  for (let at = 0; at < headers.length;) {
    const end = headers.indexOf(0x0a, at);
    const line = headers.subarray(at, end < 0 ? headers.length : end + 1);
    lines.push(
      isUtf8(line)
        ? line.toString()
        : decodeTextForDisplay(line, { charset: isMeaningfulCharset(charset) ? charset : FALLBACK_CHARSET }),
    );
    at += line.length;
  }
  return lines.join('');
}

/** Whether a charset is known and says more than the default does. */
const isMeaningfulCharset = (charset: string | undefined): charset is string =>
  charset !== undefined && isKnownEncoding(charset) && !/^(utf-?8|(us-)?ascii)$/i.test(charset);

/** Whether a text is not UTF-8 although it names no encoding, or only one that says no more than the default. */
function isCharsetWrong({ charset, transfer }: MailPartHeaders, body: Buffer): boolean {
  return !isMeaningfulCharset(charset) && !isUtf8(decodeTransferEncoding(body, transfer));
}

function decodeTransferEncoding(body: Buffer, transfer: string): Buffer {
  if (transfer.includes('base64')) return Buffer.from(body.toString('latin1'), 'base64');
  if (!transfer.includes('quoted-printable')) return body;
  const text = body
    .toString('latin1')
    .replaceAll(/=[ \t]*\r?\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  return Buffer.from(text, 'latin1');
}
