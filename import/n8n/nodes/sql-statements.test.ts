import { expect, it } from 'vitest';
import { planN8nImport } from '../plan';

/** The node that calls in place of a node of n8n, and what is to check. */
function importSql(type: 'postgres' | 'mySql', parameters: object) {
  const position = [0, 0];
  const nodes = [
    { name: 'Go', type: 'n8n-nodes-base.manualTrigger', parameters: {}, typeVersion: 1, position },
    { name: 'Ask', type: `n8n-nodes-base.${type}`, parameters, typeVersion: 2.5, position },
  ];
  const connections = { Go: { main: [[{ node: 'Ask', type: 'main', index: 0 }]] } };
  const { definition, record } = planN8nImport({ name: 'X', nodes, connections });
  return {
    config: definition.nodes.find(({ name }) => name === 'Ask: call')?.config,
    checks: record.report.filter(({ kind }) => kind === 'check').map(({ message }) => message),
  };
}

const table = { table: { __rl: true, mode: 'list', value: 'people' } };
const where = (...values: object[]) => ({ where: { values } });
const columns = (value: object, ...matchingColumns: string[]) => ({
  columns: { mappingMode: 'defineBelow', value, matchingColumns },
});

it.each<[object, object]>([
  [
    {
      operation: 'select',
      ...table,
      ...where({ column: 'city', value: '={{ $json.city }}' }, { column: 'age', condition: '>', value: '17' }),
      sort: { values: [{ column: 'age', direction: 'DESC' }] },
    },
    {
      statement: 'SELECT * FROM "people" WHERE "city" = :v1 AND "age" > :v2 ORDER BY "age" DESC LIMIT 50',
      parameters: { v1: '{{ $json.city }}', v2: 17 },
      mode: 'rows',
    },
  ],
  [
    {
      operation: 'select',
      ...table,
      ...where({ column: 'left', condition: 'IS NULL' }, { column: 'name', condition: 'LIKE', value: 'A%' }),
      combineConditions: 'OR',
      returnAll: true,
      options: { outputColumns: ['name'] },
    },
    { statement: 'SELECT "name" FROM "people" WHERE "left" IS NULL OR "name" LIKE :v1', parameters: { v1: 'A%' } },
  ],
  [
    { ...table, ...columns({ name: '={{ $json.name }}' }) },
    { statement: 'INSERT INTO "people" ("name") VALUES (:v1) RETURNING *', mode: 'rows' },
  ],
  [
    { ...table, ...columns({ name: 'Ada' }), options: { outputColumns: ['id'] } },
    { statement: 'INSERT INTO "people" ("name") VALUES (:v1) RETURNING "id"', mode: 'rows' },
  ],
  [
    { operation: 'update', ...table, ...columns({ id: 1, name: 'Ada' }, 'id') },
    { statement: 'UPDATE "people" SET "name" = :v1 WHERE "id" = :v2 RETURNING *', parameters: { v1: 'Ada', v2: 1 } },
  ],
  [
    { operation: 'upsert', ...table, ...columns({ id: 1, name: 'Ada' }, 'id') },
    {
      statement:
        'INSERT INTO "people" ("id", "name") VALUES (:v1, :v2) ON CONFLICT ("id") DO UPDATE SET "name" = :v2 RETURNING *',
    },
  ],
  [
    { operation: 'deleteTable', deleteCommand: 'delete', ...table, ...where({ column: 'id', value: 1 }) },
    { statement: 'DELETE FROM "people" WHERE "id" = :v1', mode: 'execute' },
  ],
  [
    { operation: 'executeQuery', query: "SELECT * FROM people WHERE name = '{{ $json.name }}' LIMIT 1" },
    {
      statement: 'SELECT * FROM people WHERE name = :p1 LIMIT 1',
      parameters: { p1: '{{ String(($json.name)) }}' },
      mode: 'rows',
    },
  ],
])('%j is a statement', (parameters, expected) => {
  const { config, checks } = importSql('postgres', parameters);
  expect(config).toMatchObject(expected);
  expect(checks).toEqual([]);
});

it('MySQL gives no rows of what it writes', () => {
  const { config } = importSql('mySql', { ...table, ...columns({ name: 'Ada' }) });
  expect(config).toMatchObject({ statement: 'INSERT INTO `people` (`name`) VALUES (:v1)', mode: 'execute' });
});

it('MySQL gives each row once, where n8n does', () => {
  const options = { selectDistinct: true, outputColumns: ['city'] };
  const { config } = importSql('mySql', { operation: 'select', ...table, returnAll: true, options });
  expect(config).toMatchObject({ statement: 'SELECT DISTINCT `city` FROM `people`' });
});

it.each<[object]>([
  [{ ...table, ...columns({ name: 'Ada' }), options: { outputColumns: '={{ $json.columns }}' } }],
  [{ operation: 'executeQuery', query: '=SELECT * FROM {{ $json.table }}' }],
  [{ operation: 'executeQuery', query: '=SELECT * FROM people WHERE id IN ({{ $json.ids }})' }],
  [{ operation: 'select', ...table, ...where({ column: '={{ $json.column }}', value: 1 }) }],
  [{ operation: 'update', ...table, columns: { mappingMode: 'autoMapInputData', value: {} } }],
  [{ operation: 'deleteTable', deleteCommand: 'drop', ...table }],
  [{ operation: 'deleteTable', deleteCommand: 'delete', ...table, where: '={{ $json.where }}' }],
  [{ operation: 'deleteTable', deleteCommand: 'delete', ...table, where: { values: [null] } }],
  [
    {
      operation: 'deleteTable',
      deleteCommand: 'delete',
      ...table,
      ...where({ column: 'id', value: 1 }, { column: 'age', value: 2 }),
      combineConditions: '={{ $json.join }}',
    },
  ],
  // The values were entered before the columns were filled from the item.
  [{ operation: 'insert', ...table, columns: { mappingMode: 'autoMapInputData', value: { id: 0 } } }],
  [
    {
      operation: 'insert',
      ...table,
      dataMode: 'autoMapInputData',
      valuesToSend: { values: [{ column: 'id', value: 0 }] },
    },
  ],
  [{ operation: 'executeQuery', query: "SELECT 1 -- don't\n, 'of {{ $json.name }} too'" }],
])('%j is left to a person', (parameters) => {
  const { config, checks } = importSql('postgres', parameters);
  expect(config).not.toHaveProperty('statement');
  expect(checks).toEqual(['Write its statement.']);
});

it.each([
  [
    "SELECT * FROM a WHERE b ILIKE '%' || '{{ $json.b }}%' LIMIT 1",
    "'%' || :p1 LIMIT 1",
    { p1: '{{ String(($json.b)) }}%' },
  ],
  [
    "=SELECT * FROM a WHERE b LIKE '%{{ $json.b }}-{{ $json.c }}%'",
    'LIKE :p1',
    { p1: '%{{ $json.b }}-{{ $json.c }}%' },
  ],
  // What is missing is the text “undefined” in n8n: with an empty one all rows would go.
  ["DELETE FROM a WHERE b LIKE '%{{ $json.b }}%'", 'LIKE :p1', { p1: '%{{ String(($json.b)) }}%' }],
  [
    "=SELECT * FROM a WHERE c = 1 AND '{{ $json.b }}' = ANY(tags)",
    'AND :p1 = ANY(tags)',
    { p1: '{{ n8n.text(() => ($json.b)) }}' },
  ],
  [
    "=UPDATE a SET c = 'x', b = 'on {{ $json.b }}' WHERE id = {{ $json.id }}",
    'b = :p1 WHERE id = :p2',
    { p2: '{{ $json.id }}' },
  ],
])('a text with an expression is a value: %s', (query, end, expected) => {
  const { config, checks } = importSql('postgres', { operation: 'executeQuery', query });
  expect(checks).toEqual([]);
  expect(String(config?.['statement']).endsWith(end)).toBe(true);
  expect(config?.['parameters']).toMatchObject(expected);
});

it.each([
  "SELECT now() - INTERVAL '{{ $json.days }} days'",
  "SELECT * FROM a WHERE b = E'{{ $json.b }}'",
  "SELECT * FROM a WHERE b = 'it''s {{ $json.b }}'",
  "SELECT * FROM a WHERE b = '{{ $json.b }}''s'",
  "SELECT * FROM a WHERE data->>'{{ $json.b }}' = 'x'",
  "SELECT * FROM a WHERE b = ANY(ARRAY['{{ $json.list.join(\"','\") }}'])",
  "SELECT * FROM a WHERE b = 'never ends {{ $json.b }}",
  'SELECT * FROM a WHERE "b {{ $json.b }}" = 1',
  "SELECT * FROM a WHERE b = concat(lower('A'), '{{ $json.b }}')",
  'INSERT INTO a (b) VALUES ($${{ $json.b }}$$)',
  "INSERT INTO a (b) VALUES ($t$'{{ $json.b }}'$t$)",
  "SELECT 'it\\'s', '{{ $json.b }}'",
  "SELECT * FROM a WHERE b = '{{ $json.b.replace(/'/g, '&') }}'",
  "SELECT * FROM a WHERE b = {{ '\\'' + $json.b + '\\'' }}",
  "SELECT * FROM a WHERE b = {{ `'${$json.b}'` }}",
  'SELECT * FROM a WHERE b = ANY(ARRAY[{{ $json.ids }}])',
  "INSERT INTO a (b, c) VALUES ({{ Object.values($json).join(', ') }})",
  "INSERT INTO a (b) VALUES ({{ $json.b ?? 'NULL' }})",
])('an expression that is no value alone is to write: %s', (query) => {
  expect(importSql('postgres', { operation: 'executeQuery', query }).checks).toEqual(['Write its statement.']);
});

it.each(['SELECT * FROM a WHERE b LIKE "%{{ $json.b }}%"', "# don't\nSELECT * FROM a WHERE b = '{{ $json.b }}'"])(
  'a text of MySQL that no parameter can replace is to write: %s',
  (query) => {
    expect(importSql('mySql', { operation: 'executeQuery', query }).checks).toEqual(['Write its statement.']);
  },
);

it('a quote in another text ends none', () => {
  const query = `SELECT * FROM a WHERE b = "it's" AND c = '{{ $json.c }}'`;
  const { config, checks } = importSql('mySql', { operation: 'executeQuery', query });
  expect(config).toMatchObject({ statement: `SELECT * FROM a WHERE b = "it's" AND c = :p1` });
  expect(checks).toEqual([]);
});
