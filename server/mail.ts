import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import nodemailer, { type Transporter } from 'nodemailer';
import { z } from 'zod';
import { newId } from './db/ids';
import { prisma } from './db/client';
import type { Env } from './env';
import { isPublicAddress } from './public-address';
import { runtime } from './runtime';

/** A mail to be sent. Addresses are `a@b.example` or `Name <a@b.example>`, one per entry. */
export interface Mail {
  /** Whose outbox it lands in when there is no SMTP; null: the service's own mail. */
  workspaceId: string | null;
  /** MAIL_FROM unless given. */
  from?: string;
  to: string[];
  cc?: string[];
  bcc?: string[];
  replyTo?: string;
  subject: string;
  text?: string;
  html?: string;
}

/** An SMTP server of the caller's choice, from a credential. `secure`: TLS from the first byte, else STARTTLS if offered. */
export interface SmtpServer {
  host: string;
  port: number;
  secure: boolean;
  username?: string;
  password?: string;
}

/** What became of a mail: addresses that the server took and those it refused. */
export interface Receipt {
  messageId: string;
  accepted: string[];
  rejected: string[];
}

/** `MAIL_INVALID`, `MAIL_NOT_CONFIGURED`, `MAIL_REFUSED` (the server said a lasting no) or `MAIL_UNREACHABLE`. */
export class MailFailure extends Error {
  constructor(
    readonly code: 'MAIL_INVALID' | 'MAIL_NOT_CONFIGURED' | 'MAIL_REFUSED' | 'MAIL_UNREACHABLE',
    message: string,
    cause?: unknown,
  ) {
    super(message, { cause });
  }

  /** False: trying again would come out the same. */
  get isRetriable(): boolean {
    return this.code === 'MAIL_UNREACHABLE';
  }
}

/**
 * Limits of a conversation, in milliseconds. `maxRequeues` because a pool otherwise offers a mail for ever to a server
 * that hangs up; no files and no addresses are read for a mail's sake.
 */
const LIMITS = {
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  dnsTimeout: 10_000,
  socketTimeout: 30_000,
  maxRequeues: 2,
  disableFileAccess: true,
  disableUrlAccess: true,
};

const pools = new Map<string, Transporter>();

/**
 * One pool of connections per SMTP_URL. nodemailer forgets all other options where it is given an address, so ours
 * go into its query; what the operator wrote there stays.
 */
function pooled(url: string): Transporter {
  const known = pools.get(url);
  if (known) return known;
  const address = new URL(url);
  const { searchParams } = address;
  for (const [name, value] of Object.entries({ ...LIMITS, pool: true, maxConnections: 5 })) {
    if (!searchParams.has(name)) searchParams.set(name, String(value));
  }
  const transport = nodemailer.createTransport(address.href);
  pools.set(url, transport);
  return transport;
}

/** A server of a workspace's choice; like any other outside address it must be public, unless EGRESS_ALLOW_PRIVATE. */
async function single({ host, port, secure, username, password }: SmtpServer): Promise<Transporter> {
  const auth = username ? { user: username, pass: password } : undefined;
  const address = await reachable(host);
  // Connected to by the address that was checked; the certificate is still that of the name.
  return nodemailer.createTransport({
    ...LIMITS,
    host: address,
    port,
    secure,
    auth,
    tls: isIP(host) ? {} : { servername: host },
  });
}

async function reachable(host: string): Promise<string> {
  if (runtime().env.egressAllowPrivate) return host;
  const found = await lookup(host, { all: true }).catch((error: Error) => {
    throw new MailFailure('MAIL_UNREACHABLE', `The mail server ${host} was not found.`, error);
  });
  const open = found.find(({ address }) => isPublicAddress(address));
  if (!open) throw new MailFailure('MAIL_INVALID', `${host} is not a public address; this service may not call it.`);
  return open.address;
}

/** Connects and signs in to a server without sending anything. Throws MailFailure. */
export async function checkServer(server: SmtpServer): Promise<void> {
  const transport = await single(server);
  try {
    await transport.verify();
  } catch (error) {
    const code = isRefusal(error) ? 'MAIL_REFUSED' : 'MAIL_UNREACHABLE';
    throw new MailFailure(code, `The mail server did not let us in: ${(error as Error).message}`, error);
  } finally {
    transport.close();
  }
}

/** Closes idle connections to the SMTP server, when the process stops. */
export function closeMail(): void {
  for (const transport of pools.values()) transport.close();
  pools.clear();
}

const LINE_BREAK = /[\r\n\u0000]/;
const ADDRESS = /^(?:"?([^"<>]*?)"?\s*<([^<>]+)>|([^<>]+))$/;

/** Reads one address ourselves, so that nothing a person typed is ever parsed as a list, group or comment. */
function address(text: string): { name: string; address: string } {
  const [, name = '', inBrackets, bare = ''] = ADDRESS.exec(text.trim()) ?? [];
  const found = (inBrackets ?? bare).trim();
  if (LINE_BREAK.test(text) || found.length > 254 || !z.regexes.html5Email.test(found)) {
    throw new MailFailure('MAIL_INVALID', `"${text.slice(0, 100)}" is not an email address.`);
  }
  return { name: name.trim(), address: found };
}

/** nodemailer marks what a server answered with its code; 5xx is a lasting no. */
const isRefusal = (error: unknown) =>
  error instanceof Error && 'responseCode' in error && Number(error.responseCode) >= 500;

/** Whether mail goes anywhere without a server of the caller's choice. */
export function isMailPossible({ smtpUrl, deploymentEnv }: Env = runtime().env): boolean {
  return smtpUrl !== undefined || deploymentEnv === 'development';
}

/** Without SMTP a development installation shows its mails on a page instead. */
async function keep({ workspaceId, from, subject, text, html }: Mail, to: string[]): Promise<Receipt> {
  const { env } = runtime();
  if (!isMailPossible()) {
    throw new MailFailure('MAIL_NOT_CONFIGURED', 'No outgoing mail: SMTP_URL is not set.');
  }
  const id = newId('mail');
  await prisma().outboxMail.create({
    data: { id, workspaceId, from: from ?? env.mailFrom, to, subject, text, html },
  });
  return { messageId: `<${id}@outbox.localhost>`, accepted: to, rejected: [] };
}

/**
 * Sends by the given server, else by SMTP_URL, else, in development, into the outbox table.
 * Throws MailFailure; a mail that some recipients' server took has not failed, see `rejected`.
 */
export async function sendMail(mail: Mail, server?: SmtpServer): Promise<Receipt> {
  const { env } = runtime();
  if (LINE_BREAK.test(mail.subject)) throw new MailFailure('MAIL_INVALID', 'A subject is a single line.');
  const from = address(mail.from ?? env.mailFrom);
  const to = mail.to.map(address);
  const cc = (mail.cc ?? []).map(address);
  const bcc = (mail.bcc ?? []).map(address);
  const replyTo = mail.replyTo === undefined ? undefined : address(mail.replyTo);
  const everybody = [...to, ...cc, ...bcc].map((person) => person.address);
  if (everybody.length === 0) throw new MailFailure('MAIL_INVALID', 'The mail has no recipient.');
  const { subject, text, html } = mail;
  if (text?.includes('\u0000') || html?.includes('\u0000'))
    throw new MailFailure('MAIL_INVALID', 'A mail is text without NUL.');

  if (!server && !env.smtpUrl) return keep(mail, everybody);
  const transport = server ? await single(server) : pooled(env.smtpUrl ?? '');
  try {
    const sent = await transport.sendMail({ from, to, cc, bcc, replyTo, subject, text, html });
    return { messageId: sent.messageId, accepted: sent.accepted.map(String), rejected: sent.rejected.map(String) };
  } catch (error) {
    const code = isRefusal(error) ? 'MAIL_REFUSED' : 'MAIL_UNREACHABLE';
    throw new MailFailure(code, `The mail server did not take it: ${(error as Error).message}`, error);
  } finally {
    if (server) transport.close();
  }
}
