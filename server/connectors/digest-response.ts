import { createHash } from 'node:crypto';
import { parseAuthChallenges } from './digest-challenge';

/** A challenge of digest authentication (RFC 7616) that can be answered. */
export interface DigestChallenge {
  realm: string;
  nonce: string;
  opaque: string | undefined;
  /** The algorithm as the server writes it. Undefined means MD5, which the response does not name. */
  algorithm: string | undefined;
  /** False: the response is computed as in RFC 2069. */
  hasQop: boolean;
  /** The nonce was right once, and is too old. */
  isStale: boolean;
  hidesUsername: boolean;
  isUtf8: boolean;
}

/** Algorithms by their names in Node.js. */
const NODE_HASH_NAMES: Readonly<Record<string, string>> = {
  md5: 'md5',
  'sha-256': 'sha256',
  'sha-512-256': 'sha512-256',
};

function nodeHashName(algorithm = 'MD5'): string | undefined {
  const name = algorithm.toLowerCase().replace(/-sess$/, '');
  return Object.hasOwn(NODE_HASH_NAMES, name) ? NODE_HASH_NAMES[name] : undefined;
}

/**
 * The first challenge of a WWW-Authenticate header that can be answered; if there are others only, what they ask for.
 */
export function findDigestChallenge(header = ''): DigestChallenge | { unsupported: string } | undefined {
  let unsupported: string | undefined;
  for (const { scheme, parameters } of parseAuthChallenges(header)) {
    const nonce = parameters.get('nonce');
    if (scheme !== 'digest' || nonce === undefined) continue;
    const algorithm = parameters.get('algorithm');
    const qop = parameters.get('qop');
    const hasAuth = qop?.split(',').some((each) => each.trim().toLowerCase() === 'auth');
    if (nodeHashName(algorithm) === undefined || hasAuth === false) {
      unsupported ??= `algorithm ${algorithm ?? 'MD5'}, qop ${qop ?? 'none'}`;
      continue;
    }
    const isTrue = (name: string) => parameters.get(name)?.toLowerCase() === 'true';
    return {
      realm: parameters.get('realm') ?? '',
      nonce,
      opaque: parameters.get('opaque'),
      algorithm,
      hasQop: hasAuth === true,
      isStale: isTrue('stale'),
      hidesUsername: isTrue('userhash'),
      isUtf8: parameters.get('charset')?.toLowerCase() === 'utf-8',
    };
  }
  return unsupported === undefined ? undefined : { unsupported };
}

/** The nonce for the next request, if an Authentication-Info header names one. */
export const readNextNonce = (header = ''): string | undefined =>
  parseAuthChallenges(`Digest ${header}`)[0]?.parameters.get('nextnonce');

const quoteHeaderValue = (text: string) => `"${text.replaceAll(/["\\]/g, '\\$&')}"`;

const percentEncodeUsername = (text: string) =>
  encodeURIComponent(text).replaceAll(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

export interface DigestRequest {
  method: string;
  /** The path and query as they are sent. */
  target: string;
  username: string;
  password: string;
  /** How often the nonce has been used, this request included. */
  count: number;
  cnonce: string;
}

/** The Authorization header that answers a challenge. */
export function digestAuthorization(challenge: DigestChallenge, request: DigestRequest): string {
  const { realm, nonce, opaque, algorithm, hasQop, hidesUsername, isUtf8 } = challenge;
  const { method, target, username, password, cnonce } = request;
  const hash = (...parts: string[]) =>
    createHash(nodeHashName(algorithm) ?? 'md5')
      .update(parts.join(':'))
      .digest('hex');
  const count = request.count.toString(16).padStart(8, '0');
  const isSession = /-sess$/i.test(algorithm ?? '');
  const own = hash(username, realm, password);
  const secret = isSession ? hash(own, nonce, cnonce) : own;
  const asked = hash(method, target);
  const response = hasQop ? hash(secret, nonce, count, cnonce, 'auth', asked) : hash(secret, nonce, asked);
  const isAscii = /^[\u0020-\u007e]*$/.test(username);
  const user = hidesUsername
    ? [`username=${quoteHeaderValue(hash(username, realm))}`, 'userhash=true']
    : [
        isAscii || !isUtf8
          ? `username=${quoteHeaderValue(username)}`
          : `username*=UTF-8''${percentEncodeUsername(username)}`,
      ];
  const fields = [
    ...user,
    `realm=${quoteHeaderValue(realm)}`,
    `nonce=${quoteHeaderValue(nonce)}`,
    `uri=${quoteHeaderValue(target)}`,
    ...(algorithm === undefined ? [] : [`algorithm=${algorithm}`]),
    ...(hasQop ? [`nc=${count}`, 'qop=auth'] : []),
    ...(hasQop || isSession ? [`cnonce=${quoteHeaderValue(cnonce)}`] : []),
    `response=${quoteHeaderValue(response)}`,
    ...(opaque === undefined ? [] : [`opaque=${quoteHeaderValue(opaque)}`]),
  ];
  // Headers are sent in latin1, and servers read UTF-8.
  return Buffer.from(`Digest ${fields.join(', ')}`).toString('latin1');
}
