import { isIP } from 'node:net';
import type { SendMailOptions, Transporter } from 'nodemailer';
import { names } from '@/server/outbound/names';
import { isPublicAddress } from '@/server/outbound/public-address';
import { runtime } from '@/server/runtime';
import { guardReplies } from './reply-guard';

/** An SMTP server from a credential. `secure`: TLS from the first byte, else STARTTLS if offered. */
export interface SmtpServer {
  host: string;
  port: number;
  secure: boolean;
  username?: string;
  password?: string;
}

/** The result of a mail: accepted and refused addresses. */
export interface Receipt {
  messageId: string;
  accepted: string[];
  rejected: string[];
}

/**
 * `MAIL_REFUSED`: the server refused permanently. `MAIL_QUOTA`: the workspace has used up its daily quota. `MAIL_UNVERIFIED`: no owner of
 * the workspace has confirmed their address.
 */
type MailCode =
  | 'MAIL_INVALID'
  | 'MAIL_NOT_CONFIGURED'
  | 'MAIL_REFUSED'
  | 'MAIL_UNREACHABLE'
  | 'MAIL_QUOTA'
  | 'MAIL_UNVERIFIED';

export class MailFailure extends Error {
  constructor(
    readonly code: MailCode,
    message: string,
    cause?: unknown,
  ) {
    super(message, { cause });
  }

  /** False: a retry would fail in the same way. */
  get isRetriable(): boolean {
    return this.code === 'MAIL_UNREACHABLE';
  }

  /** True: the server was not reached, or timed out before it accepted or refused anything. */
  get isUnanswered(): boolean {
    return this.code === 'MAIL_UNREACHABLE' && !hasAnswer(this.cause);
  }
}

/** nodemailer puts the server's reply code into the error; 5xx is permanent. */
const hasAnswer = (error: unknown): error is Error & { responseCode: unknown } =>
  error instanceof Error && 'responseCode' in error && error.responseCode !== undefined;
const isRefusal = (error: unknown) => hasAnswer(error) && Number(error.responseCode) >= 500;

/** The ports of mail servers: in `saas` mode only these are allowed, so that a workspace cannot probe hosts. */
const MAIL_PORTS = [25, 465, 587, 2525];

/**
 * Timeouts of a connection, in milliseconds. `maxRequeues`, because a pool otherwise offers a mail forever to a server that closes the
 * connection; no files and no addresses are read for a mail.
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

/** Loaded with the first mail. */
async function library() {
  const [nodemailer, connections] = await Promise.all([
    import('nodemailer'),
    import('nodemailer/lib/smtp-connection/index.js'),
  ]);
  guardReplies(connections.default);
  return nodemailer.default;
}

const pools = new Map<string, Transporter>();

/**
 * One pool of connections per SMTP_URL. nodemailer ignores all other options if it gets an address, so ours go into its query; the
 * operator's own parameters stay.
 */
async function pooled(url: string): Promise<Transporter> {
  const nodemailer = await library();
  const existing = pools.get(url);
  if (existing) return existing;
  const address = new URL(url);
  const { searchParams } = address;
  for (const [name, value] of Object.entries({ ...LIMITS, pool: true, maxConnections: 5 })) {
    if (!searchParams.has(name)) searchParams.set(name, String(value));
  }
  const transport = nodemailer.createTransport(address.href);
  pools.set(url, transport);
  return transport;
}

/** A server chosen by a workspace: like any outside address it must be public, unless EGRESS_ALLOW_PRIVATE. */
async function single(
  { host, port, secure, username, password }: SmtpServer,
  workspaceId: string,
): Promise<Transporter> {
  const auth = username ? { user: username, pass: password } : undefined;
  if (runtime().env.deploymentEnv === 'saas' && !MAIL_PORTS.includes(port)) {
    throw new MailFailure('MAIL_INVALID', `A mail server is reached at port ${MAIL_PORTS.join(', ')}, not ${port}.`);
  }
  const address = await reachable(host, workspaceId);
  // Connects to the address that was checked; the certificate is verified for the name.
  const nodemailer = await library();
  return nodemailer.createTransport({
    ...LIMITS,
    host: address,
    port,
    secure,
    auth,
    tls: isIP(host) ? {} : { servername: host },
  });
}

async function reachable(host: string, workspaceId: string): Promise<string> {
  const found = await names()
    .lookUp(workspaceId, host)
    .catch((error: Error) => {
      throw new MailFailure('MAIL_UNREACHABLE', `The mail server ${host} was not found.`, error);
    });
  const { egressAllowPrivate } = runtime().env;
  const open = found.find(({ address }) => egressAllowPrivate || isPublicAddress(address));
  if (!open) throw new MailFailure('MAIL_INVALID', `${host} is not a public address; this service may not call it.`);
  return open.address;
}

/** Connects and signs in to a server without sending anything. Throws MailFailure. */
export async function checkServer(server: SmtpServer, workspaceId: string): Promise<void> {
  const transport = await single(server, workspaceId);
  try {
    await transport.verify();
  } catch (error) {
    const code = isRefusal(error) ? 'MAIL_REFUSED' : 'MAIL_UNREACHABLE';
    throw new MailFailure(code, `The mail server refused the credentials: ${(error as Error).message}`, error);
  } finally {
    transport.close();
  }
}

/** Closes idle connections to the SMTP server at shutdown. */
export function closeMail(): void {
  for (const transport of pools.values()) transport.close();
  pools.clear();
}

/** Sends through a server chosen by a workspace. Throws MailFailure. */
export async function sendByServer(
  server: SmtpServer,
  message: SendMailOptions,
  workspaceId: string,
): Promise<Receipt> {
  const transport = await single(server, workspaceId);
  return hand(transport, message).finally(() => transport.close());
}

/** Sends by the service's own server. */
export const sendByUrl = async (url: string, message: SendMailOptions): Promise<Receipt> =>
  hand(await pooled(url), message);

async function hand(transport: Transporter, message: SendMailOptions): Promise<Receipt> {
  try {
    const sent = await transport.sendMail(message);
    return { messageId: sent.messageId, accepted: sent.accepted.map(String), rejected: sent.rejected.map(String) };
  } catch (error) {
    const code = isRefusal(error) ? 'MAIL_REFUSED' : 'MAIL_UNREACHABLE';
    throw new MailFailure(code, `The mail server refused the mail: ${(error as Error).message}`, error);
  }
}
