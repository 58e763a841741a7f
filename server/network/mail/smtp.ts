import { isIP } from 'node:net';
import type { SendMailOptions, Transporter } from 'nodemailer';
import { NodeFailure } from '@/server/platform/errors/node-failure';
import { resolveAllowedAddresses } from '@/server/network/outbound/lookup';
import { getRuntime } from '@/server/platform/runtime';
import { guardSmtpReplies } from './reply-guard';

/** An SMTP server from a credential. `secure`: TLS from the first byte, else STARTTLS if offered. */
export interface SmtpServer {
  host: string;
  port: number;
  secure: boolean;
  username?: string;
  password?: string;
}

/** The result of a mail: accepted and refused addresses. */
export interface MailReceipt {
  messageId: string;
  accepted: string[];
  rejected: string[];
}

/**
 * `MAIL_REFUSED`: the server refused permanently. `MAIL_QUOTA`: the workspace has used up its daily quota.
 * `MAIL_UNVERIFIED`: no owner of the workspace has confirmed their address.
 */
type MailFailureCode =
  | 'MAIL_INVALID'
  | 'MAIL_NOT_CONFIGURED'
  | 'MAIL_REFUSED'
  | 'MAIL_UNREACHABLE'
  | 'MAIL_QUOTA'
  | 'MAIL_UNVERIFIED';

export class MailFailure extends Error {
  constructor(
    readonly code: MailFailureCode,
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
    return this.code === 'MAIL_UNREACHABLE' && !hasServerReply(this.cause);
  }
}

/** nodemailer puts the server's reply code into the error; 5xx is permanent. */
const hasServerReply = (error: unknown): error is Error & { responseCode: unknown } =>
  error instanceof Error && 'responseCode' in error && error.responseCode !== undefined;
const isPermanentMailRefusal = (error: unknown) => hasServerReply(error) && Number(error.responseCode) >= 500;

/** The ports of mail servers: in `saas` mode only these are allowed, so that a workspace cannot probe hosts. */
const MAIL_PORTS = [25, 465, 587, 2525];

/**
 * Timeouts of a connection, in milliseconds. `maxRequeues`, because a pool otherwise offers a mail forever to a server
 * that closes the connection; no files and no addresses are read for a mail.
 */
const SMTP_OPTIONS = {
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  dnsTimeout: 10_000,
  socketTimeout: 30_000,
  maxRequeues: 2,
  disableFileAccess: true,
  disableUrlAccess: true,
};

/** Loaded with the first mail. */
async function loadMailLibrary() {
  const [nodemailer, connections] = await Promise.all([
    import('nodemailer'),
    import('nodemailer/lib/smtp-connection/index.js'),
  ]);
  guardSmtpReplies(connections.default);
  return nodemailer.default;
}

const transportsByUrl = new Map<string, Transporter>();

/**
 * One pool of connections per SMTP_URL. nodemailer ignores all other options if it gets an address, so ours go into its
 * query; the operator's own parameters stay.
 */
async function openPooledTransport(url: string): Promise<Transporter> {
  const nodemailer = await loadMailLibrary();
  const existing = transportsByUrl.get(url);
  if (existing) return existing;
  const address = new URL(url);
  const { searchParams } = address;
  for (const [name, value] of Object.entries({ ...SMTP_OPTIONS, pool: true, maxConnections: 5 })) {
    if (!searchParams.has(name)) searchParams.set(name, String(value));
  }
  const transport = nodemailer.createTransport(address.href);
  transportsByUrl.set(url, transport);
  return transport;
}

/** A server chosen by a workspace: like any outside address it must be public, or permitted by the operator. */
async function openSingleTransport(
  { host, port, secure, username, password }: SmtpServer,
  workspaceId: string,
): Promise<Transporter> {
  const auth = username ? { user: username, pass: password } : undefined;
  if (getRuntime().env.deploymentEnv === 'saas' && !MAIL_PORTS.includes(port)) {
    throw new MailFailure('MAIL_INVALID', `A mail server is reached at port ${MAIL_PORTS.join(', ')}, not ${port}.`);
  }
  const address = await resolveMailServer(host, workspaceId);
  // Connects to the address that was checked; the certificate is verified for the name.
  const nodemailer = await loadMailLibrary();
  return nodemailer.createTransport({
    ...SMTP_OPTIONS,
    host: address,
    port,
    secure,
    auth,
    tls: isIP(host) ? {} : { servername: host },
  });
}

async function resolveMailServer(host: string, workspaceId: string): Promise<string> {
  try {
    const [first] = await resolveAllowedAddresses(workspaceId, host);
    if (first) return first.address;
  } catch (error) {
    if (error instanceof NodeFailure) throw new MailFailure('MAIL_INVALID', error.message, error);
    throw new MailFailure('MAIL_UNREACHABLE', `The mail server ${host} was not found.`, error);
  }
  throw new MailFailure('MAIL_UNREACHABLE', `The mail server ${host} has no address.`);
}

/** Connects and signs in to a server without sending anything. Throws MailFailure. */
export async function checkMailServer(server: SmtpServer, workspaceId: string): Promise<void> {
  const transport = await openSingleTransport(server, workspaceId);
  try {
    await transport.verify();
  } catch (error) {
    const code = isPermanentMailRefusal(error) ? 'MAIL_REFUSED' : 'MAIL_UNREACHABLE';
    throw new MailFailure(code, `The mail server refused the credentials: ${(error as Error).message}`, error);
  } finally {
    transport.close();
  }
}

/** Closes idle connections to the SMTP server at shutdown. */
export function closeMailTransports(): void {
  for (const transport of transportsByUrl.values()) transport.close();
  transportsByUrl.clear();
}

/** Sends through a server chosen by a workspace. Throws MailFailure. */
export async function sendMailByServer(
  server: SmtpServer,
  message: SendMailOptions,
  workspaceId: string,
): Promise<MailReceipt> {
  const transport = await openSingleTransport(server, workspaceId);
  return handOverMail(transport, message).finally(() => transport.close());
}

/** Sends by the service's own server. */
export const sendMailByUrl = async (url: string, message: SendMailOptions): Promise<MailReceipt> =>
  handOverMail(await openPooledTransport(url), message);

async function handOverMail(transport: Transporter, message: SendMailOptions): Promise<MailReceipt> {
  try {
    const sent = await transport.sendMail(message);
    return { messageId: sent.messageId, accepted: sent.accepted.map(String), rejected: sent.rejected.map(String) };
  } catch (error) {
    const code = isPermanentMailRefusal(error) ? 'MAIL_REFUSED' : 'MAIL_UNREACHABLE';
    throw new MailFailure(code, `The mail server refused the mail: ${(error as Error).message}`, error);
  }
}
