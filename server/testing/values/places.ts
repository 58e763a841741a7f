import type { TableResponse } from '@/contract/tables/table';
import type { ExecutionResponse } from '@/contract/execution';
import { buildWorkflow, call, unique, type Refused, type TestUser } from '../factories';
import { flow, type Sketch } from '../flow';
import { deliver, register } from '../hooks';
import { until } from '../runs';
import { eachOf, field, formPlace, inputOf, refusal } from './callers';
import { givenOf, idOf, KIND_NAMES, Refusal, type Kind, type Place } from './kinds';
import { workflowPlace, type Steps } from './workflow-place';
import { buildWorldCredentials, type World } from './world';

const value = (kind: Kind) => `{{ execution.input.${idOf(kind)} }}`;
const v = (output: unknown) => field(output, 'v');

const POSTGRES: Partial<Record<Kind, string>> = {
  time: 'timestamptz',
  date: 'date',
  integer: 'bigint',
  '2^53 + 1': 'bigint',
  '2^63 − 1': 'bigint',
  decimal: 'numeric',
  'minus zero': 'float8',
  true: 'boolean',
  bytes: 'bytea',
  file: 'jsonb',
  list: 'jsonb',
  object: 'jsonb',
};
const MYSQL: Partial<Record<Kind, string>> = {
  time: 'DATETIME(3)',
  date: 'DATE',
  integer: 'BIGINT',
  '2^53 + 1': 'BIGINT',
  '2^63 − 1': 'BIGINT',
  decimal: 'DECIMAL(10,2)',
  'minus zero': 'DOUBLE',
  true: 'BOOLEAN',
  bytes: 'LONGBLOB',
  file: 'JSON',
  list: 'JSON',
  object: 'JSON',
};
const COLUMNS: Partial<Record<Kind, string>> = {
  time: 'timestamp',
  date: 'timestamp',
  integer: 'number',
  '2^53 + 1': 'number',
  '2^63 − 1': 'number',
  decimal: 'number',
  'minus zero': 'number',
  true: 'boolean',
  file: 'json',
  list: 'json',
  object: 'json',
};

async function tablePlace(user: TestUser, typeOf: (kind: Kind) => string): Promise<Place> {
  const columns = [
    ...KIND_NAMES.map((kind) => ({ name: idOf(kind), type: typeOf(kind) })),
    { name: 'kind', type: 'text' },
  ];
  const { body } = await call<TableResponse>('POST', '/api/tables', {
    token: user.token,
    body: { name: unique('t'), columns },
  });
  const table = (config: object): Sketch => ({ type: 'table', config: { tableId: body.id, ...config } });
  return workflowPlace(
    user,
    (kind) => [
      table({ operation: 'insert', row: { kind: idOf(kind), [idOf(kind)]: value(kind) } }),
      table({ operation: 'get', key: { kind: idOf(kind) } }),
      // The row has one value.
      { type: 'transform', config: { expression: `{"v": $lookup(input, "${idOf(kind)}")}` } },
    ],
    v,
  );
}

const sql = (credentialId: string, statement: string, parameters: object, mode = 'one'): Sketch => ({
  type: 'sql',
  credentialId,
  config: { statement, parameters, mode },
});

/** Written into a table of its own and read again. */
const sqlPlace = (
  user: TestUser,
  credentialId: string,
  dialect: { type(kind: Kind): string; read(kind: Kind): string; write(kind: Kind): string },
): Place => {
  let prefix = '';
  const nameOf = (kind: Kind) => `${prefix}_${idOf(kind)}`;
  const place = workflowPlace(
    user,
    (kind) => [
      sql(credentialId, `CREATE TABLE ${nameOf(kind)} (v ${dialect.type(kind)})`, {}, 'execute'),
      sql(
        credentialId,
        `INSERT INTO ${nameOf(kind)} (v) VALUES (${dialect.write(kind)})`,
        { v: value(kind) },
        'execute',
      ),
      sql(credentialId, `SELECT ${dialect.read(kind)} AS v FROM ${nameOf(kind)}`, {}),
    ],
    v,
  );
  return (json, values) => {
    prefix = unique('values').replace('-', '_');
    return place(json, values);
  };
};

const convert = (user: TestUser, format: string, there: object = {}, back: object = {}): Place =>
  workflowPlace(
    user,
    (kind) => [
      {
        type: 'convert',
        config: { value: [{ other: 'o', v: value(kind) }], from: 'json', to: format, options: there },
      },
      { type: 'convert', config: { value: '{{ input }}', from: format, to: 'json', options: back } },
    ],
    (output) => field(output, 0, 'v') ?? null,
  );

const documentPlace = (user: TestUser, credentialId: string): Place =>
  workflowPlace(
    user,
    (kind) => {
      const common = { type: 'mongodb', credentialId };
      const config = { database: 'values', collection: 'all' };
      const documents = { _id: idOf(kind), v: value(kind) };
      return [
        { ...common, config: { ...config, operation: 'insert', documents } },
        { ...common, config: { ...config, operation: 'find_one', query: { _id: idOf(kind) } } },
      ];
    },
    v,
  );

export async function placesOf(world: World): Promise<Record<string, Place>> {
  const { user, models, mail, echoUrl } = world;
  const { workspaceId, token } = user;
  const workflowId = await buildWorkflow({ workspaceId, status: 'active' });
  const { body: hook } = await register(user, workflowId, 'values');
  const { postgres, mysql, redis, mongodb, llm, mcp } = await buildWorldCredentials(world);
  const child = await buildWorkflow({ workspaceId });
  const single =
    (node: (kind: Kind) => Sketch): Steps =>
    (kind) => [node(kind)];

  return {
    execute: (json) =>
      eachOf(async (kind) => {
        const raw = `{"input":{"v":${json[kind]}}}`;
        const { status, body } = await call<{ executionId: string } & Refused>(
          'POST',
          `/api/workflows/${workflowId}/execute`,
          { token, raw },
        );
        return status === 202 ? field(await inputOf(user, body.executionId), 'v') : refusal(body);
      }),
    webhook: (json) =>
      eachOf(async (kind) => {
        const { status, body } = await deliver(hook, `{"v":${json[kind]}}`, { 'content-type': 'application/json' });
        return status === 202 ? field(await inputOf(user, body.executionId), 'v') : refusal(body);
      }),
    form: formPlace(user, await buildWorkflow({ workspaceId, status: 'active' })),
    'http_request: JSON': workflowPlace(
      user,
      single((kind) => ({
        type: 'http_request',
        config: { url: echoUrl, method: 'POST', bodyType: 'json', body: { v: value(kind) } },
      })),
      (output) => field(output, 'body', 'v'),
    ),
    'http_request: text': workflowPlace(
      user,
      single((kind) => ({
        type: 'http_request',
        config: { url: echoUrl, method: 'POST', bodyType: 'text', body: value(kind) },
      })),
      (output) => field(output, 'body'),
    ),
    'http_request: form': workflowPlace(
      user,
      single((kind) => ({
        type: 'http_request',
        config: { url: echoUrl, method: 'POST', bodyType: 'form', body: { v: value(kind) } },
      })),
      (output) => new URLSearchParams(String(field(output, 'body'))).getAll('v').join(),
    ),
    'sql: PostgreSQL': sqlPlace(user, postgres, {
      type: (kind) => POSTGRES[kind] ?? 'text',
      write: (kind) => (kind === 'bytes' ? `decode(:v, 'base64')` : ':v'),
      read: () => 'v',
    }),
    'sql: MySQL, MariaDB': sqlPlace(user, mysql, {
      type: (kind) => MYSQL[kind] ?? 'LONGTEXT CHARACTER SET utf8mb4',
      write: (kind) => (kind === 'bytes' ? 'FROM_BASE64(:v)' : ':v'),
      read: () => 'v',
    }),
    'table: a column of its type': await tablePlace(user, (kind) => COLUMNS[kind] ?? 'text'),
    'table: json': await tablePlace(user, () => 'json'),
    remember: workflowPlace(user, (kind) => [
      { type: 'remember', config: { operation: 'set', key: idOf(kind), value: value(kind) } },
      { type: 'remember', config: { operation: 'get', key: idOf(kind) } },
    ]),
    'redis: JSON': workflowPlace(user, (kind) => [
      { type: 'redis', credentialId: redis, config: { operation: 'set', key: idOf(kind), value: value(kind) } },
      { type: 'redis', credentialId: redis, config: { operation: 'get', key: idOf(kind), readAs: 'json' } },
    ]),
    mongodb: documentPlace(user, mongodb),
    'convert: JSON text': convert(user, 'text'),
    'convert: ndjson': convert(user, 'ndjson'),
    'convert: csv': convert(user, 'csv'),
    'convert: csv, types': convert(user, 'csv', {}, { types: true }),
    'convert: xlsx': convert(user, 'xlsx'),
    'convert: xlsx, types': convert(user, 'xlsx', { types: true }),
    'convert: xml': workflowPlace(
      user,
      (kind) => [
        { type: 'convert', config: { value: { doc: { v: value(kind) } }, from: 'json', to: 'xml' } },
        { type: 'convert', config: { value: '{{ input }}', from: 'xml', to: 'json' } },
      ],
      (output) => field(output, 'doc', 'v'),
    ),
    'code: JavaScript': workflowPlace(
      user,
      single((kind) => ({
        type: 'code',
        config: { language: 'javascript', source: `return execution.input.${idOf(kind)}` },
      })),
    ),
    'code: Python': workflowPlace(
      user,
      single((kind) => ({
        type: 'code',
        config: { language: 'python', source: `return execution["input"]["${idOf(kind)}"]` },
      })),
    ),
    'expression: JSONata': workflowPlace(
      user,
      single((kind) => ({
        type: 'transform',
        config: { expression: `{"v": $lookup(execution.input, "${idOf(kind)}")}` },
      })),
      v,
    ),
    'expression: mixed text': workflowPlace(
      user,
      single((kind) => ({ type: 'transform', config: { fields: { v: `<${value(kind)}>` } } })),
      (output) => String(field(output, 'v')).replace(/^<|>$/g, ''),
    ),
    sub_workflow: workflowPlace(
      user,
      single((kind) => ({ type: 'sub_workflow', config: { workflowId: child, input: { v: value(kind) } } })),
      v,
    ),
    for_each: workflowPlace(
      user,
      single((kind) => ({
        type: 'for_each',
        config: {
          items: `[{"v": execution.input.${idOf(kind)}}]`,
          body: flow({ s: { type: 'start' }, t: { type: 'transform', config: { expression: 'input.item.v' } } }, [
            's>t',
          ]),
        },
      })),
      (output) => field(output, 0),
    ),
    send_email: async (json, values) => {
      const given = await workflowPlace(user, (kind) => [
        { type: 'send_email', config: { to: 'ada@example.com', subject: idOf(kind), template: value(kind) } },
      ])(json, values);
      const texts = new Map(mail.received.map((message) => [message.subject, message.text]));
      return givenOf((kind) =>
        given[kind] instanceof Refusal ? given[kind] : (texts.get(idOf(kind)) ?? '').replace(/\n$/, ''),
      );
    },
    mcp: workflowPlace(
      user,
      single((kind) => ({
        type: 'mcp',
        credentialId: mcp,
        config: { tool: 'echo', arguments: { value: value(kind) } },
      })),
      (output) => field(output, 'structured', 'value'),
    ),
    "agent's tool": (json) =>
      eachOf(async (kind) => {
        models.sayInTurn({ calls: [{ name: 'echo', arguments: `{"v":${json[kind]}}` }] }, { text: 'done' });
        const agent: Sketch = {
          type: 'agent',
          credentialId: llm,
          retry: { maxAttempts: 1, backoffMs: 100 },
          config: {
            model: 'm',
            input: 'Hi',
            tools: [
              {
                name: 'echo',
                description: 'Echoes.',
                type: 'code',
                config: { language: 'javascript', source: 'return {v: input.v}' },
                inputSchema: { type: 'object' },
              },
            ],
          },
        };
        const definition = flow({ in: { type: 'start' }, agent }, ['in>agent']);
        const id = await buildWorkflow({ workspaceId, definition, status: 'active' });
        const started = await call<{ executionId: string } & Refused>('POST', `/api/workflows/${id}/execute`, {
          token,
          body: {},
        });
        if (started.status !== 202) return refusal(started.body);
        const done = await until(async () => {
          const { body } = await call<ExecutionResponse>('GET', `/api/executions/${started.body.executionId}`, {
            token,
          });
          return ['completed', 'failed'].includes(body.status) && body;
        }, 'the agent');
        const step = done.nodeResults.find(({ nodeId }) => nodeId === 'agent[0].echo');
        if (!step) return new Refusal(done.error?.code ?? '', done.error?.message ?? 'The tool was not called.');
        return step.error ? new Refusal(step.error.code, step.error.message) : v(step.output);
      }),
  };
}
