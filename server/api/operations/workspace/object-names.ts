import type { PermissionResource } from '@/contract/access/security';
import type { WorkspaceCaller } from '@/server/people/access/caller';
import { visibleRowsFilter } from '@/server/people/access/filter';
import { isAllowedOnEveryObject } from '@/server/people/access/permissions';
import type { DatabaseClient } from '@/server/platform/db/client';

interface NameLookup {
  db: DatabaseClient;
  caller: WorkspaceCaller;
  ids: string[];
}
type NamedId = { id: string; name: string };

const workspaceObjectsFilter = ({ caller: { workspaceId }, ids }: NameLookup) => ({ workspaceId, id: { in: ids } });
const workflowObjectsFilter = ({ caller: { workspaceId }, ids }: NameLookup) => ({
  workflow: { workspaceId },
  id: { in: ids },
});

/** Looks for names only if the caller may read all objects of this resource. */
const findIfReadable =
  (resource: PermissionResource, find: (lookup: NameLookup) => Promise<NamedId[]>) =>
  async (lookup: NameLookup): Promise<NamedId[]> =>
    isAllowedOnEveryObject(lookup.caller.permissions, resource, 'read') ? find(lookup) : [];

const ID_AND_NAME = { id: true, name: true } as const;

/** Functions that find the names of objects, by the prefix of their ids. They search in the caller's workspace only. */
const NAME_FINDERS: Record<string, (lookup: NameLookup) => Promise<NamedId[]>> = {
  wf: (lookup) =>
    lookup.db.workflow.findMany({
      where: { AND: [workspaceObjectsFilter(lookup), visibleRowsFilter(lookup.caller, 'workflow')] },
      select: ID_AND_NAME,
    }),
  async exec(lookup) {
    const where = { AND: [workspaceObjectsFilter(lookup), visibleRowsFilter(lookup.caller, 'execution')] };
    const rows = await lookup.db.execution.findMany({ where, select: { id: true, workflow: { select: ID_AND_NAME } } });
    return rows.map(({ id, workflow }) => ({ id, name: workflow.name }));
  },
  cred: (lookup) =>
    lookup.db.credential.findMany({
      where: { AND: [workspaceObjectsFilter(lookup), visibleRowsFilter(lookup.caller, 'credential')] },
      select: ID_AND_NAME,
    }),
  conn: findIfReadable('connector', (lookup) =>
    lookup.db.connector.findMany({ where: workspaceObjectsFilter(lookup), select: ID_AND_NAME }),
  ),
  tbl: (lookup) =>
    lookup.db.dataTable.findMany({
      where: { AND: [workspaceObjectsFilter(lookup), visibleRowsFilter(lookup.caller, 'table')] },
      select: ID_AND_NAME,
    }),
  usr: findIfReadable('member', async ({ db, caller: { workspaceId }, ids }) => {
    const where = { workspaceId, userId: { in: ids } };
    const rows = await db.member.findMany({ where, select: { user: { select: { ...ID_AND_NAME, email: true } } } });
    return rows.map(({ user: { id, name, email } }) => ({ id, name: name || email }));
  }),
  inv: findIfReadable('member', async (lookup) => {
    const rows = await lookup.db.invitation.findMany({
      where: workspaceObjectsFilter(lookup),
      select: { id: true, email: true },
    });
    return rows.map(({ id, email }) => ({ id, name: email }));
  }),
  fld: findIfReadable('workflow', (lookup) =>
    lookup.db.folder.findMany({ where: workspaceObjectsFilter(lookup), select: ID_AND_NAME }),
  ),
  role: findIfReadable('role', (lookup) =>
    lookup.db.role.findMany({ where: workspaceObjectsFilter(lookup), select: ID_AND_NAME }),
  ),
  key: findIfReadable('api_key', (lookup) =>
    lookup.db.apiKey.findMany({ where: workspaceObjectsFilter(lookup), select: ID_AND_NAME }),
  ),
  sso: findIfReadable('sso_provider', (lookup) =>
    lookup.db.ssoProvider.findMany({ where: workspaceObjectsFilter(lookup), select: ID_AND_NAME }),
  ),
  poll: findIfReadable('poll', (lookup) =>
    lookup.db.poll.findMany({ where: workflowObjectsFilter(lookup), select: ID_AND_NAME }),
  ),
  whk: findIfReadable('webhook', async (lookup) => {
    const rows = await lookup.db.webhook.findMany({
      where: workflowObjectsFilter(lookup),
      select: { id: true, path: true },
    });
    return rows.map(({ id, path }) => ({ id, name: `/${path}` }));
  }),
  form: findIfReadable('form', async (lookup) => {
    const rows = await lookup.db.form.findMany({
      where: workflowObjectsFilter(lookup),
      select: { id: true, path: true },
    });
    return rows.map(({ id, path }) => ({ id, name: `/${path}` }));
  }),
  chat: findIfReadable('chat', async (lookup) => {
    const rows = await lookup.db.chat.findMany({
      where: workflowObjectsFilter(lookup),
      select: { id: true, path: true },
    });
    return rows.map(({ id, path }) => ({ id, name: `/${path}` }));
  }),
  sch: findIfReadable('schedule', async (lookup) => {
    const rows = await lookup.db.schedule.findMany({
      where: workflowObjectsFilter(lookup),
      select: { id: true, cron: true },
    });
    return rows.map(({ id, cron }) => ({ id, name: cron }));
  }),
};

/** Current names of objects of the caller's workspace, by id: those that exist and that the caller may read. */
export async function findObjectNames(
  db: DatabaseClient,
  caller: WorkspaceCaller,
  ids: (string | null)[],
): Promise<Map<string, string>> {
  const byPrefix = new Map<string, Set<string>>();
  for (const id of ids) {
    const prefix = id?.split('_', 1)[0] ?? '';
    if (id === null || !Object.hasOwn(NAME_FINDERS, prefix)) continue;
    byPrefix.set(prefix, (byPrefix.get(prefix) ?? new Set()).add(id));
  }
  const found = await Promise.all(
    [...byPrefix].map(([prefix, some]) => NAME_FINDERS[prefix]?.({ db, caller, ids: [...some] }) ?? []),
  );
  return new Map(found.flat().map(({ id, name }) => [id, name]));
}
