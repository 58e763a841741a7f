import { NodeFailure } from '../nodes/node';
import { isRenewable } from './grant';
import type { Held } from './held';
import type { OpenCredential } from './open-credential';
import { markExpired, needsTokens, renew } from './renewal';
import { ProviderUnreachable, TokenRefused } from './token-endpoint';
import { openCredentials } from './vault';

const missing = (id: string) =>
  new NodeFailure('CREDENTIAL_MISSING', `The credential ${id} does not exist in this workspace any more.`, false);
const expired = ({ name }: OpenCredential) =>
  new NodeFailure('CREDENTIAL_EXPIRED', `The credential "${name}" has expired: connect it again.`, false);

async function current(workspaceId: string, id: string): Promise<OpenCredential> {
  const credential = (await openCredentials(workspaceId, [id])).get(id);
  if (!credential) throw missing(id);
  return credential;
}

/**
 * A workspace's credential, ready to be sent: tokens that end within five minutes are renewed first. Throws NodeFailure:
 * CREDENTIAL_MISSING, CREDENTIAL_EXPIRED, CREDENTIAL_REFRESH (worth another try).
 */
async function useCredential(workspaceId: string, id: string): Promise<OpenCredential> {
  const credential = await current(workspaceId, id);
  if (credential.status === 'expired') throw expired(credential);
  if (!needsTokens(credential)) return credential;
  if (isRenewable(credential)) return renewed(credential);
  if (!isOver(credential)) return credential;
  await markExpired(credential);
  throw expired(credential);
}

/**
 * A credential for one visit of a node. `learn` is told its secrets before anything else is: also those of tokens that
 * are renewed on the way. Throws what `useCredential` throws.
 */
export async function hold(workspaceId: string, id: string, learn: (secrets: string[]) => void): Promise<Held> {
  let opened = await useCredential(workspaceId, id);
  learn(opened.secrets);
  return {
    get opened() {
      return opened;
    },
    isRenewable: isRenewable(opened),
    async renew() {
      opened = await renewed(opened);
      learn(opened.secrets);
    },
  };
}

/** True when there was a token and its time has passed. */
const isOver = ({ expiresAt }: OpenCredential) => expiresAt !== null && expiresAt.getTime() <= Date.now();

async function renewed(credential: OpenCredential): Promise<OpenCredential> {
  try {
    await renew(credential);
  } catch (error) {
    if (error instanceof TokenRefused) throw expired(credential);
    if (!(error instanceof ProviderUnreachable)) throw error;
    // What it has may do for the few minutes that are left.
    const hasTime = credential.config['accessToken'] && credential.expiresAt && !isOver(credential);
    if (hasTime && !error.isLasting) return credential;
    const message = `The credential "${credential.name}" could not be renewed: ${error.message}`;
    throw new NodeFailure('CREDENTIAL_REFRESH', message, !error.isLasting);
  }
  const fresh = await current(credential.workspaceId, credential.id);
  if (fresh.status === 'expired') throw expired(fresh);
  return fresh;
}
