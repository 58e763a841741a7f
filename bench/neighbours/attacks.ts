import { WebSocket } from 'ws';
import type { Attack } from './attack';
import { chain, pause, refusalOf, send, settle, signature, type Answer, type Step, type Tenant } from './tenant';

const transform = (expression: string): Step => ({ type: 'transform', config: { expression } });
const code = (source: string, more = {}): Step => ({ type: 'code', config: { source }, ...more });

/** Starts runs until `isOver`, a few at a time, and returns how the first one ended. */
function runs(
  name: string,
  steps: Record<string, Step> | ((hostile: Tenant) => Promise<Record<string, Step>>),
  { input = {}, start = {}, atATime = 4 } = {},
): Attack {
  return {
    name,
    async run(hostile, isOver) {
      const workflowId = await hostile.workflow(typeof steps === 'function' ? await steps(hostile) : steps, start);
      let first: string | undefined;
      let refusal = 'nothing was accepted';
      while (!isOver()) {
        const answers = await Promise.all(Array.from({ length: atATime }, () => hostile.execute(workflowId, input)));
        for (const { status, body } of answers) {
          if (status === 202) first ??= String(body['executionId']);
          else refusal = refusalOf({ status, body });
        }
        await pause(200);
      }
      return first === undefined ? refusal : settle(hostile, first);
    },
  };
}

/** Sends a request until `isOver`, and returns the last answer. */
const posts = (
  name: string,
  prepare: (hostile: Tenant) => Promise<() => Promise<Answer>>,
  { atATime = 4, everyMs = 50 } = {},
): Attack => ({
  name,
  async run(hostile, isOver) {
    const post = await prepare(hostile);
    let last = 'nothing was sent';
    while (!isOver()) {
      const answers = await Promise.all(
        Array.from({ length: atATime }, () =>
          post().catch((error: Error) => ({ status: 0, body: { text: error.message } })),
        ),
      );
      const answer = answers.at(-1);
      if (answer) last = answer.status === 0 ? 'cut off' : refusalOf(answer);
      await pause(everyMs);
    }
    return last;
  },
});

const long = (characters: number, text = 'ab') => text.repeat(characters / text.length);

const LIST = { list: Array.from({ length: 100 }, () => 1), s: long(4000) };

/** Text full of prefixes of the secrets of the workspace's credentials. */
async function redacted(hostile: Tenant): Promise<Record<string, Step>> {
  const calls: Record<string, Step> = {};
  const secrets = ['"'.repeat(8000), `${long(8000, 'a')}b`, `${long(8000, '%')}c`];
  for (const [at, apiKey] of secrets.entries()) {
    const credential = { name: `s${at}`, type: 'api_key', config: { apiKey } };
    const { body } = await hostile.call('POST', '/api/credentials', credential);
    calls[`h${at}`] = {
      type: 'http_request',
      credentialId: String(body['id']),
      config: { url: 'http://127.0.0.1:9/' },
      ...(at > 0 && { port: 'error' }),
    };
  }
  const text = `return { text: 'a"%25'.repeat(200000) }`;
  return { ...calls, c: { ...code(text), port: 'error' }, t: transform('input.text') };
}

/** Every class of attack that docs/operate/security.md covers, bounded in time. */
export const ATTACKS: Attack[] = [
  runs('regular expression', { t: transform(`$match(input.s, /^(a+)+$/)`) }, { input: { s: `${long(5000, 'a')}!` } }),
  runs('endless recursion', { t: transform('($f := function($x){ 1 + $f($x) }; $f(1))') }),
  runs('endless loop', { t: transform('($f := function($x){ $f($x + 1) }; $f(1))') }),
  runs(
    'many cheap functions',
    { t: transform('$count(input.list.($replace($$.input.s, "a", "b")))') },
    { input: LIST },
  ),
  runs('large text', { t: transform('$length($reduce([1..40], function($a, $i){ $a & $a }, "xxxx"))') }),
  runs('large list', { t: transform('[1..9999999].{"a": $}') }),
  runs('sorting', { t: transform('$sort([1..999999], function($a, $b){ $a < $b })[0]') }),
  runs(
    'chain of long expressions',
    Object.fromEntries(Array.from({ length: 15 }, (_, at) => [`t${at}`, transform('$sum([1..200000].($ * 2))')])),
    { atATime: 1 },
  ),
  runs(
    'expression in a loop',
    {
      l: {
        type: 'for_each',
        config: {
          items: '[1..200]',
          concurrency: 100,
          body: chain({ s: { type: 'start' }, t: transform('$sum([1..100000])') }),
        },
      },
    },
    { atATime: 1 },
  ),
  runs('condition', { c: { type: 'condition', config: { expression: '$count([1..300000].($string($))) > 0' } } }),
  runs('text of a mail', {
    m: {
      type: 'send_email',
      config: { to: 'a@example.com', subject: 'x', template: '{{ $pad("", 900000000, "x") }}' },
    },
  }),
  runs('large value through many nodes', {
    big: code('return { list: Array.from({ length: 60000 }, (_, id) => ({ id, text: "x".repeat(100) })) }'),
    ...Object.fromEntries(Array.from({ length: 8 }, (_, at) => [`t${at}`, transform('{"list": input.list}')])),
  }),
  {
    name: 'code without end, then cancelled',
    async run(hostile, isOver) {
      const workflowId = await hostile.workflow({ c: code('for (;;);', { timeoutMs: 60_000 }) });
      const answers = await Promise.all(Array.from({ length: 10 }, () => hostile.execute(workflowId)));
      while (!isOver()) await pause(100);
      const ids = answers.map(({ body }) => String(body['executionId']));
      const startedAt = performance.now();
      const outcomes = await Promise.all(
        ids.map(async (id) => {
          await hostile.call('POST', `/api/executions/${id}/cancel`);
          return settle(hostile, id);
        }),
      );
      return `${outcomes[0]} after ${Math.round(performance.now() - startedAt)} ms`;
    },
  },
  runs('secrets made for the redactor', redacted),
  runs(
    'names that resolve slowly',
    {
      l: {
        type: 'for_each',
        config: {
          items: '[1..200]',
          concurrency: 100,
          body: chain({
            s: { type: 'start' },
            h: {
              type: 'http_request',
              config: { url: 'http://n{{ input.item }}-{{ $random() }}.invalid/' },
            },
            t: { ...transform('1'), port: 'error' },
          }),
        },
      },
    },
    { atATime: 1 },
  ),
  runs('memory of code', { c: code('const all = []; for (;;) all.push("x".repeat(1e6) + all.length)') }),
  runs(
    'schema pattern',
    { t: transform('1') },
    {
      start: { config: { inputSchema: { properties: { s: { type: 'string', pattern: '^(a+)+$' } } } } },
      input: { s: `${long(5000, 'a')}!` },
    },
  ),
  runs(
    'schema of quadratic cost',
    { t: transform('1') },
    {
      start: { config: { inputSchema: { properties: { list: { type: 'array', uniqueItems: true } } } } },
      input: { list: Array.from({ length: 20_000 }, (_, n) => ({ n })) },
    },
  ),
  {
    name: 'runs that start themselves',
    async run(hostile, isOver) {
      const workflowId = await hostile.workflow({ t: transform('1') });
      const again = { type: 'sub_workflow', config: { workflowId, wait: false } };
      const definition = chain({ start: { type: 'start' }, a: again, b: again });
      await hostile.call('PUT', `/api/workflows/${workflowId}`, { definition });
      const { body } = await hostile.execute(workflowId);
      while (!isOver()) await pause(100);
      const outcome = await settle(hostile, String(body['executionId']));
      const usage = await hostile.call('GET', `/api/workspaces/${hostile.workspaceId}/usage`);
      return `${outcome}; ${String(usage.body['runsToday'])} runs in all`;
    },
  },
  posts('large definitions', async (hostile) => {
    const nodes = Object.fromEntries(
      Array.from({ length: 900 }, (_, at) => [
        `t${at}`,
        transform(`$sum(input.items.price) + ${'1+'.repeat(300)}${at}`),
      ]),
    );
    const definition = chain({ start: { type: 'start' }, ...nodes });
    return () => hostile.call('POST', '/api/workflows', { name: 'large', definition });
  }),
  posts('definitions full of cycles', async (hostile) => {
    const ids = Array.from({ length: 2000 }, (_, at) => `n${at}`);
    const connect = (from: number, to: number) => ({
      sourceNode: ids[from],
      sourcePort: 'output',
      targetNode: ids[to],
      targetPort: 'input',
    });
    const definition = {
      nodes: ids.map((id) => ({ ...transform('1'), id, position: { x: 0, y: 0 } })),
      connections: [
        ...ids.slice(1).map((_, at) => connect(at, at + 1)),
        ...Array.from({ length: 5000 }, (_, at) => connect(1999 - (at % 100), Math.floor(at / 100))),
      ],
    };
    return () => hostile.call('POST', '/api/workflows', { name: 'cycles', definition });
  }),
  posts(
    'large bodies at tRPC and sign-in',
    async (hostile) => {
      const body = `{"a":"${long(40_000_000)}"}`;
      const paths = ['/api/trpc/workflows.list', '/api/auth/signin/credentials', '/api/auth/callback/credentials'];
      let turn = 0;
      return () =>
        send(hostile.origin, 'POST', paths[turn++ % paths.length] ?? '', body, { 'content-type': 'application/json' });
    },
    { atATime: 2, everyMs: 200 },
  ),
  posts(
    'unsigned webhook deliveries',
    async (hostile) => {
      const workflowId = await hostile.workflow({ t: transform('1') });
      await hostile.call('POST', `/api/workflows/${workflowId}/webhooks`, { path: 'in' });
      const headers = { 'content-type': 'application/json', 'x-service-signature': signature('wrong', '{}') };
      return () => send(hostile.origin, 'POST', `/webhooks/${workflowId}/in`, '{}', headers);
    },
    { atATime: 20, everyMs: 10 },
  ),
  posts('floods of calls', async (hostile) => () => hostile.call('GET', '/api/workflows'), { atATime: 50, everyMs: 1 }),
  {
    name: 'floods of WebSocket frames',
    async run(hostile, isOver) {
      let last = 'open';
      while (!isOver()) {
        const socket = new WebSocket(hostile.origin.replace('http', 'ws') + '/ws');
        socket.on('error', () => undefined);
        await new Promise((resolve) => socket.once('open', resolve).once('close', resolve));
        socket.send(JSON.stringify({ type: 'auth', token: hostile.bearer }));
        const closed = new Promise<void>((resolve) => {
          socket.once('close', (status: number) => {
            last = `closed ${status}`;
            resolve();
          });
        });
        for (let sent = 0; sent < 20_000 && !isOver() && socket.readyState === socket.OPEN; sent += 1) {
          socket.send(JSON.stringify({ type: 'subscribe', channel: 'execution', executionId: `exec_${sent}` }));
          if (sent % 500 === 0) await pause(5);
        }
        socket.close();
        await closed;
      }
      return last;
    },
  },
];
