import { randomBytes } from 'node:crypto';
import { Lru } from '@/server/lru';
import { NodeFailure } from '@/server/errors/node-failure';
import { request, type OutboundRequest, type OutboundResponse } from '@/server/outbound/outbound';
import { answerDigest, digestChallengeIn, nextNonceIn, type DigestChallenge } from './digest-answer';
import { textOf, type OpenCredential } from './open-credential';

/** Whether a credential is for digest authentication: its password is never sent. */
export const usesDigest = ({ type, config }: Pick<OpenCredential, 'type' | 'config'>): boolean =>
  type === 'basic_auth' && config['digest'] === true;

/** A challenge that is being answered. */
interface Session {
  challenge: DigestChallenge;
  /** How often its nonce was used. */
  count: number;
}

/** Requests for one call: with the nonce of an earlier call, with the one that the server names then, and with another if that has become stale. */
const MAX_REQUESTS = 3;

/** Challenges by credential, its version, and origin, so that later requests need not be refused first. */
const sessions = new Lru<Session>(2000, 4 * 1024 * 1024);

const weightOf = ({ realm, nonce, opaque = '' }: DigestChallenge) => realm.length + nonce.length + opaque.length + 500;

/** Signs requests by a challenge. */
const signerFor =
  (credential: OpenCredential, session: Session): NonNullable<OutboundRequest['sign']> =>
  async ({ method, target, headers }) => {
    session.count += 1;
    const authorization = answerDigest(session.challenge, {
      method,
      target,
      username: textOf(credential, 'username') ?? '',
      password: textOf(credential, 'password') ?? '',
      count: session.count,
      cnonce: randomBytes(16).toString('hex'),
    });
    return { ...headers, authorization };
  };

/** A refusal is not stored as a file: the request is sent again. */
const withoutRefusals = (sink: OutboundRequest['sink']): OutboundRequest['sink'] =>
  sink && { ...sink, accepts: (status) => status !== 401 && sink.accepts(status) };

/** Sends a request with digest authentication (RFC 7616), which another origin does not get. Throws NodeFailure. */
export async function sendWithDigest(credential: OpenCredential, outbound: OutboundRequest): Promise<OutboundResponse> {
  if (!URL.canParse(String(outbound.url))) return request(outbound);
  const { origin, host } = new URL(outbound.url);
  const key = `${credential.id} ${credential.version} ${origin}`;
  for (let requests = 1; ; requests += 1) {
    const session = sessions.get(key);
    const sign = session && { sign: signerFor(credential, session) };
    const answer = await request({ ...outbound, ...sign, sink: withoutRefusals(outbound.sink) });
    if (new URL(answer.url).origin !== origin) return answer;
    if (answer.status !== 401) {
      const nonce = nextNonceIn(answer.headers['authentication-info']);
      if (session && nonce !== undefined) keepChallenge(key, { ...session.challenge, nonce });
      return answer;
    }
    const challenge = digestChallengeIn(answer.headers['www-authenticate']);
    if (!challenge) return answer;
    if ('unsupported' in challenge) {
      const message = `${host} asks for digest authentication that is not supported: ${challenge.unsupported.slice(0, 200)}.`;
      throw new NodeFailure('CREDENTIAL_REFUSED', message, false);
    }
    keepChallenge(key, challenge);
    // A challenge after the answer to a new one means that the password is wrong.
    const isNew = session === undefined || requests === 1 || challenge.isStale;
    if (!isNew || requests === MAX_REQUESTS) return answer;
  }
}

const keepChallenge = (key: string, challenge: DigestChallenge) =>
  sessions.set(key, { challenge, count: 0 }, weightOf(challenge));
