import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import ssh2 from 'ssh2';
import { PURPOSE, useEvaluation } from '@/server/testing/evaluation';
import { ed25519Pair } from '@/server/testing/servers/ssh';
import { readPrivateKey } from './private-key';

useEvaluation();

const read = (key: string, passphrase?: string) => readPrivateKey(key, passphrase, PURPOSE);
/** The public key that the library reads from a private one. */
const publicOf = (key: string): string => {
  const parsed = ssh2.utils.parseKey(key);
  if (parsed instanceof Error) throw parsed;
  return parsed.getPublicSSH().toString('base64');
};

const encrypted = { rounds: 4, cipher: 'aes256-ctr', passphrase: 'a passphrase' } as const;
const ed25519 = ed25519Pair();
const shownOf = ({ public: line }: { public: string }) => line.split(' ')[1];

describe('a private key', () => {
  it.each([
    ['Ed25519', ed25519, undefined],
    ['Ed25519 with a passphrase', ed25519Pair(encrypted), encrypted.passphrase],
    ['ECDSA', ssh2.utils.generateKeyPairSync('ecdsa', { bits: 256 }), undefined],
    [
      'RSA with a passphrase',
      ssh2.utils.generateKeyPairSync('rsa', { bits: 1024, ...encrypted, cipher: 'aes128-cbc' }),
      encrypted.passphrase,
    ],
  ])('of OpenSSH is read: %s', async (_, pair, passphrase) => {
    expect(publicOf(await read(pair.private, passphrase))).toBe(shownOf(pair));
    // A form with one line replaces the ends of lines.
    expect(publicOf(await read(pair.private.replaceAll('\n', ' '), passphrase))).toBe(shownOf(pair));
  });

  it.each([
    ['rsa', 'pkcs1', { modulusLength: 1024 }],
    ['rsa', 'pkcs8', { modulusLength: 1024 }],
    ['ec', 'sec1', { namedCurve: 'P-256' }],
    ['ec', 'pkcs8', { namedCurve: 'P-384' }],
    ['ed25519', 'pkcs8', {}],
  ])('in PEM is read: %s, %s', async (kind, type, options) => {
    const { privateKey } = generateKeyPairSync(kind as 'rsa', {
      ...(options as { modulusLength: number }),
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: type as 'pkcs1', format: 'pem' },
    });
    const own = await read(privateKey);
    expect(await read(privateKey.replaceAll('\n', ' '))).toBe(own);
    const parsed = ssh2.utils.parseKey(own);
    if (parsed instanceof Error) throw parsed;
    const signature = parsed.sign('text');
    expect(parsed.verify('text', signature)).toBe(true);
  });

  it('in PEM with a passphrase is read', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
    const pem = String(
      privateKey.export({ type: 'pkcs1', format: 'pem', cipher: 'aes-128-cbc', passphrase: 'secret' }),
    );
    const own = await read(pem, 'secret');
    expect(createPrivateKey(own).equals(privateKey)).toBe(true);
    await expect(read(pem, 'wrong')).rejects.toThrow('passphrase');
    await expect(read(pem)).rejects.toThrow('passphrase');
  });
});

/** A key of OpenSSH with other rounds of its derivation. */
function withRounds(key: string, rounds: number): string {
  const [first = '', ...lines] = key.trim().split('\n');
  const last = lines.pop() ?? '';
  const bytes = Buffer.from(lines.join(''), 'base64');
  const at = bytes.indexOf('bcrypt') + 6;
  bytes.writeUInt32BE(rounds, at + 4 + 4 + bytes.readUInt32BE(at + 4));
  return [first, bytes.toString('base64'), last].join('\n');
}

describe('a text that is not to be used', () => {
  const { private: locked } = ed25519Pair(encrypted);
  const large = () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
    const jwk = privateKey.export({ format: 'jwk' });
    const number = Buffer.alloc(2000, 255).toString('base64url');
    return createPrivateKey({ key: { ...jwk, n: number, d: number }, format: 'jwk' }).export({
      type: 'pkcs1',
      format: 'pem',
    });
  };

  it.each([
    ['no key at all', 'hello', undefined, '-----BEGIN'],
    ['a public key', ed25519.public, undefined, '-----BEGIN'],
    ['a key of PuTTY', 'PuTTY-User-Key-File-3: ssh-ed25519', undefined, 'PuTTYgen'],
    ['one that is cut off', ed25519.private.replace(/\n.{20}/, '\n'), undefined, 'damaged'],
    ['without its passphrase', locked, undefined, 'passphrase is missing'],
    ['with a wrong passphrase', locked, 'wrong', 'passphrase is wrong'],
    ['with rounds for hours', withRounds(locked, 2 ** 31), 'secret', 'too many rounds'],
    ['with no rounds', withRounds(locked, 0), 'secret', 'damaged'],
    ['an RSA key of 16,000 bits', String(large()), undefined, '8192 bits'],
    [
      'many lines that look like headers',
      `-----BEGIN RSA PRIVATE KEY-----\n${'a: b\n'.repeat(3000)}-----END RSA PRIVATE KEY-----`,
      undefined,
      'damaged',
    ],
    [
      'a kind of encryption with a derivation of its own',
      '-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----',
      'secret',
      'not supported',
    ],
  ])('is refused: %s', async (_, key, passphrase, reason) => {
    await expect(read(key, passphrase)).rejects.toMatchObject({
      code: 'PRIVATE_KEY',
      retriable: false,
      message: expect.stringContaining(reason) as string,
    });
  });
});
