import { request, type OutboundRequest, type OutboundResponse } from '@/server/outbound/outbound';
import { attach } from './attach';
import { sendWithDigest, usesDigest } from './digest';
import type { OpenCredential } from './open-credential';
import { signerFor } from './sign-aws';

/** An open credential of a running node. */
export interface CredentialHandle {
  readonly credential: OpenCredential;
  /** Whether the token can be renewed. */
  readonly isRenewable: boolean;
  /** Renews the token after the receiver refused it. Throws NodeFailure. */
  renew(): Promise<void>;
}

/** A request for the workspace of the credential. */
type OwnRequest = Omit<OutboundRequest, 'workspaceId'>;

/**
 * Sends a request with a credential: only to its allowed hosts, and without following redirects to another origin. A refused token (401) is
 * renewed once.
 */
export async function sendAs(credential: CredentialHandle, options: OwnRequest): Promise<OutboundResponse> {
  if (usesDigest(credential.credential)) {
    return sendWithDigest(credential.credential, withCredential(credential, options));
  }
  const answer = await request(withCredential(credential, options));
  if (answer.status !== 401 || !credential.isRenewable) return answer;
  await credential.renew();
  return request(withCredential(credential, options));
}

function withCredential({ credential }: CredentialHandle, own: OwnRequest): OutboundRequest {
  const outbound = { ...own, workspaceId: credential.workspaceId, isTraced: true };
  // An invalid address is refused by `request`, with its own message.
  if (!URL.canParse(String(outbound.url))) return outbound;
  const sign = credential.type === 'aws' ? { sign: signerFor(credential) } : {};
  return {
    ...outbound,
    ...sign,
    ...attach(credential, { url: String(outbound.url), headers: outbound.headers ?? {} }),
  };
}
