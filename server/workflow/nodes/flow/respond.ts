import { z } from 'zod';
import { hasExpression } from '@/server/evaluation/expressions/template';
import { createConfigFailure, NodeFailure } from '@/server/platform/errors/node-failure';
import { encodeRequestBody } from '@/server/network/outbound/content';
import { defineNodeType, type CallerResponse } from '../node-type';
import { isForbiddenHeader, isWithdrawnHeader, addUtf8Charset } from './respond-headers';
import { largeValueField } from '../field-traits';

/** Characters that a header may have: visible Latin-1, spaces and tabs. */
const HEADER_VALUE_PATTERN = /^[\t\x20-\x7e\x80-\xff]*$/;
const HEADER_NAME_PATTERN = /^[\w!#$%&'*+.^`|~-]+$/;
export const MAX_RESPONSE_HEADERS = 50;
const MAX_RESPONSE_HEADER_TEXT = 8192;
export const MAX_RESPONSE_BODY_BYTES = 10 * 1024 * 1024;

/** Statuses that have no body. */
const BODILESS_STATUSES = new Set([204, 205, 304]);

const REFUSED_HEADER_MESSAGE = 'can not be set by a workflow';

function findHeaderNameProblem(name: string): string | null {
  if (name.length > 200 || !HEADER_NAME_PATTERN.test(name)) return 'is not a header name';
  return isForbiddenHeader(name) ? REFUSED_HEADER_MESSAGE : null;
}

const findHeaderValueProblem = (value: unknown): string | null =>
  typeof value === 'string' && !hasExpression(value) && !HEADER_VALUE_PATTERN.test(value)
    ? 'has characters that a header can not have'
    : null;

const responseHeadersSchema = z
  .record(
    z.string(),
    z.union([z.string(), z.number(), z.boolean(), z.null()], { error: 'must be text, a number or a boolean' }),
  )
  .superRefine((headers, context) => {
    const names = Object.keys(headers);
    if (names.length > MAX_RESPONSE_HEADERS)
      context.addIssue({ code: 'custom', message: `has at most ${MAX_RESPONSE_HEADERS} headers` });
    for (const [name, value] of Object.entries(headers)) {
      const problem = findHeaderNameProblem(name);
      const message = problem ?? findHeaderValueProblem(value);
      if (!message) continue;
      // The name is literal, even where the value is an expression, so the issue belongs to the record.
      if (hasExpression(value)) context.addIssue({ code: 'custom', message: `"${name.slice(0, 200)}" ${message}` });
      else context.addIssue({ code: 'custom', path: [name], message });
    }
  });

const contentTypeSchema = z
  .string()
  .max(200)
  .refine((type) => findHeaderValueProblem(type) === null, { error: 'has characters that a header can not have' });

/**
 * Headers by their names in lower case; null leaves one out. `warn`: called for those that are left out although the
 * author set them.
 */
function buildResponseHeaders(
  headers: z.infer<typeof responseHeadersSchema> = {},
  warn: (name: string) => void,
): Record<string, string> {
  const named: Record<string, string> = {};
  let characters = 0;
  for (const [name, value] of Object.entries(headers)) {
    if (value === null) continue;
    if (isWithdrawnHeader(name)) {
      warn(name);
      continue;
    }
    const text = String(value);
    // A value that contains `{{` after it was rendered passed the schema.
    if (!HEADER_VALUE_PATTERN.test(text))
      throw createConfigFailure(`headers.${name}`, 'has characters that a header can not have');
    named[name.toLowerCase()] = text;
    characters += name.length + text.length;
  }
  if (characters > MAX_RESPONSE_HEADER_TEXT) {
    throw createConfigFailure(
      'headers',
      `names and values have at most ${MAX_RESPONSE_HEADER_TEXT} characters together`,
    );
  }
  return named;
}

function buildCallerResponse(
  status: number,
  headers: Record<string, string>,
  body: unknown,
  contentType: string | undefined,
): CallerResponse {
  if (contentType !== undefined) headers['content-type'] = contentType;
  if (headers['content-type'] !== undefined) headers['content-type'] = addUtf8Charset(headers['content-type']);
  if (BODILESS_STATUSES.has(status)) return { status, headers, body: '' };
  const content = encodeRequestBody(body, headers['content-type']);
  const text = (content.body ?? '').toWellFormed();
  if (text.length * 3 > MAX_RESPONSE_BODY_BYTES && Buffer.byteLength(text) > MAX_RESPONSE_BODY_BYTES) {
    throw new NodeFailure('OUTPUT_TOO_LARGE', 'The body of the answer is larger than 10 MiB.', false);
  }
  return { status, headers: { ...content.headers, ...headers }, body: text };
}

export const respondNodeType = defineNodeType({
  type: 'respond',
  title: 'Respond',
  summary: 'Answers the caller that waits for the run; the run continues.',
  synonyms: ['respond to webhook', 'response', 'reply', 'answer', 'return', 'webhook'],
  category: 'action',
  config: z.strictObject({
    status: z.number().int().min(200).max(599).optional().meta({
      title: 'Status',
      description: 'An HTTP status from 200 to 599.',
      default: 200,
    }),
    body: z.unknown().optional().apply(largeValueField).meta({
      title: 'Body',
      description: 'Text is sent as it is, anything else as JSON.',
      'x-editor': 'json',
    }),
    contentType: contentTypeSchema.optional().meta({
      title: 'Content type',
      description: 'By default application/json or text/plain, depending on the body.',
      examples: ['text/html; charset=utf-8'],
    }),
    headers: responseHeadersSchema
      .optional()
      .meta({ apiDescription: 'Headers by name', title: 'Headers', 'x-editor': 'pairs' }),
  }),
  answersCaller: true,
  hasInput: true,
  outputs: ['output'],
  credentialTypes: [],
  isOutside: false,
  /** These are issues only when a definition is saved: one that was stored before runs without these headers. */
  issues({ headers }) {
    const names = typeof headers === 'object' && headers !== null ? Object.keys(headers) : [];
    return names
      .filter(isWithdrawnHeader)
      .map((name) => ({ field: 'headers', message: `"${name.slice(0, 200)}" ${REFUSED_HEADER_MESSAGE}` }));
  },
  run({ config: { status = 200, headers, body, contentType }, input, log }) {
    if (contentType !== undefined && !HEADER_VALUE_PATTERN.test(contentType)) {
      throw createConfigFailure('contentType', 'has characters that a header can not have');
    }
    const named = buildResponseHeaders(headers, (name) =>
      log('warn', `The header ${name.slice(0, 200)} is left out: it ${REFUSED_HEADER_MESSAGE}.`),
    );
    const answer = buildCallerResponse(status, named, body, contentType);
    return { kind: 'done', port: 'output', output: input, answer };
  },
});
