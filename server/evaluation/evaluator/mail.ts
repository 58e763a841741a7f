import iconv from 'iconv-lite';
import PostalMime, { type Address, type Attachment, type Email } from 'postal-mime';
import { NodeFailure } from '@/server/errors/node-failure';
import type { MailAttachment, ParsedMail } from '../parse-mail';
import { endOfType } from '@/contract/media-types';
import { htmlText } from './convert/html';
import { withCharsets } from './mail-charsets';

/** Characters of a text, of a header, of a name. */
const MAX_TEXT = 256 * 1024;
const MAX_HEADER = 2000;
const MAX_NAME = 200;
const MAX_ADDRESSES = 100;
const MAX_ATTACHMENTS = 20;

/** Headers that tell how a message is to be treated, or to which it belongs. */
const HEADERS = new Set([
  'in-reply-to',
  'references',
  'list-id',
  'list-unsubscribe',
  'auto-submitted',
  'precedence',
  'importance',
  'x-priority',
  'authentication-results',
  'return-path',
  'delivered-to',
]);

/** Parsers of hostile messages recurse, and each part has a cost. */
const MAX_HEADERS = 512 * 1024;
const OPTIONS = { maxNestingDepth: 30, maxHeadersSize: MAX_HEADERS, forceRfc822Attachments: true };

/** A message, and the contents of its attachments. Throws NodeFailure. */
export async function parsedMail(
  bytes: Uint8Array,
  isWhole: boolean,
): Promise<{ mail: ParsedMail; contents: Buffer[] }> {
  const email = await PostalMime.parse(withCharsets(Buffer.from(bytes)), OPTIONS).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new NodeFailure('MAIL_UNREADABLE', `The message can not be read: ${reason}`, false);
  });
  // The last part of half a message is incomplete.
  const files = isWhole ? email.attachments.slice(0, MAX_ATTACHMENTS) : [];
  const html = email.html ?? '';
  const text = email.text ?? (html === '' ? '' : htmlText(html.slice(0, MAX_TEXT)));
  const mail = {
    messageId: email.messageId ? clean(email.messageId, MAX_HEADER) : null,
    from: email.from ? (listed([email.from])[0] ?? null) : null,
    fromAddress: email.from?.address ? clean(email.from.address, MAX_HEADER).toLowerCase() : null,
    to: listed(email.to),
    cc: listed(email.cc),
    replyTo: listed(email.replyTo),
    subject: clean(email.subject ?? '', MAX_HEADER),
    date: dateOf(email.date),
    text: cut(text),
    html: html === '' ? null : cut(html),
    headers: headersOf(email),
    attachments: files.map(about),
    isCut: !isWhole || text.length > MAX_TEXT || html.length > MAX_TEXT || email.attachments.length > files.length,
  };
  return { mail, contents: files.map(contentOf) };
}

/** The characters of windows-1252 from 0x80 to 0x9f. */
const WINDOWS = iconv.decode(Buffer.from(Array.from({ length: 32 }, (_, index) => 0x80 + index)), 'windows-1252');

/** The TextDecoder of Node.js 20 reads windows-1252 as ISO 8859-1, which has control characters there. */
const repaired = (text: string) =>
  text.replaceAll(/[\u0080-\u009f]/g, (character) => WINDOWS[character.charCodeAt(0) - 0x80] ?? character);

/** Without half of a surrogate pair, and without NUL, which a database does not store. */
const cut = (text: string) => repaired(text.slice(0, MAX_TEXT)).replaceAll('\0', '').toWellFormed();

/** One line. */
const clean = (text: string, most: number) =>
  repaired(text.slice(0, MAX_HEADERS))
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, most)
    .toWellFormed();

/** Names with characters that separate addresses are quoted. */
function written({ name, address }: { name: string; address: string }): string {
  const [words, at] = [clean(name, MAX_NAME).replaceAll('"', "'"), clean(address, MAX_HEADER)];
  if (words === '') return at;
  return at === '' ? words : `${/^[\p{L}\p{N} '.-]+$/u.test(words) ? words : `"${words}"`} <${at}>`;
}

const listed = (addresses: Address[] = []): string[] =>
  addresses
    .flatMap((one) => one.group ?? [one])
    .slice(0, MAX_ADDRESSES)
    .map(written)
    .filter((one) => one !== '');

function dateOf(text = ''): string | null {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}

/** Of repeated headers the first counts, which the receiving server has added. */
function headersOf({ headers }: Email): Record<string, string> {
  const found = headers.filter(({ key }) => HEADERS.has(key)).toReversed();
  return Object.fromEntries(found.map(({ key, value }) => [key, clean(value, MAX_HEADER)]));
}

/** Names of parts that mean the same in every message. */
const USUAL_NAMES: Readonly<Record<string, string>> = { dat: 'winmail', ics: 'invite', eml: 'message' };

/** A part without a name gets one, with the end of its type, by which programs open it. */
function about({ filename, mimeType }: Attachment, index: number): MailAttachment {
  const contentType = clean(mimeType, MAX_NAME);
  const end = endOfType(contentType);
  return {
    name: clean(filename ?? '', MAX_NAME) || `${USUAL_NAMES[end] ?? 'attachment'}-${index + 1}.${end}`,
    contentType,
  };
}

const contentOf = ({ content }: Attachment): Buffer =>
  typeof content === 'string' ? Buffer.from(content) : Buffer.from(new Uint8Array(content).buffer);
