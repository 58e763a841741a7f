import { z } from 'zod';
import type { FieldIssue } from '@/contract/error-response';
import { isLargeJson } from '@/server/evaluation/expressions/large-json';
import { REDIS_OPERATIONS, type RedisOperationInput, type RedisOperationName } from '@/server/network/redis/operations';
import type { ReplyReading } from '@/server/network/redis/reply-json';
import { choiceField, literalField, largeValueField, requiredField } from '../field-traits';

export const MAX_REDIS_FIELDS = 1000;
const MAX_REDIS_TTL_MS = 10 * 365 * 86_400_000;

const redisOperationNames = Object.keys(REDIS_OPERATIONS) as [RedisOperationName, ...RedisOperationName[]];
const REDIS_LABELS: Record<RedisOperationName, string> = {
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
const onlyForRedis = (...operations: RedisOperationName[]) => ({ 'x-when': { operation: operations } });
const isRedisOperation = (operations: readonly RedisOperationName[]) => (name: unknown) =>
  operations.some((one) => one === name);

/** The operations that need a field. */
const REQUIRED_REDIS_FIELDS: [keyof RedisOperationInput, (operation: unknown) => boolean][] = [
  ['key', (name) => typeof name === 'string' && !isRedisOperation(['publish', 'keys', 'command'])(name)],
  ['value', isRedisOperation(['set', 'push', 'set_add', 'publish'])],
  ['field', isRedisOperation(['hash_get'])],
  ['fields', isRedisOperation(['hash_set'])],
  ['channel', isRedisOperation(['publish'])],
  ['command', isRedisOperation(['command'])],
];

const redisTextSchema = z.string().max(100_000);

export const redisConfig = z.strictObject({
  operation: choiceField(REDIS_LABELS, { apiDescription: 'Which command is sent', title: 'Operation' }).apply(
    requiredField,
  ),
  key: redisTextSchema.optional().meta({
    apiDescription: 'Where the value is stored',
    title: 'Key',
    examples: ['orders:{{ input.id }}'],
    ...onlyForRedis(...redisOperationNames.filter((name) => !isRedisOperation(['publish', 'keys', 'command'])(name))),
  }),
  channel: redisTextSchema.optional().meta({
    title: 'Channel',
    description: 'Its subscribers get the message.',
    examples: ['orders'],
    ...onlyForRedis('publish'),
  }),
  field: redisTextSchema.optional().meta({
    apiDescription: 'Which field of a hash',
    title: 'Field',
    examples: ['email'],
    ...onlyForRedis('hash_get'),
  }),
  fields: z
    .record(z.string(), z.unknown())
    .optional()
    .meta({
      title: 'Fields',
      description: 'Values that are not text are stored as JSON.',
      'x-editor': 'pairs',
      ...onlyForRedis('hash_set'),
    }),
  value: z
    .unknown()
    .optional()
    .apply(largeValueField)
    .meta({
      title: 'Value',
      description: 'A value that is not text is stored as JSON.',
      'x-editor': 'json',
      ...onlyForRedis('set', 'push', 'set_add', 'publish'),
    }),
  onlyIfAbsent: z
    .boolean()
    .optional()
    .apply(literalField)
    .meta({
      title: 'Only if absent',
      description: 'Leaves a key that exists as it is. The output is then false.',
      ...onlyForRedis('set'),
    }),
  ttlMs: z
    .number()
    .int()
    .min(1)
    .max(MAX_REDIS_TTL_MS)
    .optional()
    .meta({
      title: 'Expires after',
      description: 'Empty: it does not expire.',
      'x-editor': 'duration',
      ...onlyForRedis('set', 'expire'),
    }),
  by: z
    .number()
    .optional()
    .meta({ title: 'By', description: 'The number that is added.', default: 1, ...onlyForRedis('increment') }),
  end: choiceField(
    { first: 'Beginning of the list', last: 'End of the list' },
    { title: 'End', description: 'Default: last to add, first to take, so that the list is a queue.' },
  ).meta(onlyForRedis('push', 'pop')),
  from: z
    .number()
    .int()
    .optional()
    .meta({ title: 'From', description: 'Counts from 0.', default: 0, ...onlyForRedis('range') }),
  to: z
    .number()
    .int()
    .optional()
    .meta({ title: 'To', description: 'Included. −1 is the last item.', default: -1, ...onlyForRedis('range') }),
  pattern: redisTextSchema.optional().meta({
    title: 'Pattern',
    description: '* stands for any characters, ? for one.',
    default: '*',
    examples: ['orders:*'],
    ...onlyForRedis('keys'),
  }),
  limit: z
    .number()
    .int()
    .min(1)
    .max(10_000)
    .optional()
    .meta({ apiDescription: 'The maximum number of keys', title: 'Maximum', default: 1000, ...onlyForRedis('keys') }),
  command: z
    .string()
    .max(100)
    .optional()
    .apply(literalField)
    .meta({
      title: 'Command',
      description: 'One that reads or changes data, and does not wait.',
      examples: ['ZADD'],
      ...onlyForRedis('command'),
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
      ...onlyForRedis('command'),
    }),
  readAs: choiceField<ReplyReading>(
    { text: 'Text', json: 'JSON' },
    { title: 'Read values as', description: 'JSON: what is no JSON stays text.', default: 'text' },
  ).meta(onlyForRedis('get', 'pop', 'range', 'hash_get', 'hash_get_all', 'set_members', 'command')),
});

export type RedisConfig = z.output<typeof redisConfig>;

/** Whether a field has a value that its operation can use. Texts and lists may be stored empty. */
function isRedisFieldSet(field: string, value: unknown): boolean {
  if (value === undefined || value === null) return false;
  if (field === 'value' || isLargeJson(value)) return true;
  return typeof value === 'object' ? Object.keys(value).length > 0 : value !== '';
}

/** Fields that an operation lacks. */
export const findMissingRedisFields = (source: Record<string, unknown>): FieldIssue[] =>
  REQUIRED_REDIS_FIELDS.flatMap(([field, isNeeded]) =>
    !isNeeded(source['operation']) || isRedisFieldSet(field, source[field]) ? [] : [{ field, message: 'is required' }],
  );
