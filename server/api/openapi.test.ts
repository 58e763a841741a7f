import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { operations } from '../operations';
import { useDatabase } from '../testing/database';
import { openApiJson, openApiYaml } from './description';
import { openApi } from './openapi';

useDatabase();

test('JSON and YAML say the same', async () => {
  const json = await (await openApiJson()).json();
  const yaml = parse(await (await openApiYaml()).text());
  expect(yaml).toEqual(json);
  expect(json.openapi).toBe('3.0.3');
});

test('each operation is described once, under its address, with its permission', () => {
  const { paths } = openApi();
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, value]) => `${method} ${path} ${(value as { operationId: string }).operationId}`,
    ),
  );
  const expected = operations.map(
    ({ method, path, id }) => `${method.toLowerCase()} ${path.replace('...}', '}')} ${id}`,
  );
  expect(described.toSorted()).toEqual(expected.toSorted());
});

test('every reference leads somewhere', () => {
  const text = JSON.stringify(openApi());
  const { components } = openApi();
  const refs = [...text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(([, name]) => name);
  expect(refs.length).toBeGreaterThan(10);
  expect(Object.keys(components['schemas'] ?? {})).toEqual(expect.arrayContaining(refs));
  expect(text).not.toContain('#/definitions');
});
