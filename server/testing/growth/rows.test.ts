import { beforeAll, expect, test } from 'vitest';
import { useDatabase } from '@/server/testing/database';
import { buildUser, call } from '../factories';
import { findAllGrowth } from './growth';
import { inputOf, type Make, type Target } from './operation-inputs';
import { useListener } from './requests';
import { listed, repeated } from './texts';

useDatabase({ rateLimitTier: 'unlimited', trustProxy: 1 });
const listener = useListener();

const MINUTES = 10 * 60_000;
const LARGEST = 1024 * 1024 - 4096;
/** Rows of the largest body. */
const ROWS = 600;

let target: Target;
beforeAll(async () => {
  const { token } = await buildUser();
  const body = { name: 'Rows', columns: [{ name: 'cell', type: 'json' }] };
  const table = await call<{ id: string }>('POST', '/api/tables', { token, body });
  target = { listener, address: `/api/tables/${table.body.id}/rows`, headers: { authorization: `Bearer ${token}` } };
});

const rowsWith =
  (cell: (size: number) => string): Make =>
  (size) => ({
    headers: { 'content-type': 'application/json' },
    body: `{"rows":[${listed(size - LARGEST / ROWS, `{"cell":${cell(LARGEST / ROWS - 16)}}`, ',')}]}`,
  });

const CELLS: Record<string, (size: number) => string> = {
  'lists of small numbers': (size) => `[${repeated(size, '1,')}1]`,
  'lists in lists': (size) => `[${repeated(size, '[1],')}1]`,
  letters: (size) => `"${repeated(size / 2, 'é')}"`,
  files: (size) => `[${repeated(size, '{"$file":"file_0123456789"},')}1]`,
};

test.each(Object.entries(CELLS))('rows with cells of %s', { timeout: MINUTES }, async (name, cell) => {
  const inputs = [inputOf(target, 'POST', [name, LARGEST, rowsWith(cell)])];
  expect(await findAllGrowth(inputs)).toEqual([]);
});
