import { request, type OutboundRequest, type OutboundResponse } from '../outbound';
import { attach } from './attach';
import type { OpenCredential } from './open-credential';

/** A credential in the hands of a running node. */
export interface Held {
  readonly opened: OpenCredential;
  /** Whether another token can be had. */
  readonly isRenewable: boolean;
  /** Gets another token, after the receiver turned this one down. Throws NodeFailure. */
  renew(): Promise<void>;
}

/**
 * Sends a request with a credential, if there is one: only to the hosts that it is meant for, and no redirect takes it
 * to another origin. A token that is turned down (401) is renewed once.
 */
export async function sendAs(held: Held | undefined, given: OutboundRequest): Promise<OutboundResponse> {
  if (!held) return request(given);
  const answer = await request(withCredential(held, given));
  if (answer.status !== 401 || !held.isRenewable) return answer;
  await held.renew();
  return request(withCredential(held, given));
}

function withCredential({ opened }: Held, given: OutboundRequest): OutboundRequest {
  // What is no address is refused by `request`, with its own words.
  if (!URL.canParse(String(given.url))) return given;
  return { ...given, ...attach(opened, { url: new URL(given.url), headers: given.headers ?? {} }) };
}
