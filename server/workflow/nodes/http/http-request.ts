import { z } from 'zod';
import { unsentHeaderReason } from '@/contract/unsent-headers';
import { sendWithCredential } from '@/server/connectors/credential-handle';
import type { ValueRedactor } from '@/server/evaluation/redaction/redactor';
import { sendOutboundRequest, type OutboundResponse } from '@/server/network/outbound/outbound';
import { summarizeResponse } from '@/server/network/outbound/response-summary';
import { keepHarmlessHeaders } from '@/server/network/outbound/request-headers';
import { createFileSink } from '@/server/network/outbound/files';
import type { EvaluationContext } from '@/server/evaluation/evaluator/evaluation';
import type { BodyReadingMode } from '@/server/evaluation/evaluator/jobs';
import { parseRetryAfter, parseResponseOfAnySize } from '@/server/network/outbound/content';
import { fixedBaseUrl, requireUrlBelow, findHttpToolIssues } from './fixed-host';
import { HttpBodyType, buildRequestBody } from './http-body';
import { addQueryValues, HttpQueryValues, HttpScalarValue } from './http-query';
import { HttpRequestMethod } from './methods';
import { PAGES_MEMORY_BYTES, HttpPagination, findMissingPagingFields, requestAllPages } from './http-pages';
import { completeNode, defineNodeType, type NodeRunResult, type NodeRunContext } from '../node-type';
import { createNodeFailure, NodeFailure } from '@/server/platform/errors/node-failure';
import { literalField, largeValueField, requiredField } from '../field-traits';

/** Statuses that a retry may change. */
const isPassingStatus = (status: number) => status >= 500 || status === 408 || status === 425 || status === 429;

function httpStatusFailure(method: string, response: OutboundResponse, secrets: ValueRedactor): NodeFailure {
  const { status, url, headers } = response;
  const answer = summarizeResponse(response, secrets);
  const reason = answer.body?.slice(0, 300).trim() || undefined;
  return createNodeFailure(
    'HTTP_STATUS',
    { server: `${method} ${new URL(url).host}`, status, reason },
    { isRetriable: isPassingStatus(status), retryAfterMs: parseRetryAfter(headers['retry-after']), answer },
  );
}

/** Reads the body. A body that cannot be read in the configured form is returned unchanged. */
async function readBodyOrFail(
  response: OutboundResponse,
  as: BodyReadingMode,
  secrets: ValueRedactor,
  purpose: EvaluationContext,
): Promise<unknown> {
  try {
    return await parseResponseOfAnySize(response, as, purpose);
  } catch (error) {
    if (!(error instanceof NodeFailure)) throw error;
    const { code, message, retriable, retryAfterMs } = error;
    throw new NodeFailure(code, message, retriable, retryAfterMs, { answer: summarizeResponse(response, secrets) });
  }
}

const httpRequestConfig = z
  .strictObject({
    url: z
      .string()
      .max(16_384)
      .optional()
      .apply(requiredField)
      .meta({ apiDescription: 'Where the request goes', title: 'URL', examples: ['https://api.example.com/orders'] }),
    method: HttpRequestMethod.optional().meta({ apiDescription: 'The HTTP method', title: 'Method', default: 'GET' }),
    query: HttpQueryValues.optional().meta({
      apiDescription: 'Parameters of the query by name',
      title: 'Query',
      'x-editor': 'pairs',
    }),
    headers: z
      .record(z.string(), HttpScalarValue)
      .optional()
      .meta({ apiDescription: 'Headers by name', title: 'Headers', 'x-editor': 'pairs' }),
    bodyType: HttpBodyType.optional().meta({
      title: 'Send body as',
      'x-labels': {
        auto: 'JSON, or text as it is',
        json: 'JSON',
        form: 'Form',
        text: 'Text',
        multipart: 'Form with files',
        file: 'File',
      },
      apiDescription:
        'auto: text as it is, anything else as JSON (or as a form, if Content-Type says so). multipart: a list of ' +
        '{name, value} and {name, file, filename}. file: the value of a file.',
      default: 'auto',
    }),
    body: z.unknown().optional().apply(largeValueField).meta({
      apiDescription: 'Sent as JSON, or as text with a content type of its own',
      title: 'Body',
      'x-editor': 'json',
    }),
    responseType: z
      .enum(['auto', 'json', 'text', 'base64', 'file'])
      .optional()
      .meta({
        title: 'Read answer as',
        apiDescription: 'file: the body of the output is the value of a file, of at most 100 MiB.',
        'x-labels': {
          auto: 'As its content type says',
          json: 'JSON',
          text: 'Text',
          base64: 'Base64 text',
          file: 'File, at most 100 MiB',
        },
        default: 'auto',
      }),
    redirect: z
      .enum(['follow', 'manual'])
      .optional()
      .meta({
        title: 'Redirects',
        'x-labels': { follow: 'Follow, as browsers do', manual: 'Give me the redirect itself' },
        apiDescription:
          'follow: as browsers do, at most 20; cookies that are set on the way are sent on it. manual: the redirect is the output, with location and set-cookie in headers.',
        default: 'follow',
      }),
    failOnError: z.boolean().optional().meta({
      title: 'Fail on error',
      description: 'A status of 400 or more fails the node.',
      default: true,
    }),
    acceptsAnyCertificate: z.boolean().optional().apply(literalField).meta({
      title: 'Accept any certificate',
      description:
        'Also one that is self-signed, expired or of another name. The connection is then open to interception: others can read and change the call, its credential included. Only for servers of your own network.',
      default: false,
    }),
    pagination: HttpPagination.optional().apply(literalField).meta({
      title: 'Pages',
      description: 'Requests all pages of a list. The output is {items, pages, status, headers}.',
      'x-editor': 'optional-group',
    }),
  })
  .refine(({ pagination, responseType }) => pagination === undefined || responseType !== 'file', {
    error: 'does not work with files: choose another way to read the answer',
    path: ['pagination'],
  });

type HttpRequestContext = NodeRunContext<z.output<typeof httpRequestConfig>>;

/** The request that the config describes, for the workspace of the node. */
async function buildHttpRequest({ config: written, files, idempotencyKey, signal, reserve, log }: HttpRequestContext) {
  const { url = '', method = 'GET', query, headers = {}, responseType, failOnError = true } = written;
  const { body: sent, bodyType = 'auto', redirect = 'follow', acceptsAnyCertificate = false } = written;
  const headerPairs = Object.entries(headers).flatMap(([name, value]) =>
    value === null ? [] : [[name.toLowerCase(), String(value)] as const],
  );
  for (const [name, value] of headerPairs) {
    const reason = unsentHeaderReason(name, value);
    if (reason !== undefined) log('warn', `The header ${name.slice(0, 200)} is left out: ${reason}.`);
  }
  const type = new Map(headerPairs).get('content-type');
  const content = method === 'HEAD' ? { headers: {} } : await buildRequestBody(sent, bodyType, type, files);
  return {
    url: addQueryValues(url.trim(), query),
    method,
    headers: {
      ...content.headers,
      ...(method === 'GET' ? {} : { 'idempotency-key': idempotencyKey }),
      ...Object.fromEntries(headerPairs),
      // The content type of a multipart body holds its boundary.
      ...(bodyType === 'multipart' ? content.headers : {}),
    },
    body: content.body,
    sink: responseType === 'file' ? createFileSink(files, (status) => status < 400 || !failOnError) : undefined,
    signal,
    reserve,
    followRedirects: (redirect === 'follow') as boolean | 'same-origin',
    acceptsAnyCertificate,
    // The node's timeout aborts the signal.
    timeoutMs: null as number | null,
  };
}

type BuiltHttpRequest = Awaited<ReturnType<typeof buildHttpRequest>>;

/**
 * Sends a request, with the credential of the node if `credential` is given. `accepted`: statuses that are no failure.
 */
async function sendHttpRequest(
  { config: { failOnError = true }, secrets, log, workspaceId }: HttpRequestContext,
  options: BuiltHttpRequest,
  credential: HttpRequestContext['credential'],
  accepted: readonly number[] = [],
): Promise<OutboundResponse> {
  const answer = await (credential
    ? sendWithCredential(credential, options)
    : sendOutboundRequest({ ...options, workspaceId, isTraced: true }));
  log('info', `${options.method} ${new URL(answer.url).host} answered ${answer.status}`);
  if (failOnError && answer.status >= 400 && !accepted.includes(answer.status))
    throw httpStatusFailure(options.method, answer, secrets);
  return answer;
}

/** Time limit of one page; the node's timeout is that of all pages together. */
const HTTP_PAGE_TIMEOUT_MS = 60_000;

/**
 * Requests all pages. One of another origin gets neither the credential nor the author's own headers, which may hold
 * secrets.
 */
function requestPagesSafely(context: HttpRequestContext, pagination: HttpPagination, first: BuiltHttpRequest) {
  const { credential, secrets, workspaceId, signal } = context;
  const { responseType = 'auto' } = context.config;
  const as = responseType === 'file' ? 'auto' : responseType;
  const requestPage = async ({ url, number, isOther }: { url: string; number: number; isOther: boolean }) => {
    const key = first.headers['idempotency-key'];
    const headers = {
      ...(isOther ? keepHarmlessHeaders(first.headers) : first.headers),
      // Otherwise the receiver would take the next page for a repetition of the first.
      ...(key !== undefined && number > 1 ? { 'idempotency-key': `${key}:${number}` } : {}),
    };
    const reserve = () => context.reserve(PAGES_MEMORY_BYTES);
    const options = { ...first, url, headers, reserve, timeoutMs: HTTP_PAGE_TIMEOUT_MS };
    const answer = await sendHttpRequest(context, options, isOther ? undefined : credential, pagination.endStatuses);
    const body = await readBodyOrFail(answer, as, secrets, { workspaceId, signal });
    return { status: answer.status, headers: answer.headers, body, url: answer.url };
  };
  return requestAllPages(pagination, first.url, requestPage, context);
}

/** `base`: a tool of an agent reaches addresses below this one only. */
async function runHttpRequest(context: HttpRequestContext, base?: URL): Promise<NodeRunResult> {
  const { secrets, signal, workspaceId, credential } = context;
  const { responseType = 'auto', pagination } = context.config;
  const options = await buildHttpRequest(context);
  if (base) {
    requireUrlBelow(options.url, base);
    options.followRedirects &&= 'same-origin';
  }
  if (pagination) return completeNode(await requestPagesSafely(context, pagination, options));
  const answer = await sendHttpRequest(context, options, credential);
  const { status, headers } = answer;
  if (responseType === 'file') return completeNode({ status, headers, body: answer.received ?? null });
  return completeNode({
    status,
    headers,
    body: await readBodyOrFail(answer, responseType, secrets, { workspaceId, signal }),
  });
}

export const httpRequestNodeType = defineNodeType({
  type: 'http_request',
  title: 'HTTP request',
  summary: 'Calls an HTTP address and outputs the response.',
  synonyms: [
    'api',
    'rest',
    'url',
    'fetch',
    'curl',
    'get',
    'post',
    'call',
    'webhook out',
    'graphql',
    'download',
    'upload',
    'put',
    'patch',
    'send request',
    'web',
  ],
  category: 'action',
  config: httpRequestConfig,
  gaps: ({ url, pagination }) => [
    ...(typeof url !== 'string' || url === '' || url.includes('{{') || /^https?:\/\//i.test(url)
      ? []
      : [{ field: 'url', message: 'must begin with http:// or https://' }]),
    ...findMissingPagingFields(pagination),
  ],
  /** These are issues only when a definition is saved: one that was stored before runs without these headers. */
  issues: ({ headers }) =>
    Object.entries(typeof headers === 'object' ? { ...headers } : {}).flatMap(([name, value]) => {
      const reason = String(value).includes('{{') ? undefined : unsentHeaderReason(name, String(value));
      return reason === undefined
        ? []
        : [{ field: `headers.${name.slice(0, 200)}`, message: `cannot be sent: ${reason}` }];
    }),
  hasInput: true,
  seesInput: false,
  outputs: ['output'],
  credentialTypes: ['api_key', 'basic_auth', 'oauth2', 'custom', 'token', 'aws'],
  isOutside: true,
  asksSource: true,
  tool: { issues: findHttpToolIssues, run: (context) => runHttpRequest(context, fixedBaseUrl(context.written)) },
  run: (context) => runHttpRequest(context),
});
