import { beforeAll, expect, it } from 'vitest';
import { databasePool } from '@/server/platform/db/client';
import { useDatabase } from '@/server/testing/database';
import { buildUser, buildWorkflow, call, tokenFor, type TestUser } from '@/server/testing/factories';
import { importInto, on, servedBy, transferRig, type Target } from './testing/rig';

useDatabase();

const rig = transferRig();
let [owner, known, unproven, fresh]: TestUser[] = [];
let workspaceId: string;
let file: string;

beforeAll(async () => {
  owner = await buildUser();
  ({ workspaceId } = owner);
  [known, unproven, fresh] = [
    await buildUser({ workspaceId, role: 'editor' }),
    await buildUser({ workspaceId, role: 'editor' }),
    await buildUser({ workspaceId, role: 'viewer' }),
  ];
  for (const creator of [owner, known, unproven, fresh, { id: 'usr_gone' }, { id: 'usr_others' }]) {
    const id = await buildWorkflow({ workspaceId });
    await databasePool().query('UPDATE workflow SET created_by = $1, name = $1 WHERE id = $2', [creator!.id, id]);
  }
  file = await rig.export(workspaceId);
});

/** An installation where some of the users have accounts. */
async function inhabited(): Promise<Target> {
  const to = { ...(await rig.target()), areAddressesTrusted: false };
  const accounts = [
    ['usr_here', known!.email, 'now()'],
    ['usr_claimed', unproven!.email, 'NULL'],
    // The ids of others in the file.
    [fresh!.id, 'somebody@example.com', 'now()'],
    ['usr_others', 'others@example.com', 'now()'],
  ];
  const rows = accounts.map(([id, email, at]) => `('${id}', '${email}', 'Known here', 'hash', now(), ${at})`);
  await on(to.url, (client) =>
    client.query(
      `INSERT INTO app_user (id, email, name, password_hash, mfa_enabled_at, email_proven_at) VALUES ${rows.join(', ')}`,
    ),
  );
  return to;
}

const query = async (to: Target, text: string) => on(to.url, async (client) => (await client.query(text)).rows);
const ACCOUNTS = `SELECT * FROM app_user WHERE name = 'Known here' ORDER BY id`;

it('users get the account with their confirmed address, which stays as it is, or a new one without a password', async () => {
  const to = await inhabited();
  const before = await query(to, ACCOUNTS);
  const { people } = await importInto(to, file, { owner: 'others@example.com' });
  expect(people).toEqual({
    matched: [known!.email],
    created: [owner!.email, fresh!.email].toSorted(),
    leftOut: [unproven!.email],
  });
  expect(await query(to, ACCOUNTS)).toEqual(before);
  const members = await query(
    to,
    `SELECT u.id, u.email, m.accepted_at IS NOT NULL AS accepted, u.password_hash AS password, u.mfa_enabled_at AS mfa,
       u.email_proven_at AS proven, count(a.id)::int AS roles
     FROM member m JOIN app_user u ON u.id = m.user_id LEFT JOIN role_assignment a ON a.user_id = u.id WHERE u.id <> 'usr_others' GROUP BY 1, 2, 3 ORDER BY email`,
  );
  const blank = { accepted: false, password: null, mfa: null, proven: null, roles: 1 };
  const { id: newId } = members.find(({ email }) => email === fresh!.email)!;
  expect(newId).not.toBe(fresh!.id);
  const expected = [
    { ...blank, id: owner!.id, email: owner!.email },
    { id: 'usr_here', email: known!.email, accepted: false, password: 'hash', mfa: before[0].mfa_enabled_at, roles: 1 },
    { ...blank, id: newId, email: fresh!.email },
  ];
  expect(members).toMatchObject(expected.toSorted((one, other) => (one.email < other.email ? -1 : 1)));

  // Whoever is not in the file keeps an id that is nobody's here.
  const creators = await query(to, 'SELECT name, created_by FROM workflow');
  const creatorOf = (id: string) => creators.find(({ name }) => name === id)!.created_by;
  expect([owner!.id, known!.id, fresh!.id, 'usr_gone'].map(creatorOf)).toEqual([
    owner!.id,
    'usr_here',
    newId,
    'usr_gone',
  ]);
  const nobody = [creatorOf('usr_others'), creatorOf(unproven!.id)];
  expect(await query(to, `SELECT id FROM app_user WHERE id IN ('${nobody.join("', '")}')`)).toEqual([]);
});

it('an account that existed accepts the membership first; who the operator names is an owner at once', async () => {
  const to = await inhabited();
  await on(to.url, (client) => client.query('UPDATE app_user SET mfa_enabled_at = NULL'));
  await importInto(to, file, { owner: 'others@example.com' });
  await servedBy(to, async () => {
    const at = `/api/workspaces/${workspaceId}`;
    const others = await tokenFor('usr_others', workspaceId);
    expect((await call('GET', at, others)).body).toMatchObject({ id: workspaceId, role: 'owner' });
    const here = await tokenFor('usr_here', workspaceId);
    expect((await call('GET', at, here)).status).toBe(404);
    expect((await call('POST', `${at}/accept`, here)).status).toBeLessThan(300);
    expect((await call('GET', at, here)).body).toMatchObject({ id: workspaceId, role: 'editor' });
  });
});

it('an address counts without confirmation where nobody can sign up, and if nobody can sign in with the account', async () => {
  const trusting = { ...(await inhabited()), areAddressesTrusted: true };
  expect((await importInto(trusting, file)).people).toMatchObject({ leftOut: [] });
  const members = await query(trusting, `SELECT user_id AS id FROM member WHERE accepted_at IS NULL ORDER BY user_id`);
  // New accounts are members at once there.
  expect(members).toEqual([{ id: 'usr_claimed' }, { id: 'usr_here' }]);

  const second = await inhabited();
  await on(second.url, (client) =>
    client.query(`UPDATE app_user SET password_hash = NULL, mfa_enabled_at = NULL WHERE id = 'usr_claimed'`),
  );
  const { people } = await importInto(second, file, { owner: 'others@example.com' });
  expect(people.matched.toSorted()).toEqual([known!.email, unproven!.email].toSorted());
});

it('accounts that existed are members at once if the operator says so', async () => {
  const to = await inhabited();
  await importInto(to, file, { areMembersAccepted: true });
  const [member] = await query(to, `SELECT accepted_at IS NOT NULL AS accepted FROM member WHERE user_id = 'usr_here'`);
  expect(member).toEqual({ accepted: true });
});

it('an owner who has an account, and did not accept yet, does not count as the owner', async () => {
  const to = await rig.target();
  await on(to.url, (client) =>
    client.query(`INSERT INTO app_user (id, email, name, email_proven_at) VALUES ('usr_owner', $1, 'Owner', now())`, [
      owner!.email,
    ]),
  );
  await expect(importInto(to, file)).rejects.toThrow('name one with --owner');
  await importInto(to, file, { owner: owner!.email });
  expect(await query(to, `SELECT FROM member WHERE user_id = 'usr_owner' AND accepted_at IS NOT NULL`)).toHaveLength(1);
  expect(await query(to, `SELECT FROM role_assignment WHERE user_id = 'usr_owner'`)).toHaveLength(1);
});

it('an account with an address that is not confirmed can not be named as owner', async () => {
  const to = await inhabited();
  await expect(importInto(to, file, { owner: unproven!.email })).rejects.toThrow(
    'No account has the confirmed address',
  );
  expect(await query(to, 'SELECT id FROM workspace')).toEqual([]);
});
