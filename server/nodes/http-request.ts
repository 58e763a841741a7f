import { z } from 'zod';
import { sendAs } from '@/server/connectors/held';
import type { Redactor } from '@/server/redaction/redactor';
import { request, type OutboundResponse } from '@/server/outbound/outbound';
import { answerOf } from '@/server/outbound/answer';
import type { Purpose } from '@/server/evaluation/evaluation';
import type { BodyReading } from '@/server/evaluation/jobs';
import { encode, retryAfterOf, valueOfBody } from '@/server/outbound/content';
import { done, nodeKind } from './node';
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
    body: z.unknown().optional().meta({
      title: 'Body',
      description: 'Text is sent as it is, anything else as JSON (or as a form, if Content-Type says so).',
      'x-editor': 'json',
    }),
    responseType: z
      .enum(['auto', 'json', 'text', 'base64'])
      .optional()
      .meta({ title: 'Read answer as', default: 'auto' }),
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
  async run({ config, credential, secrets, signal, idempotencyKey, reserve, log, workspaceId }) {
    const { url = '', method = 'GET', query, headers = {}, responseType = 'auto', failOnError = true } = config;
    const headerPairs = Object.entries(headers).flatMap(([name, value]) =>
      value === null ? [] : [[name.toLowerCase(), String(value)] as const],
    );
    const content = method === 'HEAD' ? { headers: {} } : encode(config.body, new Map(headerPairs).get('content-type'));
    const options = {
      url: withQuery(url, query),
      method,
      headers: {
        ...content.headers,
        ...(method === 'GET' ? {} : { 'idempotency-key': idempotencyKey }),
        ...Object.fromEntries(headerPairs),
      },
      body: content.body,
      signal,
      reserve,
      // The node's timeout aborts the signal.
      timeoutMs: null,
    };
    const answer = await (credential ? sendAs(credential, options) : request({ ...options, workspaceId }));
    log('info', `${method} ${new URL(answer.url).host} answered ${answer.status}`);
    if (failOnError && answer.status >= 400) throw statusFailure(method, answer, secrets);
    const body = await contentOf(answer, responseType, secrets, { workspaceId, signal });
    return done({ status: answer.status, headers: answer.headers, body });
  },
});
