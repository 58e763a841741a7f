import { createHash } from 'node:crypto';
import { addAbortSignal } from 'node:stream';
import { AwsV4Signer } from 'aws4fetch';
import { NodeFailure } from '@/server/errors/node-failure';
import type { OutboundRequest, SignableRequest } from '@/server/outbound/outbound';
import { textOf, type OpenCredential } from './open-credential';

/** What a signature is valid for. */
export interface SignatureScope {
  service: string;
  region: string;
}

/** Hosts whose first part is not the name that a service has in signatures: `bedrock-runtime.us-east-1.amazonaws.com`. */
const SIGNING_NAMES: Readonly<Record<string, string>> = {
  'bedrock-runtime': 'bedrock',
  'bedrock-agent': 'bedrock',
  'bedrock-agent-runtime': 'bedrock',
  's3-accesspoint': 's3',
  's3-control': 's3',
};
/** Hosts of endpoints inside of a private network do not name the service where the others do. */
const PRIVATE_ENDPOINT = /\.vpce\.amazonaws\.com(?:\.cn)?$/;
const STANDARD_REGION = 'us-east-1';

/** The scope of a signature: what the host names, else what the credential says. Throws NodeFailure CREDENTIAL_INCOMPLETE. */
export function scopeOf(credential: Pick<OpenCredential, 'name' | 'config'>, url: URL): SignatureScope {
  const named = PRIVATE_ENDPOINT.test(url.hostname) ? undefined : scopeIn(url);
  const service = named?.service ?? textOf(credential, 'service');
  const region = named?.region ?? textOf(credential, 'region') ?? named?.standardRegion ?? STANDARD_REGION;
  if (service !== undefined) return { service, region };
  throw new NodeFailure(
    'CREDENTIAL_INCOMPLETE',
    `${url.host} is no host of AWS: enter the service, such as s3, in the credential "${credential.name}".`,
    false,
  );
}

/** What the name of a host says, as the signer reads it; undefined: it is no host of AWS. */
function scopeIn(url: URL) {
  const { service, region } = new AwsV4Signer({ url: url.href, accessKeyId: '', secretAccessKey: '' });
  if (service === '') return undefined;
  // Without a region in the name, the signer takes the standard one.
  const isNamed = url.hostname.includes(region);
  return {
    service: SIGNING_NAMES[service] ?? service,
    region: isNamed ? region : undefined,
    standardRegion: region,
  };
}

/** S3 accepts requests whose body is not signed; TLS protects it. */
const UNSIGNED = 'UNSIGNED-PAYLOAD';
const HASH = 'x-amz-content-sha256';

/** The value of the header for the hash of the body. Undefined: it is not needed, the signer hashes the body. */
async function hashOf(
  { url, body }: SignableRequest,
  service: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const isStream = typeof body === 'object' && !(body instanceof Uint8Array);
  if (service !== 's3' && !isStream) return undefined;
  if (service === 's3' && isStream && url.protocol === 'https:') return UNSIGNED;
  const hash = createHash('sha256');
  if (!isStream) return hash.update(body ?? '').digest('hex');
  for await (const chunk of addAbortSignal(signal, body.open()) as AsyncIterable<Buffer>) hash.update(chunk);
  return hash.digest('hex');
}

/** Headers that the signer writes or signs; other parties between the service and AWS may change the others. */
const isSigned = (name: string) => name.startsWith('x-amz-');
const isWritten = (name: string) => ['authorization', 'x-amz-date', 'x-amz-security-token', HASH].includes(name);

/** A value as it is signed: not every server reads several blanks as one. */
const plain = (value: string) => value.replaceAll(/[ \t]+/g, ' ').trim();

export interface AwsKeys {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string | undefined;
}

/** The headers of a request with its signature. Throws NodeFailure INVALID_REQUEST, and what reading the body throws. */
export async function signRequest(
  keys: AwsKeys,
  scope: SignatureScope,
  request: SignableRequest,
  signal: AbortSignal,
): Promise<Record<string, string>> {
  const { url, method, headers, body } = request;
  const own = Object.entries(headers)
    .filter(([name]) => !isWritten(name))
    .map(([name, value]) => [name, isSigned(name) ? plain(value) : value] as const);
  const hash = await hashOf(request, scope.service, signal);
  const signer = signerOf({
    ...keys,
    ...scope,
    method,
    url: url.href,
    headers: { ...Object.fromEntries(own.filter(([name]) => isSigned(name))), ...(hash && { [HASH]: hash }) },
    // A body without a hash is a text or bytes.
    body: hash === undefined ? (body as string | Uint8Array<ArrayBuffer> | undefined) : undefined,
  });
  const signed = await signer.sign();
  return { ...Object.fromEntries(own), ...Object.fromEntries(signed.headers) };
}

/**
 * Adds signatures of Signature Version 4 to requests that are about to be sent: a later one has another time. Of the keys, the id and the
 * session token are sent, not the secret. The result throws what `scopeOf` and `signRequest` throw.
 */
export const signerFor =
  (credential: OpenCredential): NonNullable<OutboundRequest['sign']> =>
  async (request, signal) => {
    const keys = {
      accessKeyId: textOf(credential, 'accessKeyId') ?? '',
      secretAccessKey: textOf(credential, 'secretAccessKey') ?? '',
      sessionToken: textOf(credential, 'sessionToken'),
    };
    return signRequest(keys, scopeOf(credential, request.url), request, signal);
  };

function signerOf(options: ConstructorParameters<typeof AwsV4Signer>[0]): AwsV4Signer {
  try {
    return new AwsV4Signer(options);
  } catch {
    throw new NodeFailure('INVALID_REQUEST', 'A header x-amz-… has characters that HTTP does not allow.', false);
  }
}
