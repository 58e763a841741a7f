import { TRPCClientError } from '@trpc/client';
import { expect, test } from 'vitest';
import { calledWorkflows } from './useCalledWorkflows';

const refused = (code: string) =>
  Object.assign(new TRPCClientError(code), { data: { problem: { code, message: code, details: [] } } });

test('names of called workflows, and which of them are not visible', () => {
  const answers = [
    { data: { name: 'Orders' } },
    { error: refused('NOT_FOUND') },
    { error: refused('FORBIDDEN') },
    { error: refused('INTERNAL_ERROR') },
    {},
  ];
  expect(calledWorkflows(['a', 'gone', 'secret', 'later', 'loading'], answers)).toEqual({
    a: { id: 'a', name: 'Orders' },
    gone: { id: 'gone', name: null },
    secret: { id: 'secret', name: null },
  });
});
