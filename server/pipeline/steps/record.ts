import type { AuditResult } from '@/contract/access/security';
import { recordRefusals } from '@/server/audit/refusals';
import { newOrderedId } from '@/server/db/ids';
import type { Incoming } from '@/server/api/incoming';
import { subjectOf, type Facts, type Operation } from '@/server/api/operation';
import type { Problem } from '@/server/errors/problem';
import type { Identity } from './identify';
import type { AuditRow } from '@/server/audit/entry';
import type { CallHeaders } from '@/server/client-address';

/** Longer texts are cut. */
const MAX_USER_AGENT = 500;

export const userAgentOf = (headers: CallHeaders): string => (headers.get('user-agent') ?? '').slice(0, MAX_USER_AGENT);

/** The audit entry of one call. Handlers add what cannot be derived from the operation. */
export class Entry {
  #facts: Facts = {};

  constructor(
    private readonly operation: Operation,
    private readonly identity: Pick<Identity, 'person' | 'caller' | 'webhook'>,
    private readonly incoming: Pick<Incoming, 'params' | 'ipAddress' | 'headers' | 'requestId'>,
  ) {}

  note(facts: Facts): void {
    const metadata = { ...this.#facts.metadata, ...facts.metadata };
    this.#facts = { ...this.#facts, ...facts, metadata };
  }

  row(result: AuditResult = 'success'): AuditRow {
    const { operation, identity, incoming } = this;
    const { resourceId, workspaceId, metadata } = this.#facts;
    return {
      id: newOrderedId('aud'),
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
      resource: { type: subjectOf(operation), id: resourceId ?? incoming.params['id'] ?? null },
      metadata: {
        ipAddress: incoming.ipAddress,
        userAgent: userAgentOf(incoming.headers),
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
 * The audit entry of a refused call, in a separate transaction: denied calls of known callers, and failed changes. Anonymous and malformed
 * requests would only fill the log.
 */
export async function recordRefusal(
  operation: Operation,
  identity: Identity,
  entry: Entry,
  problem: Problem,
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
