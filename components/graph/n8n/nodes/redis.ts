import type { Conversion, Piece } from '../conversion';
import { quoted } from '../javascript/code';
import { isExpression } from '../text';
import type { Convert } from './flow';
import { needsCredential } from './http';
import { Reader } from './services/service';

type Config = Record<string, unknown>;

/** An operation of n8n as a config. */
type ConfigOf = (read: Reader) => Config | undefined;

/** The time after which a key expires: seconds in n8n. */
function expiry(read: Reader): Config {
  if (!read.isSet('expire')) return {};
  const seconds = Number(read.get('ttl') ?? 60);
  if (Number.isFinite(seconds) && seconds > 0) return { ttlMs: Math.round(seconds * 1000) };
  read.todo('Enter when the key expires.');
  return {};
}

/** How n8n reads a key of each type. */
const GETS: Readonly<Record<string, Config>> = {
  automatic: { operation: 'get' },
  string: { operation: 'get' },
  hash: { operation: 'hash_get_all' },
  list: { operation: 'range' },
  sets: { operation: 'set_members' },
};

const endOf = (read: Reader, standard: string) => (read.isSet('tail') ? 'last' : standard);

const CONFIGS: Readonly<Record<string, ConfigOf>> = {
  get: (read) => {
    const type = String(read.get('keyType') ?? 'automatic');
    if (type === 'automatic') read.say('n8n finds out the type of the key: here it is a text.');
    return Object.hasOwn(GETS, type) ? { ...GETS[type], key: read.text('key') } : undefined;
  },
  set: (read) => {
    const type = String(read.get('keyType') ?? 'automatic');
    if (type === 'automatic' || type === 'string')
      return { operation: 'set', key: read.text('key'), value: read.value('value') ?? '', ...expiry(read) };
    if (type !== 'hash') return undefined;
    const fields = read.json('value');
    const isObject = typeof fields === 'object' && fields !== null && !Array.isArray(fields);
    if (!isObject) read.todo('Enter its fields.');
    return { operation: 'hash_set', key: read.text('key'), fields: isObject ? fields : undefined };
  },
  delete: (read) => ({ operation: 'delete', key: read.text('key') }),
  incr: (read) => {
    if (read.isSet('expire')) read.todo('Add a node that sets when the key expires.');
    return { operation: 'increment', key: read.text('key') };
  },
  keys: (read) => {
    if (read.get('getValues') !== false) read.todo('Add a node that reads the values: this one finds keys.');
    return { operation: 'keys', pattern: read.text('keyPattern') };
  },
  push: (read) => ({
    operation: 'push',
    key: read.text('list'),
    value: read.value('messageData') ?? '',
    end: endOf(read, 'first'),
  }),
  pop: (read) => ({ operation: 'pop', key: read.text('list'), end: endOf(read, 'first'), readAs: 'json' }),
  publish: (read) => ({
    operation: 'publish',
    channel: read.text('channel'),
    value: read.value('messageData') ?? '',
  }),
};

/** Operations that give a value: the field in which n8n has it. Others pass on what comes in. */
const FIELDS: Readonly<Record<string, string>> = { get: 'propertyName', pop: 'propertyName', incr: 'key' };

/** What n8n's node gives, from what ours does. */
function given(conversion: Conversion, operation: string, piece: Piece): Piece {
  if (operation === 'keys') return piece;
  const field = Object.hasOwn(FIELDS, operation) ? FIELDS[operation] : undefined;
  if (field === undefined) {
    const { code, isList } = conversion.source;
    return { ...piece, result: { path: undefined, code, isList } };
  }
  const name = conversion.node.parameters[field] ?? 'propertyName';
  const { code, isList } = piece.result;
  if (typeof name !== 'string' || isExpression(name) || isList) return piece;
  return { ...piece, result: { path: undefined, code: `{ ${quoted(name)}: ${code} }`, isList } };
}

const redis: Convert = (conversion): Piece => {
  const operation = String(conversion.node.parameters['operation'] ?? 'info');
  const configOf = Object.hasOwn(CONFIGS, operation) ? CONFIGS[operation] : undefined;
  const first = configOf?.(new Reader(conversion, conversion.ofEach));
  if (!configOf || !first) return conversion.placeholder(`The node redis has no “${operation}” of this kind.`);
  needsCredential(conversion, 'its credential for Redis');
  const piece = conversion.each((expressions) => {
    const config = configOf(new Reader(conversion, expressions)) ?? first;
    const entries = Object.entries(config).filter(([, value]) => value !== undefined);
    return { type: 'redis', config: Object.fromEntries(entries) };
  });
  return given(conversion, operation, piece);
};

export const REDIS: Readonly<Record<string, Convert>> = { redis };
