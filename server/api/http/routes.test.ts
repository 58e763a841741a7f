import { expect, test } from 'vitest';
import type { OperationRecord } from '@/server/api/operation/operation';
import { operationTable } from '@/server/api/operations';
import { useDatabase } from '@/server/testing/database';
import { PROBE_ADDRESSES, routeWebRequest } from './routes';
import { buildOpenApiDocument } from './openapi/openapi';

useDatabase();

const paths = [...new Set(operationTable.map((operation) => operation.path))];

test('every path answers its methods and refuses the others', async () => {
  for (const path of paths) {
    const here = (operationTable as OperationRecord[]).filter((operation) => operation.path === path);
    const methods: string[] = here.flatMap(({ method, otherMethods = [] }) => [method, ...otherMethods]);
    const url = `http://weft.test${path.replace(/\{[^}]+\}/g, 'x')}`;
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      const response = await routeWebRequest(new Request(url, { method }));
      const isOperation = methods.includes(method);
      expect(response.status === 405, `${method} ${path}`).toBe(!isOperation);
      if (isOperation) continue;
      expect(response.headers.get('allow')).toBe(methods.join(', '));
    }
  }
});

test('ids and endpoints are unique, and the API description contains them all', () => {
  const endpoints = operationTable.map(({ method, path }) => `${method} ${path}`);
  expect(new Set(endpoints).size).toBe(endpoints.length);
  expect(new Set(operationTable.map(({ id }) => id)).size).toBe(operationTable.length);
  const described = [...paths.map((one) => one.replace('...}', '}')), ...PROBE_ADDRESSES, '/.well-known/security.txt'];
  expect(Object.keys(buildOpenApiDocument().paths).toSorted()).toEqual(described.toSorted());
});
