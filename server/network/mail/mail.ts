import { Readable } from 'node:stream';
import { z } from 'zod';
import { generateId } from '@/server/platform/db/ids';
import { prismaClient, type DatabaseClient } from '@/server/platform/db/client';
import type { ServiceEnv } from '@/server/platform/env/env';
import { returnMailQuotaCount, takeMailQuotaCount } from '@/server/platform/quotas/mails';
import { getRuntime } from '@/server/platform/runtime';
import { MailFailure, sendMailByServer, sendMailByUrl, type MailReceipt, type SmtpServer } from './smtp';

/** A mail to send. Addresses are `a@b.example` or `Name <a@b.example>`, one per entry. */
export interface OutgoingMail {
  /**
   * The workspace that sends: the mail counts against its quota, and is stored in its outbox if there is no SMTP. Null:
   * none.
   */
  workspaceId: string | null;
  /** The service wrote it, so it counts against no quota. */
  isOfService?: boolean;
  /**
   * Default: MAIL_FROM. Through the service's own server only the name can be chosen: the address is that of MAIL_FROM.
   */
  from?: string;
  to: string[];
  cc?: string[];
  bcc?: string[];
  replyTo?: string;
  subject: string;
  text?: string;
  html?: string;
  attachments?: OutgoingAttachment[];
}

/** A file of a mail, read while it is sent. */
export interface OutgoingAttachment {
  filename: string;
  contentType: string;
  /** In bytes. */
  size: number;
  open(): Promise<Readable>;
}

/** Addresses of one mail: to, cc and bcc together. */
export const MAX_MAIL_RECIPIENTS = 100;

const LINE_BREAK_PATTERN = /[\r\n\u0000]/;
const MAILBOX_PATTERN = /^(?:"?([^"<>]*?)"?\s*<([^<>]+)>|([^<>]+))$/;

interface ParsedMailbox {
  name: string;
  address: string;
}

/** Parses exactly one address, so that user input is never parsed as a list, group or comment. */
function parseMailbox(text: string): ParsedMailbox | null {
  const [, name = '', inBrackets, bare = ''] = MAILBOX_PATTERN.exec(text.trim()) ?? [];
  const found = (inBrackets ?? bare).trim();
  const isAddress = !LINE_BREAK_PATTERN.test(text) && found.length <= 254 && z.regexes.html5Email.test(found);
  return isAddress ? { name: name.trim(), address: found } : null;
}

function requireMailbox(text: string): ParsedMailbox {
  const found = parseMailbox(text);
  if (!found) throw new MailFailure('MAIL_INVALID', `"${text.slice(0, 100)}" is not an email address.`);
  return found;
}

const MAX_SENDER_NAME_LENGTH = 100;

/**
 * Why `from` cannot be the sender of a mail through the service's server; null: it can. The server is shared by all
 * workspaces, so none may choose a foreign address: `from` is a name, with or without the service's own address.
 */
export function findSenderProblem(from: string): string | null {
  const own = parseMailbox(getRuntime().env.mailFrom);
  const sender = parseMailbox(from);
  if (own && sender ? sender.address.toLowerCase() !== own.address.toLowerCase() : from.includes('@')) {
    return `must be a name, for without a mail server’s credential the sender is ${own?.address}; use replyTo for the address of answers`;
  }
  const name = sender ? sender.name : from;
  const isPlain = !/[@<>\p{C}]/u.test(name.normalize('NFKC')) && name.length <= MAX_SENDER_NAME_LENGTH;
  return isPlain ? null : `must be a name of at most ${MAX_SENDER_NAME_LENGTH} characters, without @, < and >`;
}

/** The sender of a mail through the service's server. */
function serviceSender(from = ''): ParsedMailbox {
  const own = requireMailbox(getRuntime().env.mailFrom);
  const problem = findSenderProblem(from);
  if (problem) throw new MailFailure('MAIL_INVALID', `The sender ${problem}.`);
  const name = (parseMailbox(from)?.name ?? from).trim();
  return { ...own, name: name || own.name };
}

/** Whether the service can send mail without a workspace's own server. */
export function canServiceSendMail({ smtpUrl, deploymentEnv }: ServiceEnv = getRuntime().env): boolean {
  return smtpUrl !== undefined || deploymentEnv === 'development';
}

/** An attachment for nodemailer: it is opened when its turn comes. */
const toStreamedAttachment = ({ filename, contentType, open }: OutgoingAttachment) => ({
  // A header is one line.
  filename: filename.replace(/\s*[\r\n]+\s*/g, ' '),
  contentType,
  content: Readable.from(
    (async function* () {
      yield* (await open()) as AsyncIterable<Buffer>;
    })(),
    { objectMode: false },
  ),
});

const storedAttachment = ({ filename, contentType, size }: OutgoingAttachment) => ({ filename, contentType, size });

/** Without SMTP a development installation shows its mails on a page instead. */
async function storeInOutbox(
  { workspaceId, isOfService = false, subject, text, html, attachments }: OutgoingMail,
  from: string,
  to: string[],
): Promise<MailReceipt> {
  const id = generateId('mail');
  const data = { id, workspaceId, from, to, subject, text, html, attachments: attachments?.map(storedAttachment) };
  // One transaction: a mail that is not stored has not been counted.
  await prismaClient().$transaction(async (db) => {
    if (workspaceId !== null && !isOfService) await takeMailQuota(db, workspaceId, to.length);
    await db.outboxMail.create({ data });
  });
  return { messageId: `<${id}@outbox.localhost>`, accepted: to, rejected: [] };
}

/**
 * Sends by the given server, else by SMTP_URL, else, in development, into the outbox table. Throws MailFailure. A mail
 * that the server accepted for some recipients has not failed, see `rejected`.
 */
export async function sendOutgoingMail(mail: OutgoingMail, server?: SmtpServer): Promise<MailReceipt> {
  if (LINE_BREAK_PATTERN.test(mail.subject)) throw new MailFailure('MAIL_INVALID', 'A subject is a single line.');
  const from = server ? requireMailbox(mail.from ?? getRuntime().env.mailFrom) : serviceSender(mail.from);
  const to = mail.to.map(requireMailbox);
  const cc = (mail.cc ?? []).map(requireMailbox);
  const bcc = (mail.bcc ?? []).map(requireMailbox);
  const replyTo = mail.replyTo === undefined ? undefined : requireMailbox(mail.replyTo);
  const recipients = [...to, ...cc, ...bcc].map((person) => person.address);
  if (recipients.length === 0) throw new MailFailure('MAIL_INVALID', 'The mail has no recipient.');
  if (recipients.length > MAX_MAIL_RECIPIENTS) {
    throw new MailFailure(
      'MAIL_INVALID',
      `A mail has at most ${MAX_MAIL_RECIPIENTS} recipients, not ${recipients.length}.`,
    );
  }
  const { subject, text, html } = mail;
  for (const part of [subject, text, html]) {
    if (part?.includes('\u0000')) throw new MailFailure('MAIL_INVALID', 'A mail is text without NUL.');
    if (part?.isWellFormed() === false)
      throw new MailFailure('MAIL_INVALID', 'A mail is text without halves of surrogate pairs.');
  }

  const attachments = mail.attachments?.map(toStreamedAttachment);
  const message = { from, to, cc, bcc, replyTo, subject, text, html, attachments };
  if (server) return sendMailByServer(server, message, mail.workspaceId ?? '');
  if (!canServiceSendMail()) throw new MailFailure('MAIL_NOT_CONFIGURED', 'No outgoing mail: SMTP_URL is not set.');
  const { smtpUrl } = getRuntime().env;
  if (smtpUrl) return sendWithinQuota(mail, recipients.length, () => sendMailByUrl(smtpUrl, message));
  return storeInOutbox(mail, from.name ? `${from.name} <${from.address}>` : from.address, recipients);
}

async function takeMailQuota(db: DatabaseClient, workspaceId: string, recipients: number): Promise<void> {
  const refusal = await takeMailQuotaCount(db, workspaceId, recipients);
  if (refusal) throw new MailFailure(refusal.code, refusal.message);
}

/** Takes a workspace's mails through the service's server out of its daily quota. */
async function sendWithinQuota(
  { workspaceId, isOfService = false }: OutgoingMail,
  recipients: number,
  send: () => Promise<MailReceipt>,
): Promise<MailReceipt> {
  if (workspaceId === null || isOfService) return send();
  await takeMailQuota(prismaClient(), workspaceId, recipients);
  try {
    return await send();
  } catch (error) {
    // Refused recipients count, or a workspace could probe addresses without limit.
    if (error instanceof MailFailure && error.isUnanswered) await returnMailQuotaCount(workspaceId, recipients);
    throw error;
  }
}
