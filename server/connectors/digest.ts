import { randomBytes } from 'node:crypto';
import { LruCache } from '@/server/platform/cache/lru';
import { NodeFailure } from '@/server/platform/errors/node-failure';
import { sendOutboundRequest, type OutboundRequest, type OutboundResponse } from '@/server/network/outbound/outbound';
import { digestAuthorization, findDigestChallenge, readNextNonce, type DigestChallenge } from './digest-response';
import { credentialText, type OpenCredential } from './open-credential';

/** Whether a credential is for digest authentication: its password is never sent. */
export const usesDigestAuth = ({ type, config }: Pick<OpenCredential, 'type' | 'config'>): boolean =>
  type === 'basic_auth' && config['digest'] === true;

/** A challenge whose nonce is in use. */
interface DigestSession {
  challenge: DigestChallenge;
  /** How often its nonce was used. */
  count: number;
}

/**
 * One call takes up to three requests: with the nonce of an earlier call, with the nonce that the server then names,
 * and with another if that one is stale.
 */
const MAX_DIGEST_REQUESTS = 3;

/** Challenges by credential, its version, and origin, so that later requests need not be refused first. */
const digestSessions = new LruCache<DigestSession>(2000, 4 * 1024 * 1024);

const challengeWeight = ({ realm, nonce, opaque = '' }: DigestChallenge) =>
  realm.length + nonce.length + opaque.length + 500;

/** Makes the function that adds the digest of a challenge to requests. */
const createDigestSigner =
  (credential: OpenCredential, session: DigestSession): NonNullable<OutboundRequest['sign']> =>
  async ({ method, target, headers }) => {
    session.count += 1;
    const authorization = digestAuthorization(session.challenge, {
      method,
      target,
      username: credentialText(credential, 'username') ?? '',
      password: credentialText(credential, 'password') ?? '',
      count: session.count,
      cnonce: randomBytes(16).toString('hex'),
    });
    return { ...headers, authorization };
  };

/** Keeps the body of a refusal out of the file, because the request is sent again. */
const skipRefusedBodies = (sink: OutboundRequest['sink']): OutboundRequest['sink'] =>
  sink && { ...sink, accepts: (status) => status !== 401 && sink.accepts(status) };

/** Sends a request with digest authentication (RFC 7616), which another origin does not get. Throws NodeFailure. */
export async function sendWithDigest(credential: OpenCredential, outbound: OutboundRequest): Promise<OutboundResponse> {
  if (!URL.canParse(String(outbound.url))) return sendOutboundRequest(outbound);
  const { origin, host } = new URL(outbound.url);
  const key = `${credential.id} ${credential.version} ${origin}`;
  for (let requests = 1; ; requests += 1) {
    const session = digestSessions.get(key);
    const sign = session && { sign: createDigestSigner(credential, session) };
    const answer = await sendOutboundRequest({ ...outbound, ...sign, sink: skipRefusedBodies(outbound.sink) });
    if (new URL(answer.url).origin !== origin) return answer;
    if (answer.status !== 401) {
      const nonce = readNextNonce(answer.headers['authentication-info']);
      if (session && nonce !== undefined) storeChallenge(key, { ...session.challenge, nonce });
      return answer;
    }
    const challenge = findDigestChallenge(answer.headers['www-authenticate']);
    if (!challenge) return answer;
    if ('unsupported' in challenge) {
      const message = `${host} asks for digest authentication that is not supported: ${challenge.unsupported.slice(0, 200)}.`;
      throw new NodeFailure('CREDENTIAL_REFUSED', message, false);
    }
    storeChallenge(key, challenge);
    // A challenge after the answer to a new one means that the password is wrong.
    const isNew = session === undefined || requests === 1 || challenge.isStale;
    if (!isNew || requests === MAX_DIGEST_REQUESTS) return answer;
  }
}

const storeChallenge = (key: string, challenge: DigestChallenge) =>
  digestSessions.set(key, { challenge, count: 0 }, challengeWeight(challenge));
