import { Email } from '@/contract/access/session';
import { prisma, type Db } from '@/server/db/client';
import { newId } from '@/server/db/ids';
import { runtime } from '@/server/runtime';
import type { Asserted } from './external-identity';
import { personEntries, record } from '@/server/audit/record';
import type { Person } from '@/server/access/caller';
import { addMember, isLastOwner } from '@/server/access/members';
import { countingFor } from '@/server/access/membership';
import { canGrant, rolesOfMember, rightsOf } from '@/server/access/permissions';
import { systemRoleId } from '@/server/db/system-role-id';
import { admits, policyIn } from '@/server/access/policy';
import { recordRefusals } from '@/server/audit/refusals';
import { lockRoles } from '@/server/access/roles';
import { openSession } from '@/server/auth/session';
import { personOf } from './person';
import { keepOutcome, type Provider } from './provider';
import { SsoRefusal } from './refusal';
import { createWorkspace } from '@/server/accounts/workspaces';
import type { ClientFacts } from '@/server/audit/entry';

export interface SsoSession {
  sessionId: string;
  userId: string;
}

/** The client of the answer, and the person already signed in there. */
export type SsoClient = ClientFacts & { person: Person | null };

const ENTRY = { category: 'authentication', action: 'auth.sso' } as const;
/** Changes by the provider's groups that were not made. */
const MAPPING = { category: 'authorization', action: 'auth.mapRoles' } as const;

/**
 * Signs in the person that a provider asserts, and creates person and membership if they are new. Throws SsoRefusal if they are not
 * admitted. The audit entry of a success is in the same transaction.
 */
export async function signIn(provider: Provider, asserted: Asserted, client: SsoClient): Promise<SsoSession> {
  const email = admitted(provider, asserted);
  return prisma().$transaction(async (db) => {
    const userId = await personOf(db, provider, asserted, { email, visitorId: ownAccount(client.person) });
    const { id: providerId, workspaceId } = provider;
    const unchanged = workspaceId ? await enter(db, provider, workspaceId, userId, asserted) : [];
    if (!workspaceId) await settle(db, userId, email);
    const sso = { providerId, workspaceId, samlSubject: asserted.saml };
    const sessionId = await openSession(db, userId, client, { sso });
    const subject = { userId, email, onlyWorkspaceId: workspaceId };
    const signedIn = { ...ENTRY, result: 'success', reason: provider.name } as const;
    const entries = await personEntries(db, subject, signedIn, client);
    const refusals = unchanged.map((reason) => ({ ...MAPPING, result: 'denied', reason }) as const);
    for (const refusal of refusals) entries.push(...(await personEntries(db, subject, refusal, client)));
    await record(db, entries);
    return { sessionId, userId };
  });
}

/** The person of a full session: not of a key, nor of a workspace's provider. */
const ownAccount = (person: Person | null) => (person?.onlyWorkspaceId === null ? person.userId : null);

/** Records why a user was not admitted: in the audit log, and for the provider's administrator. */
export async function recordRefusal(provider: Provider, refusal: SsoRefusal, client: ClientFacts): Promise<void> {
  const email = typeof refusal.claims['email'] === 'string' ? refusal.claims['email'] : '';
  const reason = `${provider.name}: ${refusal.message}`;
  const subject = { userId: null, email, onlyWorkspaceId: provider.workspaceId };
  await recordRefusals(await personEntries(prisma(), subject, { ...ENTRY, result: 'denied', reason }, client));
  await keepOutcome(provider, { isOk: false, reason: refusal.message, claims: refusal.claims });
}

/** The asserted address, if people with it are admitted. */
export function admitted({ domains }: Provider, { subject, email, isEmailVerified, claims }: Asserted): string {
  if (/\p{C}/u.test(subject) || subject.length > 1000)
    throw new SsoRefusal('invalid', 'The provider returned no permanent id.', claims);
  const parsed = Email.safeParse(email);
  if (!parsed.success) throw new SsoRefusal('no_email', 'The provider returned no email address.', claims);
  if (!isEmailVerified) {
    throw new SsoRefusal('unverified', 'The provider does not vouch for your email address.', claims);
  }
  const domain = parsed.data.slice(parsed.data.lastIndexOf('@') + 1);
  if (domains.length > 0 && !domains.includes(domain)) {
    throw new SsoRefusal('domain', `People from ${domain} can't sign in here.`, claims);
  }
  return parsed.data;
}

/**
 * Makes the person a member of the provider's workspace, with its default role, and assigns and withdraws roles by group. They have not
 * agreed to it: the membership counts in the provider's sessions only. Returns what could not be done, in sentences.
 */
async function enter(
  db: Db,
  provider: Provider,
  workspaceId: string,
  userId: string,
  { groups, claims }: Asserted,
): Promise<string[]> {
  await lockRoles(db, workspaceId);
  await requireAuthority(db, provider, workspaceId, userId, claims);
  await requireDomain(db, workspaceId, userId, claims);
  const brought = { workspaceId, userId, acceptedAt: null };
  const { count } = await db.member.createMany({ data: [brought], skipDuplicates: true });
  if (count === 1) await give(db, workspaceId, userId, provider.defaultRole);
  const mapped = provider.config.groupRoles;
  const earned = new Set(mapped.filter(({ group }) => groups.includes(group)).map(({ role }) => role));
  for (const role of earned) await give(db, workspaceId, userId, role);
  const lostRoles = mapped.map(({ role }) => role).filter((role) => !earned.has(role) && role !== provider.defaultRole);
  // A workspace needs an owner, independent of the groups that a provider reports.
  const staysOwner = lostRoles.includes(OWNER) && (await isLastOwner(db, workspaceId, userId));
  const withdrawn = staysOwner ? lostRoles.filter((role) => role !== OWNER) : lostRoles;
  await db.roleAssignment.deleteMany({ where: { workspaceId, userId, resourceType: null, roleId: { in: withdrawn } } });
  return staysOwner ? [`${provider.name}: the groups would have removed the role of the last owner.`] : [];
}

const OWNER = systemRoleId('owner');

async function give(db: Db, workspaceId: string, userId: string, roleId: string): Promise<void> {
  const assignment = { workspaceId, userId, roleId, resourceType: null, resourceId: null };
  const before = await db.roleAssignment.findFirst({ where: assignment });
  if (!before) await db.roleAssignment.create({ data: { id: newId('asg'), ...assignment } });
}

/**
 * The operator of a provider can assert any identity. So no user with more permissions than its editor is admitted: an administrator cannot
 * become an owner in this way.
 */
async function requireAuthority(
  db: Db,
  { config }: Provider,
  workspaceId: string,
  userId: string,
  claims: Record<string, unknown>,
): Promise<void> {
  const theirs = rightsOf(await rolesOfMember(db, workspaceId, userId)).permissions;
  if (theirs.length > 0 && !canGrant(config.authority, theirs)) {
    throw new SsoRefusal(
      'authority',
      'You have more permissions here than the person who configured this sign-in. Use your password.',
      claims,
    );
  }
}

/** The workspace's policy may admit only some domains, independent of the provider's assertion. Existing members stay. */
async function requireDomain(db: Db, workspaceId: string, userId: string, claims = {}): Promise<void> {
  if (await db.member.findFirst({ where: { workspaceId, userId } })) return;
  const { email } = await db.user.findUniqueOrThrow({ where: { id: userId } });
  if (admits(await policyIn(db, workspaceId), email)) return;
  throw new SsoRefusal('domain', 'People with an address like yours can’t join this workspace.', claims);
}

/** A new person through the service's own provider: viewer of the first workspace, or, in multi-tenant mode, owner of a new one. */
async function settle(db: Db, userId: string, name: string): Promise<void> {
  if (await db.member.findFirst({ where: { userId, ...countingFor(null) } })) return;
  if (runtime().env.deploymentEnv === 'saas') {
    await createWorkspace(db, { name, ownerId: userId });
    return;
  }
  const orderBy = [{ createdAt: 'asc' as const }, { id: 'asc' as const }];
  const first = await db.workspace.findFirst({ where: { deletedAt: null }, orderBy });
  if (!first) throw new SsoRefusal('closed', 'This service has no workspace yet.');
  await requireDomain(db, first.id, userId);
  await addMember(db, first.id, userId, systemRoleId('viewer'));
}
