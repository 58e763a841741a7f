import { isRenewable } from './authorization/grant';
import type { CredentialHandle } from './credential-handle';
import type { OpenCredential } from './open-credential';
import { markExpired, needsTokens, refreshTokens } from './authorization/refresh';
import { ProviderUnreachable } from './authorization/token-endpoint';
import { readRefusal, TokenRefused } from './authorization/token-refusal';
import { openCredentials } from './vault';
import { NodeFailure } from '@/server/errors/node-failure';

const missing = (id: string) =>
  new NodeFailure('CREDENTIAL_MISSING', `The credential ${id} does not exist in this workspace any more.`, false);

/** Why a credential without tokens gives none. In the provider's own words, if it has said any. */
function unusable({ name, secrets, refusal }: OpenCredential, refused = readRefusal(refusal)): NodeFailure {
  const failure = (code: string, reason: string) => new NodeFailure(code, `The credential "${name}" ${reason}`, false);
  if (secrets.length === 0) return failure('CREDENTIAL_EXPIRED', 'has no secrets: enter them, or connect it.');
  if (!refused) return failure('CREDENTIAL_EXPIRED', 'has expired: connect it again.');
  if (refused.isOver) return failure('CREDENTIAL_EXPIRED', `has expired: connect it again (${refused.reason}).`);
  return failure('CREDENTIAL_REFUSED', `was refused by its provider: ${refused.reason}`);
}

async function current(workspaceId: string, id: string): Promise<OpenCredential> {
  const credential = (await openCredentials(workspaceId, [id])).get(id);
  if (!credential) throw missing(id);
  return credential;
}

/**
 * Opens a workspace's credential for use: tokens that expire within five minutes are renewed first. Throws NodeFailure: CREDENTIAL_MISSING,
 * CREDENTIAL_EXPIRED, CREDENTIAL_REFUSED, CREDENTIAL_REFRESH (retriable).
 */
async function useCredential(workspaceId: string, id: string): Promise<OpenCredential> {
  const credential = await current(workspaceId, id);
  if (credential.status === 'expired') throw unusable(credential);
  if (!needsTokens(credential)) return credential;
  if (isRenewable(credential)) return renewed(credential);
  if (!isOver(credential)) return credential;
  await markExpired(credential);
  throw unusable(credential);
}

/**
 * Opens a credential for one attempt of a node. `learn` receives its secrets before any use, also those of renewed tokens. Throws what
 * `useCredential` throws.
 */
export async function openForNode(
  workspaceId: string,
  id: string,
  learn: (secrets: string[]) => void,
): Promise<CredentialHandle> {
  let opened = await useCredential(workspaceId, id);
  learn(opened.secrets);
  return {
    get credential() {
      return opened;
    },
    isRenewable: isRenewable(opened),
    async renew() {
      opened = await renewed(opened);
      learn(opened.secrets);
    },
  };
}

/** Whether there was a token and it has expired. */
const isOver = ({ expiresAt }: OpenCredential) => expiresAt !== null && expiresAt.getTime() <= Date.now();

async function renewed(credential: OpenCredential): Promise<OpenCredential> {
  try {
    await refreshTokens(credential);
  } catch (error) {
    if (error instanceof TokenRefused) throw unusable(credential, error);
    if (!(error instanceof ProviderUnreachable)) throw error;
    // The current token may be enough for its remaining minutes.
    const hasTime = credential.config['accessToken'] && credential.expiresAt && !isOver(credential);
    if (hasTime && !error.isLasting) return credential;
    const message = `The credential "${credential.name}" could not be renewed: ${error.message}`;
    throw new NodeFailure('CREDENTIAL_REFRESH', message, !error.isLasting);
  }
  const fresh = await current(credential.workspaceId, credential.id);
  if (fresh.status === 'expired') throw unusable(fresh);
  return fresh;
}
