import { readPresentedApiKey } from '@/server/people/auth/api-key';
import { readBrowserSessionId } from '@/server/people/auth/browser-session';
import type { WorkspaceCaller, AuthenticatedPerson } from '@/server/people/access/caller';
import { findSessionCaller, type PendingFactor, type IdentifiedCaller } from '@/server/people/auth/session';
import { findCallerUsingKey, storeLastUse } from '@/server/people/auth/last-use';
import { readCachedWebhook, type CallingWebhook } from '@/server/triggers/webhooks/lookup';
import { readAccessToken } from '@/server/people/auth/tokens';
import type { IncomingCall } from '@/server/api/operation/incoming';
import { workspaceParamIn, type OperationAccess, type OperationRecord } from '@/server/api/operation/operation';
import {
  forbiddenProblem,
  notFoundProblem,
  unauthorizedProblem,
  type ApiProblem,
} from '@/server/platform/errors/problem';

/** The identity of the caller. A refusal waits until the call has been counted. */
export interface CallIdentity {
  person: AuthenticatedPerson | null;
  caller: WorkspaceCaller | null;
  webhook: CallingWebhook | null;
  pendingFactor: PendingFactor;
  refusal: ApiProblem | null;
}

const NO_IDENTITY: CallIdentity = { person: null, caller: null, webhook: null, pendingFactor: null, refusal: null };

/** The identity could not be determined: the call is counted as anonymous, then refused with this error. */
export const refusedIdentity = (refusal: ApiProblem): CallIdentity => ({ ...NO_IDENTITY, refusal });

/** The format of an id. Anything else does not exist and is not looked up. */
const CALL_ID_PATTERN = /^[\w-]{1,100}$/;
const WEBHOOK_PATH_PATTERN = /^[a-z0-9_/-]{1,100}$/;

/**
 * First step: identifies the caller by access token, API key or browser session, or finds the addressed webhook; one
 * statement each.
 */
export async function identifyCaller(operation: OperationRecord, incoming: IncomingCall): Promise<CallIdentity> {
  const { access } = operation;
  if (access.kind === 'webhook') return identifyWebhook(incoming.params);
  if (access.kind === 'public' && access.callsAs === 'nobody') return NO_IDENTITY;
  const workspaceId = requestedWorkspace(access, incoming);
  const isNonsense = workspaceId !== null && !CALL_ID_PATTERN.test(workspaceId);
  const standing = await findIdentifiedCaller(incoming, isNonsense ? null : workspaceId);
  if (!standing) return { ...NO_IDENTITY, refusal: unauthorizedProblem() };
  const { person, caller, pendingFactor, needsSso } = standing;
  if (isNonsense) return { ...NO_IDENTITY, person, refusal: notFoundProblem('The workspace') };
  // The token's own workspace may be lost by now: only one that the call names or needs is an error.
  const isInsisted = workspaceId !== null || access.kind === 'member';
  const missing = needsSso
    ? forbiddenProblem('This workspace requires sign-in through its own provider.')
    : notFoundProblem('The workspace');
  return { person, caller, webhook: null, pendingFactor, refusal: !caller && isInsisted ? missing : null };
}

/** The workspace that a call names; null: none. */
function requestedWorkspace(access: OperationAccess, { params, headers }: IncomingCall): string | null {
  if (access.kind === 'signed-in' && access.isPersonal) return null;
  const param = workspaceParamIn(access);
  return param ? (params[param] ?? '') : headers.get('x-workspace-id');
}

/** The identity behind a call, in a workspace or, with null, in its default one. */
export async function findIdentifiedCaller(
  { headers, method }: Pick<IncomingCall, 'headers' | 'method'>,
  workspaceId: string | null,
): Promise<IdentifiedCaller | null> {
  const authorization = headers.get('authorization');
  const key = readPresentedApiKey(headers);
  if (key !== null && (authorization === null || authorization.includes(key))) {
    const standing = await findCallerUsingKey(key);
    const isElsewhere = workspaceId !== null && workspaceId !== standing?.person.onlyWorkspaceId;
    return standing && isElsewhere ? { ...standing, caller: null } : standing;
  }
  if (authorization === null) {
    const sessionId = await readBrowserSessionId(headers, method);
    return sessionId === null ? null : storeCallerUse(await findSessionCaller(sessionId, workspaceId));
  }
  const [, token] = /^Bearer +(\S{1,4096})$/i.exec(authorization) ?? [];
  const claims = token ? await readAccessToken(token) : null;
  const standing = claims && (await findSessionCaller(claims.sessionId, workspaceId ?? claims.workspaceId));
  return standing?.person.userId === claims?.userId ? storeCallerUse(standing) : null;
}

/** The last use is stored once a minute. */
async function storeCallerUse(standing: IdentifiedCaller | null): Promise<IdentifiedCaller | null> {
  if (standing?.isUseOld) await storeLastUse(standing.person);
  return standing;
}

async function identifyWebhook({ workflowId = '', path = '' }: Record<string, string>): Promise<CallIdentity> {
  const webhook =
    CALL_ID_PATTERN.test(workflowId) && WEBHOOK_PATH_PATTERN.test(path)
      ? await readCachedWebhook({ workflowId, path })
      : null;
  const refusal = webhook ? null : notFoundProblem('The webhook');
  return { person: null, caller: null, webhook, pendingFactor: null, refusal };
}
