import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { operations } from '../operations';
import { useDatabase } from '../testing/database';
import { openApi } from './openapi';

useDatabase();

const APP = path.resolve(import.meta.dirname, '../../app');

/** Doors of operations lie in these folders; next-auth, tRPC and "nothing here" are no operations. */
const ROOMS = /^(api|auth|webhooks)\//;
const OTHERS = /\[\.\.\.nextauth\]|^api\/trpc\/|\[\[\.\.\.rest\]\]/;

const routeFiles = readdirSync(APP, { recursive: true, encoding: 'utf8' })
  .filter((file) => path.basename(file) === 'route.ts')
  .map((file) => file.replaceAll(path.sep, '/'))
  .filter((file) => ROOMS.test(file) && !OTHERS.test(file));

/** `api/workflows/[id]/route.ts` stands for `/api/workflows/{id}`. */
const pathOf = (file: string) =>
  `/${path.posix.dirname(file)}`.replace(/\[\.\.\.(\w+)\]/g, '{$1...}').replace(/\[(\w+)\]/g, '{$1}');

const addresses = [...new Set(operations.map((operation) => operation.path))];

test('every address has its route file, and every route file an address', () => {
  expect(routeFiles.map(pathOf).toSorted()).toEqual(addresses.toSorted());
});

test('each route file opens the door of its own address', async () => {
  for (const file of routeFiles) {
    const route = (await import(path.join(APP, file))) as Record<string, (request: Request) => Promise<Response>>;
    const here = operations.filter((operation) => operation.path === pathOf(file));
    const url = `http://weft.test${pathOf(file).replace(/\{[^}]+\}/g, 'x')}`;
    const missing = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'].filter(
      (method) => !here.some((operation) => operation.method === method),
    );
    for (const method of missing) {
      const response = await route[method]!(new Request(url, { method }));
      expect(response.status, `${method} ${file}`).toBe(405);
      expect(response.headers.get('allow')).toBe(here.map((operation) => operation.method).join(', '));
    }
    for (const operation of here) {
      const response = await route[operation.method]!(new Request(url, { method: operation.method }));
      expect(response.status, `${operation.method} ${file}`).not.toBe(405);
    }
  }
});

test('ids and addresses are unique, and the description has them all', () => {
  const doors = operations.map(({ method, path: address }) => `${method} ${address}`);
  expect(new Set(doors).size).toBe(doors.length);
  expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length);
  expect(Object.keys(openApi().paths).toSorted()).toEqual(addresses.map((one) => one.replace('...}', '}')).toSorted());
});

test('whatever changes something is audited', () => {
  const silent = operations.filter(({ method, audit, access }) => method !== 'GET' && !audit && access !== 'public');
  expect(silent.map(({ id }) => id)).toEqual([]);
});
