import type { z } from 'zod';
import { databasePool } from '@/server/platform/db/client';
import type { OperationRecord } from '@/server/api/operation/operation';
import { jsonReplyIn } from '@/server/api/operation/operation-parts';
import { fieldsOf, numbered, repeated, type Family } from './texts';
import { BYTES_PER_MIB } from '@/contract/units';

/** JSON as members store it: objects with many fields, and letters that take several bytes. */
const MANY: Record<string, Family> = {
  'many fields': (size) => `{${fieldsOf(size)}}`,
  'small lists': (size) => `{"a":[${repeated(size, '[1],')}[]]}`,
  letters: (size) => `{"a":"${'é'.repeat(size / 2)}"}`,
};
/** The same where a body has at most 10,000 values. */
const SOME: Record<string, Family> = {
  'thousands of fields': (size) =>
    `{${numbered(Math.min(size, BYTES_PER_MIB), (at) => `"x${at}${'n'.repeat(95)}":1`, ',')}}`,
  letters: MANY['letters']!,
};

export interface StoredRead {
  families: Record<string, Family>;
  /** The largest value, in bytes. */
  largest: number;
  /** Stores the JSON `$1` in the objects of the workspace `$2`. */
  statements: string[];
}

const OF_WORKFLOWS = 'workflow_id IN (SELECT id FROM workflow WHERE workspace_id = $2)';
const OF_RUNS = 'execution_id IN (SELECT id FROM execution WHERE workspace_id = $2)';
const node = (config: string) =>
  `json_build_object('nodes', json_build_array(json_build_object('id', 'start', 'type', 'start',
    'position', json_build_object('x', 0, 'y', 0), 'config', ${config})), 'connections', json_build_array())`;
const definition = node(`json_build_object('inputSchema', json_build_object('default', $1::json))`);

const one = (statement: string, largest = BYTES_PER_MIB, families = SOME): StoredRead => ({
  families,
  largest,
  statements: [statement],
});

const versions = one(
  `UPDATE workflow_version SET definition = ${definition} WHERE ${OF_WORKFLOWS}`,
  BYTES_PER_MIB - 4096,
);
const drafts = one(`UPDATE invalid_draft SET definition = ${definition} WHERE ${OF_WORKFLOWS}`, BYTES_PER_MIB - 4096);
const workflows = one(
  `UPDATE workflow SET definition = ${definition}, status = 'active',
  settings = settings || '{"isTool": true}' WHERE workspace_id = $2`,
  BYTES_PER_MIB - 4096,
);
const tests = one(
  `UPDATE workflow_test SET input = $1::json, expectations = json_build_object('status', 'completed', 'output', $1::json, 'nodes', json_build_object()),
  mocks = json_build_object('start', json_build_object('output', $1::json)) WHERE ${OF_WORKFLOWS}`,
  BYTES_PER_MIB,
  MANY,
);
const schedules = one(`UPDATE schedule SET input = $1::json WHERE ${OF_WORKFLOWS}`);
const polls = one(
  `UPDATE poll SET cursor = $1::json, node = json_build_object('type', 'http_request', 'config', $1::json) WHERE ${OF_WORKFLOWS}`,
);
const runs: StoredRead = {
  families: MANY,
  largest: 10 * BYTES_PER_MIB - 4096,
  statements: [
    `UPDATE execution SET input = $1::json, output = $1::json, status = 'completed', trigger = 'test', rerun_of = id, completed_at = now()
     WHERE workspace_id = $2`,
    `UPDATE node_result SET output = $1::json, large_bytes = octet_length($1::text), status = 'completed' WHERE ${OF_RUNS}`,
  ],
};
const results: StoredRead = { ...runs, largest: BYTES_PER_MIB };
const credentials = one('UPDATE credential SET config = $1::json WHERE workspace_id = $2');
const connectors =
  one(`UPDATE connector_operation SET record = (record::jsonb || jsonb_build_object('example', $1::jsonb))::json
  WHERE connector_id IN (SELECT id FROM connector WHERE workspace_id = $2)`);
const variables = one('UPDATE variable SET value = $1::json WHERE workspace_id = $2');
const providers = one(
  `UPDATE sso_provider SET last_sign_in =
  json_build_object('at', '2026-01-01T00:00:00.000Z', 'isOk', true, 'reason', null, 'claims', $1::json) WHERE workspace_id = $2`,
  64 * 1024,
);

/** How each read of JSON that members, senders and servers have stored is given large objects. */
export const READS: Record<string, StoredRead> = {
  'workflows.get': workflows,
  'workflows.tools': workflows,
  'drafts.get': versions,
  'versions.get': versions,
  'invalidDrafts.get': drafts,
  'pins.list': one(`UPDATE workflow_pin SET output = $1::json WHERE ${OF_WORKFLOWS}`, BYTES_PER_MIB, MANY),
  'workflowTests.list': tests,
  'workflowTests.get': tests,
  'workflowTests.compare': results,
  'workflowTests.result': { ...results, statements: [...results.statements, ...tests.statements] },
  'executions.get': runs,
  'executions.nodeResult': runs,
  'listeners.get': { ...runs, largest: 256 * 1024 },
  'schedules.list': schedules,
  'schedules.get': schedules,
  'polls.list': polls,
  'polls.get': polls,
  'credentials.list': credentials,
  'credentials.get': credentials,
  'connectors.list': connectors,
  'connectors.get': connectors,
  'variables.list': variables,
  'variables.get': variables,
  'ssoProviders.list': providers,
  'ssoProviders.get': providers,
};

/**
 * Reads of JSON that is part of the program, or that a server sends at that moment, which the tests of clients try.
 * docs/performance.md lists all that are not tried. The parameters of errors, in lists of runs and in logs, and those of
 * the events of webhooks are few and short.
 */
export const NOT_TRIED = [
  'nodeTypes.list',
  'templates.get',
  'credentials.tools',
  'executions.list',
  'executions.logs',
  'projects.export',
  'audit.list',
  'audit.lines',
  'rows.list',
  'rows.get',
  'webhooks.list',
  'webhooks.get',
];

/** Objects of each kind in a list. */
const COPIES = 8;
/** What lists have besides the one object of the fixtures. */
const COPIED: [string, string][] = [
  ['schedule', OF_WORKFLOWS],
  ['workflow_test', OF_WORKFLOWS],
  ['poll', OF_WORKFLOWS],
  ['credential', 'workspace_id = $2'],
];

/** Copies the objects of a workspace that has one of each kind. */
export async function copyObjects(workspaceId: string): Promise<void> {
  for (const [table, condition] of COPIED)
    await databasePool().query(
      `INSERT INTO ${table} SELECT (jsonb_populate_record(given, jsonb_build_object('id', given.id || copy, 'name', copy::text))).*
       FROM ${table} given, generate_series(1, $1::int) AS copy WHERE ${condition}`,
      [COPIES - 1, workspaceId],
    );
  await databasePool().query(
    `INSERT INTO variable (workspace_id, name, value) SELECT $2, 'COPY_' || copy, '0' FROM generate_series(1, $1::int) AS copy`,
    [COPIES - 1, workspaceId],
  );
}

interface Def {
  type: string;
  shape?: Record<string, z.ZodType>;
  options?: z.ZodType[];
  items?: z.ZodType[];
  innerType?: z.ZodType;
  element?: z.ZodType;
  valueType?: z.ZodType;
  catchall?: z.ZodType;
  in?: z.ZodType;
  out?: z.ZodType;
}

/** Whether answers of this schema may have JSON of any size: values without a type, or objects with any fields. */
export function hasAnyJson(schema: z.ZodType, seen = new Set<z.ZodType>()): boolean {
  if (seen.has(schema)) return false;
  seen.add(schema);
  const def = schema.def as Def;
  if (['unknown', 'any', 'custom', 'record'].includes(def.type)) return true;
  const { shape = {}, options = [], items = [] } = def;
  return [
    ...Object.values(shape),
    ...options,
    ...items,
    def.innerType,
    def.element,
    def.valueType,
    def.catchall,
    def.in,
    def.out,
  ].some((inner) => inner !== undefined && hasAnyJson(inner, seen));
}

export function readsAnyJson(operation: OperationRecord): boolean {
  const reply = jsonReplyIn(operation);
  return operation.method === 'GET' && reply !== undefined && hasAnyJson(reply.schema);
}
