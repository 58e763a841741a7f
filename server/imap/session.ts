import type { ImapFlow, ImapTransport } from 'imapflow';
import type { ImapConfig } from '@/contract/credentials/imap';
import { NodeFailure } from '@/server/errors/node-failure';
import { awaitStart } from '@/server/starts';
import { OutboundSocket, secured } from '@/server/outbound/socket';
import { imapFailure } from './failures';
import { guardResponses } from './response-guard';

/** An open credential of a mailbox. */
export interface MailCredential {
  workspaceId: string;
  name: string;
  type: string;
  config: Record<string, unknown>;
}

const MIB = 1024 * 1024;

/** Timeouts in milliseconds: of the connection, of the greeting, of a server that is silent. */
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };
/** Bytes of one answer. Messages are read in parts, so a larger answer comes from a broken or hostile server. */
export const MAX_PART = MIB;
const LIMITS = {
  maxLiteralSize: 2 * MAX_PART,
  maxResponseSize: 4 * MIB,
  maxResponseTokens: 10_000,
};

/** Connections go to the server of the credential only, and are checked like all others. */
const transportTo = (server: ImapConfig & { workspaceId: string }): ImapTransport => ({
  connect({ secure }, onConnect) {
    const socket = new OutboundSocket(server);
    if (!secure) return guardResponses(socket.once('connect', onConnect).connect());
    const encrypted = secured(socket, server).once('secureConnect', onConnect);
    socket.connect();
    return guardResponses(encrypted);
  },
  upgrade: (socket, _options, onSecure) =>
    guardResponses(secured(socket as OutboundSocket, server).once('secureConnect', onSecure)),
});

/**
 * Connects, signs in, lets `use` work, and closes the connection: one for each use, so that no workspace holds connections.
 * Throws NodeFailure.
 */
export async function withSession<Result>(
  { workspaceId, name, type, config }: MailCredential,
  signal: AbortSignal,
  use: (client: ImapFlow) => Promise<Result>,
): Promise<Result> {
  if (type !== 'imap')
    throw new NodeFailure('CREDENTIAL_KIND', `The credential "${name}" is not one of a mailbox.`, false);
  const server = { ...(config as ImapConfig), workspaceId };
  const { host, port, security, username, password } = server;
  // Loaded on demand: few workspaces read mail.
  const { ImapFlow: Client } = await import('imapflow');
  const client = new Client({
    ...TIMEOUTS,
    ...LIMITS,
    host,
    port,
    secure: security === 'tls',
    doSTARTTLS: security === 'starttls',
    transport: transportTo(server),
    auth: { user: username, pass: password },
    logger: false,
    disableAutoIdle: true,
    disableCompression: true,
    clientInfo: { name: 'Weft' },
  });
  let failure: unknown;
  // Also emitted for errors that no command reports.
  client.on('error', (error) => (failure ??= error));
  const stop = () => client.close();
  signal.addEventListener('abort', stop, { once: true });
  let isConnected = false;
  try {
    signal.throwIfAborted();
    await client.connect();
    await awaitStart(signal);
    isConnected = true;
    return await use(client);
  } catch (error) {
    const own = [failure, error].find((one) => one instanceof NodeFailure);
    throw imapFailure(own ?? failure ?? error, host, isConnected);
  } finally {
    signal.removeEventListener('abort', stop);
    client.close();
  }
}

/** Signs in and opens the inbox without changing anything. Throws NodeFailure. */
export async function checkImap(credential: MailCredential, signal: AbortSignal): Promise<string> {
  const count = await withSession(credential, signal, async (client) => {
    const { exists } = await client.mailboxOpen('INBOX', { readOnly: true });
    return exists;
  });
  return `The mail server accepted the login. The inbox has ${count} ${count === 1 ? 'message' : 'messages'}.`;
}
