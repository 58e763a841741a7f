import { createHash, createHmac, pbkdf2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { NodeFailure } from '@/server/platform/errors/node-failure';

const derive = promisify(pbkdf2);

export type ScramMechanism = 'SCRAM-SHA-1' | 'SCRAM-SHA-256';

/** A user of the server. */
export interface MongoUser {
  username: string;
  password: string;
  /** The database that knows the user. */
  source: string;
}

const HASHES = { 'SCRAM-SHA-1': 'sha1', 'SCRAM-SHA-256': 'sha256' } as const;
const HASH_BYTES = { sha1: 20, sha256: 32 } as const;
/** The server says how often a hash is repeated: less would give the password away, more would keep a thread busy. */
const MIN_SCRAM_ITERATIONS = 4096;
const MAX_SCRAM_ITERATIONS = 200_000;

const unreadableSignIn = () =>
  new NodeFailure('BAD_RESPONSE', 'The server’s answer to the sign-in could not be read.', false);

const escapeScramName = (name: string) => name.replaceAll('=', '=3D').replaceAll(',', '=2C');

/** The password as both sides hash it: RFC 4013 maps spaces and characters without a glyph. */
const prepareScramPassword = (password: string) =>
  password
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replaceAll(/\p{Zs}/gu, ' ')
    .normalize('NFKC');

/** MongoDB hashes the password before the older mechanism does. */
const hashMongoPassword = ({ username, password }: MongoUser) =>
  createHash('md5').update(`${username}:mongo:${password}`).digest('hex');

/** The attributes of a message such as `r=…,s=…,i=…`. */
const readScramAttributes = (message: string): Map<string, string> =>
  new Map(message.split(',').map((part) => [part.slice(0, 1), part.slice(2)]));

/** Proves the password to the server without sending it (RFC 5802), and checks that the server knows it, too. */
export class ScramClient {
  private readonly nonce = randomBytes(24).toString('base64');
  private readonly first: string;
  private serverSignature = Buffer.alloc(0);

  constructor(
    private readonly mechanism: ScramMechanism,
    private readonly user: MongoUser,
  ) {
    this.first = `n=${escapeScramName(user.username)},r=${this.nonce}`;
  }

  get firstMessage(): Buffer {
    return Buffer.from(`n,,${this.first}`);
  }

  /** The proof that answers the first message of the server. Throws NodeFailure BAD_RESPONSE. */
  async buildProof(payload: Buffer): Promise<Buffer> {
    const challenge = payload.toString();
    const attributes = readScramAttributes(challenge);
    const [nonce = '', salt = '', iterations] = ['r', 's', 'i'].map((name) => attributes.get(name));
    const count = Number(iterations);
    const isCountFit = Number.isInteger(count) && count >= MIN_SCRAM_ITERATIONS && count <= MAX_SCRAM_ITERATIONS;
    if (!nonce.startsWith(this.nonce) || nonce.length === this.nonce.length || salt === '' || !isCountFit)
      throw unreadableSignIn();
    const hash = HASHES[this.mechanism];
    const secret = hash === 'sha1' ? hashMongoPassword(this.user) : prepareScramPassword(this.user.password);
    const salted = await derive(secret, Buffer.from(salt, 'base64'), count, HASH_BYTES[hash], hash);
    const sign = (key: Buffer, text: string | Buffer) => createHmac(hash, key).update(text).digest();
    const clientKey = sign(salted, 'Client Key');
    const last = `c=biws,r=${nonce}`;
    const exchange = `${this.first},${challenge},${last}`;
    const signature = sign(createHash(hash).update(clientKey).digest(), exchange);
    const proof = clientKey.map((byte, index) => byte ^ (signature[index] ?? 0));
    this.serverSignature = sign(sign(salted, 'Server Key'), exchange);
    return Buffer.from(`${last},p=${Buffer.from(proof).toString('base64')}`);
  }

  /** Throws NodeFailure BAD_RESPONSE if the server does not know the password. */
  requireServerSignature(payload: Buffer): void {
    const given = Buffer.from(readScramAttributes(payload.toString()).get('v') ?? '', 'base64');
    if (given.length !== this.serverSignature.length || !timingSafeEqual(given, this.serverSignature))
      throw unreadableSignIn();
  }
}
