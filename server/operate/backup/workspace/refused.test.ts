import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { beforeAll, describe, expect, it } from 'vitest';
import { LocalStorage } from '@/server/data/files/local-storage';
import { systemRoleId } from '@/server/platform/db/system-role-id';
import { useDatabase } from '@/server/testing/database';
import { buildUser, type TestUser } from '@/server/testing/factories';
import { createFixtures } from '@/server/testing/fixtures';
import { countCopyRows, walkBackupFile } from '../walk';
import { checkStagedIds } from './check-ids';
import { checkStagedValues } from './check-values';
import { EXPORTED_TABLES } from './content';
import { exportWorkspace } from './export';
import { workspaceExportFormat } from './format';
import { ImportStage } from './stage';
import { CraftedExport, cut } from './testing/craft';
import { countsOf, importInto, on, PASSPHRASE, source, transferRig, type Target } from './testing/rig';

useDatabase();

const rig = transferRig();
let workspaceId: string;
let file: string;
let fileId: string;
/** An installation with a workspace of others. */
let to: Target;
let before: Awaited<ReturnType<typeof remains>>;
const OTHERS = { workspace: 'ws_others' };

beforeAll(async () => {
  const owner: TestUser = await buildUser();
  ({ workspaceId } = owner);
  const ids = await createFixtures(owner);
  fileId = ids.files!.id!;
  file = await rig.export(workspaceId);
  to = await rig.target();
  await on(to.url, (client) =>
    client.query(
      `INSERT INTO workspace (id, name, slug, tier, updated_at) VALUES ('ws_others', 'Others', 'others', 'free', now());
       INSERT INTO app_user (id, email, name, password_hash, email_proven_at) VALUES ('usr_others', 'others@example.com', 'Others', 'hash', now());
       INSERT INTO workflow (id, workspace_id, name, description, status, definition, version)
         VALUES ('wf_others', 'ws_others', 'Others', '', 'draft', '{"nodes":[],"connections":[]}', 1);
       INSERT INTO execution (id, workspace_id, workflow_id, workflow_version, status, trigger, input)
         VALUES ('exec_others', 'ws_others', 'wf_others', 1, 'running', 'manual', '{}')`,
    ),
  );
  before = { rows: await countsOf(to.url), files: [] };
});

const NULL = String.raw`\N`;

/** Why a file is refused. */
async function refusal(place: string, changes: Parameters<typeof importInto>[2] = {}, target = to): Promise<string> {
  const error = await importInto(target, place, changes).then(
    () => expect.unreachable('it was imported'),
    (reason: Error) => reason,
  );
  return error.message;
}

/** What the refused imports of a test left: rows by table, and files. */
async function remains() {
  const entries = readdirSync(to.folder, { recursive: true, withFileTypes: true });
  return { rows: await countsOf(to.url), files: entries.filter((entry) => entry.isFile()) };
}

const craft = () => CraftedExport.open(file, PASSPHRASE);
/** A line of COPY in one table becomes the value. */
const crafted = async (table: string, values: Record<string, string>) =>
  (await craft()).set(table, values).write(rig.fresh('crafted'));

describe('an import refuses, and leaves nothing of,', () => {
  it('a file with another passphrase, cut off, or altered by somebody without it', async () => {
    expect(await refusal(file, { passphrase: 'another passphrase' })).toBe(
      'The passphrase is wrong. Nothing was imported.',
    );
    for (const share of [0.1, 0.6, 0.999])
      expect(await refusal(cut(file, share, rig.fresh('cut')))).toContain('The export is damaged or incomplete');
    const altered = (await craft()).set('workspace', { name: 'Altered' });
    expect(await refusal(await altered.write(rig.fresh('altered'), 'another key'))).toBe(
      'The export was altered: it is not what the passphrase sealed. Nothing was imported.',
    );
    expect(await refusal(path.join(rig.folder, 'missing'))).toContain('ENOENT');
    expect(await remains()).toEqual(before);
  });

  it('a file of a newer and of an older version', async () => {
    const newer = await craft();
    newer.header.migrations.push({ name: '29990101000000_later', checksum: 'x' });
    expect(await refusal(await newer.write(rig.fresh('newer')))).toContain('whose migration 29990101000000_later');
    const older = await craft();
    const { name } = older.header.migrations.pop()!;
    expect(await refusal(await older.write(rig.fresh('older')))).toContain(`lacks the migration ${name}`);
    expect(await remains()).toEqual(before);
  });

  it('rows of another workspace, and of tables that are not exported', async () => {
    expect(await refusal(await crafted('credential', { workspace_id: OTHERS.workspace }))).toBe(
      'The export is refused: credential has a row of the workspace ws_others. Nothing was imported.',
    );
    for (const name of ['session', 'audit_entry', 'tbl_others']) {
      const file = await craft();
      const part = file.parts.find(({ record }) => record.kind === 'table' && record.name === 'variable')!;
      Object.assign(part.record, { name });
      expect(await refusal(await file.write(rig.fresh('crafted')))).toMatch(/is not (?:exported|one of its tables)/);
    }
    expect(await remains()).toEqual(before);
  });

  it('a secret that is not sealed, and values that are none', async () => {
    expect(await refusal(await crafted('credential', { sealed: 'c2VhbGVkIGJ5IG5vYm9keQ' }))).toContain('not sealed by');
    for (const [name, value] of Object.entries({ value: '{', name: NULL }))
      expect(await refusal(await crafted('variable', { [name]: value }))).toContain('The export is refused');
    expect(await remains()).toEqual(before);
  });

  it('tables and files that are double, missing, of another place or of other bytes', async () => {
    const isTable = (name: RegExp) => (part: { record: { kind: string; name?: string } }) =>
      part.record.kind === 'table' && name.test(part.record.name ?? '');
    const double = await craft();
    const at = double.parts.findIndex(isTable(/^tbl_/));
    double.parts.splice(at, 0, ...double.parts.slice(at, at + 2));
    expect(await refusal(await double.write(rig.fresh('crafted')))).toContain('twice');
    const missing = await craft();
    missing.parts.splice(missing.parts.findIndex(isTable(/^tbl_/)), 2);
    expect(await refusal(await missing.write(rig.fresh('crafted')))).toContain('lacks the rows of the table');
    const late = await craft();
    const variables = late.parts.splice(late.parts.findIndex(isTable(/^variable$/)), 2);
    late.parts.splice(-1, 0, ...variables);
    expect(await refusal(await late.write(rig.fresh('crafted')))).toContain('in the wrong place');
    expect(await refusal(await crafted('file', { sha256: 'x' }))).toContain('not one of its files');
    expect(await remains()).toEqual(before);
  });

  it('a slug or an id that exists, and a workspace without an owner', async () => {
    expect(await refusal(file, { slug: 'others' })).toContain('choose another one with --slug');
    expect(await refusal(file, { slug: 'Not A Slug' })).toContain('lower-case');
    expect(await refusal(file, { owner: 'nobody@example.com' })).toContain('No account has the confirmed address');
    const orphan = (await craft()).rows('role_assignment', (rows) =>
      rows.filter((row) => row.role_id !== systemRoleId('owner')),
    );
    expect(await refusal(await orphan.write(rig.fresh('crafted')))).toContain('name one with --owner');
    await expect(importInto({ ...to, url: source().url }, file, { slug: 'again' })).rejects.toThrow(
      `has ${workspaceId} (workspace) already`,
    );
    expect(await remains()).toEqual(before);
  });

  it('any file during maintenance, in which there is no export either', async () => {
    const frozen = (url: string) => {
      const address = new URL(url);
      address.searchParams.set('options', '-c default_transaction_read_only=on');
      return address.href;
    };
    expect(await refusal(file, {}, { ...to, url: frozen(to.url) })).toContain('in maintenance');
    const request = { workspace: workspaceId, passphrase: PASSPHRASE, hasRuns: true, cost: 4096 } as const;
    const never = rig.fresh('never');
    const attempt = exportWorkspace(never, request, { ...source(), url: frozen(source().url) });
    await expect(attempt).rejects.toThrow('in maintenance');
    expect(existsSync(never)).toBe(false);
    expect(await remains()).toEqual(before);
  });

  it('an import that fails at its end', async () => {
    const broken = new LocalStorage(rig.fresh('broken'));
    broken.put = async () => {
      throw new Error('the disk is full');
    };
    expect(await refusal(file, {}, { ...to, files: broken })).toBe('the disk is full');
    const present = new LocalStorage(rig.fresh('present'));
    present.read = async () => Readable.from([Buffer.from('bytes of others')]);
    expect(await refusal(file, {}, { ...to, files: present })).toContain(`other bytes under ${fileId}`);
    expect(await remains()).toEqual(before);
  });
});

/** Changes of the staged rows of a good file, each with what the refusal says. */
const CHANGES: [sql: string, why: string][] = [
  ...['workflow', 'variable', 'connector', 'execution', 'data_table', 'member', 'file', 'alert', 'role'].map(
    (table): [string, string] => [
      `UPDATE import_${table} SET workspace_id = 'ws_others'`,
      `${table} has a row of the workspace ws_others`,
    ],
  ),
  [`UPDATE import_workspace SET id = 'ws_others'`, 'exactly the workspace'],
  [`DELETE FROM import_workspace`, 'exactly the workspace'],
  [`UPDATE import_app_user SET only_workspace_id = 'ws_others'`, 'app_user.only_workspace_id names ws_others'],
  ...['workflow_version', 'webhook', 'form', 'chat', 'schedule', 'poll', 'execution'].map((table): [string, string] => [
    `UPDATE import_${table} SET workflow_id = 'wf_others'`,
    `${table}.workflow_id names wf_others`,
  ]),
  ...['node_result', 'webhook_delivery'].map((table): [string, string] => [
    `UPDATE import_${table} SET ${table === 'node_result' ? 'execution_id' : 'webhook_id'} = 'exec_others'`,
    'names exec_others',
  ]),
  [`UPDATE import_member SET user_id = 'usr_others'`, 'member.user_id names usr_others'],
  [`UPDATE import_workflow SET folder_id = 'fld_others'`, 'workflow.folder_id names fld_others'],
  [`UPDATE import_role_assignment SET role_id = 'role_others'`, 'role role_others is assigned'],
  [`UPDATE import_role SET lineage = '{role_others}'`, 'inherits from role_others'],
  [`INSERT INTO import_execution_tally (scope) VALUES ('ws_others')`, 'counts runs of ws_others'],
  [
    `INSERT INTO import_remembered (workspace_id, scope_id) SELECT id, 'ws_others' FROM import_workspace`,
    'for ws_others',
  ],
  [`UPDATE import_node_result SET held = '{"childId":"exec_others"}'`, 'waits for the run exec_others'],
  [`UPDATE import_folder SET parent_id = id`, 'is inside itself'],
  [`UPDATE import_execution SET status = 'completed', completed_at = NULL`, 'has a state'],
  [`UPDATE import_execution SET trigger = 'magic'`, 'has a state'],
  [`UPDATE import_data_table SET id = 'tbl_x"; DROP TABLE workflow; --'`, 'data_table has the id'],
  [`UPDATE import_file SET id = 'file_../../keys'`, 'file has the id'],
  [`UPDATE import_credential SET id = NULL`, 'credential has the id null'],
  [`UPDATE import_workspace SET settings = '{"executionRetentionDays":"often"}'`, 'does not know'],
  [`UPDATE import_workflow SET settings = '{"timeoutMs":"soon"}'`, 'does not know'],
  [`UPDATE import_workflow SET status = 'magic'`, 'does not know'],
  [`UPDATE import_workflow_version SET definition = '{"nodes":3}'`, 'does not know'],
  [`UPDATE import_schedule SET cron = 'now and then'`, 'does not know'],
  [`UPDATE import_schedule SET timezone = 'Mars/Olympus'`, 'does not know'],
  [`UPDATE import_poll SET node = '{}'`, 'does not know'],
  [`UPDATE import_poll SET interval_ms = NULL, cron = NULL`, 'does not know'],
  [`UPDATE import_connector SET frame = '{"server":"javascript:alert(1)"}'`, 'does not know'],
  [`UPDATE import_connector_operation SET record = '{"id":"getOrder","parameters":3}'`, 'does not know'],
  [`UPDATE import_connector_operation SET operation = 'another'`, 'does not know'],
  [`UPDATE import_app_user SET email = 'Not An Address'`, 'does not know'],
  [`UPDATE import_role SET permissions = '[{"resource":"world","action":"rule"}]'`, 'does not know'],
  [
    `UPDATE import_data_table SET columns = '[{"id":"c1; DROP","name":"a","type":"text","isRequired":false,"isUnique":false}]'`,
    'does not know',
  ],
];

it('a check refuses every row that leads out of the workspace, and values that could stop work for others', async () => {
  await onStage(async (stage) => {
    const check = async () => {
      await checkStagedIds(stage, workspaceId);
      await checkStagedValues(stage);
    };
    await stage.client.query(
      `INSERT INTO import_node_result (execution_id, node_id) SELECT id, 'a' FROM import_execution`,
    );
    await check();
    for (const [sql, why] of CHANGES) {
      await stage.client.query('SAVEPOINT before');
      expect((await stage.client.query(sql)).rowCount, sql).toBeGreaterThan(0);
      await expect(check(), sql).rejects.toThrow(why);
      await stage.client.query('ROLLBACK TO before');
    }
  });
});

it('names of what was removed, or is of others, become nothing', async () => {
  await onStage(async (stage) => {
    const { client } = stage;
    await client.query(
      `UPDATE import_execution SET parent_id = 'exec_others', rerun_of = 'exec_others';
       UPDATE import_schedule SET last_execution_id = 'exec_others';
       UPDATE import_workflow SET settings = '{"errorWorkflowId":"wf_others","timeoutMs":5}';
       UPDATE import_role_assignment SET resource_type = 'workflow', resource_id = 'wf_others'`,
    );
    await checkStagedIds(stage, workspaceId);
    const { rows } = await client.query(
      `SELECT e.parent_id, e.rerun_of, s.last_execution_id, w.settings, (SELECT count(*)::int FROM import_role_assignment) AS roles
       FROM import_execution e, import_schedule s, import_workflow w LIMIT 1`,
    );
    expect(rows).toEqual([
      { parent_id: null, rerun_of: null, last_execution_id: null, settings: { timeoutMs: 5 }, roles: 0 },
    ]);
  });
});

/** Runs `work` on the staged rows of the good file, in a transaction that is rolled back. */
const onStage = (work: (stage: ImportStage) => Promise<void>) =>
  on(to.url, async (client) => {
    await client.query('BEGIN');
    const stage = await ImportStage.open(client);
    await walkBackupFile(file, workspaceExportFormat(PASSPHRASE), {
      table: (table, rows) => (table.name in EXPORTED_TABLES ? stage.receive(table, rows) : countCopyRows(rows)),
      async file(_, bytes) {
        for await (const chunk of bytes) void chunk;
        return async () => undefined;
      },
      sequences: async () => undefined,
    });
    await work(stage);
    await client.query('ROLLBACK');
  });
