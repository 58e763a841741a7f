import type { AuditResult } from '@/contract/security';
import type { CallHeaders } from '../call-headers';
import { recordRefusals } from '../../auth/refusals';
import { newOrderedId } from '../../db/ids';
import type { Incoming } from '../incoming';
import { subjectOf, type AuditRow, type Facts, type Operation } from '../operation';
import type { Problem } from '../problem';
import type { Identity } from './identify';

/** Longer ones say nothing more. */
const MAX_USER_AGENT = 500;

export const userAgentOf = (headers: CallHeaders): string => (headers.get('user-agent') ?? '').slice(0, MAX_USER_AGENT);

/** The audit entry of one call. Handlers add what can't be read off the operation. */
export class Entry {
  #facts: Facts = {};

  constructor(
    private readonly operation: Operation,
    private readonly identity: Identity,
    private readonly incoming: Incoming,
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
      category: result === 'denied' ? 'authorization' : (operation.audit ?? 'resource_access'),
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
 * The entry of a call that was refused, in a transaction of its own: whatever a known caller was denied, and changes
 * that could not be made. Strangers and malformed requests would only fill the log.
 */
export async function recordRefusal(
  operation: Operation,
  identity: Identity,
  entry: Entry,
  problem: Problem,
): Promise<void> {
  if (!identity.person && !identity.webhook) return;
  const isDenied = problem.code === 'FORBIDDEN' || problem.code === 'UNAUTHORIZED';
  const isFailedChange = operation.audit && (problem.code === 'CONFLICT' || problem.code === 'NOT_FOUND');
  if (isDenied || isFailedChange) {
    entry.note({ metadata: { reason: problem.message } });
    await recordRefusals([entry.row(isDenied ? 'denied' : 'failure')]);
  }
}
