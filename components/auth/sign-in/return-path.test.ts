import { describe, expect, it } from 'vitest';
import { localReturnPath } from './return-path';

describe('returnPath', () => {
  it.each([
    ['/executions?status=failed', '/executions?status=failed'],
    [['/outbox', '/other'], '/outbox'],
    [undefined, '/workflows'],
    ['https://elsewhere.example/', '/workflows'],
    ['//elsewhere.example/', '/workflows'],
    ['/\\elsewhere.example', '/workflows'],
    ['/\t/elsewhere.example', '/workflows'],
    ['javascript:alert(1)', '/workflows'],
  ])('%s leads to %s', (wanted, path) => expect(localReturnPath(wanted)).toBe(path));
});
