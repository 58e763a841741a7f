import { redactor } from './redact';
import { checkServer, MailFailure, type SmtpServer } from '../mail';
import { NodeFailure } from '../nodes/node';
import { callConnector } from './call';
import { REQUEST } from './catalogue';
import { sendAs, type Held } from './held';
import { connectorOf } from './index';
import { hold } from './use';

/** Whether a credential worked, in words that name no secret. */
export interface Verdict {
  ok: boolean;
  message: string;
}

/** For everything that a test may ask. */
const PATIENCE_MS = 20_000;
const MAX_BYTES = 1024 * 1024;

/** Without an address of somebody to show it to, such a credential can't be tried. */
export const needsAddress = (type: string, connectorId: string | null): boolean =>
  type !== 'oauth2' && connectorId !== 'smtp';

/** Tries a credential with one call that changes nothing. */
export async function probe(workspaceId: string, id: string, url?: string): Promise<Verdict> {
  const secrets: string[] = [];
  const masked = (text: string) => redactor(secrets).text(text);
  try {
    const held = await hold(workspaceId, id, (learnt) => secrets.push(...learnt));
    return { ok: true, message: masked(await attempt(held, id, url)) };
  } catch (error) {
    if (!(error instanceof NodeFailure || error instanceof MailFailure)) throw error;
    return { ok: false, message: masked(error.message) };
  }
}

async function attempt(credential: Held, id: string, url: string | undefined): Promise<string> {
  const { type, connectorId, config } = credential.opened;
  const signal = AbortSignal.timeout(PATIENCE_MS);
  if (type === 'basic_auth' && connectorId === 'smtp') {
    await checkServer(config as unknown as SmtpServer);
    return 'The mail server let us in.';
  }
  const connector = type === 'oauth2' ? connectorOf(connectorId) : undefined;
  if (connector && url === undefined) {
    const secrets = redactor(credential.opened.secrets);
    const call = { connector, operation: REQUEST, parameters: { ...connector.probe }, credential, secrets };
    await callConnector({ ...call, signal, idempotencyKey: `test:${id}`, log: () => undefined });
    return `${connector.name} accepted it.`;
  }
  if (url === undefined) {
    if (!config['accessToken']) throw new NodeFailure('CREDENTIAL_INCOMPLETE', 'It has no access token yet.', false);
    return 'It has a token.';
  }
  const { host } = new URL(url);
  const { status } = await sendAs(credential, { url, signal, maxBytes: MAX_BYTES });
  if (status >= 400) throw new NodeFailure('HTTP_STATUS', `${host} answered ${status}.`, false);
  return `${host} accepted it.`;
}
