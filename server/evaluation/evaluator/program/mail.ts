import iconv from 'iconv-lite';
import PostalMime, { type Address, type Attachment, type Email } from 'postal-mime';
import { NodeFailure } from '@/server/platform/errors/node-failure';
import type { ParsedAttachment, ParsedMail } from '../parse-mail';
import { mediaTypeExtension } from '@/contract/media-types';
import { htmlToVisibleText } from './convert/html';
import { declareCharsets } from './mail-charsets';

/** The limits of a text, of a header and of a name, in characters. */
const MAX_MAIL_TEXT = 256 * 1024;
const MAX_MAIL_HEADER_LENGTH = 2000;
const MAX_NAME_CHARACTERS = 200;
const MAX_MAIL_ADDRESSES = 100;
const MAX_MAIL_ATTACHMENTS = 20;

/** These headers tell how to treat a message, or which conversation it belongs to. */
const KEPT_MAIL_HEADERS = new Set([
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
const MAX_HEADERS_BYTES = 512 * 1024;
const MAIL_PARSER_OPTIONS = { maxNestingDepth: 30, maxHeadersSize: MAX_HEADERS_BYTES, forceRfc822Attachments: true };

/** A message, and the contents of its attachments. Throws NodeFailure. */
export async function readMailMessage(
  bytes: Uint8Array,
  isWhole: boolean,
): Promise<{ mail: ParsedMail; contents: Buffer[] }> {
  const email = await PostalMime.parse(declareCharsets(Buffer.from(bytes)), MAIL_PARSER_OPTIONS).catch(
    (error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      throw new NodeFailure('MAIL_UNREADABLE', `The message can not be read: ${reason}`, false);
    },
  );
  // The last part of half a message is incomplete.
  const files = isWhole ? email.attachments.slice(0, MAX_MAIL_ATTACHMENTS) : [];
  const html = email.html ?? '';
  const text = email.text ?? (html === '' ? '' : htmlToVisibleText(html.slice(0, MAX_MAIL_TEXT)));
  const mail = {
    messageId: email.messageId ? cleanMailLine(email.messageId, MAX_MAIL_HEADER_LENGTH) : null,
    from: email.from ? (formatMailAddresses([email.from])[0] ?? null) : null,
    fromAddress: email.from?.address ? cleanMailLine(email.from.address, MAX_MAIL_HEADER_LENGTH).toLowerCase() : null,
    to: formatMailAddresses(email.to),
    cc: formatMailAddresses(email.cc),
    replyTo: formatMailAddresses(email.replyTo),
    subject: cleanMailLine(email.subject ?? '', MAX_MAIL_HEADER_LENGTH),
    date: toIsoDateOrNull(email.date),
    text: cutMailText(text),
    html: html === '' ? null : cutMailText(html),
    headers: pickMailHeaders(email),
    attachments: files.map(describeAttachment),
    isCut:
      !isWhole || text.length > MAX_MAIL_TEXT || html.length > MAX_MAIL_TEXT || email.attachments.length > files.length,
  };
  return { mail, contents: files.map(attachmentContent) };
}

/** The characters of windows-1252 from 0x80 to 0x9f. */
const WINDOWS_1252_CHARACTERS = iconv.decode(
  Buffer.from(Array.from({ length: 32 }, (_, index) => 0x80 + index)),
  'windows-1252',
);

/** The TextDecoder of Node.js 20 reads windows-1252 as ISO 8859-1, which has control characters there. */
const repairControlCharacters = (text: string) =>
  text.replaceAll(
    /[\u0080-\u009f]/g,
    (character) => WINDOWS_1252_CHARACTERS[character.charCodeAt(0) - 0x80] ?? character,
  );

/** Cuts a text, without half of a surrogate pair at its end, and removes NUL, which a database does not store. */
const cutMailText = (text: string) =>
  repairControlCharacters(text.slice(0, MAX_MAIL_TEXT)).replaceAll('\0', '').toWellFormed();

/** Makes one line of a text. */
const cleanMailLine = (text: string, most: number) =>
  repairControlCharacters(text.slice(0, MAX_HEADERS_BYTES))
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, most)
    .toWellFormed();

/** Names with characters that separate addresses are quoted. */
function formatMailAddress({ name, address }: { name: string; address: string }): string {
  const [words, at] = [
    cleanMailLine(name, MAX_NAME_CHARACTERS).replaceAll('"', "'"),
    cleanMailLine(address, MAX_MAIL_HEADER_LENGTH),
  ];
  if (words === '') return at;
  return at === '' ? words : `${/^[\p{L}\p{N} '.-]+$/u.test(words) ? words : `"${words}"`} <${at}>`;
}

const formatMailAddresses = (addresses: Address[] = []): string[] =>
  addresses
    .flatMap((one) => one.group ?? [one])
    .slice(0, MAX_MAIL_ADDRESSES)
    .map(formatMailAddress)
    .filter((one) => one !== '');

function toIsoDateOrNull(text = ''): string | null {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}

/** Where a header repeats, the first one counts: the receiving server has added it. */
function pickMailHeaders({ headers }: Email): Record<string, string> {
  const found = headers.filter(({ key }) => KEPT_MAIL_HEADERS.has(key)).toReversed();
  return Object.fromEntries(found.map(({ key, value }) => [key, cleanMailLine(value, MAX_MAIL_HEADER_LENGTH)]));
}

/** Names of parts that mean the same in every message. */
const ATTACHMENT_NAMES: Readonly<Record<string, string>> = { dat: 'winmail', ics: 'invite', eml: 'message' };

/** A part without a name gets one, with the end of its type, by which programs open it. */
function describeAttachment({ filename, mimeType }: Attachment, index: number): ParsedAttachment {
  const contentType = cleanMailLine(mimeType, MAX_NAME_CHARACTERS);
  const end = mediaTypeExtension(contentType);
  return {
    name:
      cleanMailLine(filename ?? '', MAX_NAME_CHARACTERS) ||
      `${ATTACHMENT_NAMES[end] ?? 'attachment'}-${index + 1}.${end}`,
    contentType,
  };
}

const attachmentContent = ({ content }: Attachment): Buffer =>
  typeof content === 'string' ? Buffer.from(content) : Buffer.from(new Uint8Array(content).buffer);
