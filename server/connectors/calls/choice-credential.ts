import { NodeFailure } from '@/server/platform/errors/node-failure';
import { createRedactor, type ValueRedactor } from '@/server/evaluation/redaction/redactor';
import type { CredentialHandle } from '../credential-handle';
import { openCredentialForNode } from '../credential-for-node';

/** Why a source listed nothing: the field of the request that is to blame, and a message without secrets. */
export class ChoiceRefusal extends Error {
  constructor(
    readonly field: 'credentialId' | 'source' | 'cursor',
    message: string,
  ) {
    super(message);
  }
}

/** A source that takes longer gives no answer. */
const CHOICE_TIMEOUT_MS = 10_000;

/** What a source is asked with. */
export interface ChoiceCredential {
  credential: CredentialHandle;
  secrets: ValueRedactor;
  signal: AbortSignal;
}

/**
 * Asks a service or a server, with a credential of the workspace, for what it lists. `isCredentialFault`: whether a
 * failure with this code is that of the credential, or of the rights of its account. `ended`: the caller has gone. Throws
 * ChoiceRefusal, and what `ended` was aborted with.
 */
export async function askForChoices<Result>(
  workspaceId: string,
  credentialId: string | undefined,
  isCredentialFault: (code: string) => boolean,
  ask: (opened: Omit<ChoiceCredential, 'credential'> & { credential: CredentialHandle | undefined }) => Promise<Result>,
  ended?: AbortSignal,
): Promise<Result> {
  const known: string[] = [];
  const clock = AbortSignal.timeout(CHOICE_TIMEOUT_MS);
  const signal = ended ? AbortSignal.any([ended, clock]) : clock;
  try {
    const learn = (secrets: string[]) => known.push(...secrets);
    const credential =
      credentialId === undefined ? undefined : await openCredentialForNode(workspaceId, credentialId, learn);
    return await ask({ credential, secrets: createRedactor(known), signal });
  } catch (error) {
    ended?.throwIfAborted();
    if (clock.aborted) throw new ChoiceRefusal('source', 'gave no answer within 10 seconds');
    if (!(error instanceof NodeFailure)) throw error;
    const field = isCredentialFault(error.code) ? 'credentialId' : 'source';
    throw new ChoiceRefusal(field, createRedactor(known).text(error.message));
  }
}
