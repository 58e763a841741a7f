import { expect, test } from 'vitest';
import type { Operation } from '@/server/api/operation';
import { operations } from '@/server/operations';
import { useDatabase } from '@/server/testing/database';
import { PROBES, dispatch } from './routes';
import { openApi } from './openapi/openapi';

useDatabase();

const paths = [...new Set(operations.map((operation) => operation.path))];

test('every path answers its methods and refuses the others', async () => {
  for (const path of paths) {
    const here = (operations as Operation[]).filter((operation) => operation.path === path);
    const methods: string[] = here.flatMap(({ method, otherMethods = [] }) => [method, ...otherMethods]);
    const url = `http://weft.test${path.replace(/\{[^}]+\}/g, 'x')}`;
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      const response = await dispatch(new Request(url, { method }));
      const isOperation = methods.includes(method);
      expect(response.status === 405, `${method} ${path}`).toBe(!isOperation);
      if (isOperation) continue;
      expect(response.headers.get('allow')).toBe(methods.join(', '));
    }
  }
});

test('ids and endpoints are unique, and the API description contains them all', () => {
  const endpoints = operations.map(({ method, path }) => `${method} ${path}`);
  expect(new Set(endpoints).size).toBe(endpoints.length);
  expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length);
  const described = [...paths.map((one) => one.replace('...}', '}')), ...PROBES, '/.well-known/security.txt'];
  expect(Object.keys(openApi().paths).toSorted()).toEqual(described.toSorted());
});
