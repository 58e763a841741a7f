import type { FetchMessageObject, ImapFlow, MailboxObject, SearchObject } from 'imapflow';
import { NodeFailure } from '@/server/platform/errors/node-failure';
import type { MailCursor } from './cursor';
import { mailboxNotFoundFailure, mailRefusedFailure } from './failures';
import { MAX_MAIL_PART_BYTES, withImapSession, type MailCredential } from './session';

/** The action on messages after they have been read. */
export type MailAfterReading = { kind: 'nothing' } | { kind: 'read' } | { kind: 'move'; to: string };

export interface MailQuery {
  mailbox: string;
  unseen: boolean;
  /** A part of the text, in upper or lower case. */
  from: string | undefined;
  subject: string | undefined;
  /** The maximum number of messages of one read. */
  limit: number;
  /** Bytes of a message that are read; the rest is left out. */
  maxBytes: number;
  afterwards: MailAfterReading;
}

/** A message as the server has it. */
export interface RawMail {
  uid: number;
  uidValidity: string;
  receivedAt: Date | null;
  /** Asks the server about a message that can not be parsed. */
  readEnvelope(): Promise<{ from: string | null; subject: string }>;
  bytes: Buffer;
  isWhole: boolean;
}

/** Takes the messages one after the other. False: this one no longer fits, and is read next time. */
export type TakeMail = (mail: RawMail) => Promise<boolean>;

export interface MailReadOptions {
  signal: AbortSignal;
  /** Milliseconds after which no further message is begun. */
  timeMs: number;
  take: TakeMail;
  /** Waits until there is memory for a message of so many bytes; called once, before the first one is read. */
  reserve(bytes: number): Promise<void>;
  /** Without a cursor the messages are only shown: `afterwards` is never done on them. */
  isShown: boolean;
}

/** Without a cursor only the newest messages are looked at, so that a large mailbox is not listed. */
const MAX_NEWEST_MESSAGES = 1000;
/** UIDs among which one search looks: an answer with all of them is not too long a line. */
const SEARCH_WINDOW_UIDS = 20_000;
/** The maximum number of results of one search. */
const MAX_FOUND_UIDS = 2 * SEARCH_WINDOW_UIDS;
/** The maximum size of all messages of one read, in bytes. */
const MAX_READ_MAIL_BYTES = 50 * 1024 * 1024;

/**
 * Reads messages after a cursor in the order of their arrival; without one (null) the newest. `undefined`: likewise,
 * and `afterwards` is done at once; otherwise it is done when the returned cursor comes back, which shows that the
 * messages have been dealt with. Repeating it changes nothing more. Throws NodeFailure.
 */
export function readMail(
  credential: MailCredential,
  query: MailQuery,
  cursor: MailCursor | null | undefined,
  options: MailReadOptions,
): Promise<MailCursor> {
  return withImapSession(credential, options.signal, async (client) => {
    const mailbox = await openMailbox(client, query);
    const known = cursor?.mailbox === query.mailbox ? cursor : undefined;
    const isSame = known?.uidValidity === String(mailbox.uidValidity);
    if (known && isSame) await applyAfterReading(client, known.pending, query.afterwards);
    const { found, isWhole } = await searchMailbox(client, mailbox, query, { known, isSame, isFirst: !cursor });
    const largest = await largestMessageSize(client, found.slice(0, query.limit));
    if (largest > 0) await options.reserve(Math.min(largest, query.maxBytes));
    const read = await takeFoundMessages(client, mailbox, query, found, options);
    const isPending = cursor === null ? !options.isShown : cursor !== undefined;
    if (cursor === undefined) await applyAfterReading(client, read.uids, query.afterwards);
    return {
      mailbox: query.mailbox,
      uidValidity: String(mailbox.uidValidity),
      uid: read.isComplete
        ? Math.max(isWhole ? mailbox.uidNext - 1 : 0, found.at(-1) ?? 0)
        : (read.uids.at(-1) ?? (known && isSame ? known.uid : 0)),
      receivedAt: await findNewestReceivedAt(client, mailbox, known),
      pending: isPending && query.afterwards.kind !== 'nothing' ? read.uids : [],
    };
  });
}

async function openMailbox(client: ImapFlow, { mailbox, afterwards }: MailQuery): Promise<MailboxObject> {
  const opened = await client
    .mailboxOpen(mailbox, { readOnly: afterwards.kind === 'nothing' })
    .catch((error: Error & { mailboxMissing?: boolean }) => {
      throw error.mailboxMissing ? mailboxNotFoundFailure(mailbox) : error;
    });
  if (afterwards.kind !== 'nothing' && opened.readOnly)
    throw mailboxNotFoundFailure(mailbox, 'can be read only: nothing can be done with its messages');
  // Before anything is read: the first read shows a misspelt name.
  if (afterwards.kind === 'move') {
    const target = await client.status(afterwards.to, { uidNext: true }).catch(() => false as const);
    if (!target) throw mailboxNotFoundFailure(afterwards.to);
  }
  return opened;
}

interface SearchStart {
  known: MailCursor | undefined;
  /** UIDs of the cursor are still valid. */
  isSame: boolean;
  isFirst: boolean;
}

/** The messages to read. */
interface FoundMessages {
  /** Their UIDs, in ascending order. */
  found: number[];
  /** False: there may be later ones. */
  isWhole: boolean;
}

async function searchMailbox(
  client: ImapFlow,
  mailbox: MailboxObject,
  query: MailQuery,
  { known, isSame, isFirst }: SearchStart,
): Promise<FoundMessages> {
  const { exists } = mailbox;
  if (exists === 0) return { found: [], isWhole: true };
  if (known && isSame) return searchAfterUid(client, mailbox, query, known.uid);
  // The mailbox is another one than before, so its messages count as old.
  if (!isFirst && !known) return { found: [], isWhole: true };
  const newest = await searchUids(client, {
    ...toSearchQuery(query),
    seq: `${Math.max(1, exists - MAX_NEWEST_MESSAGES + 1)}:*`,
  });
  if (isFirst || !known) return { found: newest.slice(-query.limit), isWhole: true };
  // The server has numbered the messages anew: those that have arrived since are new.
  const { receivedAt } = known;
  if (receivedAt === null || newest.length === 0) return { found: newest, isWhole: true };
  const dates = await client.fetchAll(newest, { internalDate: true }, { uid: true });
  const later = dates.filter((one) => (messageReceivedAt(one)?.getTime() ?? 0) > Date.parse(receivedAt));
  return { found: later.map(({ uid }) => uid), isWhole: true };
}

const toSearchQuery = ({ unseen, from, subject }: MailQuery): SearchObject => ({
  ...(unseen ? { seen: false } : {}),
  from,
  subject,
});

/**
 * Messages with higher UIDs than one, of which there may be many: they are looked for in windows until there are
 * enough.
 */
async function searchAfterUid(
  client: ImapFlow,
  { uidNext }: MailboxObject,
  query: MailQuery,
  uid: number,
): Promise<FoundMessages> {
  let found: number[] = [];
  let [first, size] = [uid + 1, SEARCH_WINDOW_UIDS];
  while (found.length < query.limit) {
    const next = first + size;
    // `*` is the last message, also if its UID is lower.
    const last = next < uidNext ? next - 1 : '*';
    const among = await searchUids(client, { ...toSearchQuery(query), uid: `${first}:${last}` });
    found = [...found, ...among.filter((one) => one >= first)];
    if (last === '*') return { found, isWhole: true };
    if (among.length === 0) size *= 2;
    first = next;
  }
  return { found, isWhole: false };
}

async function searchUids(client: ImapFlow, query: SearchObject): Promise<number[]> {
  const found = await client.search(query, { uid: true });
  if (!Array.isArray(found)) throw mailRefusedFailure('to search');
  if (found.length > MAX_FOUND_UIDS)
    throw new NodeFailure('BAD_RESPONSE', 'The mail server found more messages than there can be.', false);
  return found.toSorted((one, other) => one - other);
}

async function largestMessageSize(client: ImapFlow, messages: number[]): Promise<number> {
  let largest = 0;
  if (messages.length === 0) return largest;
  for await (const { size = 0 } of client.fetch(messages, { size: true }, { uid: true })) {
    largest = Math.max(largest, size);
  }
  return largest;
}

interface TakenMessages {
  uids: number[];
  /** All that were found have been taken, or are gone. */
  isComplete: boolean;
}

async function takeFoundMessages(
  client: ImapFlow,
  { uidValidity }: MailboxObject,
  { limit, maxBytes }: MailQuery,
  found: number[],
  { timeMs, take }: MailReadOptions,
): Promise<TakenMessages> {
  const until = performance.now() + timeMs;
  const taken: number[] = [];
  let left = MAX_READ_MAIL_BYTES;
  for (const uid of found) {
    const isLate = taken.length > 0 && performance.now() > until;
    if (taken.length === limit || isLate) return { uids: taken, isComplete: false };
    const about = await client.fetchOne(uid, { size: true, internalDate: true }, { uid: true });
    if (!about) continue;
    const size = Math.min(about.size ?? 0, maxBytes);
    if (taken.length > 0 && size > left) return { uids: taken, isComplete: false };
    const bytes = await fetchMessageBytes(client, uid, size, until);
    // Next time it is the first one, and has all the time.
    if (taken.length > 0 && bytes.length < size && performance.now() > until) return { uids: taken, isComplete: false };
    const mail: RawMail = {
      uid,
      uidValidity: String(uidValidity),
      receivedAt: messageReceivedAt(about) ?? null,
      readEnvelope: () => fetchEnvelope(client, uid),
      bytes,
      isWhole: bytes.length >= (about.size ?? 0),
    };
    if (!(await take(mail))) return { uids: taken, isComplete: false };
    taken.push(uid);
    left -= bytes.length;
  }
  return { uids: taken, isComplete: true };
}

async function fetchEnvelope(client: ImapFlow, uid: number) {
  const about = await client.fetchOne(uid, { envelope: true }, { uid: true });
  const { from: [sender] = [], subject = '' } = (about && about.envelope) || {};
  return { from: sender?.address ?? null, subject };
}

/** Reads `size` bytes of a message in parts. After `until` no further part is read. */
async function fetchMessageBytes(client: ImapFlow, uid: number, size: number, until: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  while (length < size && (length === 0 || performance.now() < until)) {
    const maxLength = Math.min(MAX_MAIL_PART_BYTES, size - length);
    const part = await client.fetchOne(uid, { source: { start: length, maxLength } }, { uid: true });
    const source = part ? part.source : undefined;
    if (!source || source.length === 0) break;
    parts.push(source);
    length += source.length;
  }
  return Buffer.concat(parts);
}

const messageReceivedAt = ({ internalDate }: FetchMessageObject): Date | undefined =>
  internalDate === undefined ? undefined : new Date(internalDate);

/** When the newest message has arrived. */
async function findNewestReceivedAt(client: ImapFlow, { exists }: MailboxObject, known: MailCursor | undefined) {
  const last = exists === 0 ? false : await client.fetchOne(exists, { internalDate: true });
  const at = (last && messageReceivedAt(last)?.toISOString()) || null;
  const before = known?.receivedAt ?? null;
  return at === null || (before !== null && before > at) ? before : at;
}

/** Does what is to be done with messages that have been dealt with. */
async function applyAfterReading(client: ImapFlow, messages: number[], afterwards: MailAfterReading): Promise<void> {
  if (messages.length === 0 || afterwards.kind === 'nothing') return;
  const isDone =
    afterwards.kind === 'read'
      ? await client.messageFlagsAdd(messages, ['\\Seen'], { uid: true })
      : await client.messageMove(messages, afterwards.to, { uid: true });
  if (isDone === false)
    throw mailRefusedFailure(afterwards.kind === 'read' ? 'to mark messages as read' : 'to move messages');
}
