import { isRenewable } from './authorization/grant';
import type { CredentialHandle } from './credential-handle';
import type { OpenCredential } from './open-credential';
import { markCredentialExpired, needsFreshTokens, refreshTokens } from './authorization/refresh';
import { ProviderUnreachable } from './authorization/token-endpoint';
import { parseStoredRefusal, TokenRefused } from './authorization/token-refusal';
import { openCredentials } from './vault';
import { NodeFailure } from '@/server/platform/errors/node-failure';

const missingCredential = (id: string) =>
  new NodeFailure('CREDENTIAL_MISSING', `The credential ${id} does not exist in this workspace any more.`, false);

/** The failure of a credential without tokens, with the provider's own reason if it gave one. */
function unusableCredential(
  { name, secrets, refusal }: OpenCredential,
  refused = parseStoredRefusal(refusal),
): NodeFailure {
  const failure = (code: string, reason: string) => new NodeFailure(code, `The credential "${name}" ${reason}`, false);
  if (secrets.length === 0) return failure('CREDENTIAL_EXPIRED', 'has no secrets: enter them, or connect it.');
  if (!refused) return failure('CREDENTIAL_EXPIRED', 'has expired: connect it again.');
  if (refused.isOver) return failure('CREDENTIAL_EXPIRED', `has expired: connect it again (${refused.reason}).`);
  return failure('CREDENTIAL_REFUSED', `was refused by its provider: ${refused.reason}`);
}

async function openCurrentCredential(workspaceId: string, id: string): Promise<OpenCredential> {
  const credential = (await openCredentials(workspaceId, [id])).get(id);
  if (!credential) throw missingCredential(id);
  return credential;
}

/**
 * Opens a workspace's credential for use: tokens that expire within five minutes are renewed first. Throws NodeFailure:
 * CREDENTIAL_MISSING, CREDENTIAL_EXPIRED, CREDENTIAL_REFUSED, CREDENTIAL_REFRESH (retriable).
 */
async function openFreshCredential(workspaceId: string, id: string): Promise<OpenCredential> {
  const credential = await openCurrentCredential(workspaceId, id);
  if (credential.status === 'expired') throw unusableCredential(credential);
  if (!needsFreshTokens(credential)) return credential;
  if (isRenewable(credential)) return renewCredential(credential);
  if (!isTokenExpired(credential)) return credential;
  await markCredentialExpired(credential);
  throw unusableCredential(credential);
}

/**
 * Opens a credential for one attempt of a node. `learn` receives its secrets before any use, also those of renewed
 * tokens. Throws what `openFreshCredential` throws.
 */
export async function openCredentialForNode(
  workspaceId: string,
  id: string,
  learn: (secrets: string[]) => void,
): Promise<CredentialHandle> {
  let opened = await openFreshCredential(workspaceId, id);
  learn(opened.secrets);
  return {
    get credential() {
      return opened;
    },
    isRenewable: isRenewable(opened),
    async renew() {
      opened = await renewCredential(opened);
      learn(opened.secrets);
    },
  };
}

/** Whether there was a token and it has expired. */
const isTokenExpired = ({ expiresAt }: OpenCredential) => expiresAt !== null && expiresAt.getTime() <= Date.now();

async function renewCredential(credential: OpenCredential): Promise<OpenCredential> {
  try {
    await refreshTokens(credential);
  } catch (error) {
    if (error instanceof TokenRefused) throw unusableCredential(credential, error);
    if (!(error instanceof ProviderUnreachable)) throw error;
    // The current token may be enough for its remaining minutes.
    const hasTime = credential.config['accessToken'] && credential.expiresAt && !isTokenExpired(credential);
    if (hasTime && !error.isLasting) return credential;
    const message = `The credential "${credential.name}" could not be renewed: ${error.message}`;
    throw new NodeFailure('CREDENTIAL_REFRESH', message, !error.isLasting);
  }
  const fresh = await openCurrentCredential(credential.workspaceId, credential.id);
  if (fresh.status === 'expired') throw unusableCredential(fresh);
  return fresh;
}
