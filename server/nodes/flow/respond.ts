import { z } from 'zod';
import { isTemplate } from '@/server/expressions/template';
import { NodeFailure } from '@/server/errors/node-failure';
import { encode } from '@/server/outbound/content';
import { nodeKind, type RunAnswer } from '../node';
import { isForbiddenHeader, isWithdrawnHeader, withCharset } from './respond-headers';

/** Characters that a header may have: visible Latin-1, spaces and tabs. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;
export const MAX_ANSWER_HEADERS = 50;
const MAX_HEADER_CHARACTERS = 8192;
export const MAX_ANSWER_BYTES = 10 * 1024 * 1024;

/** Statuses that have no body. */
const BODILESS = new Set([204, 205, 304]);

const REFUSED = 'can not be set by a workflow';

function nameProblem(name: string): string | null {
  if (name.length > 200 || !HEADER_NAME.test(name)) return 'is not a header name';
  return isForbiddenHeader(name) ? REFUSED : null;
}

const valueProblem = (value: unknown): string | null =>
  typeof value === 'string' && !isTemplate(value) && !HEADER_VALUE.test(value)
    ? 'has characters that a header can not have'
    : null;

const Headers = z
  .record(
    z.string(),
    z.union([z.string(), z.number(), z.boolean(), z.null()], { error: 'must be text, a number or a boolean' }),
  )
  .superRefine((headers, context) => {
    const names = Object.keys(headers);
    if (names.length > MAX_ANSWER_HEADERS)
      context.addIssue({ code: 'custom', message: `has at most ${MAX_ANSWER_HEADERS} headers` });
    for (const [name, value] of Object.entries(headers)) {
      const problem = nameProblem(name);
      const message = problem ?? valueProblem(value);
      if (!message) continue;
      // The name is literal, even where the value is an expression, so the issue belongs to the record.
      if (isTemplate(value)) context.addIssue({ code: 'custom', message: `"${name.slice(0, 200)}" ${message}` });
      else context.addIssue({ code: 'custom', path: [name], message });
    }
  });

const ContentType = z
  .string()
  .max(200)
  .refine((type) => valueProblem(type) === null, { error: 'has characters that a header can not have' });

/** Headers by their names in lower case; null leaves one out. `warn`: called for those that are left out although the author set them. */
function headersOf(headers: z.infer<typeof Headers> = {}, warn: (name: string) => void): Record<string, string> {
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
    if (!HEADER_VALUE.test(text)) throw config(`config.headers.${name}: has characters that a header can not have`);
    named[name.toLowerCase()] = text;
    characters += name.length + text.length;
  }
  if (characters > MAX_HEADER_CHARACTERS) {
    throw config(`config.headers: names and values have at most ${MAX_HEADER_CHARACTERS} characters together`);
  }
  return named;
}

const config = (message: string) => new NodeFailure('CONFIG', message, false);

function answerOf(
  status: number,
  headers: Record<string, string>,
  body: unknown,
  contentType: string | undefined,
): RunAnswer {
  if (contentType !== undefined) headers['content-type'] = contentType;
  if (headers['content-type'] !== undefined) headers['content-type'] = withCharset(headers['content-type']);
  if (BODILESS.has(status)) return { status, headers, body: '' };
  const content = encode(body, headers['content-type']);
  const text = (content.body ?? '').toWellFormed();
  if (text.length * 3 > MAX_ANSWER_BYTES && Buffer.byteLength(text) > MAX_ANSWER_BYTES) {
    throw new NodeFailure('OUTPUT_TOO_LARGE', 'The body of the answer is larger than 10 MiB.', false);
  }
  return { status, headers: { ...content.headers, ...headers }, body: text };
}

export const respond = nodeKind({
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
    body: z.unknown().optional().meta({
      title: 'Body',
      description: 'Text is sent as it is, anything else as JSON.',
      'x-editor': 'json',
    }),
    contentType: ContentType.optional().meta({
      title: 'Content type',
      description: 'By default application/json or text/plain, depending on the body.',
      examples: ['text/html; charset=utf-8'],
    }),
    headers: Headers.optional().meta({ apiDescription: 'Headers by name', title: 'Headers', 'x-editor': 'pairs' }),
  }),
  required: [],
  expressions: [],
  largeFields: ['body'],
  answersCaller: true,
  hasInput: true,
  outputs: ['output'],
  credentialTypes: [],
  isOutside: false,
  /** Only of what is saved: a definition that was stored before runs without these headers. */
  issues({ headers }) {
    const names = typeof headers === 'object' && headers !== null ? Object.keys(headers) : [];
    return names
      .filter(isWithdrawnHeader)
      .map((name) => ({ field: 'headers', message: `"${name.slice(0, 200)}" ${REFUSED}` }));
  },
  run({ config: { status = 200, headers, body, contentType }, input, log }) {
    if (contentType !== undefined && !HEADER_VALUE.test(contentType)) {
      throw config('config.contentType: has characters that a header can not have');
    }
    const named = headersOf(headers, (name) =>
      log('warn', `The header ${name.slice(0, 200)} is left out: it ${REFUSED}.`),
    );
    const answer = answerOf(status, named, body, contentType);
    return { kind: 'done', port: 'output', output: input, answer };
  },
});
