import { z } from 'zod';
import type { FieldError } from '@/contract/error';
import { NodeFailure } from '@/server/errors/node-failure';
import { EvaluationFailed, readLargeBody, type Purpose } from '@/server/evaluation/evaluation';
import { fromJson, isLarge, jsonOf } from '@/server/expressions/large-json';
import { refusalOf } from '@/server/redis/commands';
import { OPERATIONS, type OperationInput, type OperationName } from '@/server/redis/operations';
import { withRedis } from '@/server/redis/redis';
import { READINGS, ReplyJson, type Reading } from '@/server/redis/reply-json';
import { done, nodeKind } from '../node';

export const MAX_REDIS_FIELDS = 1000;
/** Bytes of all values that a node sends. */
export const MAX_REDIS_SENT = 10 * 1024 * 1024;
const TEN_YEARS_MS = 10 * 365 * 86_400_000;

const names = Object.keys(OPERATIONS) as [OperationName, ...OperationName[]];
const LABELS: Record<OperationName, string> = {
  get: 'Get a value',
  set: 'Set a value',
  delete: 'Delete a key',
  increment: 'Add to a number',
  expire: 'Set or remove the expiry of a key',
  push: 'Add to a list',
  pop: 'Take from a list',
  range: 'Get a part of a list',
  hash_get: 'Get a field of a hash',
  hash_set: 'Set fields of a hash',
  hash_get_all: 'Get all fields of a hash',
  set_add: 'Add to a set',
  set_members: 'Get the members of a set',
  publish: 'Publish a message',
  keys: 'Find keys',
  command: 'Send another command',
};

/** The field matters for these operations only. */
const only = (...operations: OperationName[]) => ({ 'x-when': { operation: operations } });
const isOf = (operations: readonly OperationName[]) => (name: unknown) => operations.some((one) => one === name);

/** The operations that need a field. */
const NEEDED: [keyof OperationInput, (operation: unknown) => boolean][] = [
  ['key', (name) => typeof name === 'string' && !isOf(['publish', 'keys', 'command'])(name)],
  ['value', isOf(['set', 'push', 'set_add', 'publish'])],
  ['field', isOf(['hash_get'])],
  ['fields', isOf(['hash_set'])],
  ['channel', isOf(['publish'])],
  ['command', isOf(['command'])],
];

const Text = z.string().max(100_000);

const config = z.strictObject({
  operation: z
    .enum(names)
    .optional()
    .meta({ apiDescription: 'Which command is sent', title: 'Operation', 'x-labels': LABELS }),
  key: Text.optional().meta({
    apiDescription: 'Where the value is stored',
    title: 'Key',
    examples: ['orders:{{ input.id }}'],
    ...only(...names.filter((name) => !isOf(['publish', 'keys', 'command'])(name))),
  }),
  channel: Text.optional().meta({
    title: 'Channel',
    description: 'Its subscribers get the message.',
    examples: ['orders'],
    ...only('publish'),
  }),
  field: Text.optional().meta({
    apiDescription: 'Which field of a hash',
    title: 'Field',
    examples: ['email'],
    ...only('hash_get'),
  }),
  fields: z
    .record(z.string(), z.unknown())
    .optional()
    .meta({
      title: 'Fields',
      description: 'Values that are not text are stored as JSON.',
      'x-editor': 'pairs',
      ...only('hash_set'),
    }),
  value: z
    .unknown()
    .optional()
    .meta({
      title: 'Value',
      description: 'A value that is not text is stored as JSON.',
      'x-editor': 'json',
      ...only('set', 'push', 'set_add', 'publish'),
    }),
  onlyIfAbsent: z
    .boolean()
    .optional()
    .meta({
      title: 'Only if absent',
      description: 'Leaves a key that exists as it is. The output is then false.',
      ...only('set'),
    }),
  ttlMs: z
    .number()
    .int()
    .min(1)
    .max(TEN_YEARS_MS)
    .optional()
    .meta({
      title: 'Expires after',
      description: 'Empty: it does not expire. In definitions: milliseconds.',
      'x-editor': 'duration',
      ...only('set', 'expire'),
    }),
  by: z
    .number()
    .optional()
    .meta({ title: 'By', description: 'The number that is added.', default: 1, ...only('increment') }),
  end: z
    .enum(['first', 'last'])
    .optional()
    .meta({
      title: 'End',
      description: 'Default: last to add, first to take, so that the list is a queue.',
      'x-labels': { first: 'Beginning of the list', last: 'End of the list' },
      ...only('push', 'pop'),
    }),
  from: z
    .number()
    .int()
    .optional()
    .meta({ title: 'From', description: 'Counts from 0.', default: 0, ...only('range') }),
  to: z
    .number()
    .int()
    .optional()
    .meta({ title: 'To', description: 'Included. −1 is the last item.', default: -1, ...only('range') }),
  pattern: Text.optional().meta({
    title: 'Pattern',
    description: '* stands for any characters, ? for one.',
    default: '*',
    examples: ['orders:*'],
    ...only('keys'),
  }),
  limit: z
    .number()
    .int()
    .min(1)
    .max(10_000)
    .optional()
    .meta({ apiDescription: 'The maximum number of keys', title: 'Maximum', default: 1000, ...only('keys') }),
  command: z
    .string()
    .max(100)
    .optional()
    .meta({
      title: 'Command',
      description: 'One that reads or changes data, and does not wait.',
      examples: ['ZADD'],
      ...only('command'),
    }),
  arguments: z
    .array(z.unknown())
    .max(MAX_REDIS_FIELDS)
    .optional()
    .meta({
      title: 'Arguments',
      description: 'A list of texts and numbers. Other values are sent as JSON.',
      examples: [['scores', '{{ input.score }}', '{{ input.name }}']],
      'x-editor': 'json',
      ...only('command'),
    }),
  readAs: z
    .enum(READINGS)
    .optional()
    .meta({
      title: 'Read values as',
      description: 'JSON: what is no JSON stays text.',
      default: 'text',
      'x-labels': { text: 'Text', json: 'JSON' },
      ...only('get', 'pop', 'range', 'hash_get', 'hash_get_all', 'set_members', 'command'),
    }),
});

type Config = z.output<typeof config>;

/** A value as it is stored: text as it is, anything else as JSON. */
function stored(value: unknown): string {
  if (typeof value === 'string') return value;
  if (isLarge(value) && value.text.startsWith('"')) return JSON.parse(value.text) as string;
  return jsonOf(value) ?? 'null';
}

function inputOf(given: Config): OperationInput {
  const { operation = 'get', end = operation === 'pop' ? 'first' : 'last' } = given;
  const { key = '', channel = '', field = '', command = '', pattern = '*' } = given;
  const fields = Object.entries(given.fields ?? {}).map(([name, value]): [string, string] => [name, stored(value)]);
  if (fields.length > MAX_REDIS_FIELDS) throw new NodeFailure('CONFIG', 'config.fields: at most 1,000 fields', false);
  const input = {
    key,
    channel,
    field,
    command,
    pattern,
    end,
    fields,
    value: stored(given.value),
    ttlMs: given.ttlMs,
    onlyIfAbsent: given.onlyIfAbsent ?? false,
    by: given.by ?? 1,
    from: given.from ?? 0,
    to: given.to ?? -1,
    limit: given.limit ?? 1000,
    arguments: (given.arguments ?? []).map(stored),
  };
  const texts = [key, channel, field, pattern, input.value, ...fields.flat(), ...input.arguments];
  if (!texts.every((text) => text.isWellFormed()))
    throw new NodeFailure('CONFIG', 'A text has half of a surrogate pair, which Redis cannot store.', false);
  const size = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  if (size > MAX_REDIS_SENT) throw new NodeFailure('TOO_LARGE', 'The values are larger than 10 MiB.', false);
  return input;
}

/** Whether a field has a value that its operation can use. Texts and lists may be stored empty. */
function isGiven(field: string, value: unknown): boolean {
  if (value === undefined || value === null) return false;
  if (field === 'value' || isLarge(value)) return true;
  return typeof value === 'object' ? Object.keys(value).length > 0 : value !== '';
}

/** Fields that an operation lacks. */
const missing = (source: Record<string, unknown>): FieldError[] =>
  NEEDED.flatMap(([field, isNeeded]) =>
    !isNeeded(source['operation']) || isGiven(field, source[field]) ? [] : [{ field, message: 'is required' }],
  );

/** A large text, or its value as JSON; what is none stays text. */
async function readLarge(bytes: Buffer, reading: Reading, purpose: Purpose): Promise<unknown> {
  try {
    return await readLargeBody(bytes, 'application/json', reading === 'json' ? 'auto' : 'text', purpose);
  } catch (error) {
    throw error instanceof EvaluationFailed ? new NodeFailure(error.failure.code, error.message, false) : error;
  }
}

export const redis = nodeKind({
  type: 'redis',
  title: 'Redis',
  summary: 'Reads and writes keys, lists, hashes and sets of a Redis or Valkey server, and publishes messages.',
  synonyms: [
    'valkey',
    'keydb',
    'dragonfly',
    'redis cache',
    'key-value database',
    'redis counter',
    'queue',
    'pub sub',
    'pubsub',
    'publish',
    'in memory database',
    'lock',
  ],
  category: 'action',
  config,
  required: ['operation'],
  gaps: missing,
  issues: ({ command }) => {
    const name = typeof command === 'string' ? command.trim().toUpperCase() : '';
    const refusal = name === '' ? undefined : refusalOf(name);
    return refusal ? [{ field: 'command', message: refusal }] : [];
  },
  expressions: [],
  literals: ['operation', 'onlyIfAbsent', 'end', 'command', 'readAs'],
  largeFields: ['value'],
  hasInput: true,
  seesInput: false,
  outputs: ['output'],
  credentialTypes: ['redis'],
  needsCredential: true,
  isOutside: true,
  async run({ config: given, credential, secrets, signal, reserve, workspaceId, log }) {
    if (!credential) throw new NodeFailure('CREDENTIAL_MISSING', 'The node needs a credential.', false);
    const { operation = 'get', readAs = 'text' } = given;
    const [gap] = missing(given);
    if (gap) throw new NodeFailure('CONFIG', `config.${gap.field}: ${gap.message}`, false);
    const input = inputOf(given);
    const json = new ReplyJson(readAs, (bytes, reading) => readLarge(bytes, reading, { workspaceId, signal }));
    const use = { signal, redact: (text: string) => secrets.text(text), reserve };
    const result = await withRedis(credential.credential, use, (ask) =>
      OPERATIONS[operation](input, { ask, json, warn: (message) => log('warn', message) }),
    );
    return done(fromJson(result));
  },
});
