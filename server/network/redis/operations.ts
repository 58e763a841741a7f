import { createConfigFailure } from '@/server/platform/errors/node-failure';
import { findCommandRefusal } from './commands';
import type { SendRedisCommand } from './redis';
import type { ReplyJsonWriter } from './reply-json';
import type { RedisReply } from './session';

/** The input of an operation. Values are texts as they are stored. */
export interface RedisOperationInput {
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

/** The tools of an operation. `json` writes replies. */
interface RedisOperationTools {
  ask: SendRedisCommand;
  json: ReplyJsonWriter;
  warn(message: string): void;
}

/** Returns the result as JSON. */
type RedisOperation = (input: RedisOperationInput, tools: RedisOperationTools) => Promise<string>;

/** Keys that the server looks at in one step. */
const SCAN_PAGE_KEYS = '1000';

const isOneReply = (reply: RedisReply): string => JSON.stringify(reply === '1');

/** The cursor and the keys of a page. */
function readScanPage(reply: RedisReply): [string, RedisReply[]] {
  const [next, keys] = Array.isArray(reply) ? reply : [];
  return [String(next ?? '0'), Array.isArray(keys) ? keys : []];
}

export const REDIS_OPERATIONS = {
  get: async ({ key }, { ask, json }) => json.toJson(await ask('GET', key)),
  set: async ({ key, value, ttlMs, onlyIfAbsent }, { ask }) => {
    const expiry = ttlMs === undefined ? [] : ['PX', String(ttlMs)];
    const reply = await ask('SET', key, value, ...expiry, ...(onlyIfAbsent ? ['NX'] : []));
    return JSON.stringify(reply !== null);
  },
  delete: async ({ key }, { ask }) => isOneReply(await ask('DEL', key)),
  increment: async ({ key, by }, { ask, json }) => {
    if (Number.isSafeInteger(by)) return json.toJson(await ask('INCRBY', key, String(by)));
    const sum = String(await ask('INCRBYFLOAT', key, String(by)));
    return JSON.stringify(Number.isFinite(Number(sum)) ? Number(sum) : sum);
  },
  expire: async ({ key, ttlMs }, { ask }) =>
    isOneReply(ttlMs === undefined ? await ask('PERSIST', key) : await ask('PEXPIRE', key, String(ttlMs))),
  push: async ({ key, value, end }, { ask, json }) =>
    json.toJson(await ask(end === 'first' ? 'LPUSH' : 'RPUSH', key, value)),
  pop: async ({ key, end }, { ask, json }) => json.toJson(await ask(end === 'first' ? 'LPOP' : 'RPOP', key)),
  range: async ({ key, from, to }, { ask, json }) => json.toJson(await ask('LRANGE', key, String(from), String(to))),
  hash_get: async ({ key, field }, { ask, json }) => json.toJson(await ask('HGET', key, field)),
  hash_set: async ({ key, fields }, { ask, json }) => json.toJson(await ask('HSET', key, ...fields.flat())),
  hash_get_all: async ({ key }, { ask, json }) => json.toJsonObject(await ask('HGETALL', key)),
  set_add: async ({ key, value }, { ask }) => isOneReply(await ask('SADD', key, value)),
  set_members: async ({ key }, { ask, json }) => json.toJson(await ask('SMEMBERS', key)),
  publish: async ({ channel, value }, { ask, json }) => json.toJson(await ask('PUBLISH', channel, value)),
  keys: async ({ pattern, limit }, { ask, json, warn }) => {
    // The keys, as JSON. The server may return one twice while it moves its keys.
    const found = new Set<string>();
    let cursor = '0';
    do {
      const [next, keys] = readScanPage(await ask('SCAN', cursor, 'MATCH', pattern, 'COUNT', SCAN_PAGE_KEYS));
      for (const key of keys) if (found.size <= limit) found.add(json.plain(String(key)));
      cursor = next;
    } while (cursor !== '0' && found.size <= limit);
    if (found.size > limit) warn(`There are more keys: only ${limit} were read`);
    return `[${[...found].slice(0, limit).join(',')}]`;
  },
  command: async ({ command, arguments: values }, { ask, json }) => {
    const name = command.trim().toUpperCase();
    const refusal = findCommandRefusal(name, values);
    if (refusal) throw createConfigFailure('command', `${name} ${refusal}.`);
    return json.toJson(await ask(name, ...values));
  },
} as const satisfies Record<string, RedisOperation>;

export type RedisOperationName = keyof typeof REDIS_OPERATIONS;
