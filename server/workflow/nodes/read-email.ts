import { z } from 'zod';
import type { FileValue } from '@/contract/file-value';
import { createNodeFailure, NodeFailure } from '@/server/platform/errors/node-failure';
import { EvaluationFailedError, type EvaluationContext } from '@/server/evaluation/evaluator/evaluation';
import { parseMailMessage, type ParsedMail } from '@/server/evaluation/evaluator/parse-mail';
import { MailCursor } from '@/server/network/imap/cursor';
import { readMail, type MailAfterReading, type RawMail, type TakeMail } from '@/server/network/imap/read';
import type { WorkspaceFileAccess } from '@/server/network/outbound/files';
import { chunkContent } from './data/convert-content';
import { completeNode, defineNodeType } from './node-type';
import { choiceField } from './field-traits';
import { BYTES_PER_MIB } from '@/contract/units';

/** At most this many bytes of a message are read; without attachments only its beginning, which has the text. */
export const MAX_READ_MESSAGE_BYTES = 25 * BYTES_PER_MIB;
const MAX_BYTES_WITHOUT_FILES = BYTES_PER_MIB;
/** This many bytes of a message are parsed if all of it exceeds the limits of parsing. */
const MESSAGE_BEGINNING_BYTES = 256 * 1024;
/** The limit of all messages, in characters of JSON, because the output has a limit. */
const MAX_MESSAGES_JSON = 8 * BYTES_PER_MIB;
/** Files of all messages: a value names at most 1000. */
const MAX_MESSAGE_FILES = 900;
/** The timeout of nodes that act outside. */
const READ_EMAIL_TIMEOUT_MS = 60_000;
export const MAX_READ_MESSAGES = 100;
const DEFAULT_MESSAGE_COUNT = 50;

const mailTextSchema = z.string().min(1).max(1000);

/** A message as workflows get it. `problem`: why it could not be parsed; then it has no content. */
interface EmailMessage extends Omit<ParsedMail, 'attachments'> {
  /** Unique: mailbox, UIDVALIDITY and UID. */
  id: string;
  /** When the server received it, in ISO 8601. */
  receivedAt: string | null;
  attachments: FileValue[];
  problem: string | null;
}

/** A message, and the content of its files, which are not stored yet. */
interface ParsedEmail {
  message: EmailMessage;
  files: { name: string; contentType: string; content: Buffer }[];
}

const LIMIT_FAILURE_CODES = new Set(['EVALUATION_TIMEOUT', 'EVALUATION_MEMORY']);
const TRANSIENT_FAILURE_CODES = new Set(['EVALUATION_ENDED', 'EVALUATION_BUSY']);

/** Parses a message. One that can not be parsed has what the server says about it: it must not hold up the others. */
async function parseRawMail(mailbox: string, raw: RawMail, purpose: EvaluationContext): Promise<ParsedEmail> {
  const { uid, uidValidity } = raw;
  const about = { id: `${mailbox}/${uidValidity}/${uid}`, receivedAt: raw.receivedAt?.toISOString() ?? null };
  try {
    const { mail, contents } = await parseWholeOrBeginning(raw, purpose);
    const { attachments, ...rest } = mail;
    const files = attachments.map((file, index) => ({ ...file, content: contents[index] ?? Buffer.alloc(0) }));
    return { message: { ...about, ...rest, attachments: [], problem: null }, files };
  } catch (error) {
    if (!(error instanceof EvaluationFailedError)) throw error;
    const { code, message } = error.failure;
    if (TRANSIENT_FAILURE_CODES.has(code)) throw new NodeFailure(code, message);
    return { message: { ...about, ...(await describeUnreadableMail(raw)), problem: message }, files: [] };
  }
}

/** A message that takes too long to parse may still have a beginning that does not. */
async function parseWholeOrBeginning(
  { bytes, isWhole }: RawMail,
  purpose: EvaluationContext,
): ReturnType<typeof parseMailMessage> {
  try {
    return await parseMailMessage(bytes, isWhole, purpose);
  } catch (error) {
    const isLimit = error instanceof EvaluationFailedError && LIMIT_FAILURE_CODES.has(error.failure.code);
    if (!isLimit || bytes.length <= MESSAGE_BEGINNING_BYTES) throw error;
    return parseMailMessage(bytes.subarray(0, MESSAGE_BEGINNING_BYTES), false, purpose);
  }
}

async function describeUnreadableMail({
  readEnvelope,
}: RawMail): Promise<Omit<EmailMessage, 'id' | 'receivedAt' | 'problem'>> {
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
class EmailCollector {
  readonly messages: EmailMessage[] = [];
  private characters = 0;
  private fileCount = 0;

  constructor(
    private readonly mailbox: string,
    private readonly files: WorkspaceFileAccess | null,
    private readonly purpose: EvaluationContext,
  ) {}

  readonly take: TakeMail = async (raw) => {
    const { message, files } = await parseRawMail(this.mailbox, raw, this.purpose);
    const characters = JSON.stringify(message).length;
    const isFull =
      this.characters + characters > MAX_MESSAGES_JSON || this.fileCount + files.length > MAX_MESSAGE_FILES;
    if (isFull && this.messages.length > 0) return false;
    this.characters += characters;
    this.fileCount += files.length;
    if (this.files) for (const file of files) message.attachments.push(await storeEmailFile(this.files, file));
    this.messages.push(message);
    return true;
  };
}

const storeEmailFile = (files: WorkspaceFileAccess, { content, name, contentType }: ParsedEmail['files'][number]) =>
  files.store(chunkContent(content), { name, contentType });

function toMailAfterReading(action: 'nothing' | 'mark_read' | 'move', to: string | undefined): MailAfterReading {
  if (action === 'nothing') return { kind: 'nothing' };
  if (action === 'mark_read') return { kind: 'read' };
  if (to === undefined) throw new NodeFailure('CONFIG', 'Missing: config.moveTo.', false);
  return { kind: 'move', to };
}

export const readEmailNodeType = defineNodeType({
  type: 'read_email',
  title: 'Read email',
  summary: 'Reads messages of a mailbox by IMAP. As a trigger, it starts a run for each new message.',
  synonyms: ['fetch email', 'get email', 'read mail', 'list messages', 'search mail', 'imap client'],
  category: 'action',
  config: z.strictObject({
    mailbox: mailTextSchema.optional().meta({
      title: 'Mailbox',
      description: 'A folder of the account, such as INBOX or Archive/2026.',
      default: 'INBOX',
    }),
    unseen: z.boolean().optional().meta({
      title: 'Unread messages only',
      description: 'Leaves out messages that are marked as read.',
      default: false,
    }),
    from: mailTextSchema.optional().meta({
      apiDescription: 'Only mail whose sender contains this',
      title: 'Sender contains',
      examples: ['@example.com'],
    }),
    subject: mailTextSchema.optional().meta({
      apiDescription: 'Only mail whose subject contains this',
      title: 'Subject contains',
      examples: ['Invoice'],
    }),
    attachments: z.boolean().optional().meta({
      title: 'Store attachments',
      description: 'As files, at most 20 of a message. Without them, only the first MiB of a message is read.',
      default: true,
    }),
    afterwards: choiceField(
      { nothing: 'Leave them as they are', mark_read: 'Mark as read', move: 'Move to a folder' },
      { title: 'Afterwards', description: 'What becomes of messages that were read.', default: 'nothing' },
    ),
    moveTo: mailTextSchema.optional().meta({
      title: 'Move to',
      description: 'The folder; it must exist.',
      'x-when': { afterwards: ['move'] },
    }),
    limit: z.int().min(1).max(MAX_READ_MESSAGES).optional().meta({
      title: 'Messages at a time',
      description: 'The others are read the next time.',
      default: DEFAULT_MESSAGE_COUNT,
    }),
    since: MailCursor.nullable().optional().meta({
      title: 'Since',
      description: 'The cursor of the last read: only later messages are read. A poll needs {{ cursor }} here.',
      'x-editor': 'json',
    }),
  }),
  gaps: ({ afterwards, moveTo }) =>
    afterwards === 'move' && !moveTo ? [{ field: 'moveTo', message: 'is required to move messages' }] : [],
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
  async run({
    config,
    written,
    first,
    credential,
    files,
    reserve,
    waitForSlot: room,
    signal,
    timeoutMs = READ_EMAIL_TIMEOUT_MS,
    workspaceId,
  }) {
    if (!credential) throw createNodeFailure('CREDENTIAL_MISSING', { subject: 'The node' });
    const { mailbox = 'INBOX', unseen = false, attachments = true, limit = DEFAULT_MESSAGE_COUNT } = config;
    const { from, subject, afterwards = 'nothing', moveTo } = config;
    const maxBytes = attachments ? MAX_READ_MESSAGE_BYTES : MAX_BYTES_WITHOUT_FILES;
    await room();
    const collection = new EmailCollector(mailbox, attachments ? files : null, { workspaceId, signal });
    const cursor = await readMail(
      credential.credential,
      { mailbox, unseen, from, subject, limit, maxBytes, afterwards: toMailAfterReading(afterwards, moveTo) },
      // If the config has the field `since` and it is empty, this is the first read.
      written['since'] === undefined ? undefined : (config.since ?? null),
      // Half of the time is left to store the messages that were read.
      { signal, timeMs: timeoutMs / 2, take: collection.take, reserve, isShown: first === 'skip' },
    );
    return completeNode({ messages: collection.messages, cursor });
  },
});
