import { NodeFailure } from '@/server/errors/node-failure';
import { refusalOf } from './commands';
import type { Ask } from './redis';
import type { ReplyJson } from './reply-json';
import type { Reply } from './session';

/** What an operation is given. Values are texts as they are stored. */
export interface OperationInput {
  key: string;
  value: string;
  /** Milliseconds until the key expires; undefined: never. */
  ttlMs: number | undefined;
  onlyIfAbsent: boolean;
  by: number;
  end: 'first' | 'last';
  from: number;
  to: number;
  field: string;
  fields: [string, string][];
  channel: string;
  pattern: string;
  limit: number;
  command: string;
  arguments: string[];
}

/** What an operation works with. `json` writes replies. */
interface Tools {
  ask: Ask;
  json: ReplyJson;
  warn(message: string): void;
}

/** Returns the result as JSON. */
type Operation = (input: OperationInput, tools: Tools) => Promise<string>;

/** Keys that the server looks at in one step. */
const SCAN_COUNT = '1000';

const isOne = (reply: Reply): string => JSON.stringify(reply === '1');

/** The cursor and the keys of a page. */
function pageIn(reply: Reply): [string, Reply[]] {
  const [next, keys] = Array.isArray(reply) ? reply : [];
  return [String(next ?? '0'), Array.isArray(keys) ? keys : []];
}

export const OPERATIONS = {
  get: async ({ key }, { ask, json }) => json.of(await ask('GET', key)),
  set: async ({ key, value, ttlMs, onlyIfAbsent }, { ask }) => {
    const expiry = ttlMs === undefined ? [] : ['PX', String(ttlMs)];
    const reply = await ask('SET', key, value, ...expiry, ...(onlyIfAbsent ? ['NX'] : []));
    return JSON.stringify(reply !== null);
  },
  delete: async ({ key }, { ask }) => isOne(await ask('DEL', key)),
  increment: async ({ key, by }, { ask, json }) => {
    if (Number.isSafeInteger(by)) return json.of(await ask('INCRBY', key, String(by)));
    const sum = String(await ask('INCRBYFLOAT', key, String(by)));
    return JSON.stringify(Number.isFinite(Number(sum)) ? Number(sum) : sum);
  },
  expire: async ({ key, ttlMs }, { ask }) =>
    isOne(ttlMs === undefined ? await ask('PERSIST', key) : await ask('PEXPIRE', key, String(ttlMs))),
  push: async ({ key, value, end }, { ask, json }) =>
    json.of(await ask(end === 'first' ? 'LPUSH' : 'RPUSH', key, value)),
  pop: async ({ key, end }, { ask, json }) => json.of(await ask(end === 'first' ? 'LPOP' : 'RPOP', key)),
  range: async ({ key, from, to }, { ask, json }) => json.of(await ask('LRANGE', key, String(from), String(to))),
  hash_get: async ({ key, field }, { ask, json }) => json.of(await ask('HGET', key, field)),
  hash_set: async ({ key, fields }, { ask, json }) => json.of(await ask('HSET', key, ...fields.flat())),
  hash_get_all: async ({ key }, { ask, json }) => json.object(await ask('HGETALL', key)),
  set_add: async ({ key, value }, { ask }) => isOne(await ask('SADD', key, value)),
  set_members: async ({ key }, { ask, json }) => json.of(await ask('SMEMBERS', key)),
  publish: async ({ channel, value }, { ask, json }) => json.of(await ask('PUBLISH', channel, value)),
  keys: async ({ pattern, limit }, { ask, json, warn }) => {
    // As JSON. A key may come twice while the server moves its keys.
    const found = new Set<string>();
    let cursor = '0';
    do {
      const [next, keys] = pageIn(await ask('SCAN', cursor, 'MATCH', pattern, 'COUNT', SCAN_COUNT));
      for (const key of keys) if (found.size <= limit) found.add(json.plain(String(key)));
      cursor = next;
    } while (cursor !== '0' && found.size <= limit);
    if (found.size > limit) warn(`There are more keys: only ${limit} were read`);
    return `[${[...found].slice(0, limit).join(',')}]`;
  },
  command: async ({ command, arguments: values }, { ask, json }) => {
    const name = command.trim().toUpperCase();
    const refusal = refusalOf(name, values);
    if (refusal) throw new NodeFailure('CONFIG', `config.command: ${name} ${refusal}.`, false);
    return json.of(await ask(name, ...values));
  },
} as const satisfies Record<string, Operation>;

export type OperationName = keyof typeof OPERATIONS;
