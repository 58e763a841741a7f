import { Email } from '@/contract/session';
import { prisma, type Db } from '../db/client';
import { newId } from '../db/ids';
import { runtime } from '../runtime';
import type { Asserted } from './asserted';
import { personEntries, record } from './audit';
import type { Person } from './caller';
import { canGrant, heldByMember, rightsOf, systemRoleId } from './permissions';
import { admits, policyIn } from './policy';
import { recordRefusals } from './refusals';
import { openSession, type ClientFacts } from './session';
import { personOf } from './sso-person';
import { keepOutcome, type Provider } from './sso-provider';
import { SsoRefusal } from './sso-refusal';
import { createWorkspace } from './workspaces';

export interface SsoSession {
  sessionId: string;
  userId: string;
}

/** Where the answer comes from, and who is signed in there already. */
export type SsoClient = ClientFacts & { person: Person | null };

const ENTRY = { category: 'authentication', action: 'auth.sso' } as const;

/**
 * Signs in whom a provider asserts, making a person and a member of them if they are new. Throws SsoRefusal where
 * they may not come in. The audit entry of a success is in the same transaction.
 */
export async function signIn(provider: Provider, asserted: Asserted, client: SsoClient): Promise<SsoSession> {
  const email = admitted(provider, asserted);
  return prisma().$transaction(async (db) => {
    const userId = await personOf(db, provider, asserted, { email, visitorId: ownAccount(client.person) });
    if (provider.workspaceId) await enter(db, provider, provider.workspaceId, userId, asserted);
    else await settle(db, userId, email);
    const { id: providerId, workspaceId } = provider;
    const sso = { providerId, workspaceId, samlSubject: asserted.saml };
    const sessionId = await openSession(db, userId, client, { sso });
    const entries = await personEntries(
      db,
      { userId, email },
      { ...ENTRY, result: 'success', reason: provider.name },
      client,
    );
    await record(db, ofWorkspace(entries, provider));
    return { sessionId, userId };
  });
}

/** Who is signed in as themselves: not by a key, nor by some workspace's provider. */
const ownAccount = (person: Person | null) => (person?.onlyWorkspaceId === null ? person.userId : null);

/** A sign-in through a workspace's provider concerns no other workspace. */
const ofWorkspace = <Entry extends { workspaceId: string | null }>(
  entries: Entry[],
  { workspaceId }: Provider,
): Entry[] => (workspaceId === null ? entries : entries.slice(0, 1).map((entry) => ({ ...entry, workspaceId })));

/** Writes down why somebody was not let in: in the audit log, and for whoever sets the provider up. */
export async function recordRefusal(provider: Provider, refusal: SsoRefusal, client: ClientFacts): Promise<void> {
  const email = typeof refusal.claims['email'] === 'string' ? refusal.claims['email'] : '';
  const reason = `${provider.name}: ${refusal.message}`;
  const entries = await personEntries(
    prisma(),
    { userId: null, email },
    { ...ENTRY, result: 'denied', reason },
    client,
  );
  await recordRefusals(ofWorkspace(entries, provider));
  await keepOutcome(provider, { isOk: false, reason: refusal.message, claims: refusal.claims });
}

/** The asserted address, if people with it may come in. */
export function admitted({ domains }: Provider, { subject, email, isEmailVerified, claims }: Asserted): string {
  if (/\p{C}/u.test(subject) || subject.length > 1000)
    throw new SsoRefusal('invalid', 'The provider named nobody we could remember.', claims);
  const parsed = Email.safeParse(email);
  if (!parsed.success) throw new SsoRefusal('no_email', 'The provider named no email address.', claims);
  if (!isEmailVerified) {
    throw new SsoRefusal('unverified', 'The provider does not vouch for your email address.', claims);
  }
  const domain = parsed.data.slice(parsed.data.lastIndexOf('@') + 1);
  if (domains.length > 0 && !domains.includes(domain)) {
    throw new SsoRefusal('domain', `People from ${domain} can't sign in here.`, claims);
  }
  return parsed.data;
}

/** Makes the person a member of the provider's workspace, with its default role, and gives and takes roles by group. */
async function enter(
  db: Db,
  provider: Provider,
  workspaceId: string,
  userId: string,
  { groups, claims }: Asserted,
): Promise<void> {
  await requireAuthority(db, provider, workspaceId, userId, claims);
  await requireDomain(db, workspaceId, userId, claims);
  const { count } = await db.member.createMany({ data: [{ workspaceId, userId }], skipDuplicates: true });
  if (count === 1) await give(db, workspaceId, userId, provider.defaultRole);
  const mapped = provider.config.groupRoles;
  const earned = new Set(mapped.filter(({ group }) => groups.includes(group)).map(({ role }) => role));
  for (const role of earned) await give(db, workspaceId, userId, role);
  const lost = mapped.map(({ role }) => role).filter((role) => !earned.has(role) && role !== provider.defaultRole);
  await db.roleAssignment.deleteMany({ where: { workspaceId, userId, resourceType: null, roleId: { in: lost } } });
}

async function give(db: Db, workspaceId: string, userId: string, roleId: string): Promise<void> {
  const place = { workspaceId, userId, roleId, resourceType: null, resourceId: null };
  const before = await db.roleAssignment.findFirst({ where: place });
  if (!before) await db.roleAssignment.create({ data: { id: newId('asg'), ...place } });
}

/**
 * Whoever controls a provider can be anybody it asserts. So nobody comes in through it who may do more than the one who
 * set it up: an administrator can't become an owner that way.
 */
async function requireAuthority(
  db: Db,
  { config }: Provider,
  workspaceId: string,
  userId: string,
  claims: Record<string, unknown>,
): Promise<void> {
  const theirs = rightsOf(await heldByMember(db, workspaceId, userId)).permissions;
  if (theirs.length > 0 && !canGrant(config.authority, theirs)) {
    throw new SsoRefusal(
      'authority',
      'You may do more here than whoever set this sign-in up. Use your password.',
      claims,
    );
  }
}

/** The workspace may admit people of some domains only, whatever a provider says. Members stay. */
async function requireDomain(db: Db, workspaceId: string, userId: string, claims = {}): Promise<void> {
  if (await db.member.findFirst({ where: { workspaceId, userId } })) return;
  const { email } = await db.user.findUniqueOrThrow({ where: { id: userId } });
  if (admits(await policyIn(db, workspaceId), email)) return;
  throw new SsoRefusal('domain', 'People with an address like yours can’t join this workspace.', claims);
}

/** A newcomer through the service's own provider: the first workspace as viewer, or in multi-tenant service one's own. */
async function settle(db: Db, userId: string, name: string): Promise<void> {
  if (await db.member.findFirst({ where: { userId } })) return;
  if (runtime().env.deploymentEnv === 'saas') {
    await createWorkspace(db, { name, ownerId: userId });
    return;
  }
  const orderBy = [{ createdAt: 'asc' as const }, { id: 'asc' as const }];
  const first = await db.workspace.findFirst({ where: { deletedAt: null }, orderBy });
  if (!first) throw new SsoRefusal('closed', 'This service has no workspace yet.');
  await requireDomain(db, first.id, userId);
  const viewer = { workspaceId: first.id, userId };
  await db.member.create({ data: viewer });
  await give(db, first.id, userId, systemRoleId('viewer'));
}
