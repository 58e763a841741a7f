import { isDatabase, namesServer } from '@/contract/credentials/credential';
import type { ServerToolList } from '@/contract/mcp';
import { redactor } from '@/server/redaction/redactor';
import { checkModels } from '@/server/models/check';
import { serverTools } from '@/server/mcp/client';
import { checkImap } from '@/server/imap/session';
import { checkRemote } from '@/server/remote/check';
import { checkServer, MailFailure, type SmtpServer } from '@/server/mail/smtp';
import { checkRedis } from '@/server/redis/redis';
import { checkDatabase } from '@/server/sql/sql';
import { callConnector } from './calls/call';
import { REQUEST } from './catalogue';
import { sendAs, type CredentialHandle } from './credential-handle';
import { isOfConnector } from './lookup';
import { openForNode } from './use';
import { NodeFailure } from '@/server/errors/node-failure';

/** Whether a credential worked, with a message that contains no secret. */
export interface Verdict {
  ok: boolean;
  message: string;
}

/** Timeout of all requests of a test. */
const TIMEOUT_MS = 20_000;
const MAX_BYTES = 1024 * 1024;

/** Without an address such a credential cannot be tested. */
export const needsAddress = (type: string, connectorId: string | null): boolean =>
  !namesServer(type) && !isOfConnector(type) && connectorId !== 'smtp';

/** Tests a credential with one call that changes nothing. */
export async function probe(workspaceId: string, id: string, url?: string): Promise<Verdict> {
  const secrets: string[] = [];
  const masked = (text: string) => redactor(secrets).text(text);
  try {
    const handle = await openForNode(workspaceId, id, (values) => secrets.push(...values));
    return { ok: true, message: masked(await attempt(handle, id, url)) };
  } catch (error) {
    if (!(error instanceof NodeFailure || error instanceof MailFailure)) throw error;
    return { ok: false, message: masked(error.message) };
  }
}

/** The tools of an MCP server, or why it gives none. */
export async function toolsOfServer(workspaceId: string, id: string): Promise<ServerToolList> {
  const secrets: string[] = [];
  try {
    const { credential } = await openForNode(workspaceId, id, (values) => secrets.push(...values));
    const caller = { signal: AbortSignal.timeout(TIMEOUT_MS), secrets: redactor(secrets) };
    return { data: await serverTools(credential, caller), problem: null };
  } catch (error) {
    if (!(error instanceof NodeFailure)) throw error;
    return { data: [], problem: redactor(secrets).text(error.message) };
  }
}

async function attempt(credential: CredentialHandle, id: string, url: string | undefined): Promise<string> {
  const { type, connectorId, connector, config } = credential.credential;
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  if (type === 'basic_auth' && connectorId === 'smtp') {
    await checkServer(config as unknown as SmtpServer, credential.credential.workspaceId);
    return 'The mail server accepted the credentials.';
  }
  if (isDatabase(type)) return checkDatabase(credential.credential, signal);
  if (type === 'redis') return checkRedis(credential.credential, signal);
  if (type === 'imap') return checkImap(credential.credential, signal);
  if (type === 'ssh' || type === 'ftp') {
    const secrets = redactor(credential.credential.secrets);
    return checkRemote(credential.credential, { signal, redact: (text) => secrets.text(text) });
  }
  if (type === 'llm') return checkModels(credential.credential, signal);
  if (type === 'mcp') {
    const { length } = await serverTools(credential.credential, {
      signal,
      secrets: redactor(credential.credential.secrets),
    });
    return `The server offers ${length} ${length === 1 ? 'tool' : 'tools'}.`;
  }
  if (connector && url === undefined) {
    if (!connector.probe) {
      const reason = 'Its service has no call without parameters that could test it.';
      throw new NodeFailure('CREDENTIAL_INCOMPLETE', reason, false);
    }
    const { workspaceId } = credential.credential;
    const secrets = redactor(credential.credential.secrets);
    const { method = 'GET', path, api, body } = connector.probe;
    const parameters = { method, path, ...(api && { api }), ...(body !== undefined && { body }) };
    const call = { connector, workspaceId, operation: REQUEST, parameters, credential, secrets };
    await callConnector({ ...call, signal, idempotencyKey: `test:${id}`, log: () => undefined });
    return `${connector.name} accepted it.`;
  }
  if (url === undefined) {
    if (type === 'token')
      throw new NodeFailure('CREDENTIAL_INCOMPLETE', 'Its connector does not exist any more.', false);
    if (!config['accessToken']) throw new NodeFailure('CREDENTIAL_INCOMPLETE', 'It has no access token yet.', false);
    return 'It has a token.';
  }
  const { host } = new URL(url);
  const { status } = await sendAs(credential, { url, signal, maxBytes: MAX_BYTES });
  if (status >= 400) throw new NodeFailure('HTTP_STATUS', `${host} answered ${status}.`, false);
  return `${host} accepted it.`;
}
