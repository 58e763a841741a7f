import { TRPCClientError } from '@trpc/client';
import { expect, test } from 'vitest';
import { named } from './useReferences';

const refused = (code: string) =>
  Object.assign(new TRPCClientError(code), { data: { problem: { code, message: code, details: [] } } });

test('names of workflows and tables, and which of them are not visible', () => {
  const answers = [
    { data: { name: 'Orders' } },
    { error: refused('NOT_FOUND') },
    { error: refused('FORBIDDEN') },
    { error: refused('INTERNAL_ERROR') },
    {},
  ];
  const references = ['a', 'gone', 'secret', 'later', 'loading'].map((id) => ({ resource: 'table' as const, id }));
  expect(named(references, answers)).toEqual({
    a: { resource: 'table', id: 'a', name: 'Orders' },
    gone: { resource: 'table', id: 'gone', name: null },
    secret: { resource: 'table', id: 'secret', name: null },
  });
});
