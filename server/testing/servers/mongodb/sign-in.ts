import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { Binary } from 'bson';
import { CommandRefusal, readBinaryBytes } from './commands';

/** The user that a server knows. */
export interface KnownUser {
  username: string;
  password: string;
}

const ITERATIONS = 4096;

/** The server's side of SCRAM (RFC 5802) on one connection. */
export class MongoSignIn {
  isDone = false;
  private exchange = '';
  private nonce = '';
  private readonly salt = randomBytes(16);
  private hash: 'sha1' | 'sha256' = 'sha256';

  constructor(private readonly user: KnownUser) {}

  start(command: Record<string, unknown>): Record<string, unknown> {
    this.hash = command['mechanism'] === 'SCRAM-SHA-1' ? 'sha1' : 'sha256';
    const first = readBinaryBytes(command['payload']).toString().replace(/^n,,/, '');
    this.nonce = (/r=(.*)$/.exec(first)?.[1] ?? '') + randomBytes(12).toString('base64');
    const challenge = `r=${this.nonce},s=${this.salt.toString('base64')},i=${ITERATIONS}`;
    this.exchange = `${first},${challenge}`;
    return this.step(challenge, false);
  }

  continue(command: Record<string, unknown>): Record<string, unknown> {
    const last = readBinaryBytes(command['payload']).toString();
    const [, bare = '', proof = ''] = /^(.*),p=(.*)$/.exec(last) ?? [];
    const { hash } = this;
    const { username, password } = this.user;
    const older = createHash('md5').update(`${username}:mongo:${password}`).digest('hex');
    const length = hash === 'sha1' ? 20 : 32;
    const salted = pbkdf2Sync(hash === 'sha1' ? older : password, this.salt, ITERATIONS, length, hash);
    const sign = (key: Buffer, text: string) => createHmac(hash, key).update(text).digest();
    const exchange = `${this.exchange},${bare}`;
    const clientKey = sign(salted, 'Client Key');
    const signature = sign(createHash(hash).update(clientKey).digest(), exchange);
    const expected = Buffer.from(clientKey.map((byte, index) => byte ^ (signature[index] ?? 0))).toString('base64');
    const isKnown = proof === expected && this.exchange.startsWith(`n=${username},`) && bare.endsWith(this.nonce);
    if (!isKnown) throw new CommandRefusal(18, 'Authentication failed.');
    this.isDone = true;
    return this.step(`v=${sign(sign(salted, 'Server Key'), exchange).toString('base64')}`, true);
  }

  private step(payload: string, done: boolean): Record<string, unknown> {
    return { conversationId: 1, done, payload: new Binary(Buffer.from(payload)) };
  }
}
