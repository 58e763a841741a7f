import { z } from 'zod';
import { MAX_FILE_BYTES } from '@/contract/file-value';
import { sendAs } from '@/server/connectors/held';
import type { Redactor } from '@/server/redaction/redactor';
import { nameInDisposition } from '@/server/content-disposition';
import { request, type OutboundResponse, type Sink } from '@/server/outbound/outbound';
import { answerOf } from '@/server/outbound/answer';
import type { Purpose } from '@/server/evaluation/evaluation';
import type { BodyReading } from '@/server/evaluation/jobs';
import { retryAfterOf, valueOfBody } from '@/server/outbound/content';
import { BodyType, requestBody } from './http-body';
import { done, nodeKind, type NodeFiles } from './node';
import { NodeFailure } from '@/server/errors/node-failure';

const Scalar = z.union([z.string(), z.number(), z.boolean(), z.null()], {
  error: 'must be text, a number or a boolean',
});
const Query = z.record(
  z.string(),
  z.union([Scalar, z.array(Scalar)], { error: 'must be text, a number, a boolean or a list of them' }),
);

/** Adds parameters to a URL; a list repeats the parameter, null leaves it out. */
function withQuery(address: string, query: z.infer<typeof Query> = {}): string {
  const added = Object.entries(query).flatMap(([name, value]) => [value].flat().map((each) => [name, each] as const));
  if (added.length === 0) return address;
  if (!URL.canParse(address)) throw new NodeFailure('INVALID_URL', `"${address.slice(0, 200)}" is not a URL.`, false);
  const url = new URL(address);
  for (const [name, value] of added) if (value !== null) url.searchParams.append(name, String(value));
  return url.href;
}

/** Statuses that a retry may change. */
const isPassing = (status: number) => status >= 500 || status === 408 || status === 425 || status === 429;

function statusFailure(method: string, response: OutboundResponse, secrets: Redactor): NodeFailure {
  const { status, url, headers } = response;
  const answer = answerOf(response, secrets);
  const start = answer.body?.slice(0, 300).trim() ?? '';
  const message = `${method} ${new URL(url).host} answered ${status}${start && `: ${start}`}`;
  return new NodeFailure('HTTP_STATUS', message, isPassing(status), retryAfterOf(headers['retry-after']), { answer });
}

/** Reads the body. A body that cannot be read in the configured form is returned unchanged. */
async function contentOf(
  response: OutboundResponse,
  as: BodyReading,
  secrets: Redactor,
  purpose: Purpose,
): Promise<unknown> {
  try {
    return await valueOfBody(response, as, purpose);
  } catch (error) {
    if (!(error instanceof NodeFailure)) throw error;
    const { code, message, retriable, retryAfterMs } = error;
    throw new NodeFailure(code, message, retriable, retryAfterMs, { answer: answerOf(response, secrets) });
  }
}

/** The name of a downloaded file: as the server says, else the last part of the address. */
function nameOf(headers: Record<string, string>, url: string): string | undefined {
  const last = new URL(url).pathname.split('/').at(-1) ?? '';
  return nameInDisposition(headers['content-disposition']) ?? last;
}

/** Stores the body of a response as a file, unless the node fails because of its status. */
const fileSink = (files: NodeFiles, failsOnError: boolean): Sink => ({
  maxBytes: MAX_FILE_BYTES,
  accepts: (status) => status < 400 || !failsOnError,
  receive: ({ headers, url }, body) =>
    files.store(body, { name: nameOf(headers, url), contentType: headers['content-type'] }),
});

export const httpRequest = nodeKind({
  type: 'http_request',
  title: 'HTTP request',
  summary: 'Calls an HTTP address and outputs the response.',
  category: 'action',
  config: z.strictObject({
    url: z
      .string()
      .max(16_384)
      .optional()
      .meta({ title: 'URL', examples: ['https://api.example.com/orders'] }),
    method: z
      .enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'])
      .optional()
      .meta({ title: 'Method', default: 'GET' }),
    query: Query.optional().meta({ title: 'Query', 'x-editor': 'pairs' }),
    headers: z.record(z.string(), Scalar).optional().meta({ title: 'Headers', 'x-editor': 'pairs' }),
    bodyType: BodyType.optional().meta({
      title: 'Send body as',
      description:
        'auto: text as it is, anything else as JSON (or as a form, if Content-Type says so). multipart: a list of ' +
        '{name, value} and {name, file, filename}. file: the value of a file.',
      default: 'auto',
    }),
    body: z.unknown().optional().meta({ title: 'Body', 'x-editor': 'json' }),
    responseType: z.enum(['auto', 'json', 'text', 'base64', 'file']).optional().meta({
      title: 'Read answer as',
      description: 'file: the body of the output is the value of a file, of at most 100 MiB.',
      default: 'auto',
    }),
    failOnError: z.boolean().optional().meta({
      title: 'Fail on error',
      description: 'A status of 400 or more fails the node.',
      default: true,
    }),
  }),
  required: ['url'],
  gaps: ({ url }) =>
    typeof url !== 'string' || url === '' || url.includes('{{') || /^https?:\/\//i.test(url)
      ? []
      : [{ field: 'url', message: 'must begin with http:// or https://' }],
  expressions: [],
  largeFields: ['body'],
  hasInput: true,
  seesInput: false,
  outputs: ['output'],
  credentialTypes: ['api_key', 'basic_auth', 'oauth2', 'custom'],
  isOutside: true,
  asksSource: true,
  async run({ config, credential, secrets, signal, idempotencyKey, reserve, log, workspaceId, files }) {
    const { url = '', method = 'GET', query, headers = {}, responseType = 'auto', failOnError = true } = config;
    const { body: sent, bodyType = 'auto' } = config;
    const headerPairs = Object.entries(headers).flatMap(([name, value]) =>
      value === null ? [] : [[name.toLowerCase(), String(value)] as const],
    );
    const type = new Map(headerPairs).get('content-type');
    const content = method === 'HEAD' ? { headers: {} } : await requestBody(sent, bodyType, type, files);
    const options = {
      url: withQuery(url, query),
      method,
      headers: {
        ...content.headers,
        ...(method === 'GET' ? {} : { 'idempotency-key': idempotencyKey }),
        ...Object.fromEntries(headerPairs),
        // The boundary is in it.
        ...(bodyType === 'multipart' ? content.headers : {}),
      },
      body: content.body,
      sink: responseType === 'file' ? fileSink(files, failOnError) : undefined,
      signal,
      reserve,
      // The node's timeout aborts the signal.
      timeoutMs: null,
    };
    const answer = await (credential ? sendAs(credential, options) : request({ ...options, workspaceId }));
    log('info', `${method} ${new URL(answer.url).host} answered ${answer.status}`);
    if (failOnError && answer.status >= 400) throw statusFailure(method, answer, secrets);
    if (responseType === 'file')
      return done({ status: answer.status, headers: answer.headers, body: answer.received ?? null });
    const body = await contentOf(answer, responseType, secrets, { workspaceId, signal });
    return done({ status: answer.status, headers: answer.headers, body });
  },
});
