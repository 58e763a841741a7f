import { isDatabaseCredential, credentialNamesServer } from '@/contract/credentials/credential';
import type { ListServerToolsResponse } from '@/contract/mcp';
import { createRedactor } from '@/server/evaluation/redaction/redactor';
import { checkModelCredential } from '@/server/network/models/check';
import { listServerTools } from '@/server/network/mcp/client';
import { checkImapLogin } from '@/server/network/imap/session';
import { checkRemoteServer } from '@/server/network/remote/check';
import { checkMailServer, MailFailure, type SmtpServer } from '@/server/network/mail/smtp';
import { checkMongoCredential } from '@/server/network/mongodb/mongodb';
import { checkRedisCredential } from '@/server/network/redis/redis';
import { checkSqlCredential } from '@/server/network/sql/sql';
import { callConnector } from './calls/call';
import { REQUEST_OPERATION_ID } from './catalogue';
import { sendWithCredential, type CredentialHandle } from './credential-handle';
import { isConnectorCredential } from './lookup';
import { openCredentialForNode } from './credential-for-node';
import { NodeFailure } from '@/server/platform/errors/node-failure';

/** Whether a credential worked, with a message that contains no secret. */
export interface CredentialTestResult {
  ok: boolean;
  message: string;
}

/** Timeout of all requests of a test. */
const PROBE_TIMEOUT_MS = 20_000;
const MAX_PROBE_BYTES = 1024 * 1024;

/** Without an address such a credential cannot be tested. */
export const needsTestAddress = (type: string, connectorId: string | null): boolean =>
  !credentialNamesServer(type) && !isConnectorCredential(type) && connectorId !== 'smtp';

/** Tests a credential with one call that changes nothing. */
export async function testCredential(workspaceId: string, id: string, url?: string): Promise<CredentialTestResult> {
  const secrets: string[] = [];
  const masked = (text: string) => createRedactor(secrets).text(text);
  try {
    const handle = await openCredentialForNode(workspaceId, id, (values) => secrets.push(...values));
    return { ok: true, message: masked(await runCredentialTest(handle, id, url)) };
  } catch (error) {
    if (!(error instanceof NodeFailure || error instanceof MailFailure)) throw error;
    return { ok: false, message: masked(error.message) };
  }
}

/** The tools of an MCP server, or why it gives none. */
export async function listMcpServerTools(workspaceId: string, id: string): Promise<ListServerToolsResponse> {
  const secrets: string[] = [];
  try {
    const { credential } = await openCredentialForNode(workspaceId, id, (values) => secrets.push(...values));
    const caller = { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS), secrets: createRedactor(secrets) };
    return { data: await listServerTools(credential, caller), problem: null };
  } catch (error) {
    if (!(error instanceof NodeFailure)) throw error;
    return { data: [], problem: createRedactor(secrets).text(error.message) };
  }
}

async function runCredentialTest(credential: CredentialHandle, id: string, url: string | undefined): Promise<string> {
  const { type, connectorId, connector, config } = credential.credential;
  const signal = AbortSignal.timeout(PROBE_TIMEOUT_MS);
  if (type === 'basic_auth' && connectorId === 'smtp') {
    await checkMailServer(config as unknown as SmtpServer, credential.credential.workspaceId);
    return 'The mail server accepted the credentials.';
  }
  if (isDatabaseCredential(type)) return checkSqlCredential(credential.credential, signal);
  if (type === 'redis') return checkRedisCredential(credential.credential, signal);
  if (type === 'mongodb') return checkMongoCredential(credential.credential, signal);
  if (type === 'imap') return checkImapLogin(credential.credential, signal);
  if (type === 'ssh' || type === 'ftp') {
    const secrets = createRedactor(credential.credential.secrets);
    return checkRemoteServer(credential.credential, { signal, redact: (text) => secrets.text(text) });
  }
  if (type === 'llm') return checkModelCredential(credential.credential, signal);
  if (type === 'mcp') {
    const { length } = await listServerTools(credential.credential, {
      signal,
      secrets: createRedactor(credential.credential.secrets),
    });
    return `The server offers ${length} ${length === 1 ? 'tool' : 'tools'}.`;
  }
  if (connector && url === undefined) {
    if (!connector.probe) {
      const reason = 'Its service has no call without parameters that could test it.';
      throw new NodeFailure('CREDENTIAL_INCOMPLETE', reason, false);
    }
    const { workspaceId } = credential.credential;
    const secrets = createRedactor(credential.credential.secrets);
    const { method = 'GET', path, api, body } = connector.probe;
    const parameters = { method, path, ...(api && { api }), ...(body !== undefined && { body }) };
    const call = { connector, workspaceId, operation: REQUEST_OPERATION_ID, parameters, credential, secrets };
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
  const { status } = await sendWithCredential(credential, { url, signal, maxBytes: MAX_PROBE_BYTES });
  if (status >= 400) throw new NodeFailure('HTTP_STATUS', `${host} answered ${status}.`, false);
  return `${host} accepted it.`;
}
