import { z } from 'zod';
import type { FileValue } from '@/contract/file-value';
import { NodeFailure } from '@/server/errors/node-failure';
import { EvaluationFailed, type Purpose } from '@/server/evaluation/evaluation';
import { parseMail, type ParsedMail } from '@/server/evaluation/parse-mail';
import { MailCursor } from '@/server/imap/cursor';
import { readMail, type Afterwards, type RawMail, type TakeMail } from '@/server/imap/read';
import type { FileAccess } from '@/server/outbound/files';
import { partsOf } from './data/convert-content';
import { done, nodeKind } from './node';

const MIB = 1024 * 1024;
/** Bytes of a message that are read; without attachments its beginning, which has the text. */
export const MAX_MESSAGE_BYTES = 25 * MIB;
const MAX_WITHOUT_FILES = MIB;
/** Bytes of a message that are parsed if all of it is beyond the limits of parsing. */
const BEGINNING = 256 * 1024;
/** Characters of JSON of all messages: the output has a limit. */
const MAX_OUTPUT = 8 * MIB;
/** Files of all messages: a value names at most 1000. */
const MAX_FILES = 900;
/** The timeout of nodes that act outside. */
const TIMEOUT_MS = 60_000;
export const MAX_READ_MESSAGES = 100;
const DEFAULT_MESSAGES = 50;

const Name = z.string().min(1).max(1000);

/** A message as workflows get it. `problem`: why it could not be parsed; then it has no content. */
interface Message extends Omit<ParsedMail, 'attachments'> {
  /** Unique: mailbox, UIDVALIDITY and UID. */
  id: string;
  /** When the server received it, in ISO 8601. */
  receivedAt: string | null;
  attachments: FileValue[];
  problem: string | null;
}

/** A message, and the content of its files, which are not stored yet. */
interface Parsed {
  message: Message;
  files: { name: string; contentType: string; content: Buffer }[];
}

const LIMITS = new Set(['EVALUATION_TIMEOUT', 'EVALUATION_MEMORY']);
const TRANSIENT = new Set(['EVALUATION_ENDED', 'EVALUATION_BUSY']);

/** Parses a message. One that can not be parsed has what the server says about it: it must not hold up the others. */
async function parsed(mailbox: string, raw: RawMail, purpose: Purpose): Promise<Parsed> {
  const { uid, uidValidity } = raw;
  const about = { id: `${mailbox}/${uidValidity}/${uid}`, receivedAt: raw.receivedAt?.toISOString() ?? null };
  try {
    const { mail, contents } = await parsedOrCut(raw, purpose);
    const { attachments, ...rest } = mail;
    const files = attachments.map((file, index) => ({ ...file, content: contents[index] ?? Buffer.alloc(0) }));
    return { message: { ...about, ...rest, attachments: [], problem: null }, files };
  } catch (error) {
    if (!(error instanceof EvaluationFailed)) throw error;
    const { code, message } = error.failure;
    if (TRANSIENT.has(code)) throw new NodeFailure(code, message);
    return { message: { ...about, ...(await unreadable(raw)), problem: message }, files: [] };
  }
}

/** A message that takes too long to parse may still have a beginning that does not. */
async function parsedOrCut({ bytes, isWhole }: RawMail, purpose: Purpose): ReturnType<typeof parseMail> {
  try {
    return await parseMail(bytes, isWhole, purpose);
  } catch (error) {
    const isLimit = error instanceof EvaluationFailed && LIMITS.has(error.failure.code);
    if (!isLimit || bytes.length <= BEGINNING) throw error;
    return parseMail(bytes.subarray(0, BEGINNING), false, purpose);
  }
}

async function unreadable({ readEnvelope }: RawMail): Promise<Omit<Message, 'id' | 'receivedAt' | 'problem'>> {
  const { from, subject } = await readEnvelope();
  return {
    messageId: null,
    from,
    fromAddress: from?.toLowerCase() ?? null,
    to: [],
    cc: [],
    replyTo: [],
    subject,
    date: null,
    text: '',
    html: null,
    headers: {},
    attachments: [],
    isCut: true,
  };
}

/** Collects messages within the limits of an output. */
class Collection {
  readonly messages: Message[] = [];
  private characters = 0;
  private fileCount = 0;

  constructor(
    private readonly mailbox: string,
    private readonly files: FileAccess | null,
    private readonly purpose: Purpose,
  ) {}

  readonly take: TakeMail = async (raw) => {
    const { message, files } = await parsed(this.mailbox, raw, this.purpose);
    const characters = JSON.stringify(message).length;
    const isFull = this.characters + characters > MAX_OUTPUT || this.fileCount + files.length > MAX_FILES;
    if (isFull && this.messages.length > 0) return false;
    this.characters += characters;
    this.fileCount += files.length;
    if (this.files) for (const file of files) message.attachments.push(await storeFile(this.files, file));
    this.messages.push(message);
    return true;
  };
}

const storeFile = (files: FileAccess, { content, name, contentType }: Parsed['files'][number]) =>
  files.store(partsOf(content), { name, contentType });

function afterwardsOf(action: 'nothing' | 'mark_read' | 'move', to: string | undefined): Afterwards {
  if (action === 'nothing') return { kind: 'nothing' };
  if (action === 'mark_read') return { kind: 'read' };
  if (to === undefined) throw new NodeFailure('CONFIG', 'Missing: config.moveTo.', false);
  return { kind: 'move', to };
}

export const readEmail = nodeKind({
  type: 'read_email',
  title: 'Read email',
  summary: 'Reads messages of a mailbox by IMAP. As a trigger, it starts a run for each new message.',
  synonyms: ['fetch email', 'get email', 'read mail', 'list messages', 'search mail', 'imap client'],
  category: 'action',
  config: z.strictObject({
    mailbox: Name.optional().meta({
      title: 'Mailbox',
      description: 'A folder of the account, such as INBOX or Archive/2026.',
      default: 'INBOX',
    }),
    unseen: z.boolean().optional().meta({
      title: 'Unread messages only',
      description: 'Leaves out messages that are marked as read.',
      default: false,
    }),
    from: Name.optional().meta({
      apiDescription: 'Only mail whose sender contains this',
      title: 'Sender contains',
      examples: ['@example.com'],
    }),
    subject: Name.optional().meta({
      apiDescription: 'Only mail whose subject contains this',
      title: 'Subject contains',
      examples: ['Invoice'],
    }),
    attachments: z.boolean().optional().meta({
      title: 'Store attachments',
      description: 'As files, at most 20 of a message. Without them, only the first MiB of a message is read.',
      default: true,
    }),
    afterwards: z
      .enum(['nothing', 'mark_read', 'move'])
      .optional()
      .meta({
        title: 'Afterwards',
        description: 'What becomes of messages that were read.',
        default: 'nothing',
        'x-labels': { nothing: 'Leave them as they are', mark_read: 'Mark as read', move: 'Move to a folder' },
      }),
    moveTo: Name.optional().meta({
      title: 'Move to',
      description: 'The folder; it must exist.',
      'x-when': { afterwards: ['move'] },
    }),
    limit: z.int().min(1).max(MAX_READ_MESSAGES).optional().meta({
      title: 'Messages at a time',
      description: 'The others are read the next time.',
      default: DEFAULT_MESSAGES,
    }),
    since: MailCursor.nullable().optional().meta({
      title: 'Since',
      description: 'The cursor of the last read: only later messages are read. A poll needs {{ cursor }} here.',
      'x-editor': 'json',
    }),
  }),
  required: [],
  gaps: ({ afterwards, moveTo }) =>
    afterwards === 'move' && !moveTo ? [{ field: 'moveTo', message: 'is required to move messages' }] : [],
  expressions: [],
  literals: ['afterwards'],
  hasInput: true,
  seesInput: false,
  outputs: ['output'],
  credentialTypes: ['imap'],
  needsCredential: true,
  isOutside: true,
  asksSource: {
    config: { since: '{{ cursor }}' },
    items: 'input.messages',
    key: 'item.id',
    cursor: 'input.cursor',
  },
  async run({ config, written, first, credential, files, reserve, room, signal, timeoutMs = TIMEOUT_MS, workspaceId }) {
    if (!credential) throw new NodeFailure('CREDENTIAL_MISSING', 'The node needs a credential.', false);
    const { mailbox = 'INBOX', unseen = false, attachments = true, limit = DEFAULT_MESSAGES } = config;
    const { from, subject, afterwards = 'nothing', moveTo } = config;
    const maxBytes = attachments ? MAX_MESSAGE_BYTES : MAX_WITHOUT_FILES;
    await room();
    const collection = new Collection(mailbox, attachments ? files : null, { workspaceId, signal });
    const cursor = await readMail(
      credential.credential,
      { mailbox, unseen, from, subject, limit, maxBytes, afterwards: afterwardsOf(afterwards, moveTo) },
      // With a field `since`, an empty one means the first read.
      written['since'] === undefined ? undefined : (config.since ?? null),
      // What was read must still be stored.
      { signal, timeMs: timeoutMs / 2, take: collection.take, reserve, isShown: first === 'skip' },
    );
    return done({ messages: collection.messages, cursor });
  },
});
