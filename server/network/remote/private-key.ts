import { createDecipheriv, createPrivateKey, type KeyObject } from 'node:crypto';
import { deriveSshKey } from '@/server/evaluation/evaluator/derive-key';
import { EvaluationFailedError, type EvaluationContext } from '@/server/evaluation/evaluator/evaluation';
import { NodeFailure } from '@/server/platform/errors/node-failure';

/*
 * Private keys are what users entered. They are taken apart here, before the library reads them: its patterns take long for crafted texts, it
 * derives keys for as many rounds as a text says, and signs with numbers of any size, all on the main thread.
 */

/** Bytes of the numbers of an RSA key: larger ones take long to sign with. 8192 bits, and half of it for a factor. */
const MAX_RSA_MODULUS_BYTES = 1024;
const MAX_RSA_FACTOR_BYTES = 512;
const ACCEPTED_CURVES = ['prime256v1', 'secp384r1', 'secp521r1'];
/** Ciphers of encrypted keys: bytes of the key, and those of the initialization vector. */
const KEY_CIPHERS: Readonly<Record<string, [number, number]>> = {
  'aes128-ctr': [16, 16],
  'aes192-ctr': [24, 16],
  'aes256-ctr': [32, 16],
  'aes128-cbc': [16, 16],
  'aes192-cbc': [24, 16],
  'aes256-cbc': [32, 16],
};
const OPENSSH_KEY_MAGIC = 'openssh-key-v1\0';
const PEM_ARMOUR_PATTERN = /^\s*-----BEGIN ([A-Z ]{1,40})-----([^]*)-----END \1-----\s*$/;

const unreadableKeyFailure = (reason: string) =>
  new NodeFailure('PRIVATE_KEY', `The private key of the credential can not be read: ${reason}.`, false);

/** A private key as the library reads it at once, without encryption. Throws NodeFailure PRIVATE_KEY. */
export async function readPrivateKey(
  text: string,
  passphrase: string | undefined,
  purpose: EvaluationContext,
): Promise<string> {
  if (text.trimStart().startsWith('PuTTY-User-Key-File'))
    throw unreadableKeyFailure('it is one of PuTTY: export it as an OpenSSH key with PuTTYgen');
  const [, label = '', body = ''] = PEM_ARMOUR_PATTERN.exec(text) ?? [];
  if (label === 'OPENSSH PRIVATE KEY') return readOpenSshKey(Buffer.from(body, 'base64'), passphrase, purpose);
  if (label === 'ENCRYPTED PRIVATE KEY')
    throw unreadableKeyFailure('its kind of encryption is not supported: convert it with ssh-keygen -p');
  if (!['RSA PRIVATE KEY', 'EC PRIVATE KEY', 'PRIVATE KEY'].includes(label))
    throw unreadableKeyFailure('it must begin with -----BEGIN … PRIVATE KEY-----, and end likewise');
  return readPemKey(normalizePem(label, body), passphrase);
}

/** A PEM file whose lines are as they must be: a form may have replaced the ends of lines by spaces. */
function normalizePem(label: string, body: string): string {
  const info = /DEK-Info:\s*([A-Z0-9-]{1,30},[0-9A-F]{1,64})\s/.exec(body);
  const content = info ? body.slice(info.index + info[0].length) : body;
  const headers = info ? ['Proc-Type: 4,ENCRYPTED', `DEK-Info: ${info[1] ?? ''}`, ''] : [];
  return armourPem(label, Buffer.from(content, 'base64'), headers);
}

const armourPem = (label: string, content: Buffer, headers: string[] = []): string =>
  [
    `-----BEGIN ${label}-----`,
    ...headers,
    ...(content.toString('base64').match(/.{1,64}/g) ?? []),
    `-----END ${label}-----\n`,
  ].join('\n');

function readPemKey(pem: string, passphrase: string | undefined): string {
  let key: KeyObject;
  try {
    key = createPrivateKey({ key: pem, passphrase: passphrase ?? '' });
  } catch {
    throw unreadableKeyFailure(pem.includes('ENCRYPTED') ? 'its passphrase is missing or wrong' : 'it is damaged');
  }
  switch (key.asymmetricKeyType) {
    case 'rsa': {
      const { n = '', d = '', p = '', q = '' } = key.export({ format: 'jwk' });
      requireSmallRsaKey([n, d, p, q].map((number) => Buffer.from(number, 'base64url')));
      return String(key.export({ type: 'pkcs1', format: 'pem' }));
    }
    case 'ec':
      if (!ACCEPTED_CURVES.includes(key.asymmetricKeyDetails?.namedCurve ?? ''))
        throw unreadableKeyFailure('its curve is not supported');
      return String(key.export({ type: 'sec1', format: 'pem' }));
    case 'ed25519':
      return encodeEd25519Key(key);
    default:
      throw unreadableKeyFailure(`keys of the type ${String(key.asymmetricKeyType)} are not supported`);
  }
}

/** `numbers` of an RSA key: its modulus and exponent, then its two factors. A leading zero is a sign. */
function requireSmallRsaKey(numbers: Buffer[]): void {
  const isLarge = numbers.some(
    ({ length }, index) => length > (index < 2 ? MAX_RSA_MODULUS_BYTES : MAX_RSA_FACTOR_BYTES) + 1,
  );
  if (isLarge) throw unreadableKeyFailure(`an RSA key has at most ${MAX_RSA_MODULUS_BYTES * 8} bits`);
}

const encodeUint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
/** A string of the SSH protocol: its length and its bytes. */
const encodeSshString = (bytes: Buffer | string): Buffer => {
  const content = Buffer.from(bytes);
  return Buffer.concat([encodeUint32(content.length), content]);
};

/** An OpenSSH key without encryption, from its public part and its private one. */
const encodeOpenSshKey = (publicKey: Buffer, privatePart: Buffer): string =>
  armourPem(
    'OPENSSH PRIVATE KEY',
    Buffer.concat([
      Buffer.from(OPENSSH_KEY_MAGIC),
      encodeSshString('none'),
      encodeSshString('none'),
      encodeSshString(''),
      encodeUint32(1),
      encodeSshString(publicKey),
      encodeSshString(privatePart),
    ]),
  );

/** OpenSSH has a format of its own for these. */
function encodeEd25519Key(key: KeyObject): string {
  const { d = '', x = '' } = key.export({ format: 'jwk' });
  const [secret, shown] = [Buffer.from(d, 'base64url'), Buffer.from(x, 'base64url')];
  const type = encodeSshString('ssh-ed25519');
  const part = [
    encodeUint32(0),
    encodeUint32(0),
    type,
    encodeSshString(shown),
    encodeSshString(Buffer.concat([secret, shown])),
    encodeSshString(''),
  ];
  const length = part.reduce((sum, bytes) => sum + bytes.length, 0);
  const padding = Buffer.from(Array.from({ length: (8 - (length % 8)) % 8 }, (_, index) => index + 1));
  return encodeOpenSshKey(Buffer.concat([type, encodeSshString(shown)]), Buffer.concat([...part, padding]));
}

/** Reads values of the SSH protocol one after the other. */
class SshFieldReader {
  private at = 0;

  constructor(private readonly bytes: Buffer) {}

  take(length: number): Buffer {
    const end = this.at + length;
    if (end > this.bytes.length) throw unreadableKeyFailure('it is damaged');
    const taken = this.bytes.subarray(this.at, end);
    this.at = end;
    return taken;
  }

  uint32(): number {
    return this.take(4).readUInt32BE();
  }

  string(): Buffer {
    return this.take(this.uint32());
  }
}

async function readOpenSshKey(
  bytes: Buffer,
  passphrase: string | undefined,
  purpose: EvaluationContext,
): Promise<string> {
  const fields = new SshFieldReader(bytes);
  if (fields.take(OPENSSH_KEY_MAGIC.length).toString() !== OPENSSH_KEY_MAGIC)
    throw unreadableKeyFailure('it is damaged');
  const [cipher, derivation] = [fields.string().toString(), fields.string().toString()];
  const options = new SshFieldReader(fields.string());
  if (fields.uint32() !== 1) throw unreadableKeyFailure('it has several keys');
  const publicKey = fields.string();
  const privatePart = fields.string();
  if (cipher === 'none') return checkPrivatePart(publicKey, privatePart, 'it is damaged');
  const [keyLength, vectorLength] = (Object.hasOwn(KEY_CIPHERS, cipher) && KEY_CIPHERS[cipher]) || [0, 0];
  if (keyLength === 0 || derivation !== 'bcrypt')
    throw unreadableKeyFailure('its kind of encryption is not supported: ssh-keygen -p encrypts it anew');
  if (passphrase === undefined) throw unreadableKeyFailure('its passphrase is missing');
  const [salt, rounds] = [options.string(), options.uint32()];
  const length = keyLength + vectorLength;
  const key = await deriveCipherKey({ passphrase, salt, rounds, length }, purpose);
  const decipher = createDecipheriv(
    cipher.replace(/^aes(\d+)/, 'aes-$1'),
    key.subarray(0, keyLength),
    key.subarray(keyLength),
  ).setAutoPadding(false);
  const opened = Buffer.concat([decipher.update(privatePart), finishDecipher(decipher)]);
  return checkPrivatePart(publicKey, opened, 'its passphrase is wrong');
}

/** Two equal numbers show that a private part was decrypted. */
function checkPrivatePart(publicKey: Buffer, privatePart: Buffer, otherwise: string): string {
  const fields = new SshFieldReader(privatePart);
  if (fields.uint32() !== fields.uint32()) throw unreadableKeyFailure(otherwise);
  if (fields.string().toString() === 'ssh-rsa') {
    const [n, , d, , p, q] = Array.from({ length: 6 }, () => fields.string());
    requireSmallRsaKey([n, d, p, q].flatMap((number) => number ?? []));
  }
  return encodeOpenSshKey(publicKey, privatePart);
}

function finishDecipher(decipher: ReturnType<typeof createDecipheriv>): Buffer {
  try {
    return decipher.final();
  } catch {
    throw unreadableKeyFailure('it is damaged');
  }
}

async function deriveCipherKey(
  derivation: Parameters<typeof deriveSshKey>[0],
  purpose: EvaluationContext,
): Promise<Buffer> {
  if (derivation.rounds === 0 || derivation.salt.length === 0) throw unreadableKeyFailure('it is damaged');
  try {
    return await deriveSshKey(derivation, purpose);
  } catch (error) {
    if (!(error instanceof EvaluationFailedError)) throw error;
    const { code, message } = error.failure;
    if (code === 'EVALUATION_TIMEOUT')
      throw unreadableKeyFailure('its encryption has too many rounds: ssh-keygen -p -a 16 encrypts it anew');
    throw new NodeFailure(code, message, code === 'EVALUATION_ENDED' || code === 'EVALUATION_BUSY');
  }
}
