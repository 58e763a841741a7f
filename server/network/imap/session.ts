import type { ImapFlow, ImapTransport } from 'imapflow';
import type { ImapServerConfig } from '@/contract/credentials/imap';
import { NodeFailure } from '@/server/platform/errors/node-failure';
import { awaitPermittedStart } from '@/server/platform/timers/starts';
import { OutboundSocket, startVerifiedTls } from '@/server/network/outbound/socket';
import { toImapFailure } from './failures';
import { guardImapResponses } from './response-guard';
import { BYTES_PER_MIB } from '@/contract/units';

/** An open credential of a mailbox. */
export interface MailCredential {
  workspaceId: string;
  name: string;
  type: string;
  config: Record<string, unknown>;
}

/** Timeouts in milliseconds: of the connection, of the greeting, of a server that is silent. */
const IMAP_TIMEOUTS_MS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };
/** Bytes of one answer. Messages are read in parts, so a larger answer comes from a broken or hostile server. */
export const MAX_MAIL_PART_BYTES = BYTES_PER_MIB;
const IMAP_PARSER_LIMITS = {
  maxLiteralSize: 2 * MAX_MAIL_PART_BYTES,
  maxResponseSize: 4 * BYTES_PER_MIB,
  maxResponseTokens: 10_000,
};

/** Connections go to the server of the credential only, and are checked like all others. */
const createImapTransport = (server: ImapServerConfig & { workspaceId: string }): ImapTransport => ({
  connect({ secure }, onConnect) {
    const socket = new OutboundSocket(server);
    if (!secure) return guardImapResponses(socket.once('connect', onConnect).connect());
    const encrypted = startVerifiedTls(socket, server).once('secureConnect', onConnect);
    socket.connect();
    return guardImapResponses(encrypted);
  },
  upgrade: (socket, _options, onSecure) =>
    guardImapResponses(startVerifiedTls(socket as OutboundSocket, server).once('secureConnect', onSecure)),
});

/**
 * Connects, signs in, lets `use` work, and closes the connection: one for each use, so that no workspace holds
 * connections. Throws NodeFailure.
 */
export async function withImapSession<Result>(
  { workspaceId, name, type, config }: MailCredential,
  signal: AbortSignal,
  use: (client: ImapFlow) => Promise<Result>,
): Promise<Result> {
  if (type !== 'imap')
    throw new NodeFailure('CREDENTIAL_KIND', `The credential "${name}" is not one of a mailbox.`, false);
  const server = { ...(config as ImapServerConfig), workspaceId };
  const { host, port, security, username, password } = server;
  // Loaded on demand: few workspaces read mail.
  const { ImapFlow: Client } = await import('imapflow');
  const client = new Client({
    ...IMAP_TIMEOUTS_MS,
    ...IMAP_PARSER_LIMITS,
    host,
    port,
    secure: security === 'tls',
    doSTARTTLS: security === 'starttls',
    transport: createImapTransport(server),
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
    await awaitPermittedStart(signal);
    isConnected = true;
    return await use(client);
  } catch (error) {
    const own = [failure, error].find((one) => one instanceof NodeFailure);
    throw toImapFailure(own ?? failure ?? error, host, isConnected);
  } finally {
    signal.removeEventListener('abort', stop);
    client.close();
  }
}

/** Signs in and opens the inbox without changing anything. Throws NodeFailure. */
export async function checkImapLogin(credential: MailCredential, signal: AbortSignal): Promise<string> {
  const count = await withImapSession(credential, signal, async (client) => {
    const { exists } = await client.mailboxOpen('INBOX', { readOnly: true });
    return exists;
  });
  return `The mail server accepted the login. The inbox has ${count} ${count === 1 ? 'message' : 'messages'}.`;
}
