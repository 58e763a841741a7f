import type { CallHeaders } from '../call-headers';
import { callerFromKey, presentedKey } from '../../auth/api-key';
import { browserSession } from '../../auth/browser-session';
import type { Caller, Person } from '../../auth/caller';
import { callerFromSession, type PendingFactor, type Standing } from '../../auth/session';
import { markUsed } from '../../auth/session-life';
import { webhookAt, type CallingWebhook } from '../../auth/calling-webhook';
import { readAccessToken } from '../../auth/tokens';
import type { Incoming } from '../incoming';
import type { Operation } from '../operation';
import { forbidden, notFound, unauthorized, type Problem } from '../problem';

/** What is known of who calls. A refusal waits until the call has been counted. */
export interface Identity {
  person: Person | null;
  caller: Caller | null;
  webhook: CallingWebhook | null;
  pendingFactor: PendingFactor;
  refusal: Problem | null;
}

const NOBODY: Identity = { person: null, caller: null, webhook: null, pendingFactor: null, refusal: null };

/** When not even the question could be asked: the call is counted like anybody's, then refused with this. */
export const unidentified = (refusal: Problem): Identity => ({ ...NOBODY, refusal });

/** How an id may look. Anything else names nothing, and isn't worth a question to the database. */
const ID = /^[\w-]{1,100}$/;
const WEBHOOK_PATH = /^[a-z0-9_/-]{1,100}$/;

/**
 * First step: who is calling, by access token, API key or browser session, or which webhook is addressed; one statement
 * to the database for each.
 */
export async function identify(operation: Operation, incoming: Incoming): Promise<Identity> {
  if (operation.access === 'signature') return identifyWebhook(incoming.params);
  const asked = operation.workspaceParam
    ? (incoming.params[operation.workspaceParam] ?? '')
    : incoming.headers.get('x-workspace-id');
  const isNonsense = asked !== null && !ID.test(asked);
  const standing = await standingOf(incoming.headers, isNonsense ? null : asked);
  if (!standing) return { ...NOBODY, refusal: unauthorized() };
  const { person, caller, pendingFactor, needsSso } = standing;
  if (isNonsense) return { ...NOBODY, person, refusal: notFound('The workspace') };
  // The token's own workspace may be lost by now: only one that the call names or needs is insisted on.
  const isInsisted = asked !== null || typeof operation.access === 'object';
  const missing = needsSso
    ? forbidden('This workspace wants you to sign in through its own provider.')
    : notFound('The workspace');
  return { person, caller, webhook: null, pendingFactor, refusal: !caller && isInsisted ? missing : null };
}

/** Who stands behind a call, in the workspace that it asks for or else speaks for. */
async function standingOf(headers: CallHeaders, asked: string | null): Promise<Standing | null> {
  const authorization = headers.get('authorization');
  const key = presentedKey(headers);
  if (key !== null && (authorization === null || authorization.includes(key))) {
    const standing = await callerFromKey(key);
    const isElsewhere = asked !== null && asked !== standing?.person.onlyWorkspaceId;
    return standing && isElsewhere ? { ...standing, caller: null } : standing;
  }
  if (authorization === null) {
    const sessionId = await browserSession(headers);
    return sessionId === null ? null : used(await callerFromSession(sessionId, asked));
  }
  const [, token] = /^Bearer +(\S{1,4096})$/i.exec(authorization) ?? [];
  const claims = token ? await readAccessToken(token) : null;
  const standing = claims && (await callerFromSession(claims.sessionId, asked ?? claims.workspaceId));
  return standing?.person.userId === claims?.userId ? used(standing) : null;
}

/** Written down before the call goes on, once a minute: a session that is left alone for long may end by that. */
async function used(standing: Standing | null): Promise<Standing | null> {
  const sessionId = standing?.isUseOld ? standing.person.sessionId : null;
  if (sessionId !== null) await markUsed(sessionId);
  return standing;
}

async function identifyWebhook({ workflowId = '', path = '' }: Record<string, string>): Promise<Identity> {
  const webhook = ID.test(workflowId) && WEBHOOK_PATH.test(path) ? await webhookAt({ workflowId, path }) : null;
  const refusal = webhook ? null : notFound('The webhook');
  return { person: null, caller: null, webhook, pendingFactor: null, refusal };
}
