import { inject } from 'vitest';
import type { FormField } from '@/contract/triggers/form-fields';
import type { Table } from '@/contract/tables/table';
import type { Execution } from '@/contract/execution';
import { Browser } from '../browser';
import { buildCredential, buildWorkflow, call, unique, type Refused, type TestUser } from '../factories';
import { createForm, fillIn } from '../forms';
import { flow, type Sketch } from '../flow';
import { deliver, register } from '../hooks';
import type { MariaDbServer } from '../parties/mariadb';
import type { McpParty } from '../parties/mcp';
import type { Models } from '../parties/models';
import type { RedisServer } from '../parties/redis';
import type { MailSink } from '../parties/smtp';
import { until } from '../runs';
import { givenOf, idOf, KIND_NAMES, Refusal, type Given, type Kind, type Place } from './kinds';
import { workflowPlace, type Steps } from './workflow-place';

/** What places need. */
export interface World {
  user: TestUser;
  mariaDb: MariaDbServer;
  redis: RedisServer;
  models: Models;
  mcp: McpParty;
  mail: MailSink;
  /** Answers with the body of the request, and its content type. */
  echoUrl: string;
}

const value = (kind: Kind) => `{{ execution.input.${idOf(kind)} }}`;
const field = (output: unknown, ...path: (string | number)[]): unknown =>
  path.reduce<unknown>((at, name) => (at as Record<string, unknown> | null | undefined)?.[name], output);

const v = (output: unknown) => field(output, 'v');

/** Each kind by itself. */
async function eachOf(give: (kind: Kind) => Promise<unknown>): Promise<Given> {
  const given = new Map<Kind, unknown>();
  for (const kind of KIND_NAMES) given.set(kind, await give(kind));
  return givenOf((kind) => given.get(kind));
}

const refusal = ({ error }: Refused): Refusal =>
  new Refusal(
    error.code,
    [error.message, ...error.details.map(({ field: at, message }) => `${at} ${message}`)].join(' '),
  );

async function inputOf(user: TestUser, executionId: string): Promise<unknown> {
  const path = `/api/executions/${executionId}?waitSeconds=20`;
  const { body } = await call<Execution>('GET', path, { token: user.token });
  return body.input;
}

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
  const { body } = await call<Table>('POST', '/api/tables', {
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

const FIELDS: Partial<Record<Kind, FormField['kind']>> = {
  time: 'datetime',
  date: 'date',
  integer: 'number',
  '2^53 + 1': 'number',
  '2^63 − 1': 'number',
  decimal: 'number',
  'minus zero': 'number',
  true: 'checkbox',
};

/** A field for each kind, filled in by itself: a text as it is, anything else as its JSON. */
function formPlace(user: TestUser, workflowId: string): Place {
  return async (json, values) => {
    const fields = KIND_NAMES.map((kind) => ({ name: idOf(kind), label: kind, kind: FIELDS[kind] ?? 'textarea' }));
    const { body: form } = await createForm(user, workflowId, { path: unique('values'), fields });
    return eachOf(async (kind) => {
      const given = values[kind];
      const text = typeof given === 'string' ? given : json[kind];
      const answer = await fillIn(new Browser(), new URL(form.url).pathname, { [idOf(kind)]: text });
      const [, reason] = /class="error"[^>]*>([^<]+)/.exec(answer.text) ?? [];
      if (answer.status !== 200)
        return new Refusal(String(answer.status), reason ?? 'The page says that it is too large');
      const path = `/api/executions?workflowId=${workflowId}&limit=1`;
      const { body } = await call<{ data: { id: string }[] }>('GET', path, { token: user.token });
      return field(await inputOf(user, body.data[0]?.id ?? ''), idOf(kind));
    });
  };
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

export async function placesOf(world: World): Promise<Record<string, Place>> {
  const { user, mariaDb, redis, models, mcp, mail, echoUrl } = world;
  const { workspaceId, token } = user;
  const workflowId = await buildWorkflow({ workspaceId, status: 'active' });
  const { body: hook } = await register(user, workflowId, 'values');
  const { hostname, port, pathname, username, password } = new URL(inject('postgresUrl'));
  const own = { host: hostname, port: Number(port), database: pathname.slice(1), username, password, tls: 'off' };
  const postgres = await buildCredential(user, 'postgres', own);
  const mysql = await buildCredential(user, 'mysql', {
    host: '127.0.0.1',
    port: mariaDb.port,
    database: 'shop',
    username: 'app',
    password: mariaDb.password,
    tls: 'off',
  });
  const redisId = await buildCredential(user, 'redis', {
    host: '127.0.0.1',
    port: Number(new URL(redis.url).port),
    tls: 'off',
  });
  const llm = await buildCredential(user, 'llm', {
    provider: 'openai_compatible',
    apiKey: 'k',
    baseUrl: `${models.url}/v1`,
  });
  const mcpId = await buildCredential(user, 'mcp', { url: mcp.url, headers: { Authorization: 'Bearer key' } });
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
      { type: 'redis', credentialId: redisId, config: { operation: 'set', key: idOf(kind), value: value(kind) } },
      { type: 'redis', credentialId: redisId, config: { operation: 'get', key: idOf(kind), readAs: 'json' } },
    ]),
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
        credentialId: mcpId,
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
          const { body } = await call<Execution>('GET', `/api/executions/${started.body.executionId}`, { token });
          return ['completed', 'failed'].includes(body.status) && body;
        }, 'the agent');
        const step = done.nodeResults.find(({ nodeId }) => nodeId === 'agent[0].echo');
        if (!step) return new Refusal(done.error?.code ?? '', done.error?.message ?? 'The tool was not called.');
        return step.error ? new Refusal(step.error.code, step.error.message) : v(step.output);
      }),
  };
}
