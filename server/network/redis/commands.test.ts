import { expect, it } from 'vitest';
import { findCommandRefusal } from './commands';

it.each(
  `SUBSCRIBE PSUBSCRIBE SSUBSCRIBE MONITOR BLPOP BRPOP BLMOVE BLMPOP BZPOPMIN WAIT WAITAOF SELECT AUTH CLIENT HELLO RESET QUIT MULTI EXEC
  WATCH ASKING READONLY CONFIG ACL SHUTDOWN FLUSHALL FLUSHDB SWAPDB MOVE DEBUG MIGRATE RESTORE DUMP REPLICAOF SLAVEOF CLUSTER FAILOVER
  MODULE LATENCY SLOWLOG SAVE BGSAVE BGREWRITEAOF SYNC PSYNC INFO KEYS EVAL EVALSHA EVAL_RO FCALL SCRIPT FUNCTION COMMAND PUBSUB NONE
  get __proto__ constructor`.split(/\s+/),
)('%s is refused', (name) => {
  expect(findCommandRefusal(name)).toContain('is not a command that workflows may send');
});

it('commands that read or change data are allowed', () => {
  const names = ['GET', 'SET', 'ZADD', 'XADD', 'JSON.SET', 'PUBLISH', 'SCAN', 'EXPIRE', 'XREADGROUP'];
  expect(names.map((name) => findCommandRefusal(name))).toEqual(names.map(() => undefined));
});

it('streams are read without waiting', () => {
  expect(findCommandRefusal('XREAD', ['COUNT', '1', 'block', '0', 'STREAMS', 'a', '0'])).toContain('BLOCK');
  expect(findCommandRefusal('XREADGROUP', ['GROUP', 'g', 'c', 'BLOCK', '5', 'STREAMS', 'a', '>'])).toContain('BLOCK');
  expect(findCommandRefusal('XREAD', ['COUNT', '1', 'STREAMS', 'BLOCK', '0'])).toBeUndefined();
});
