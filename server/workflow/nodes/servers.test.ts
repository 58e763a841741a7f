import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { FileValue } from '@/contract/file-value';
import type { WorkflowNode } from '@/contract/workflows/workflow';
import { prismaClient } from '@/server/platform/db/client';
import { executeDuePolls } from '@/server/triggers/polls/poller';
import { startWorker, type EngineWorker } from '@/server/engine/worker';
import { openFileStorage } from '@/server/data/files/storage';
import { storeUpload } from '@/server/data/files/store';
import { countRemoteConnections } from '@/server/network/remote/credential';
import { useDatabase } from '@/server/testing/database';
import { buildCredential, buildUser, call, unique, type Refused, type TestUser } from '@/server/testing/factories';
import { runNode, saveNode, startNode } from '@/server/testing/one-node';
import { startProftpd, type FtpServer } from '@/server/testing/servers/proftpd';
import { startSshd, type SshServer } from '@/server/testing/servers/sshd';
import { polledWorkflow } from '@/server/testing/polls';
import { until } from '@/server/testing/runs';

useDatabase();

const docs = readFileSync('docs/build/servers.md', 'utf8');
const examples = [...docs.matchAll(/^```json\n([^]*?)\n```/gm)].map(([, text = '']) => JSON.parse(text) as unknown);

let worker: EngineWorker;
let sshd: SshServer;
let ftpd: FtpServer;
let user: TestUser;

beforeAll(async () => {
  [sshd, ftpd, worker] = await Promise.all([
    startSshd(),
    startProftpd(),
    startWorker({ concurrency: 20, graceMs: 200 }),
  ]);
});
beforeEach(async () => {
  user = await buildUser();
});
afterAll(async () => {
  await worker.stop();
  await Promise.all([sshd.remove(), ftpd.remove()]);
});

const create = (type: string, config: object, owner = user) =>
  call<{ id: string } & Refused>('POST', '/api/credentials', {
    token: owner.token,
    body: { name: unique('server'), type, config },
  });

const credentialOf = (type: string, config: object, owner = user) => buildCredential(owner, type, config);
const typed = (node: Partial<WorkflowNode>) => ({ ...node, type: node.type ?? 'ssh' });
const begin = (node: Partial<WorkflowNode>, input: object = {}, owner = user) => startNode(owner, typed(node), input);
async function run<Output = unknown>(node: Partial<WorkflowNode>, input: object = {}, owner = user) {
  const { output, ...rest } = await runNode(owner, typed(node), input);
  return { ...rest, output: output as Output };
}
const save = (node: Partial<WorkflowNode>, status = 'draft') => saveNode(user, typed(node), status);

const [grep, transfers] = examples as [WorkflowNode, WorkflowNode[]];
const transfer = (credentialId: string, config: object): Partial<WorkflowNode> => ({
  type: 'file_transfer',
  credentialId,
  config: config as WorkflowNode['config'],
});

async function bytesOf({ $file }: FileValue): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of (await openFileStorage().read($file)) ?? []) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

describe('ssh', () => {
  it('does what docs/build/servers.md shows', async () => {
    const credentialId = await credentialOf('ssh', sshd.config());
    const count = (word: string) => run({ ...grep, credentialId }, { word, text: 'one two\ntwo $(id)\n' });
    expect(await count('two')).toMatchObject({
      status: 'completed',
      output: { exitCode: 0, signal: null, stdout: '2\n', stderr: '' },
    });
    expect((await count('"; id; "')).output).toMatchObject({ exitCode: 1, stdout: '0\n' });
    expect((await count('$(id)')).output).toMatchObject({ exitCode: 0, stdout: '1\n' });
  });

  it('takes values, files and folders as data', async () => {
    const credentialId = await credentialOf('ssh', sshd.config());
    const file = await storeUpload(Readable.from([Buffer.from('from a file')]), { workspaceId: user.workspaceId });
    const folder = path.join(sshd.folder, `it's "a" $(folder)`);
    mkdirSync(folder, { recursive: true });
    const command = 'pwd; printf "%s|" "$text" "$list" "$none"; cat';
    const parameters = { text: '{{ input.text }}', list: '{{ input.list }}', none: null };
    const config = { command, parameters, stdin: '{{ input.file }}', directory: '{{ input.folder }}' };
    const text = `'; touch ${sshd.folder}/injected; echo '`;
    const { output } = await run({ credentialId, config }, { text, list: [1, 'a'], file, folder });
    expect(output).toMatchObject({ exitCode: 0, stdout: `${folder}\n${text}|[1,"a"]||from a file` });
    expect(existsSync(`${sshd.folder}/injected`)).toBe(false);
  });

  it('fails with the end of what the command says, or passes its exit code on', async () => {
    const credentialId = await credentialOf('ssh', sshd.config());
    const command = 'echo out; echo the reason >&2; exit 3';
    expect(await run({ credentialId, config: { command } })).toMatchObject({
      code: 'EXIT_CODE',
      message: 'The command ended with exit code 3: the reason',
    });
    expect((await run({ credentialId, config: { command, failOnError: false } })).output).toEqual({
      exitCode: 3,
      signal: null,
      stdout: 'out\n',
      stderr: 'the reason\n',
    });
    const killed = await run({ credentialId, config: { command: 'kill -KILL $$', failOnError: false } });
    expect(killed.output).toMatchObject({ exitCode: null, signal: 'SIGKILL' });
  });

  it('signs in with keys of other kinds, and keeps secrets to itself', async () => {
    const privateKey = sshd.makeKey('a passphrase', '-t', 'ed25519', '-a', '4');
    const credentialId = await credentialOf('ssh', sshd.config({ privateKey, passphrase: 'a passphrase' }));
    expect((await run({ credentialId, config: { command: 'echo a passphrase' } })).output).toMatchObject({
      stdout: '••••••\n',
    });
    const pem = await credentialOf(
      'ssh',
      sshd.config({ privateKey: sshd.makeKey('', '-t', 'rsa', '-b', '2048', '-m', 'PEM') }),
    );
    expect((await run({ credentialId: pem, config: { command: 'echo in' } })).output).toMatchObject({ stdout: 'in\n' });
    const { body } = await call<object>('GET', `/api/credentials/${credentialId}`, { token: user.token });
    expect(body).toMatchObject({ secretFields: ['privateKey', 'passphrase'] });
    expect(JSON.stringify(body)).not.toContain('PRIVATE KEY');
  });

  it('is left when its run is cancelled', async () => {
    const credentialId = await credentialOf('ssh', sshd.config());
    const begun = path.join(sshd.folder, unique('begun'));
    const command = 'echo $$ > "$begun"; sleep 600';
    const { executionId } = await begin({ credentialId, config: { command, parameters: { begun } } });
    await until(async () => existsSync(begun), 'the command to begin');
    const { status } = await call('POST', `/api/executions/${executionId}/cancel`, { token: user.token });
    expect(status).toBe(200);
    await until(async () => countRemoteConnections() === 0, 'the connection to end');
    // OpenSSH passes signals on only to accounts other than root.
    process.kill(Number(readFileSync(begun, 'utf8')));
  });

  it.each([
    [{ command: 'rm {{ input.path }}' }, 'config.command'],
    [{ command: 'id', parameters: '{{ input }}' }, 'config.parameters'],
    [{ command: 'id', parameters: { 'a b': 1 } }, 'config.parameters.a b'],
  ])('can not be saved with %j', async (config, field) => {
    const { status, body } = await save({ config: config as WorkflowNode['config'] });
    expect([status, body.error.details.map((detail) => detail.field)]).toEqual([400, [`nodes[1].${field}`]]);
  });

  it('takes templates of Go as they are', async () => {
    const credentialId = await credentialOf('ssh', sshd.config());
    const command = "echo '{{.ID}} {{json .Names}} {{end}}'";
    expect((await run({ credentialId, config: { command } })).output).toMatchObject({
      stdout: '{{.ID}} {{json .Names}} {{end}}\n',
    });
  });
});

describe.each(['SFTP', 'FTP', 'FTP with explicit TLS', 'FTP with implicit TLS'])('%s', (protocol) => {
  const tls = { FTP: 'none', 'FTP with explicit TLS': 'explicit', 'FTP with implicit TLS': 'implicit' } as const;
  const isSftp = protocol === 'SFTP';
  const credential = () =>
    isSftp ? credentialOf('ssh', sshd.config()) : credentialOf('ftp', ftpd.config(tls[protocol as keyof typeof tls]));
  let folder: string;
  beforeEach(() => {
    folder = path.join(isSftp ? sshd.folder : ftpd.folder, unique('folder'));
  });

  it('carries files there and back, byte by byte', async () => {
    const id = await credential();
    const content = randomBytes(700_000);
    const file = await storeUpload(Readable.from([content]), { workspaceId: user.workspaceId, name: 'there' });
    const name = ' it\'s * "a" -R ü.csv';
    const upload = { operation: 'upload', path: `${folder}/${name}`, content: '{{ input.file }}', makeFolders: true };
    expect((await run(transfer(id, upload), { file })).output).toEqual({ path: `${folder}/${name}`, size: 700_000 });
    expect(readFileSync(`${folder}/${name}`).equals(content)).toBe(true);
    const download = { operation: 'download', path: '{{ input.path }}' };
    const { output } = await run<{ file: FileValue }>(transfer(id, download), { path: `${folder}/${name}` });
    expect(output.file).toMatchObject({ size: 700_000, contentType: 'text/csv', sha256: file.sha256 });
    expect((await bytesOf(output.file)).equals(content)).toBe(true);
  });

  // What differs between the three kinds of FTP is how bytes are carried.
  const others = protocol.includes('TLS') ? ['long'] : [];

  it('lists, moves and deletes', { tags: others }, async () => {
    const id = await credential();
    const perform = async (config: object) => run(transfer(id, config));
    expect((await perform({ operation: 'make_folder', path: `${folder}/one/two` })).output).toEqual({
      path: `${folder}/one/two`,
    });
    expect((await perform({ operation: 'make_folder', path: `${folder}/one/two` })).status).toBe('completed');
    writeFileSync(`${folder}/b.txt`, 'text');
    utimesSync(`${folder}/b.txt`, 1_700_000_000, 1_700_000_000);
    symlinkSync('b.txt', `${folder}/link`);
    const { output } = await run<object[]>(transfer(id, { operation: 'list', path: folder }));
    const about = (name: string, more: object) =>
      expect.objectContaining({ name, path: `${folder}/${name}`, ...more }) as object;
    expect(output).toEqual([
      about('b.txt', { type: 'file', size: 4, modifiedAt: '2023-11-14T22:13:20.000Z' }),
      about('link', {}),
      about('one', { type: 'folder' }),
    ]);
    const to = `${folder}/three/c.txt`;
    const move = { operation: 'move', path: `${folder}/b.txt`, to, makeFolders: true };
    expect((await perform(move)).output).toEqual({ from: `${folder}/b.txt`, path: to });
    expect(readFileSync(to, 'utf8')).toBe('text');
    expect((await perform({ operation: 'delete', path: `${folder}/three` })).code).toBe('TRANSFER_REFUSED');
    for (const gone of ['three/c.txt', 'three', 'link', 'one/two'])
      expect((await perform({ operation: 'delete', path: `${folder}/${gone}` })).status).toBe('completed');
    expect(existsSync(`${folder}/three`)).toBe(false);
  });

  it('names what does not exist', { tags: others }, async () => {
    const id = await credential();
    mkdirSync(folder);
    const missing = `${folder}/none`;
    for (const config of [
      { operation: 'list', path: missing },
      { operation: 'download', path: missing },
      { operation: 'delete', path: missing },
      { operation: 'move', path: missing, to: `${folder}/other` },
      { operation: 'upload', path: `${missing}/file`, content: 'x' },
    ]) {
      const { code, message } = await run(transfer(id, config));
      expect([config.operation, code]).toEqual([config.operation, 'PATH_NOT_FOUND']);
      expect(message).toContain(missing);
    }
  });
});

it('does what docs/build/servers.md shows about files', async () => {
  const credentialId = await credentialOf('ftp', ftpd.config('explicit'));
  const [upload, list] = transfers.map((node) => ({ ...node, credentialId }));
  expect((await run(upload!, { month: '2026-01', csv: 'a,b\n' })).output).toEqual({
    path: 'reports/2026-01.csv',
    size: 4,
  });
  expect(readFileSync(`${ftpd.folder}/reports/2026-01.csv`, 'utf8')).toBe('a,b\n');
  expect((await run(list!)).output).toMatchObject([{ name: '2026-01.csv', path: 'reports/2026-01.csv', type: 'file' }]);
});

it('a poll starts a run for each new file of a folder', async () => {
  const workflow = await polledWorkflow();
  const credentialId = await credentialOf('ssh', sshd.config(), workflow.user);
  const folder = path.join(sshd.folder, unique('folder'));
  mkdirSync(`${folder}/inside`, { recursive: true });
  const node = { type: 'file_transfer', credentialId, config: { operation: 'list', path: folder } };
  const settings = { name: 'New files', intervalMs: 60_000, node, first: 'skip', ...(examples[2] as object) };
  const { status, body } = await workflow.send('POST', '', settings);
  expect([status, body.error]).toEqual([201, undefined]);
  const again = async () => {
    await workflow.makeDue();
    await executeDuePolls();
    expect((await workflow.read(body.id)).lastError).toBeNull();
  };
  await again();
  for (const name of ['a.txt', 'b.txt']) {
    writeFileSync(`${folder}/${name}`, name);
    await again();
  }
  const runs = await prismaClient().execution.findMany({ where: { workflowId: workflow.workflowId } });
  const paths = runs.map(({ input }) => (input as { path: string }).path);
  expect(paths.toSorted()).toEqual([`${folder}/a.txt`, `${folder}/b.txt`]);
  await prismaClient().poll.deleteMany();
});

describe('a credential', () => {
  const test = async (id: string) =>
    (await call('POST', `/api/credentials/${id}/test`, { token: user.token, body: {} })).body;

  it('is tested by a login', async () => {
    const ssh = await credentialOf('ssh', sshd.config({ hostKey: undefined }));
    expect(await test(ssh)).toMatchObject({ ok: true, message: expect.stringContaining(sshd.fingerprint) });
    const ftp = await credentialOf('ftp', ftpd.config('implicit'));
    expect(await test(ftp)).toMatchObject({ ok: true, message: expect.stringContaining('accepted the login') });
    const wrong = await credentialOf('ftp', ftpd.config('explicit', { password: 'wrong-password' }));
    expect(await test(wrong)).toMatchObject({ ok: false, message: expect.stringContaining('refused the user name') });
    const unknown = await credentialOf('ftp', ftpd.config('explicit', { ca: undefined }));
    expect(await test(unknown)).toMatchObject({ ok: false, message: expect.stringContaining('127.0.0.1: ') });
  });

  it('is of no use to another workspace, or to another kind of node', async () => {
    const credentialId = await credentialOf('ssh', sshd.config());
    const stranger = await buildUser();
    const config = { command: 'id' };
    expect((await run({ credentialId, config }, {}, stranger)).code).toBe('CREDENTIAL_MISSING');
    const file = await storeUpload(Readable.from([Buffer.from('x')]), { workspaceId: stranger.workspaceId });
    const upload = { operation: 'upload', path: `${sshd.folder}/x`, content: '{{ input.file }}' };
    expect((await run(transfer(credentialId, upload), { file })).code).toBe('FILE_NOT_FOUND');
    const ftp = await credentialOf('ftp', ftpd.config('none'));
    expect((await run({ credentialId: ftp, config })).code).toBe('CREDENTIAL_KIND');
    const http = { type: 'http_request', credentialId, config: { url: 'http://127.0.0.1:1/' } };
    expect((await run(http)).code).toBe('CREDENTIAL_KIND');
  });

  it.each([
    ['ssh', { password: undefined, privateKey: undefined }, 'config.password'],
    ['ssh', { hostKey: 'SHA256:short' }, 'config.hostKey'],
    ['ssh', { host: 'a b' }, 'config.host'],
    ['ftp', { tls: 'maybe' }, 'config.tls'],
    ['ftp', { username: 'a\r\nDELE x' }, 'config.username'],
    ['ftp', { password: 'a\r\nDELE x' }, 'config.password'],
    ['ftp', { ca: 'no certificate' }, 'config.ca'],
  ])('%s with %j is refused', async (type, changes, field) => {
    const config = type === 'ssh' ? sshd.config(changes) : ftpd.config('explicit', changes);
    const { status, body } = await create(type, config);
    expect([status, body.error.details.map((detail) => detail.field)]).toEqual([400, [field]]);
  });
});
