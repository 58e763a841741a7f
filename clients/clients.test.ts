import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildClients, manifestOf, npm, pack, tarballOf } from '@/scripts/clients.mjs';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { getRuntime } from '@/server/platform/runtime';
import { TEST_KEYS, useOwnDatabase } from '@/server/testing/database';
import { buildUser, buildWorkflow, call, PASSWORD, type TestUser } from '@/server/testing/factories';
import { flow } from '@/server/testing/flow';
import {
  STRICT_TSCONFIG,
  documentedProgram,
  LIST_READING_PROGRAM,
  PROCESS_DECLARATION,
  FILE_TRANSFER_PROGRAM,
  TYPED_CLIENT_PROGRAM,
} from './sample-programs';
import { ordersInN8n, startN8nApi } from '@/server/testing/servers/n8n';
import { startWebProcess, type WebProcess } from '@/server/testing/processes/service';

useOwnDatabase();

const root = path.resolve(import.meta.dirname, '..');

let folder: string;
let service: WebProcess;
let owner: TestUser;
let env: Record<string, string>;

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs a program in the folder, whatever its exit code. */
function run(program: string, parameters: string[], { input = '', more = {} } = {}): Promise<Ended> {
  return new Promise((resolve) => {
    const options = { cwd: folder, env: { PATH: process.env['PATH'] ?? '', ...more } };
    const child = execFile(program, parameters, options, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code ?? -1) : 0, stdout, stderr }),
    );
    child.stdin?.end(input);
  });
}

async function succeed(program: string, ...parameters: string[]): Promise<string> {
  const ended = await run(program, parameters);
  expect(ended.code, ended.stdout + ended.stderr).toBe(0);
  return ended.stdout;
}

const weft = (parameters: string[], input = '', more: Record<string, string> = {}): Promise<Ended> =>
  run(process.execPath, ['node_modules/@weft/cli/dist/main.js', ...parameters], { input, more: { ...env, ...more } });

async function apiKeyOf({ token }: TestUser): Promise<string> {
  const answer = await call<{ key: string }>('POST', '/auth/api_keys', {
    token,
    body: { name: 'CI', scopes: ['write'] },
  });
  expect(answer.status).toBe(201);
  return answer.body.key;
}

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'weft-packed-'));
  const starting = startWebProcess(getRuntime().env.databaseUrl ?? '', {
    ...TEST_KEYS,
    ROLE: 'all',
    COMPARES_ANSWERS: 'true',
  });
  // Their dependencies are packed from node_modules, so that the installation needs no network.
  const clients = await buildClients();
  const names = ['typescript', 'cli'].flatMap((name) => Object.keys(manifestOf(`clients/${name}`).dependencies ?? {}));
  const others = names.filter((name) => !name.startsWith('@weft/')).map((name) => `node_modules/${name}`);
  await pack(
    others.map((other) => `./${other}`),
    folder,
  );
  const tarballs = [...clients, ...others.map((other) => path.join(folder, tarballOf(manifestOf(other))))];
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  const [command, ...before] = npm();
  const options = ['--offline', '--ignore-scripts', '--no-audit', '--no-fund', '--cache', path.join(folder, '.npm')];
  await succeed(command, ...before, 'install', ...options, ...tarballs);
  service = await starting;
  owner = await buildUser();
  env = { WEFT_URL: service.url, WEFT_API_KEY: await apiKeyOf(owner), XDG_CONFIG_HOME: path.join(folder, 'config') };
}, 600_000);
afterAll(async () => {
  await service?.end('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

const DOUBLE = flow(
  { start: { type: 'start' }, double: { type: 'transform', config: { expression: '{{ input.number * 2 }}' } } },
  ['start>double'],
);
const FAILING = flow(
  { start: { type: 'start' }, call: { type: 'http_request', config: { url: 'http://127.0.0.1:1/' } } },
  ['start>call'],
);
const IDS = `name: Ids
definition:
  nodes:
    - { id: start, type: start, position: { x: 0, y: 0 }, config: {} }
    - { id: ids, type: transform, position: { x: 300, y: 0 }, config: { fields: { id: 9007199254740993, n: 7 } } }
  connections:
    - { sourceNode: start, sourcePort: output, targetNode: ids, targetPort: input }
`;

const build = (definition: WorkflowDefinition) =>
  buildWorkflow({ workspaceId: owner.workspaceId, definition, status: 'active' });

it('the installed client compiles in strict mode, executes, watches, waits and lists', async () => {
  const id = await build(DOUBLE);
  writeFileSync(path.join(folder, 'use.ts'), TYPED_CLIENT_PROGRAM + PROCESS_DECLARATION);
  const filledIn = { 'https://weft.example.com': service.url, 'wf_…': id, 'process.env.': 'process.env!.' };
  writeFileSync(
    path.join(folder, 'page.ts'),
    `${documentedProgram('client.md', 'ts', filledIn)}${PROCESS_DECLARATION}`,
  );
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(STRICT_TSCONFIG));
  await succeed(process.execPath, path.join(root, 'node_modules/typescript/bin/tsc'), '-p', '.');
  const { types, ...rest } = JSON.parse(
    await succeed(process.execPath, 'use.js', service.url, env['WEFT_API_KEY'] ?? '', id),
  ) as { types: string[] };
  expect(types.at(-1)).toBe('execution_completed');
  expect(types.filter((type) => type === 'node_completed')).toHaveLength(2);
  const workflow = await call<{ name: string }>('GET', `/api/workflows/${id}`, { token: owner.token });
  expect(rest).toEqual({
    status: 'completed',
    hash: 64,
    output: 42,
    names: expect.arrayContaining([workflow.body.name]),
    refusal: ['NOT_FOUND', 404, true],
  });
  // The program of the page.
  expect(await run(process.execPath, ['page.js'], { more: env })).toMatchObject({
    code: 0,
    stdout: 'completed 42\n200 application/json; charset=utf-8\n',
  });
});

it('the client sends and receives files as streams', async () => {
  writeFileSync(path.join(folder, 'transfer.js'), FILE_TRANSFER_PROGRAM);
  const transfer = async (mebibytes: number) => {
    const ended = await run(process.execPath, [
      '--expose-gc',
      'transfer.js',
      service.url,
      env['WEFT_API_KEY'] ?? '',
      String(mebibytes),
    ]);
    expect(ended.code, ended.stderr).toBe(0);
    const { memory, ...rest } = JSON.parse(ended.stdout) as { memory: number };
    const size = mebibytes * 1024 * 1024;
    expect(rest).toEqual({ name: "Größe (1)'.bin", size, isSame: true, some: [7, 7], gone: 'NOT_FOUND' });
    return memory;
  };
  const small = await transfer(1);
  const large = await transfer(96);
  expect((large - small) / 1024).toBeLessThan(64);
  // The program of the page.
  const page = `import { Weft } from '@weft/client';\nconst weft = new Weft({ url: process.env.WEFT_URL, apiKey: process.env.WEFT_API_KEY });\n${documentedProgram('client.md', 'js', {})}`;
  writeFileSync(path.join(folder, 'files.js'), page);
  writeFileSync(path.join(folder, 'report.pdf'), 'a report');
  expect(await run(process.execPath, ['files.js'], { more: env })).toMatchObject({ code: 0, stdout: 'report.pdf 8\n' });
  expect(readFileSync(path.join(folder, 'copy.pdf'), 'utf8')).toBe('a report');
});

it('the client reads lists by cursor, until the program or a signal ends it', async () => {
  const reader = await buildUser();
  for (let count = 0; count < 120; count += 1) await buildWorkflow({ workspaceId: reader.workspaceId });
  writeFileSync(path.join(folder, 'lists.js'), LIST_READING_PROGRAM);
  const { whole, ...rest } = JSON.parse(
    await succeed(process.execPath, 'lists.js', service.url, await apiKeyOf(reader)),
  ) as { whole: string[] };
  expect(rest).toEqual({ ids: 120, broken: 1, aborted: 'enough', count: 30 });
  expect(whole).toEqual(['?limit=100', expect.stringMatching(/^\?limit=100&cursor=/)]);
});

it('api calls any address, with an exit code by the status', async () => {
  // A try before this one may have left its own.
  const name = `CALL_${Date.now()}`;
  const made = await weft(['api', 'post', '/api/variables', '--data', '-'], `{"name": "${name}", "value": "eu"}`);
  expect(made).toMatchObject({ code: 0, stdout: expect.stringContaining(`  "name": "${name}",\n`) });
  writeFileSync(path.join(folder, 'body.json'), '{"value": 9007199254740993}');
  const changed = await weft(['api', 'PUT', `/api/variables/${name}`, '--data', '@body.json', '--include']);
  expect(changed.stdout).toMatch(/^HTTP 200 OK\n[^]*x-request-id: \S+\n\n\{[^]*9007199254740993/);
  const listed = await weft(['api', 'GET', '/api/variables', '-q', 'limit=1', '-q', 'offset=0']);
  expect(JSON.parse(listed.stdout)).toMatchObject({ limit: 1, offset: 0 });
  const csv = await weft(['api', 'GET', '/auth/saml/logout', '--include']);
  expect(csv).toMatchObject({ code: 0, stdout: expect.stringMatching(/^HTTP 302 Found\n[^]*location: \/login/) });
  expect(await weft(['api', 'DELETE', `/api/variables/${name}`])).toMatchObject({ code: 0, stdout: '' });
  expect(await weft(['api', 'GET', `/api/variables/${name}`])).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('"NOT_FOUND"'),
    stderr: 'HTTP 404 Not Found\n',
  });
  for (const target of ['//other.example/x', 'https://other.example/x'])
    expect(await weft(['api', 'GET', target])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is not a path'),
    });
  expect((await weft(['api', 'POST', '/api/variables', '--data', '{"name": }'])).code).toBe(2);
});

it('a refused key is named by its end and its place', async () => {
  const key = `wk_${'a'.repeat(34)}wxyz`;
  const refused = expect.stringMatching(
    /The API key wk_…wxyz from WEFT_API_KEY was refused by http:\S+: it is wrong, has expired or was revoked/,
  );
  for (const parameters of [
    ['workflows', 'list'],
    ['api', 'GET', '/api/workflows'],
  ]) {
    const ended = await weft(parameters, '', { WEFT_API_KEY: key });
    expect(ended).toMatchObject({ code: 3, stderr: refused });
    expect(ended.stderr).not.toContain('aaa');
  }
  const home = path.join(folder, 'refused');
  const noKey = { WEFT_API_KEY: '', XDG_CONFIG_HOME: home };
  expect(await weft(['login', '--api-key'], key, noKey)).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('refuses this API key'),
  });
  mkdirSync(path.join(home, 'weft'), { recursive: true });
  writeFileSync(path.join(home, 'weft/config.json'), JSON.stringify({ url: service.url, apiKey: key }));
  expect(await weft(['whoami'], '', noKey)).toMatchObject({
    code: 3,
    stderr: expect.stringMatching(/wk_…wxyz from \S+config\.json was refused[^]*weft login --api-key/),
  });
});

/** Defines `ask`, which prints what a shell offers after what was typed. */
const ASKS = {
  bash: `
    source <(weft completion bash)
    ask() {
      read -ra COMP_WORDS <<< "$1"
      [[ $1 == *' ' ]] && COMP_WORDS+=('')
      COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
      _weft
      printf '%s\\n' "\${COMPREPLY[@]}"
    }`,
  // Its functions that show completions print them.
  zsh: `
    compdef() { }
    _describe() { local name=\${@[-1]}; print -l -- "\${(@)\${(P@)name}%%:*}" }
    compadd() { shift; print -l -- "$@" }
    _files() { print -- '<files>' }
    source <(weft completion zsh)
    ask() {
      words=("\${(@s: :)1}")
      CURRENT=\${#words}
      _weft
    }`,
  fish: `
    weft completion fish | source
    function ask
      complete -C $argv[1] | string replace -r '\\t.*' ''
    end`,
};

const TYPED = [
  'weft ',
  'weft workflows ',
  'weft workflows push --',
  // A value that is the name of a command.
  'weft workflows list --search run --',
  'weft runs list --status ',
  'weft completion ',
];

async function expectCompletion(shell: 'bash' | 'zsh' | 'fish'): Promise<void> {
  const flags = { bash: ['--norc', '-c'], zsh: ['-f', '-c'], fish: ['--no-config', '-c'] }[shell];
  const script = [ASKS[shell], ...TYPED.flatMap((typed) => [`ask '${typed}'`, `echo '=='`])].join('\n');
  const bin = path.join(folder, 'node_modules/.bin');
  const more = { PATH: `${bin}:${process.env['PATH']}`, HOME: folder, XDG_DATA_HOME: folder };
  const { stdout, stderr } = await run(shell, [...flags, script], { more });
  expect(stderr).toBe('');
  const offered = stdout.split('==\n').map((text) => text.split('\n').filter(Boolean).toSorted());
  expect(offered[0]).toEqual(expect.arrayContaining(['login', 'workflows', 'runs', 'api', 'completion']));
  expect(offered[1]).toEqual(expect.arrayContaining(['list', 'pull', 'push', 'diff', 'run']));
  expect(offered[2]).toEqual(expect.arrayContaining(['--force', '--message', '--json']));
  expect(offered[3]).toEqual(expect.arrayContaining(['--search', '--tag']));
  expect(offered[4]).toEqual(['completed', 'failed', 'paused', 'pending', 'running']);
  expect(offered[5]).toEqual(expect.arrayContaining(['bash', 'fish', 'zsh']));
}

it('bash completes commands, options and values', () => expectCompletion('bash'));
it.each(['zsh', 'fish'] as const)('%s completes commands, options and values', { tags: 'long' }, expectCompletion);

it('the commands of the page do what it says', async () => {
  const id = await build(DOUBLE);
  const filledIn = {
    'https://weft.example.com': service.url,
    'ada@example.com': owner.email,
    'wf_…': id,
    SUPPORT_ADDRESS: 'PAGE',
  };
  const commands = `weft() { node node_modules/@weft/cli/dist/main.js "$@"; }\n${documentedProgram('cli.md', 'sh', filledIn)}`;
  const more = { XDG_CONFIG_HOME: path.join(folder, 'page'), ADDRESS: 'page@example.com' };
  const ended = await run('bash', ['-euc', commands], { input: PASSWORD, more });
  expect(ended, ended.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining('\n42\n') });
});

it('the command line pushes, pulls and compares files', async () => {
  const file = path.join(folder, 'new.yaml');
  writeFileSync(file, JSON.stringify({ definition: DOUBLE, name: 'From a file' }));
  expect(await weft(['workflows', 'push', file])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('created'),
  });
  const pushed = readFileSync(file, 'utf8');
  expect(pushed).toMatch(/^id: wf_\S+\nversion: 1\nname: From a file\n/);
  const id = /^id: (\S+)/.exec(pushed)?.[1] ?? '';
  expect(await weft(['workflows', 'push', file])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('unchanged'),
  });
  expect((await weft(['workflows', 'diff', file])).code).toBe(0);

  const rename = { name: 'By somebody else' };
  await call('PUT', `/api/workflows/${id}`, { token: owner.token, body: rename });
  expect(await weft(['workflows', 'diff', file])).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('-name: By somebody else\n+name: From a file\n'),
  });
  const refused = await weft(['workflows', 'push', file]);
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('version 2') });
  expect(await weft(['workflows', 'push', '--force', file])).toMatchObject({ code: 0 });
  expect(readFileSync(file, 'utf8')).toBe(pushed.replace('version: 1', 'version: 3'));

  expect((await weft(['workflows', 'pull', id, '--output', 'pulled'])).code).toBe(0);
  const pulled = path.join(folder, 'pulled/from-a-file.json');
  expect(Object.keys(JSON.parse(readFileSync(pulled, 'utf8')))).toEqual([
    'id',
    'version',
    'name',
    'description',
    'definition',
  ]);
  expect((await weft(['workflows', 'diff', pulled])).code).toBe(0);
  expect(await weft(['import', pulled, '--json'])).toMatchObject({ code: 0, stdout: expect.not.stringContaining(id) });

  // A key of another workspace does not find it.
  const stranger = { WEFT_API_KEY: await apiKeyOf(await buildUser()) };
  const foreign = await weft(['workflows', 'push', '--force', file], '', stranger);
  expect(foreign).toMatchObject({ code: 1, stderr: expect.stringContaining('no workflow') });
});

it('the command line imports a file of n8n and prints what became of its nodes', { tags: 'long' }, async () => {
  const fixture = path.join(root, 'import/n8n/fixtures/support-router.json');
  const file = path.join(folder, 'support-router.json');
  // One of its nodes is of a service that Weft does not have.
  writeFileSync(file, readFileSync(fixture, 'utf8').replace('n8n-nodes-base.github', 'n8n-nodes-base.mattermost'));
  const printed = await weft(['import', file]);
  expect(printed).toMatchObject({ code: 0, stderr: '' });
  expect(printed.stdout).toMatch(/^\S+ {2}Support router\n/);
  expect(printed.stdout).toMatch(/ {4}red: to replace\n/);
  expect(printed.stdout).toMatch(/replace +Create issue +Weft has no /);
  const { stdout } = await weft(['import', file, '--no-triggers', '--json']);
  expect(JSON.parse(stdout)).toMatchObject([{ name: 'Support router', light: 'red', triggers: [], proof: null }]);
  const broken = path.join(folder, 'large.json');
  const node = { type: 'n8n-nodes-base.set' };
  const nodes = Array.from({ length: 501 }, (_, index) => ({ ...node, name: `Set ${index}` }));
  writeFileSync(broken, JSON.stringify({ nodes, connections: {} }));
  expect(await weft(['import', broken])).toMatchObject({ code: 2, stderr: expect.stringContaining('At most 500') });
});

it('the command line imports from a running n8n, and repeats its last runs', { tags: 'long' }, async () => {
  const n8n = await startN8nApi(ordersInN8n());
  const listed = await weft(['import', 'n8n', '--url', n8n.url, '--key', n8n.key, '--list']);
  expect(listed.stdout).toMatch(/green +whole +0 +0 +0 +Orders/);
  const imported = await weft(['import', 'n8n', '--url', n8n.url, '--key', n8n.key, '--json']);
  expect(imported).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(imported.stdout)).toMatchObject([{ name: 'Orders', light: 'green', proof: { runs: 3, equal: 3 } }]);
  const refused = await weft(['import', 'n8n', '--url', n8n.url, '--key', 'wrong']);
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('refuses the key') });
  await n8n.close();
});

it('the command line creates a workflow for each tool of a server', { tags: 'long' }, async () => {
  const nodes = [
    { name: 'Server', type: '@n8n/n8n-nodes-langchain.mcpTrigger' },
    { name: 'Called', type: 'n8n-nodes-base.executeWorkflowTrigger' },
    { name: 'Hourly', type: 'n8n-nodes-base.scheduleTrigger' },
    { name: 'Work', type: 'n8n-nodes-base.noOp' },
    {
      name: 'Search',
      type: '@n8n/n8n-nodes-langchain.toolWorkflow',
      parameters: { name: 'find_it', description: 'Finds it', workflowId: '={{ $workflow.id }}' },
    },
  ];
  const toWork = { main: [[{ node: 'Work', type: 'main', index: 0 }]] };
  const asTool = { ai_tool: [[{ node: 'Server', type: 'ai_tool', index: 0 }]] };
  const file = path.join(folder, 'served.json');
  const connections = { Called: toWork, Hourly: toWork, Search: asTool };
  writeFileSync(file, JSON.stringify({ name: 'Served', nodes, connections }));
  const imported = await weft(['import', file, '--json']);
  expect(imported).toMatchObject({ code: 0, stderr: '' });
  const [main, tool] = JSON.parse(imported.stdout) as { id: string; name: string }[];
  expect([main?.name, tool?.name]).toEqual(['Served', 'find_it']);
  expect((await weft(['workflows', 'pull', tool?.id ?? '', '--output', 'served'])).code).toBe(0);
  const { description, definition } = JSON.parse(readFileSync(path.join(folder, 'served/find-it.json'), 'utf8')) as {
    description: string;
    definition: WorkflowDefinition;
  };
  expect(description).toBe('Finds it');
  expect(definition.nodes.find(({ type }) => type === 'sub_workflow')?.config).toMatchObject({
    workflowId: main?.id,
    startNodeId: 'called',
  });
});

/** The commands that both CI files of the page run: to production without changing it, to staging, to production. */
function commandsOfCi(): string[] {
  const page = documentedProgram('operate/environments.md', 'yaml', {});
  const [github, gitlab] = page.split('image: node:24').map((file) => file.match(/weft project .*/g));
  expect(gitlab).toEqual(github);
  expect(github).toHaveLength(4);
  return github ?? [];
}

it('a project is pulled from one workspace as files, and pushed to another', { tags: 'long' }, async () => {
  const secret = 'the-secret-of-development';
  const make = async (address: string, body: object) =>
    (await call<{ id: string }>('POST', address, { token: owner.token, body })).body.id;
  const credential = await make('/api/credentials', {
    name: 'Orders API',
    type: 'api_key',
    config: { apiKey: secret },
  });
  const called = await build(
    flow({ start: { type: 'start' }, say: { type: 'transform', config: { expression: '{{ vars.GREETING }}' } } }, [
      'start>say',
    ]),
  );
  await call('PUT', `/api/workflows/${called}`, { token: owner.token, body: { name: 'Greet' } });
  const definition = flow(
    {
      start: { type: 'start' },
      greet: { type: 'sub_workflow', config: { workflowId: called } },
      send: { type: 'http_request', config: { url: 'https://example.com' }, credentialId: credential, disabled: true },
    },
    ['start>greet', 'greet>send'],
  );
  const tags = ['project'];
  const main = await make('/api/workflows', { name: 'Welcome', definition, tags, status: 'active' });
  await make(`/api/workflows/${main}/schedules`, { cron: '0 6 * * *' });
  await make('/api/variables', { name: 'GREETING', value: 'Hello from development' });

  const project = path.join(folder, 'project');
  const inProject = (parameters: string[], more: Record<string, string> = {}) =>
    weft(['project', ...parameters, '--directory', project], '', more);
  expect((await inProject(['pull'])).code).toBe(2);
  expect((await inProject(['init', 'welcome', '--tag', 'project'])).code).toBe(0);
  expect((await inProject(['pull'])).code).toBe(0);
  const files = readdirSync(project, { recursive: true, encoding: 'utf8' }).sort();
  expect(files.filter((file) => file.endsWith('.yaml'))).toEqual([
    'credentials.yaml',
    'tables.yaml',
    'variables.yaml',
    'weft.yaml',
    'workflows/greet.yaml',
    'workflows/welcome.yaml',
  ]);
  const read = (file: string) => readFileSync(path.join(project, file), 'utf8');
  const texts = files
    .filter((file) => /\.(?:yaml|json)$/.test(file))
    .map(read)
    .join('');
  expect(texts).not.toContain(secret);
  expect(read('workflows/welcome.yaml')).toMatch(/workflowId: Greet\n[^]*credentialId: Orders API\n/);
  expect(await inProject(['diff'])).toMatchObject({ code: 0, stdout: '' });

  const other = await buildUser();
  const production = { WEFT_API_KEY: await apiKeyOf(other) };
  const refused = await inProject(['push', '--yes'], production);
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('x credential Orders API: It does not exist here'),
  });
  expect((await inProject(['push', '--environment', 'production'], production)).code).toBe(2);
  writeFileSync(
    path.join(project, 'weft.production.yaml'),
    'variables: {GREETING: Hello}\nworkflows: {Welcome: {status: paused}}\n',
  );
  const to = ['--environment', 'production', '--create-missing'];
  // Without a terminal the question cannot be asked.
  expect(await inProject(['push', ...to], production)).toMatchObject({
    code: 2,
    stdout: expect.stringContaining('+ workflow Welcome\n'),
  });
  const pushed = await inProject(['push', ...to, '--yes', '--json'], production);
  expect(pushed.code, pushed.stderr).toBe(0);
  const { workflows } = JSON.parse(pushed.stdout) as { workflows: { key: string; id: string }[] };
  const idOf = (name: string) => workflows.find(({ key }) => key === name)?.id ?? '';
  expect([called, main]).not.toContain(idOf('Welcome'));
  expect(await weft(['workflows', 'run', idOf('Welcome')], '', production)).toMatchObject({
    code: 0,
    stdout: '"Hello"\n',
  });
  expect(await inProject(['push', ...to, '--yes'], production)).toMatchObject({ code: 0, stdout: 'No changes.\n' });

  const file = 'workflows/greet.yaml';
  const changed = read(file)
    .replace('vars.GREETING', "vars.GREETING & '!'")
    .replace('definition:', 'tests:\n  - name: Greets\n    expectations: { output: Hello! }\ndefinition:');
  writeFileSync(path.join(project, file), changed);
  const diff = await inProject(['diff', ...to], production);
  expect(diff).toMatchObject({ code: 1, stdout: expect.stringMatching(/\n- +expression:.*\n\+ +expression:.*!/) });
  writeFileSync(path.join(project, 'weft.staging.yaml'), 'variables: {GREETING: Hello}\n');
  for (const line of commandsOfCi()) {
    const ended = await inProject(line.split(' ').slice(2), production);
    expect(ended.code, `${line}: ${ended.stderr}`).toBe(0);
  }
  expect(readFileSync(path.join(folder, 'results.xml'), 'utf8')).toContain('name="Greets"');

  // A change in production is not overwritten, and neither is one that a colleague has made in development.
  for (const [id, { token }, more] of [
    [idOf('Greet'), other, production],
    [called, owner, {}],
  ] as const) {
    await call('PUT', `/api/workflows/${id}`, { token, body: { description: 'Changed meanwhile' } });
    const conflict = await inProject(['push', ...(token === other.token ? to : []), '--yes'], more);
    expect(conflict).toMatchObject({ code: 1, stderr: expect.stringContaining('It was changed here') });
  }
  writeFileSync(path.join(project, 'workflows/welcome.yaml'), `${read('workflows/welcome.yaml')}owner: Ada\n`);
  const wrong = await inProject(['status'], production);
  expect(wrong).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('workflows/welcome.yaml: owner is not a known field'),
  });
  rmSync(path.join(project, 'workflows/welcome.yaml'));
  const rest = ['--environment', 'staging', '--yes', '--force'];
  expect(await inProject(['push', ...rest], production)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('! workflow Welcome'),
  });
  expect(await inProject(['push', ...rest, '--prune'], production)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('- workflow Welcome'),
  });
});

it('exit codes tell how a run ended', { tags: 'long' }, async () => {
  const [good, bad] = await Promise.all([build(DOUBLE), build(FAILING)]);
  const ran = await weft(['workflows', 'run', good, '--input', '-', '--watch'], '{"number": 4}');
  expect(ran).toMatchObject({ code: 0, stdout: '8\n', stderr: expect.stringContaining('run completed') });
  const failed = await weft(['workflows', 'run', bad, '--json']);
  expect(failed.code).toBe(1);
  const { id, status } = JSON.parse(failed.stdout) as { id: string; status: string };
  expect(status).toBe('failed');
  expect((await weft(['runs', 'watch', id])).code).toBe(1);
  expect(await weft(['runs', 'logs', id])).toMatchObject({ code: 0, stdout: expect.stringContaining('error') });
  expect((await weft(['runs', 'rerun', id])).code).toBe(1);
  const listed = await weft(['runs', 'list', '--workflow', bad, '--json']);
  expect(JSON.parse(listed.stdout)).toMatchObject([{ rerunOf: id }, { id }]);

  expect((await weft(['workflows', 'fly'])).code).toBe(2);
  expect(await weft(['workflows', 'diff', 'none.yaml'])).toMatchObject({
    code: 2,
    stderr: 'none.yaml does not exist.\n',
  });
  expect((await weft(['workflows', 'run', good, '--input', '[]'])).code).toBe(2);
  expect(await weft(['workflows', 'run', good, '--input', '{"a": 1,}'])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^The input is not valid JSON: .*position 8/),
  });
  const echo = { type: 'start', position: { x: 0, y: 0 }, config: {} };
  const same = await build({ nodes: [{ id: 'in', ...echo }], connections: [] });
  const large = await weft(['workflows', 'run', same, '--input', '{"id": 9007199254740993, "n": 1e21}']);
  expect(JSON.parse(large.stdout)).toEqual({ id: '9007199254740993', n: 1e21 });
  // A file of YAML has the same integers.
  writeFileSync(path.join(folder, 'ids.yaml'), IDS);
  expect((await weft(['workflows', 'push', 'ids.yaml'])).code).toBe(0);
  const { stdout } = await weft(['workflows', 'run', 'ids.yaml']);
  expect(JSON.parse(stdout)).toEqual({ id: '9007199254740993', n: 7 });
  expect((await weft(['workflows', 'list'], '', { WEFT_API_KEY: 'wk_wrong' })).code).toBe(3);
  expect((await weft(['workflows', 'list'], '', { WEFT_API_KEY: '' })).code).toBe(3);
});

it('tests of a workflow run in CI, with results as JUnit XML', { tags: 'long' }, async () => {
  const id = await build(DOUBLE);
  const test = (name: string, output: number) =>
    call('POST', `/api/workflows/${id}/tests`, {
      token: owner.token,
      body: { name, input: { number: 2 }, expectations: { output } },
    });
  expect((await test('Doubles <two>', 4)).status).toBe(201);

  expect(await weft(['test', id])).toMatchObject({ code: 0, stdout: expect.stringContaining('1 passed, 0 failed') });
  expect((await test('Is wrong', 5)).status).toBe(201);
  const failed = await weft(['test', id, '--junit', 'results.xml']);
  expect(failed).toMatchObject({ code: 1, stdout: expect.stringContaining('Expected 5, got 4') });
  const xml = readFileSync(path.join(folder, 'results.xml'), 'utf8');
  expect(XMLValidator.validate(xml)).toBe(true);
  const report = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: '' }).parse(xml) as Report;
  const { tests, failures, testcase } = report.testsuites.testsuite;
  expect([tests, failures]).toEqual(['2', '1']);
  expect(testcase.map(({ name, failure }) => [name, failure !== undefined])).toEqual([
    ['Is wrong', true],
    ['Doubles <two>', false],
  ]);

  expect((await weft(['workflows', 'run', id, '--input', '{"number": 4}'])).code).toBe(0);
  expect(await weft(['replay', id])).toMatchObject({ code: 0, stdout: expect.stringMatching(/^same +exec_/) });
});

interface Report {
  testsuites: { testsuite: { tests: string; failures: string; testcase: { name: string; failure?: unknown }[] } };
}

it('secrets are set from standard input and never printed', async () => {
  const set = await weft(['secrets', 'set', 'SUPPORT_ADDRESS'], 'hidden@example.com\n');
  expect(set).toMatchObject({ code: 0, stdout: 'SUPPORT_ADDRESS created\n' });
  const listed = await weft(['secrets', 'list']);
  expect(listed.stdout).toContain('SUPPORT_ADDRESS');
  expect(listed.stdout).not.toContain('hidden');
  const stored = await call('GET', '/api/variables/SUPPORT_ADDRESS', { token: owner.token });
  expect(stored.body).toMatchObject({ value: 'hidden@example.com' });
});

it('signs in with a password, and keeps the tokens in a file of the user', { tags: 'long' }, async () => {
  const login = ['login', '--url', service.url, '--email', owner.email];
  const noKey = { WEFT_API_KEY: '', WEFT_URL: '' };
  expect((await weft(login, 'a wrong password', noKey)).code).toBe(3);
  expect(await weft(login, PASSWORD, noKey)).toMatchObject({ code: 0 });
  const file = path.join(folder, 'config/weft/config.json');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(await weft(['whoami'], '', noKey)).toMatchObject({ code: 0, stdout: expect.stringContaining(owner.email) });
  // The tokens of one service are not sent to another.
  expect((await weft(['whoami'], '', { ...noKey, WEFT_URL: 'http://127.0.0.1:1' })).code).toBe(3);
  const unreachable = ['login', '--url', 'http://127.0.0.1:1', '--email', owner.email];
  expect((await weft(unreachable, PASSWORD, noKey)).code).toBe(4);
  expect((await weft(['logout'], '', noKey)).code).toBe(0);
  expect((await weft(['whoami'], '', noKey)).code).toBe(3);
});
