import { createConfigFailure, createNodeFailure, NodeFailure } from '@/server/platform/errors/node-failure';
import {
  EvaluationFailedError,
  parseLargeBody,
  type EvaluationContext,
} from '@/server/evaluation/evaluator/evaluation';
import { parseUnlessLarge, isLargeJson, serializeJson } from '@/server/evaluation/expressions/large-json';
import { findCommandRefusal } from '@/server/network/redis/commands';
import { REDIS_OPERATIONS, type RedisOperationInput } from '@/server/network/redis/operations';
import { withRedisSession } from '@/server/network/redis/redis';
import { ReplyJsonWriter, type ReplyReading } from '@/server/network/redis/reply-json';
import { completeNode, defineNodeType } from '../node-type';
import { MAX_REDIS_FIELDS, type RedisConfig, findMissingRedisFields, redisConfig } from './redis-config';

/** The limit of all values that a node sends, in bytes. */
export const MAX_REDIS_SENT_BYTES = 10 * 1024 * 1024;

/** A value as it is stored: text as it is, anything else as JSON. */
function writeRedisValue(value: unknown): string {
  if (typeof value === 'string') return value;
  if (isLargeJson(value) && value.text.startsWith('"')) return JSON.parse(value.text) as string;
  return serializeJson(value) ?? 'null';
}

function buildRedisInput(given: RedisConfig): RedisOperationInput {
  const { operation = 'get', end = operation === 'pop' ? 'first' : 'last' } = given;
  const { key = '', channel = '', field = '', command = '', pattern = '*' } = given;
  const fields = Object.entries(given.fields ?? {}).map(([name, value]): [string, string] => [
    name,
    writeRedisValue(value),
  ]);
  if (fields.length > MAX_REDIS_FIELDS) throw createConfigFailure('fields', 'at most 1,000 fields');
  const input = {
    key,
    channel,
    field,
    command,
    pattern,
    end,
    fields,
    value: writeRedisValue(given.value),
    ttlMs: given.ttlMs,
    onlyIfAbsent: given.onlyIfAbsent ?? false,
    by: given.by ?? 1,
    from: given.from ?? 0,
    to: given.to ?? -1,
    limit: given.limit ?? 1000,
    arguments: (given.arguments ?? []).map(writeRedisValue),
  };
  const texts = [key, channel, field, pattern, input.value, ...fields.flat(), ...input.arguments];
  if (!texts.every((text) => text.isWellFormed()))
    throw new NodeFailure('CONFIG', 'A text has half of a surrogate pair, which Redis cannot store.', false);
  const size = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  if (size > MAX_REDIS_SENT_BYTES) throw new NodeFailure('TOO_LARGE', 'The values are larger than 10 MiB.', false);
  return input;
}

/** A large text, or its value as JSON; what is none stays text. */
async function parseLargeReply(bytes: Buffer, reading: ReplyReading, purpose: EvaluationContext): Promise<unknown> {
  try {
    return await parseLargeBody(bytes, 'application/json', reading === 'json' ? 'auto' : 'text', purpose);
  } catch (error) {
    throw error instanceof EvaluationFailedError ? new NodeFailure(error.failure.code, error.message, false) : error;
  }
}

export const redisNodeType = defineNodeType({
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
  config: redisConfig,
  gaps: findMissingRedisFields,
  issues: ({ command }) => {
    const name = typeof command === 'string' ? command.trim().toUpperCase() : '';
    const refusal = name === '' ? undefined : findCommandRefusal(name);
    return refusal ? [{ field: 'command', message: refusal }] : [];
  },
  hasInput: true,
  seesInput: false,
  outputs: ['output'],
  credentialTypes: ['redis'],
  needsCredential: true,
  isOutside: true,
  async run({ config: given, credential, secrets, signal, reserve, workspaceId, log }) {
    if (!credential) throw createNodeFailure('CREDENTIAL_MISSING', { subject: 'The node' });
    const { operation = 'get', readAs = 'text' } = given;
    const [gap] = findMissingRedisFields(given);
    if (gap) throw createConfigFailure(gap.field, gap.message);
    const input = buildRedisInput(given);
    const json = new ReplyJsonWriter(readAs, (bytes, reading) =>
      parseLargeReply(bytes, reading, { workspaceId, signal }),
    );
    const use = { signal, redact: (text: string) => secrets.text(text), reserve };
    const result = await withRedisSession(credential.credential, use, (ask) =>
      REDIS_OPERATIONS[operation](input, { ask, json, warn: (message) => log('warn', message) }),
    );
    return completeNode(parseUnlessLarge(result));
  },
});
