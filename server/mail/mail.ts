import { Readable } from 'node:stream';
import { z } from 'zod';
import { newId } from '@/server/db/ids';
import { prisma, type Db } from '@/server/db/client';
import type { Env } from '@/server/env/env';
import { returnMails, takeMails } from '@/server/quotas/mails';
import { runtime } from '@/server/runtime';
import { MailFailure, sendByServer, sendByUrl, type Receipt, type SmtpServer } from './smtp';

/** A mail to send. Addresses are `a@b.example` or `Name <a@b.example>`, one per entry. */
export interface Mail {
  /** The workspace that sends: the mail counts against its quota, and is stored in its outbox if there is no SMTP. Null: none. */
  workspaceId: string | null;
  /** The service wrote it, so it counts against no quota. */
  isOfService?: boolean;
  /** Default: MAIL_FROM. Through the service's own server only the name can be chosen: the address is that of MAIL_FROM. */
  from?: string;
  to: string[];
  cc?: string[];
  bcc?: string[];
  replyTo?: string;
  subject: string;
  text?: string;
  html?: string;
  attachments?: MailAttachment[];
}

/** A file of a mail, read while it is sent. */
export interface MailAttachment {
  filename: string;
  contentType: string;
  /** In bytes. */
  size: number;
  open(): Promise<Readable>;
}

/** Addresses of one mail: to, cc and bcc together. */
export const MAX_RECIPIENTS = 100;

const LINE_BREAK = /[\r\n\u0000]/;
const ADDRESS = /^(?:"?([^"<>]*?)"?\s*<([^<>]+)>|([^<>]+))$/;

interface Mailbox {
  name: string;
  address: string;
}

/** Parses exactly one address, so that user input is never parsed as a list, group or comment. */
function mailbox(text: string): Mailbox | null {
  const [, name = '', inBrackets, bare = ''] = ADDRESS.exec(text.trim()) ?? [];
  const found = (inBrackets ?? bare).trim();
  const isAddress = !LINE_BREAK.test(text) && found.length <= 254 && z.regexes.html5Email.test(found);
  return isAddress ? { name: name.trim(), address: found } : null;
}

function address(text: string): Mailbox {
  const found = mailbox(text);
  if (!found) throw new MailFailure('MAIL_INVALID', `"${text.slice(0, 100)}" is not an email address.`);
  return found;
}

const MAX_SENDER_NAME = 100;

/**
 * Why `from` cannot be the sender of a mail through the service's server; null: it can. The server is shared by all workspaces, so none may
 * choose a foreign address: `from` is a name, with or without the service's own address.
 */
export function senderProblem(from: string): string | null {
  const own = mailbox(runtime().env.mailFrom);
  const sender = mailbox(from);
  if (own && sender ? sender.address.toLowerCase() !== own.address.toLowerCase() : from.includes('@')) {
    return `must be a name, for without a mail server’s credential the sender is ${own?.address}; use replyTo for the address of answers`;
  }
  const name = sender ? sender.name : from;
  const isPlain = !/[@<>\p{C}]/u.test(name.normalize('NFKC')) && name.length <= MAX_SENDER_NAME;
  return isPlain ? null : `must be a name of at most ${MAX_SENDER_NAME} characters, without @, < and >`;
}

/** The sender of a mail through the service's server. */
function serviceSender(from = ''): Mailbox {
  const own = address(runtime().env.mailFrom);
  const problem = senderProblem(from);
  if (problem) throw new MailFailure('MAIL_INVALID', `The sender ${problem}.`);
  const name = (mailbox(from)?.name ?? from).trim();
  return { ...own, name: name || own.name };
}

/** Whether the service can send mail without a workspace's own server. */
export function isMailPossible({ smtpUrl, deploymentEnv }: Env = runtime().env): boolean {
  return smtpUrl !== undefined || deploymentEnv === 'development';
}

/** An attachment for nodemailer: it is opened when its turn comes. */
const streamed = ({ filename, contentType, open }: MailAttachment) => ({
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

const facts = ({ filename, contentType, size }: MailAttachment) => ({ filename, contentType, size });

/** Without SMTP a development installation shows its mails on a page instead. */
async function keep(
  { workspaceId, isOfService = false, subject, text, html, attachments }: Mail,
  from: string,
  to: string[],
): Promise<Receipt> {
  const id = newId('mail');
  const data = { id, workspaceId, from, to, subject, text, html, attachments: attachments?.map(facts) };
  // One transaction: a mail that is not stored has not been counted.
  await prisma().$transaction(async (db) => {
    if (workspaceId !== null && !isOfService) await take(db, workspaceId, to.length);
    await db.outboxMail.create({ data });
  });
  return { messageId: `<${id}@outbox.localhost>`, accepted: to, rejected: [] };
}

/**
 * Sends by the given server, else by SMTP_URL, else, in development, into the outbox table. Throws MailFailure. A mail that the server
 * accepted for some recipients has not failed, see `rejected`.
 */
export async function sendMail(mail: Mail, server?: SmtpServer): Promise<Receipt> {
  if (LINE_BREAK.test(mail.subject)) throw new MailFailure('MAIL_INVALID', 'A subject is a single line.');
  const from = server ? address(mail.from ?? runtime().env.mailFrom) : serviceSender(mail.from);
  const to = mail.to.map(address);
  const cc = (mail.cc ?? []).map(address);
  const bcc = (mail.bcc ?? []).map(address);
  const replyTo = mail.replyTo === undefined ? undefined : address(mail.replyTo);
  const recipients = [...to, ...cc, ...bcc].map((person) => person.address);
  if (recipients.length === 0) throw new MailFailure('MAIL_INVALID', 'The mail has no recipient.');
  if (recipients.length > MAX_RECIPIENTS) {
    throw new MailFailure('MAIL_INVALID', `A mail has at most ${MAX_RECIPIENTS} recipients, not ${recipients.length}.`);
  }
  const { subject, text, html } = mail;
  for (const part of [subject, text, html]) {
    if (part?.includes('\u0000')) throw new MailFailure('MAIL_INVALID', 'A mail is text without NUL.');
    if (part?.isWellFormed() === false)
      throw new MailFailure('MAIL_INVALID', 'A mail is text without halves of surrogate pairs.');
  }

  const attachments = mail.attachments?.map(streamed);
  const message = { from, to, cc, bcc, replyTo, subject, text, html, attachments };
  if (server) return sendByServer(server, message, mail.workspaceId ?? '');
  if (!isMailPossible()) throw new MailFailure('MAIL_NOT_CONFIGURED', 'No outgoing mail: SMTP_URL is not set.');
  const { smtpUrl } = runtime().env;
  if (smtpUrl) return withinQuota(mail, recipients.length, () => sendByUrl(smtpUrl, message));
  return keep(mail, from.name ? `${from.name} <${from.address}>` : from.address, recipients);
}

async function take(db: Db, workspaceId: string, recipients: number): Promise<void> {
  const refusal = await takeMails(db, workspaceId, recipients);
  if (refusal) throw new MailFailure(refusal.code, refusal.message);
}

/** Takes a workspace's mails through the service's server out of its daily quota. */
async function withinQuota(
  { workspaceId, isOfService = false }: Mail,
  recipients: number,
  send: () => Promise<Receipt>,
): Promise<Receipt> {
  if (workspaceId === null || isOfService) return send();
  await take(prisma(), workspaceId, recipients);
  try {
    return await send();
  } catch (error) {
    // Refused recipients count, or a workspace could probe addresses without limit.
    if (error instanceof MailFailure && error.isUnanswered) await returnMails(workspaceId, recipients);
    throw error;
  }
}
