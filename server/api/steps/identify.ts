import { browserSession } from '../../auth/browser-session';
import type { Caller, Person } from '../../auth/caller';
import { callerFromSession } from '../../auth/session';
import { webhookAt, type CallingWebhook } from '../../auth/signature';
import { readAccessToken } from '../../auth/tokens';
import type { Incoming } from '../incoming';
import type { Operation } from '../operation';
import { notFound, unauthorized, type Problem } from '../problem';

/** What is known of who calls. A refusal waits until the call has been counted. */
export interface Identity {
  person: Person | null;
  caller: Caller | null;
  webhook: CallingWebhook | null;
  refusal: Problem | null;
}

const NOBODY: Identity = { person: null, caller: null, webhook: null, refusal: null };

/** How an id may look. Anything else names nothing, and isn't worth a question to the database. */
const ID = /^[\w-]{1,100}$/;
const WEBHOOK_PATH = /^[a-z0-9_/-]{1,100}$/;

/**
 * First step: who is calling, by access token or browser session, or which webhook is addressed; one statement to the
 * database for either.
 */
export async function identify(operation: Operation, incoming: Incoming): Promise<Identity> {
  if (operation.access === 'signature') return identifyWebhook(incoming.params);
  const proof = await proofOf(incoming.headers);
  if (!proof) return { ...NOBODY, refusal: unauthorized() };
  const asked = operation.workspaceParam
    ? (incoming.params[operation.workspaceParam] ?? '')
    : incoming.headers.get('x-workspace-id');
  if (asked !== null && !ID.test(asked)) return { ...NOBODY, refusal: notFound('The workspace') };
  const standing = await callerFromSession(proof.sessionId, asked ?? proof.workspaceId);
  if (!standing || (proof.userId && proof.userId !== standing.person.userId)) {
    return { ...NOBODY, refusal: unauthorized() };
  }
  // The token's own workspace may be lost by now: only one that the call names or needs is insisted on.
  const isInsisted = asked !== null || typeof operation.access === 'object';
  return { ...NOBODY, ...standing, refusal: !standing.caller && isInsisted ? notFound('The workspace') : null };
}

/** A session that the call proves to hold, and the workspace it speaks for by default. */
interface Proof {
  sessionId: string;
  userId: string | null;
  workspaceId: string | null;
}

async function proofOf(headers: Headers): Promise<Proof | null> {
  const authorization = headers.get('authorization');
  if (authorization === null) {
    const sessionId = await browserSession(headers);
    return sessionId === null ? null : { sessionId, userId: null, workspaceId: null };
  }
  const [, token] = /^Bearer +(\S{1,4096})$/i.exec(authorization) ?? [];
  return token ? readAccessToken(token) : null;
}

async function identifyWebhook({ workflowId = '', path = '' }: Record<string, string>): Promise<Identity> {
  const webhook = ID.test(workflowId) && WEBHOOK_PATH.test(path) ? await webhookAt(workflowId, path) : null;
  return { ...NOBODY, webhook, refusal: webhook ? null : notFound('The webhook') };
}
