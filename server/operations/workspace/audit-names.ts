import type { Resource } from '@/contract/access/security';
import type { Caller } from '@/server/access/caller';
import { visibleTo } from '@/server/access/filter';
import { isAllowed } from '@/server/access/permissions';
import type { Db } from '@/server/db/client';

interface Lookup {
  db: Db;
  caller: Caller;
  ids: string[];
}
type Named = { id: string; name: string };

const ofCaller = ({ caller: { workspaceId }, ids }: Lookup) => ({ workspaceId, id: { in: ids } });
const ofWorkflow = ({ caller: { workspaceId }, ids }: Lookup) => ({ workflow: { workspaceId }, id: { in: ids } });

/** Names of what the caller may read as a whole; otherwise none. */
const when =
  (resource: Resource, find: (lookup: Lookup) => Promise<Named[]>) =>
  async (lookup: Lookup): Promise<Named[]> =>
    isAllowed(lookup.caller.permissions, resource, 'read') ? find(lookup) : [];

const NAMED = { id: true, name: true } as const;

/** How names are found, by the prefix of ids. Everything is looked for in the caller's workspace only. */
const SOURCES: Record<string, (lookup: Lookup) => Promise<Named[]>> = {
  wf: (lookup) =>
    lookup.db.workflow.findMany({
      where: { AND: [ofCaller(lookup), visibleTo(lookup.caller, 'workflow')] },
      select: NAMED,
    }),
  async exec(lookup) {
    const where = { AND: [ofCaller(lookup), visibleTo(lookup.caller, 'execution')] };
    const rows = await lookup.db.execution.findMany({ where, select: { id: true, workflow: { select: NAMED } } });
    return rows.map(({ id, workflow }) => ({ id, name: workflow.name }));
  },
  cred: (lookup) =>
    lookup.db.credential.findMany({
      where: { AND: [ofCaller(lookup), visibleTo(lookup.caller, 'credential')] },
      select: NAMED,
    }),
  conn: when('connector', (lookup) => lookup.db.connector.findMany({ where: ofCaller(lookup), select: NAMED })),
  tbl: (lookup) =>
    lookup.db.dataTable.findMany({
      where: { AND: [ofCaller(lookup), visibleTo(lookup.caller, 'table')] },
      select: NAMED,
    }),
  usr: when('member', async ({ db, caller: { workspaceId }, ids }) => {
    const where = { workspaceId, userId: { in: ids } };
    const rows = await db.member.findMany({ where, select: { user: { select: { ...NAMED, email: true } } } });
    return rows.map(({ user: { id, name, email } }) => ({ id, name: name || email }));
  }),
  inv: when('member', async (lookup) => {
    const rows = await lookup.db.invitation.findMany({ where: ofCaller(lookup), select: { id: true, email: true } });
    return rows.map(({ id, email }) => ({ id, name: email }));
  }),
  fld: when('workflow', (lookup) => lookup.db.folder.findMany({ where: ofCaller(lookup), select: NAMED })),
  role: when('role', (lookup) => lookup.db.role.findMany({ where: ofCaller(lookup), select: NAMED })),
  key: when('api_key', (lookup) => lookup.db.apiKey.findMany({ where: ofCaller(lookup), select: NAMED })),
  sso: when('sso_provider', (lookup) => lookup.db.ssoProvider.findMany({ where: ofCaller(lookup), select: NAMED })),
  poll: when('poll', (lookup) => lookup.db.poll.findMany({ where: ofWorkflow(lookup), select: NAMED })),
  whk: when('webhook', async (lookup) => {
    const rows = await lookup.db.webhook.findMany({ where: ofWorkflow(lookup), select: { id: true, path: true } });
    return rows.map(({ id, path }) => ({ id, name: `/${path}` }));
  }),
  form: when('form', async (lookup) => {
    const rows = await lookup.db.form.findMany({ where: ofWorkflow(lookup), select: { id: true, path: true } });
    return rows.map(({ id, path }) => ({ id, name: `/${path}` }));
  }),
  chat: when('chat', async (lookup) => {
    const rows = await lookup.db.chat.findMany({ where: ofWorkflow(lookup), select: { id: true, path: true } });
    return rows.map(({ id, path }) => ({ id, name: `/${path}` }));
  }),
  sch: when('schedule', async (lookup) => {
    const rows = await lookup.db.schedule.findMany({ where: ofWorkflow(lookup), select: { id: true, cron: true } });
    return rows.map(({ id, cron }) => ({ id, name: cron }));
  }),
};

/** Current names of objects of the caller's workspace, by id: those that exist and that the caller may read. */
export async function namesOf(db: Db, caller: Caller, ids: (string | null)[]): Promise<Map<string, string>> {
  const byPrefix = new Map<string, Set<string>>();
  for (const id of ids) {
    const prefix = id?.split('_', 1)[0] ?? '';
    if (id === null || !Object.hasOwn(SOURCES, prefix)) continue;
    byPrefix.set(prefix, (byPrefix.get(prefix) ?? new Set()).add(id));
  }
  const found = await Promise.all(
    [...byPrefix].map(([prefix, some]) => SOURCES[prefix]?.({ db, caller, ids: [...some] }) ?? []),
  );
  return new Map(found.flat().map(({ id, name }) => [id, name]));
}
