import { presentedKey } from '@/server/auth/api-key';
import { browserSession } from '@/server/auth/browser-session';
import type { Caller, Person } from '@/server/access/caller';
import { callerFromSession, type PendingFactor, type Standing } from '@/server/auth/session';
import { callerUsingKey, storeLastUse } from '@/server/auth/last-use';
import { cachedWebhook, type CallingWebhook } from '@/server/webhooks/lookup';
import { readAccessToken } from '@/server/auth/tokens';
import type { Incoming } from '@/server/api/incoming';
import { workspaceParamIn, type Access, type Operation } from '@/server/api/operation';
import { forbidden, notFound, unauthorized, type Problem } from '@/server/errors/problem';

/** The identity of the caller. A refusal waits until the call has been counted. */
export interface Identity {
  person: Person | null;
  caller: Caller | null;
  webhook: CallingWebhook | null;
  pendingFactor: PendingFactor;
  refusal: Problem | null;
}

const NO_IDENTITY: Identity = { person: null, caller: null, webhook: null, pendingFactor: null, refusal: null };

/** The identity could not be determined: the call is counted as anonymous, then refused with this error. */
export const unidentified = (refusal: Problem): Identity => ({ ...NO_IDENTITY, refusal });

/** The format of an id. Anything else does not exist and is not looked up. */
const ID = /^[\w-]{1,100}$/;
const WEBHOOK_PATH = /^[a-z0-9_/-]{1,100}$/;

/** First step: identifies the caller by access token, API key or browser session, or finds the addressed webhook; one statement each. */
export async function identify(operation: Operation, incoming: Incoming): Promise<Identity> {
  const { access } = operation;
  if (access.kind === 'webhook') return identifyWebhook(incoming.params);
  if (access.kind === 'public' && access.callsAs === 'nobody') return NO_IDENTITY;
  const workspaceId = askedBy(access, incoming);
  const isNonsense = workspaceId !== null && !ID.test(workspaceId);
  const standing = await standingOf(incoming, isNonsense ? null : workspaceId);
  if (!standing) return { ...NO_IDENTITY, refusal: unauthorized() };
  const { person, caller, pendingFactor, needsSso } = standing;
  if (isNonsense) return { ...NO_IDENTITY, person, refusal: notFound('The workspace') };
  // The token's own workspace may be lost by now: only one that the call names or needs is an error.
  const isInsisted = workspaceId !== null || access.kind === 'member';
  const missing = needsSso
    ? forbidden('This workspace requires sign-in through its own provider.')
    : notFound('The workspace');
  return { person, caller, webhook: null, pendingFactor, refusal: !caller && isInsisted ? missing : null };
}

/** The workspace that a call names; null: none. */
function askedBy(access: Access, { params, headers }: Incoming): string | null {
  if (access.kind === 'signed-in' && access.isPersonal) return null;
  const param = workspaceParamIn(access);
  return param ? (params[param] ?? '') : headers.get('x-workspace-id');
}

/** The identity behind a call, in a workspace or, with null, in its default one. */
export async function standingOf(
  { headers, method }: Pick<Incoming, 'headers' | 'method'>,
  workspaceId: string | null,
): Promise<Standing | null> {
  const authorization = headers.get('authorization');
  const key = presentedKey(headers);
  if (key !== null && (authorization === null || authorization.includes(key))) {
    const standing = await callerUsingKey(key);
    const isElsewhere = workspaceId !== null && workspaceId !== standing?.person.onlyWorkspaceId;
    return standing && isElsewhere ? { ...standing, caller: null } : standing;
  }
  if (authorization === null) {
    const sessionId = await browserSession(headers, method);
    return sessionId === null ? null : used(await callerFromSession(sessionId, workspaceId));
  }
  const [, token] = /^Bearer +(\S{1,4096})$/i.exec(authorization) ?? [];
  const claims = token ? await readAccessToken(token) : null;
  const standing = claims && (await callerFromSession(claims.sessionId, workspaceId ?? claims.workspaceId));
  return standing?.person.userId === claims?.userId ? used(standing) : null;
}

/** The last use is stored once a minute. */
async function used(standing: Standing | null): Promise<Standing | null> {
  if (standing?.isUseOld) await storeLastUse(standing.person);
  return standing;
}

async function identifyWebhook({ workflowId = '', path = '' }: Record<string, string>): Promise<Identity> {
  const webhook = ID.test(workflowId) && WEBHOOK_PATH.test(path) ? await cachedWebhook({ workflowId, path }) : null;
  const refusal = webhook ? null : notFound('The webhook');
  return { person: null, caller: null, webhook, pendingFactor: null, refusal };
}
