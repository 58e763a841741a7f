import type { AuditResult } from '@/contract/access/security';
import { recordRefusals } from '@/server/people/audit/refusals';
import { generateOrderedId } from '@/server/platform/db/ids';
import type { IncomingCall } from '@/server/api/operation/incoming';
import { operationSubject, type AuditNote, type OperationRecord } from '@/server/api/operation/operation';
import type { ApiProblem } from '@/server/platform/errors/problem';
import type { CallIdentity } from './identify';
import type { AuditRow } from '@/server/people/audit/entry';
import type { CallHeaders } from '@/server/platform/messages/client-address';

/** Longer texts are cut. */
const MAX_USER_AGENT_LENGTH = 500;

export const readUserAgent = (headers: CallHeaders): string =>
  (headers.get('user-agent') ?? '').slice(0, MAX_USER_AGENT_LENGTH);

/** The audit entry of one call. Handlers add what cannot be derived from the operation. */
export class CallAuditEntry {
  #facts: AuditNote = {};

  constructor(
    private readonly operation: OperationRecord,
    private readonly identity: Pick<CallIdentity, 'person' | 'caller' | 'webhook'>,
    private readonly incoming: Pick<IncomingCall, 'params' | 'ipAddress' | 'headers' | 'requestId'>,
  ) {}

  note(facts: AuditNote): void {
    const metadata = { ...this.#facts.metadata, ...facts.metadata };
    this.#facts = { ...this.#facts, ...facts, metadata };
  }

  row(result: AuditResult = 'success'): AuditRow {
    const { operation, identity, incoming } = this;
    const { resourceId, workspaceId, metadata } = this.#facts;
    return {
      id: generateOrderedId('aud'),
      workspaceId: workspaceId ?? identity.caller?.workspaceId ?? identity.webhook?.workspaceId ?? null,
      category:
        result === 'denied'
          ? 'authorization'
          : operation.effect.kind === 'read'
            ? 'resource_access'
            : operation.effect.audit,
      action: operation.id,
      result,
      actor: this.#actor(),
      resource: { type: operationSubject(operation), id: resourceId ?? incoming.params['id'] ?? null },
      metadata: {
        ipAddress: incoming.ipAddress,
        userAgent: readUserAgent(incoming.headers),
        requestId: incoming.requestId,
        ...metadata,
      },
    };
  }

  #actor(): object {
    const { person, webhook } = this.identity;
    if (webhook) return { type: 'webhook', id: webhook.id, email: null };
    if (person)
      return { type: person.apiKeyId ? 'api_key' : 'user', id: person.apiKeyId ?? person.userId, email: person.email };
    return { type: 'anonymous', id: this.#facts.actorId ?? null, email: null };
  }
}

/**
 * The audit entry of a refused call, in a separate transaction: denied calls of known callers, and failed changes.
 * Anonymous and malformed requests would only fill the log.
 */
export async function recordCallRefusal(
  operation: OperationRecord,
  identity: CallIdentity,
  entry: CallAuditEntry,
  problem: ApiProblem,
): Promise<void> {
  if (!identity.person && !identity.webhook) return;
  const isDenied = problem.code === 'FORBIDDEN' || problem.code === 'UNAUTHORIZED';
  const isFailedChange =
    operation.effect.kind !== 'read' && (problem.code === 'CONFLICT' || problem.code === 'NOT_FOUND');
  if (isDenied || isFailedChange) {
    entry.note({ metadata: { reason: problem.message } });
    await recordRefusals([entry.row(isDenied ? 'denied' : 'failure')]);
  }
}
