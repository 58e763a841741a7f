import { generateId } from '@/server/platform/db/ids';
import { systemRoleId } from '@/server/platform/db/system-role-id';
import { quoteSqlName } from '../catalogue';
import { BackupFault } from '../fault';
import { EXPORTED_TABLES } from './content';
import { listForeignKeyColumns } from './check-ids';
import { stagedTableName, type ImportStage } from './stage';

/** The email addresses of the users of a file, by what became of them. */
export interface ImportedPeople {
  /** Addresses of accounts that existed before. */
  matched: string[];
  /** Addresses of new accounts, which have no password. */
  created: string[];
  /**
   * People who do not become members, because this installation has an account with their address that has not been
   * confirmed.
   */
  leftOut: string[];
}

interface ImportTrust {
  areAccepted: boolean;
  /** Whether accounts count without a confirmation of their address. */
  areAddressesTrusted: boolean;
}

interface AccountCandidate {
  id: string;
  email: string;
  isOwn: boolean;
  accountId: string | null;
  /** Whether the account is that of the person with the address. */
  isTheirs: boolean;
  isTaken: boolean;
}

/** An account without a way to sign in, such as one that another import made. */
const IS_UNUSED_ACCOUNT_SQL =
  '(a.password_hash IS NULL AND NOT EXISTS (SELECT FROM sso_identity i WHERE i.user_id = a.id))';

const ACCOUNT_CANDIDATES_QUERY = `
SELECT t.id, t.email, t.only_workspace_id IS NOT NULL AS "isOwn", a.id AS "accountId",
  $1 OR a.email_proven_at IS NOT NULL OR ${IS_UNUSED_ACCOUNT_SQL} AS "isTheirs",
  EXISTS (SELECT FROM app_user u WHERE u.id = t.id) AS "isTaken"
FROM ${stagedTableName('app_user')} t LEFT JOIN app_user a ON t.only_workspace_id IS NULL AND a.only_workspace_id IS NULL AND a.email = t.email
ORDER BY t.email, t.id`;

/**
 * Gives the users of a file their accounts here, and their ids to all staged rows. An account that exists is found by
 * its confirmed address, and nothing of it changes; it becomes a member when it accepts, or `areAccepted` at once.
 * Other users get an account without a password; it accepts, too, where others can sign up. The addresses stay locked
 * until the transaction ends.
 */
export async function matchImportedPeople(
  stage: ImportStage,
  { areAccepted, areAddressesTrusted }: ImportTrust,
): Promise<ImportedPeople> {
  const { client } = stage;
  await client.query(
    `SELECT pg_advisory_xact_lock(hashtextextended('account:' || email, 0)) FROM (SELECT email FROM ${stagedTableName('app_user')} ORDER BY email) t`,
  );
  const { rows } = await client.query<AccountCandidate>(ACCOUNT_CANDIDATES_QUERY, [areAddressesTrusted]);
  const people: ImportedPeople = { matched: [], created: [], leftOut: [] };
  const ids = new Map<string, string>();
  const gone: string[] = [];
  for (const { id, email, isOwn, accountId, isTheirs, isTaken } of rows) {
    if (!isOwn && accountId !== null && !isTheirs) {
      people.leftOut.push(email);
      gone.push(id);
      continue;
    }
    if (accountId !== null) people.matched.push(email);
    else people.created.push(email);
    ids.set(id, accountId ?? (isTaken ? generateId('usr') : id));
  }
  await removeStagedUsers(stage, gone);
  // The owner of an address decides which workspaces they belong to, unless the operator answers for the file. Where
  // sign-up is closed, a new account is for this workspace.
  const asked = areAccepted ? [] : [...people.matched, ...(areAddressesTrusted ? [] : people.created)];
  await client.query(
    `UPDATE ${stagedTableName('member')} SET accepted_at = NULL FROM ${stagedTableName('app_user')} u
     WHERE u.id = user_id AND u.only_workspace_id IS NULL AND u.email = ANY($1)`,
    [asked],
  );
  await client.query(`DELETE FROM ${stagedTableName('app_user')} WHERE only_workspace_id IS NULL AND email = ANY($1)`, [
    people.matched,
  ]);
  for (const id of await findUnknownUserIds(stage)) if (!ids.has(id)) ids.set(id, generateId('usr'));
  await replaceUserIds(stage, ids);
  return people;
}

const PERSONAL_TABLES = ['member', 'role_assignment', 'workflow_favorite', 'invalid_draft'];

async function removeStagedUsers({ client }: ImportStage, ids: readonly string[]): Promise<void> {
  for (const table of PERSONAL_TABLES)
    await client.query(`DELETE FROM ${stagedTableName(table)} WHERE user_id = ANY($1)`, [ids]);
  await client.query(`DELETE FROM ${stagedTableName('app_user')} WHERE id = ANY($1)`, [ids]);
}

/** All columns with ids of users. */
async function listUserColumns(stage: ImportStage): Promise<[table: string, column: string][]> {
  const keys = await listForeignKeyColumns(stage.client);
  return [
    ...Object.entries(EXPORTED_TABLES).flatMap(([table, { users = [] }]) =>
      users.map((column): [string, string] => [table, column]),
    ),
    ...keys.flatMap(({ table, column, parent }): [string, string][] =>
      parent === 'app_user' && stage.column(table, column) ? [[table, column]] : [],
    ),
    ['app_user', 'id'],
  ];
}

/**
 * Ids in the staged rows that name users of this installation. A user who is not in the file is unknown to its rows.
 */
async function findUnknownUserIds(stage: ImportStage): Promise<string[]> {
  const named = (await listUserColumns(stage)).map(
    ([table, column]) =>
      `SELECT ${quoteSqlName(column)} AS id FROM ${stagedTableName(table)} WHERE ${quoteSqlName(column)} IS NOT NULL`,
  );
  const { rows } = await stage.client.query<{ id: string }>(
    `SELECT DISTINCT id FROM (${named.join(' UNION ALL ')}) named WHERE id IN (SELECT id FROM app_user)`,
  );
  return rows.map(({ id }) => id);
}

async function replaceUserIds(stage: ImportStage, ids: ReadonlyMap<string, string>): Promise<void> {
  const changed = [...ids].filter(([before, after]) => before !== after);
  if (changed.length === 0) return;
  for (const [table, column] of await listUserColumns(stage))
    await stage.client.query(
      `UPDATE ${stagedTableName(table)} t SET ${quoteSqlName(column)} = n.id FROM unnest($1::text[], $2::text[]) AS n(old, id) WHERE t.${quoteSqlName(column)} = n.old`,
      [changed.map(([before]) => before), changed.map(([, after]) => after)],
    );
}

/**
 * Makes an account of this installation an owner of the imported workspace. Throws a BackupFault if no such account has
 * a confirmed address, or if no owner is named and no owner has accepted the membership.
 */
export async function assignImportOwner(
  { client }: ImportStage,
  workspaceId: string,
  { email, areAddressesTrusted }: { email: string | undefined } & Pick<ImportTrust, 'areAddressesTrusted'>,
): Promise<void> {
  const owner = systemRoleId('owner');
  if (email === undefined) {
    const { rowCount } = await client.query(
      `SELECT FROM role_assignment a JOIN member m USING (workspace_id, user_id)
       WHERE a.workspace_id = $1 AND a.role_id = $2 AND a.resource_type IS NULL AND m.accepted_at IS NOT NULL LIMIT 1`,
      [workspaceId, owner],
    );
    if (rowCount === 0)
      throw new BackupFault('The workspace would have no owner: name one with --owner. Nothing was imported.');
    return;
  }
  const { rows } = await client.query<{ id: string }>(
    `SELECT id FROM app_user u WHERE email = lower($1) AND only_workspace_id IS NULL
       AND ($3 OR email_proven_at IS NOT NULL OR EXISTS (SELECT FROM member m WHERE m.user_id = u.id AND m.workspace_id = $2))`,
    [email, workspaceId, areAddressesTrusted],
  );
  const [person] = rows;
  if (!person) throw new BackupFault(`No account has the confirmed address ${email}. Nothing was imported.`);
  await client.query(
    `INSERT INTO member (workspace_id, user_id) VALUES ($1, $2)
     ON CONFLICT (workspace_id, user_id) DO UPDATE SET accepted_at = coalesce(member.accepted_at, now())`,
    [workspaceId, person.id],
  );
  await client.query(
    `INSERT INTO role_assignment (id, workspace_id, user_id, role_id) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`,
    [generateId('asg'), workspaceId, person.id, owner],
  );
}
