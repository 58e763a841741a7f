import { sendOutboundRequest, type OutboundRequest, type OutboundResponse } from '@/server/network/outbound/outbound';
import { attachCredential } from './attach';
import { sendWithDigest, usesDigestAuth } from './digest';
import type { OpenCredential } from './open-credential';
import { createAwsSigner } from './sign-aws';

/** An open credential of a running node. */
export interface CredentialHandle {
  readonly credential: OpenCredential;
  /** Whether the token can be renewed. */
  readonly isRenewable: boolean;
  /** Renews the token after the receiver refused it. Throws NodeFailure. */
  renew(): Promise<void>;
}

/** A request for the workspace of the credential. */
type CredentialRequest = Omit<OutboundRequest, 'workspaceId'>;

/**
 * Sends a request with a credential: only to its allowed hosts, and without following redirects to another origin. A
 * refused token (401) is renewed once.
 */
export async function sendWithCredential(
  credential: CredentialHandle,
  options: CredentialRequest,
): Promise<OutboundResponse> {
  if (usesDigestAuth(credential.credential)) {
    return sendWithDigest(credential.credential, withAttachedCredential(credential, options));
  }
  const answer = await sendOutboundRequest(withAttachedCredential(credential, options));
  if (answer.status !== 401 || !credential.isRenewable) return answer;
  await credential.renew();
  return sendOutboundRequest(withAttachedCredential(credential, options));
}

function withAttachedCredential({ credential }: CredentialHandle, own: CredentialRequest): OutboundRequest {
  const outbound = { ...own, workspaceId: credential.workspaceId, isTraced: true };
  // An invalid address is refused by `sendOutboundRequest`, with its own message.
  if (!URL.canParse(String(outbound.url))) return outbound;
  const sign = credential.type === 'aws' ? { sign: createAwsSigner(credential) } : {};
  return {
    ...outbound,
    ...sign,
    ...attachCredential(credential, { url: String(outbound.url), headers: outbound.headers ?? {} }),
  };
}
