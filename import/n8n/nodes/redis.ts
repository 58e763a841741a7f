import type { NodeConversion, ConvertedCall, NodeConverter } from '../conversion';
import { isN8nExpression } from '../n8n-expressions';
import { addCredentialTodo } from './http';
import { ParameterReader } from './services/service';

type RedisNodeConfig = Record<string, unknown>;

/** An operation of n8n as a config. */
type RedisConfigBuilder = (read: ParameterReader) => RedisNodeConfig | undefined;

/** The time after which a key expires: seconds in n8n. */
function keyExpiry(read: ParameterReader): RedisNodeConfig {
  if (!read.isSet('expire')) return {};
  const seconds = Number(read.get('ttl') ?? 60);
  if (Number.isFinite(seconds) && seconds > 0) return { ttlMs: Math.round(seconds * 1000) };
  read.addTodo('Enter when the key expires.');
  return {};
}

/** The operation that reads a key, by the type of the key. */
const KEY_TYPE_READS: Readonly<Record<string, RedisNodeConfig>> = {
  automatic: { operation: 'get' },
  string: { operation: 'get' },
  hash: { operation: 'hash_get_all' },
  list: { operation: 'range' },
  sets: { operation: 'set_members' },
};

const redisListEnd = (read: ParameterReader, standard: string) => (read.isSet('tail') ? 'last' : standard);

const REDIS_CONFIGS: Readonly<Record<string, RedisConfigBuilder>> = {
  get: (read) => {
    const type = String(read.get('keyType') ?? 'automatic');
    if (type === 'automatic') read.addRemark('n8n finds out the type of the key: here it is a text.');
    return Object.hasOwn(KEY_TYPE_READS, type) ? { ...KEY_TYPE_READS[type], key: read.text('key') } : undefined;
  },
  set: (read) => {
    const type = String(read.get('keyType') ?? 'automatic');
    if (type === 'automatic' || type === 'string')
      return { operation: 'set', key: read.text('key'), value: read.value('value') ?? '', ...keyExpiry(read) };
    if (type !== 'hash') return undefined;
    const fields = read.json('value');
    const isObject = typeof fields === 'object' && fields !== null && !Array.isArray(fields);
    if (!isObject) read.addTodo('Enter its fields.');
    return { operation: 'hash_set', key: read.text('key'), fields: isObject ? fields : undefined };
  },
  delete: (read) => ({ operation: 'delete', key: read.text('key') }),
  incr: (read) => {
    if (read.isSet('expire')) read.addTodo('Add a node that sets when the key expires.');
    return { operation: 'increment', key: read.text('key') };
  },
  keys: (read) => {
    if (read.get('getValues') !== false) read.addTodo('Add a node that reads the values: this one finds keys.');
    return { operation: 'keys', pattern: read.text('keyPattern') };
  },
  push: (read) => ({
    operation: 'push',
    key: read.text('list'),
    value: read.value('messageData') ?? '',
    end: redisListEnd(read, 'first'),
  }),
  pop: (read) => ({ operation: 'pop', key: read.text('list'), end: redisListEnd(read, 'first'), readAs: 'json' }),
  publish: (read) => ({
    operation: 'publish',
    channel: read.text('channel'),
    value: read.value('messageData') ?? '',
  }),
};

/** The parameter that names the field for the result, by operation. Other operations pass their input on. */
const REDIS_RESULT_FIELDS: Readonly<Record<string, string>> = { get: 'propertyName', pop: 'propertyName', incr: 'key' };

/** Gives the result of our node the form that n8n's node has. */
function withN8nRedisResult(conversion: NodeConversion, operation: string, piece: ConvertedCall): ConvertedCall {
  if (operation === 'keys') {
    conversion.addTodo('Check its result: a list of names.');
    return piece;
  }
  const field = Object.hasOwn(REDIS_RESULT_FIELDS, operation) ? REDIS_RESULT_FIELDS[operation] : undefined;
  if (field === undefined) return { ...piece, shape: '(_, item) => item' };
  const name = conversion.node.parameters[field] ?? 'propertyName';
  if (typeof name !== 'string' || isN8nExpression(name) || piece.isList) return piece;
  return { ...piece, shape: `(value) => ({ ${JSON.stringify(name)}: value })` };
}

const convertRedis: NodeConverter = (conversion): ConvertedCall => {
  const operation = String(conversion.node.parameters['operation'] ?? 'info');
  const configOf = Object.hasOwn(REDIS_CONFIGS, operation) ? REDIS_CONFIGS[operation] : undefined;
  const config = configOf?.(new ParameterReader(conversion, conversion.expressions));
  if (!config) return conversion.placeholder(`The node redis has no “${operation}” of this kind.`);
  addCredentialTodo(conversion, 'its credential for Redis');
  const entries = Object.entries(config).filter(([, value]) => value !== undefined);
  const call = conversion.createCall({ type: 'redis', config: Object.fromEntries(entries) });
  return withN8nRedisResult(conversion, operation, call);
};

export const REDIS_CONVERTERS: Readonly<Record<string, NodeConverter>> = { redis: convertRedis };
