import { createDecipheriv, createPrivateKey, type KeyObject } from 'node:crypto';
import { deriveKey } from '@/server/evaluation/derive-key';
import { EvaluationFailed, type Purpose } from '@/server/evaluation/evaluation';
import { NodeFailure } from '@/server/errors/node-failure';

/*
 * Private keys are what users entered. They are taken apart here, before the library reads them: its patterns take long for crafted texts, it
 * derives keys for as many rounds as a text says, and signs with numbers of any size, all on the main thread.
 */

/** Bytes of the numbers of an RSA key: larger ones take long to sign with. 8192 bits, and half of it for a factor. */
const MAX_NUMBER = 1024;
const MAX_FACTOR = 512;
const CURVES = ['prime256v1', 'secp384r1', 'secp521r1'];
/** Ciphers of encrypted keys: bytes of the key, and those of the initialization vector. */
const CIPHERS: Readonly<Record<string, [number, number]>> = {
  'aes128-ctr': [16, 16],
  'aes192-ctr': [24, 16],
  'aes256-ctr': [32, 16],
  'aes128-cbc': [16, 16],
  'aes192-cbc': [24, 16],
  'aes256-cbc': [32, 16],
};
const MAGIC = 'openssh-key-v1\0';
const ARMOUR = /^\s*-----BEGIN ([A-Z ]{1,40})-----([^]*)-----END \1-----\s*$/;

const unreadable = (reason: string) =>
  new NodeFailure('PRIVATE_KEY', `The private key of the credential can not be read: ${reason}.`, false);

/** A private key as the library reads it at once, without encryption. Throws NodeFailure PRIVATE_KEY. */
export async function readPrivateKey(text: string, passphrase: string | undefined, purpose: Purpose): Promise<string> {
  if (text.trimStart().startsWith('PuTTY-User-Key-File'))
    throw unreadable('it is one of PuTTY: export it as an OpenSSH key with PuTTYgen');
  const [, label = '', body = ''] = ARMOUR.exec(text) ?? [];
  if (label === 'OPENSSH PRIVATE KEY') return openSshKey(Buffer.from(body, 'base64'), passphrase, purpose);
  if (label === 'ENCRYPTED PRIVATE KEY')
    throw unreadable('its kind of encryption is not supported: convert it with ssh-keygen -p');
  if (!['RSA PRIVATE KEY', 'EC PRIVATE KEY', 'PRIVATE KEY'].includes(label))
    throw unreadable('it must begin with -----BEGIN … PRIVATE KEY-----, and end likewise');
  return pemKey(pemOf(label, body), passphrase);
}

/** A PEM file whose lines are as they must be: a form may have replaced the ends of lines by spaces. */
function pemOf(label: string, body: string): string {
  const info = /DEK-Info:\s*([A-Z0-9-]{1,30},[0-9A-F]{1,64})\s/.exec(body);
  const content = info ? body.slice(info.index + info[0].length) : body;
  const headers = info ? ['Proc-Type: 4,ENCRYPTED', `DEK-Info: ${info[1] ?? ''}`, ''] : [];
  return armoured(label, Buffer.from(content, 'base64'), headers);
}

const armoured = (label: string, content: Buffer, headers: string[] = []): string =>
  [
    `-----BEGIN ${label}-----`,
    ...headers,
    ...(content.toString('base64').match(/.{1,64}/g) ?? []),
    `-----END ${label}-----\n`,
  ].join('\n');

function pemKey(pem: string, passphrase: string | undefined): string {
  let key: KeyObject;
  try {
    key = createPrivateKey({ key: pem, passphrase: passphrase ?? '' });
  } catch {
    throw unreadable(pem.includes('ENCRYPTED') ? 'its passphrase is missing or wrong' : 'it is damaged');
  }
  switch (key.asymmetricKeyType) {
    case 'rsa': {
      const { n = '', d = '', p = '', q = '' } = key.export({ format: 'jwk' });
      requireSmall([n, d, p, q].map((number) => Buffer.from(number, 'base64url')));
      return String(key.export({ type: 'pkcs1', format: 'pem' }));
    }
    case 'ec':
      if (!CURVES.includes(key.asymmetricKeyDetails?.namedCurve ?? '')) throw unreadable('its curve is not supported');
      return String(key.export({ type: 'sec1', format: 'pem' }));
    case 'ed25519':
      return ed25519Key(key);
    default:
      throw unreadable(`keys of the type ${String(key.asymmetricKeyType)} are not supported`);
  }
}

/** `numbers` of an RSA key: its modulus and exponent, then its two factors. A leading zero is a sign. */
function requireSmall(numbers: Buffer[]): void {
  const isLarge = numbers.some(({ length }, index) => length > (index < 2 ? MAX_NUMBER : MAX_FACTOR) + 1);
  if (isLarge) throw unreadable(`an RSA key has at most ${MAX_NUMBER * 8} bits`);
}

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
/** A string of the SSH protocol: its length and its bytes. */
const string = (bytes: Buffer | string): Buffer => {
  const content = Buffer.from(bytes);
  return Buffer.concat([uint32(content.length), content]);
};

/** An OpenSSH key without encryption, from its public part and its private one. */
const container = (publicKey: Buffer, privatePart: Buffer): string =>
  armoured(
    'OPENSSH PRIVATE KEY',
    Buffer.concat([
      Buffer.from(MAGIC),
      string('none'),
      string('none'),
      string(''),
      uint32(1),
      string(publicKey),
      string(privatePart),
    ]),
  );

/** OpenSSH has a format of its own for these. */
function ed25519Key(key: KeyObject): string {
  const { d = '', x = '' } = key.export({ format: 'jwk' });
  const [secret, shown] = [Buffer.from(d, 'base64url'), Buffer.from(x, 'base64url')];
  const type = string('ssh-ed25519');
  const part = [uint32(0), uint32(0), type, string(shown), string(Buffer.concat([secret, shown])), string('')];
  const length = part.reduce((sum, bytes) => sum + bytes.length, 0);
  const padding = Buffer.from(Array.from({ length: (8 - (length % 8)) % 8 }, (_, index) => index + 1));
  return container(Buffer.concat([type, string(shown)]), Buffer.concat([...part, padding]));
}

/** Reads values of the SSH protocol one after the other. */
class Fields {
  private at = 0;

  constructor(private readonly bytes: Buffer) {}

  take(length: number): Buffer {
    const end = this.at + length;
    if (end > this.bytes.length) throw unreadable('it is damaged');
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

async function openSshKey(bytes: Buffer, passphrase: string | undefined, purpose: Purpose): Promise<string> {
  const fields = new Fields(bytes);
  if (fields.take(MAGIC.length).toString() !== MAGIC) throw unreadable('it is damaged');
  const [cipher, derivation] = [fields.string().toString(), fields.string().toString()];
  const options = new Fields(fields.string());
  if (fields.uint32() !== 1) throw unreadable('it has several keys');
  const publicKey = fields.string();
  const privatePart = fields.string();
  if (cipher === 'none') return checked(publicKey, privatePart, 'it is damaged');
  const [keyLength, vectorLength] = (Object.hasOwn(CIPHERS, cipher) && CIPHERS[cipher]) || [0, 0];
  if (keyLength === 0 || derivation !== 'bcrypt')
    throw unreadable('its kind of encryption is not supported: ssh-keygen -p encrypts it anew');
  if (passphrase === undefined) throw unreadable('its passphrase is missing');
  const [salt, rounds] = [options.string(), options.uint32()];
  const length = keyLength + vectorLength;
  const key = await derived({ passphrase, salt, rounds, length }, purpose);
  const decipher = createDecipheriv(
    cipher.replace(/^aes(\d+)/, 'aes-$1'),
    key.subarray(0, keyLength),
    key.subarray(keyLength),
  ).setAutoPadding(false);
  const opened = Buffer.concat([decipher.update(privatePart), lastOf(decipher)]);
  return checked(publicKey, opened, 'its passphrase is wrong');
}

/** Two equal numbers show that a private part was decrypted. */
function checked(publicKey: Buffer, privatePart: Buffer, otherwise: string): string {
  const fields = new Fields(privatePart);
  if (fields.uint32() !== fields.uint32()) throw unreadable(otherwise);
  if (fields.string().toString() === 'ssh-rsa') {
    const [n, , d, , p, q] = Array.from({ length: 6 }, () => fields.string());
    requireSmall([n, d, p, q].flatMap((number) => number ?? []));
  }
  return container(publicKey, privatePart);
}

function lastOf(decipher: ReturnType<typeof createDecipheriv>): Buffer {
  try {
    return decipher.final();
  } catch {
    throw unreadable('it is damaged');
  }
}

async function derived(derivation: Parameters<typeof deriveKey>[0], purpose: Purpose): Promise<Buffer> {
  if (derivation.rounds === 0 || derivation.salt.length === 0) throw unreadable('it is damaged');
  try {
    return await deriveKey(derivation, purpose);
  } catch (error) {
    if (!(error instanceof EvaluationFailed)) throw error;
    const { code, message } = error.failure;
    if (code === 'EVALUATION_TIMEOUT')
      throw unreadable('its encryption has too many rounds: ssh-keygen -p -a 16 encrypts it anew');
    throw new NodeFailure(code, message, code === 'EVALUATION_ENDED' || code === 'EVALUATION_BUSY');
  }
}
