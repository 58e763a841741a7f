import { createHash } from 'node:crypto';
import { addAbortSignal } from 'node:stream';
import { AwsV4Signer } from 'aws4fetch';
import { NodeFailure } from '@/server/platform/errors/node-failure';
import type { OutboundRequest, SignableRequest } from '@/server/network/outbound/outbound';
import { credentialText, type OpenCredential } from './open-credential';

/** What a signature is valid for. */
export interface SignatureScope {
  service: string;
  region: string;
}

/**
 * Hosts whose first part is not the name that a service has in signatures: `bedrock-runtime.us-east-1.amazonaws.com`.
 */
const AWS_SIGNING_NAMES: Readonly<Record<string, string>> = {
  'bedrock-runtime': 'bedrock',
  'bedrock-agent': 'bedrock',
  'bedrock-agent-runtime': 'bedrock',
  's3-accesspoint': 's3',
  's3-control': 's3',
};
/** Hosts of endpoints inside of a private network do not name the service where the others do. */
const PRIVATE_ENDPOINT_HOST = /\.vpce\.amazonaws\.com(?:\.cn)?$/;
const AWS_FALLBACK_REGION = 'us-east-1';

/**
 * The scope of a signature: what the host names, else what the credential says. Throws NodeFailure
 * CREDENTIAL_INCOMPLETE.
 */
export function signatureScope(credential: Pick<OpenCredential, 'name' | 'config'>, url: URL): SignatureScope {
  const named = PRIVATE_ENDPOINT_HOST.test(url.hostname) ? undefined : scopeFromHost(url);
  const service = named?.service ?? credentialText(credential, 'service');
  const region = named?.region ?? credentialText(credential, 'region') ?? named?.standardRegion ?? AWS_FALLBACK_REGION;
  if (service !== undefined) return { service, region };
  throw new NodeFailure(
    'CREDENTIAL_INCOMPLETE',
    `${url.host} is no host of AWS: enter the service, such as s3, in the credential "${credential.name}".`,
    false,
  );
}

/** The scope that the signer reads from the name of a host; undefined: it is no host of AWS. */
function scopeFromHost(url: URL) {
  const { service, region } = new AwsV4Signer({ url: url.href, accessKeyId: '', secretAccessKey: '' });
  if (service === '') return undefined;
  // Without a region in the name, the signer takes the standard one.
  const isNamed = url.hostname.includes(region);
  return {
    service: AWS_SIGNING_NAMES[service] ?? service,
    region: isNamed ? region : undefined,
    standardRegion: region,
  };
}

/** S3 accepts requests whose body is not signed; TLS protects it. */
const UNSIGNED_PAYLOAD = 'UNSIGNED-PAYLOAD';
const CONTENT_HASH_HEADER = 'x-amz-content-sha256';

/** The value of the header for the hash of the body. Undefined: it is not needed, the signer hashes the body. */
async function contentHashHeader(
  { url, body }: SignableRequest,
  service: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const isStream = typeof body === 'object' && !(body instanceof Uint8Array);
  if (service !== 's3' && !isStream) return undefined;
  if (service === 's3' && isStream && url.protocol === 'https:') return UNSIGNED_PAYLOAD;
  const hash = createHash('sha256');
  if (!isStream) return hash.update(body ?? '').digest('hex');
  for await (const chunk of addAbortSignal(signal, body.open()) as AsyncIterable<Buffer>) hash.update(chunk);
  return hash.digest('hex');
}

/** Headers that the signer writes or signs; other parties between the service and AWS may change the others. */
const isSignedHeader = (name: string) => name.startsWith('x-amz-');
const isSignerWrittenHeader = (name: string) =>
  ['authorization', 'x-amz-date', 'x-amz-security-token', CONTENT_HASH_HEADER].includes(name);

/** Several blanks become one, as in the signature: not every server reads them as one. */
const collapseBlanks = (value: string) => value.replaceAll(/[ \t]+/g, ' ').trim();

export interface AwsKeys {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string | undefined;
}

/**
 * The headers of a request with its signature. Throws NodeFailure INVALID_REQUEST, and what reading the body throws.
 */
export async function signAwsRequest(
  keys: AwsKeys,
  scope: SignatureScope,
  request: SignableRequest,
  signal: AbortSignal,
): Promise<Record<string, string>> {
  const { url, method, headers, body } = request;
  const own = Object.entries(headers)
    .filter(([name]) => !isSignerWrittenHeader(name))
    .map(([name, value]) => [name, isSignedHeader(name) ? collapseBlanks(value) : value] as const);
  const hash = await contentHashHeader(request, scope.service, signal);
  const signer = createV4Signer({
    ...keys,
    ...scope,
    method,
    url: url.href,
    headers: {
      ...Object.fromEntries(own.filter(([name]) => isSignedHeader(name))),
      ...(hash && { [CONTENT_HASH_HEADER]: hash }),
    },
    // A body without a hash is a text or bytes.
    body: hash === undefined ? (body as string | Uint8Array<ArrayBuffer> | undefined) : undefined,
  });
  const signed = await signer.sign();
  return { ...Object.fromEntries(own), ...Object.fromEntries(signed.headers) };
}

/**
 * Adds signatures of Signature Version 4 to requests that are about to be sent: a later one has another time. Of the
 * keys, the id and the session token are sent, not the secret. The result throws what `signatureScope` and
 * `signAwsRequest` throw.
 */
export const createAwsSigner =
  (credential: OpenCredential): NonNullable<OutboundRequest['sign']> =>
  async (request, signal) => {
    const keys = {
      accessKeyId: credentialText(credential, 'accessKeyId') ?? '',
      secretAccessKey: credentialText(credential, 'secretAccessKey') ?? '',
      sessionToken: credentialText(credential, 'sessionToken'),
    };
    return signAwsRequest(keys, signatureScope(credential, request.url), request, signal);
  };

function createV4Signer(options: ConstructorParameters<typeof AwsV4Signer>[0]): AwsV4Signer {
  try {
    return new AwsV4Signer(options);
  } catch {
    throw new NodeFailure('INVALID_REQUEST', 'A header x-amz-… has characters that HTTP does not allow.', false);
  }
}
