import { expect, test } from 'vitest';
import {
  buildRequestUrl,
  exampleValue,
  groupOperations,
  listSchemaProperties,
  describeSchemaType,
  type ReferenceDocument,
  type DocumentedOperation,
} from './document';

const operation = (operationId: string, summary: string, tag: string): DocumentedOperation => ({
  operationId,
  summary,
  tags: [tag],
  responses: {},
});
const DOCUMENT: ReferenceDocument = {
  tags: [{ name: 'Workflows' }, { name: 'Files' }],
  paths: {
    '/api/workflows': {
      get: operation('workflows.list', 'List workflows', 'Workflows'),
      post: operation('workflows.create', 'Create a workflow', 'Workflows'),
    },
    '/api/files/{id}': { delete: operation('files.delete', 'Delete a file', 'Files') },
  },
  components: {
    schemas: {
      Tree: {
        type: 'object',
        required: ['name'],
        properties: {
          name: { type: 'string' },
          kind: { $ref: '#/components/schemas/Kind' },
          inside: { type: 'array', items: { $ref: '#/components/schemas/Tree' } },
        },
      },
      Kind: { type: 'string', enum: ['oak', 'elm'] },
    },
  },
};
const TREE = { $ref: '#/components/schemas/Tree' };

test('operations are grouped by tag and found by all words', () => {
  const ids = (search: string) => groupOperations(DOCUMENT, search).map(({ entries }) => entries.map(({ id }) => id));
  expect(ids('')).toEqual([['workflows.list', 'workflows.create'], ['files.delete']]);
  expect(ids('delete FILE')).toEqual([['files.delete']]);
  expect(ids('post workflows')).toEqual([['workflows.create']]);
  expect(ids('nothing')).toEqual([]);
});

test.each([
  [TREE, 'Tree'],
  [{ $ref: '#/components/schemas/Kind' }, '"oak", "elm"'],
  [{ type: 'array', items: TREE }, 'list of Tree'],
  [{ type: 'string', format: 'date-time', nullable: true }, 'text (date-time) or null'],
  [{ anyOf: [TREE, { type: 'object', nullable: true, enum: [null] }] }, 'Tree or null'],
  [{}, 'any value'],
])('%j is said as %s', (schema, text) => {
  expect(describeSchemaType(DOCUMENT, schema)).toBe(text);
});

test('a schema that contains itself ends', () => {
  expect(listSchemaProperties(DOCUMENT, TREE).map(({ path, isRequired }) => [path, isRequired])).toEqual([
    ['.name', true],
    ['.kind', false],
    ['.inside', false],
  ]);
});

test('an example has what is required', () => {
  expect(exampleValue(DOCUMENT, TREE)).toEqual({ name: '' });
  expect(exampleValue(DOCUMENT, { type: 'integer', minimum: 1 })).toBe(1);
});

test('values can not leave their place in an address', () => {
  const query = { name: 'search', in: 'query' } as const;
  const values = { 'path id': '../x?y', 'query search': 'a&b=c' };
  expect(buildRequestUrl('/api/files/{id}', [query], values)).toBe('/api/files/..%2Fx%3Fy?search=a%26b%3Dc');
  expect(buildRequestUrl('/api/files', [query], { 'query search': '' })).toBe('/api/files');
});
