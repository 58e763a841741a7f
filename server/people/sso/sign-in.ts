import { EmailAddress } from '@/contract/access/session';
import { prismaClient, type DatabaseClient } from '@/server/platform/db/client';
import { generateId } from '@/server/platform/db/ids';
import { getRuntime } from '@/server/platform/runtime';
import type { AssertedPerson } from './external-identity';
import { personAuditEntries, appendAuditEntries } from '@/server/people/audit/record';
import type { AuthenticatedPerson } from '@/server/people/access/caller';
import { addMember, isLastOwner } from '@/server/people/access/members';
import { countingMemberships } from '@/server/people/access/membership';
import { canGrantPermissions, findHeldRoles, combineRoleRights } from '@/server/people/access/permissions';
import { systemRoleId } from '@/server/platform/db/system-role-id';
import { isEmailDomainAllowed, findWorkspacePolicy } from '@/server/people/access/policy';
import { recordRefusals } from '@/server/people/audit/refusals';
import { lockWorkspaceRoles } from '@/server/people/access/roles';
import { openLoginSession } from '@/server/people/auth/session';
import { findOrCreatePerson } from './person';
import { storeSignInResult, type IdentityProvider } from './provider';
import { SsoRefusal } from './refusal';
import { createWorkspace } from '@/server/people/accounts/workspaces';
import type { ClientInfo } from '@/server/people/audit/entry';

export interface SsoSession {
  sessionId: string;
  userId: string;
}

/** The client that gets the response, and the person who is already signed in there. */
export type SsoClient = ClientInfo & { person: AuthenticatedPerson | null };

const SSO_AUDIT_ENTRY = { category: 'authentication', action: 'auth.sso' } as const;
/** The audit entry of role changes that the provider's groups ask for and that were not made. */
const ROLE_MAPPING_AUDIT_ENTRY = { category: 'authorization', action: 'auth.mapRoles' } as const;

/**
 * Signs in the person that a provider asserts, and creates person and membership if they are new. Throws SsoRefusal if
 * they are not admitted. The audit entry of a success is in the same transaction.
 */
export async function signInWithProvider(
  provider: IdentityProvider,
  asserted: AssertedPerson,
  client: SsoClient,
): Promise<SsoSession> {
  const email = requireAdmittedEmail(provider, asserted);
  return prismaClient().$transaction(async (db) => {
    const userId = await findOrCreatePerson(db, provider, asserted, { email, visitorId: ownAccountId(client.person) });
    const { id: providerId, workspaceId } = provider;
    const unchanged = workspaceId ? await joinProviderWorkspace(db, provider, workspaceId, userId, asserted) : [];
    if (!workspaceId) await ensureServiceMembership(db, userId, email);
    const sso = { providerId, workspaceId, samlSubject: asserted.saml };
    const sessionId = await openLoginSession(db, userId, client, { sso });
    const subject = { userId, email, onlyWorkspaceId: workspaceId };
    const signedIn = { ...SSO_AUDIT_ENTRY, result: 'success', reason: provider.name } as const;
    const entries = await personAuditEntries(db, subject, signedIn, client);
    const refusals = unchanged.map((reason) => ({ ...ROLE_MAPPING_AUDIT_ENTRY, result: 'denied', reason }) as const);
    for (const refusal of refusals) entries.push(...(await personAuditEntries(db, subject, refusal, client)));
    await appendAuditEntries(db, entries);
    return { sessionId, userId };
  });
}

/** The person of a full session: not of a key, nor of a workspace's provider. */
const ownAccountId = (person: AuthenticatedPerson | null) => (person?.onlyWorkspaceId === null ? person.userId : null);

/** Records why a user was not admitted: in the audit log, and for the provider's administrator. */
export async function recordSsoRefusal(
  provider: IdentityProvider,
  refusal: SsoRefusal,
  client: ClientInfo,
): Promise<void> {
  const email = typeof refusal.claims['email'] === 'string' ? refusal.claims['email'] : '';
  const reason = `${provider.name}: ${refusal.message}`;
  const subject = { userId: null, email, onlyWorkspaceId: provider.workspaceId };
  await recordRefusals(
    await personAuditEntries(prismaClient(), subject, { ...SSO_AUDIT_ENTRY, result: 'denied', reason }, client),
  );
  await storeSignInResult(provider, { isOk: false, reason: refusal.message, claims: refusal.claims });
}

/** The asserted address, if people with it are admitted. */
export function requireAdmittedEmail(
  { domains }: IdentityProvider,
  { subject, email, isEmailVerified, claims }: AssertedPerson,
): string {
  if (/\p{C}/u.test(subject) || subject.length > 1000)
    throw new SsoRefusal('invalid', 'The provider returned no permanent id.', claims);
  const parsed = EmailAddress.safeParse(email);
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
 * Makes the person a member of the provider's workspace, with its default role, and assigns and withdraws roles by
 * group. They have not agreed to it: the membership counts in the provider's sessions only. Returns what could not be
 * done, in sentences.
 */
async function joinProviderWorkspace(
  db: DatabaseClient,
  provider: IdentityProvider,
  workspaceId: string,
  userId: string,
  { groups, claims }: AssertedPerson,
): Promise<string[]> {
  await lockWorkspaceRoles(db, workspaceId);
  await requireEditorAuthority(db, provider, workspaceId, userId, claims);
  await requireJoinableDomain(db, workspaceId, userId, claims);
  const brought = { workspaceId, userId, acceptedAt: null };
  const { count } = await db.member.createMany({ data: [brought], skipDuplicates: true });
  if (count === 1) await assignRoleOnce(db, workspaceId, userId, provider.defaultRole);
  const mapped = provider.config.groupRoles;
  const earned = new Set(mapped.filter(({ group }) => groups.includes(group)).map(({ role }) => role));
  for (const role of earned) await assignRoleOnce(db, workspaceId, userId, role);
  const lostRoles = mapped.map(({ role }) => role).filter((role) => !earned.has(role) && role !== provider.defaultRole);
  // A workspace needs an owner, independent of the groups that a provider reports.
  const staysOwner = lostRoles.includes(OWNER_ROLE_ID) && (await isLastOwner(db, workspaceId, userId));
  const withdrawn = staysOwner ? lostRoles.filter((role) => role !== OWNER_ROLE_ID) : lostRoles;
  await db.roleAssignment.deleteMany({ where: { workspaceId, userId, resourceType: null, roleId: { in: withdrawn } } });
  return staysOwner ? [`${provider.name}: the groups would have removed the role of the last owner.`] : [];
}

const OWNER_ROLE_ID = systemRoleId('owner');

async function assignRoleOnce(db: DatabaseClient, workspaceId: string, userId: string, roleId: string): Promise<void> {
  const assignment = { workspaceId, userId, roleId, resourceType: null, resourceId: null };
  const before = await db.roleAssignment.findFirst({ where: assignment });
  if (!before) await db.roleAssignment.create({ data: { id: generateId('asg'), ...assignment } });
}

/**
 * The operator of a provider can assert any identity. So no user with more permissions than its editor is admitted: an
 * administrator cannot become an owner in this way.
 */
async function requireEditorAuthority(
  db: DatabaseClient,
  { config }: IdentityProvider,
  workspaceId: string,
  userId: string,
  claims: Record<string, unknown>,
): Promise<void> {
  const theirs = combineRoleRights(await findHeldRoles(db, workspaceId, userId)).permissions;
  if (theirs.length > 0 && !canGrantPermissions(config.authority, theirs)) {
    throw new SsoRefusal(
      'authority',
      'You have more permissions here than the person who configured this sign-in. Use your password.',
      claims,
    );
  }
}

/**
 * The workspace's policy may admit only some domains, independent of the provider's assertion. Existing members stay.
 */
async function requireJoinableDomain(
  db: DatabaseClient,
  workspaceId: string,
  userId: string,
  claims = {},
): Promise<void> {
  if (await db.member.findFirst({ where: { workspaceId, userId } })) return;
  const { email } = await db.user.findUniqueOrThrow({ where: { id: userId } });
  if (isEmailDomainAllowed(await findWorkspacePolicy(db, workspaceId), email)) return;
  throw new SsoRefusal('domain', 'People with an address like yours can’t join this workspace.', claims);
}

/**
 * A new person through the service's own provider: viewer of the first workspace, or, in multi-tenant mode, owner of a
 * new one.
 */
async function ensureServiceMembership(db: DatabaseClient, userId: string, name: string): Promise<void> {
  if (await db.member.findFirst({ where: { userId, ...countingMemberships(null) } })) return;
  if (getRuntime().env.deploymentEnv === 'saas') {
    await createWorkspace(db, { name, ownerId: userId });
    return;
  }
  const orderBy = [{ createdAt: 'asc' as const }, { id: 'asc' as const }];
  const first = await db.workspace.findFirst({ where: { deletedAt: null }, orderBy });
  if (!first) throw new SsoRefusal('closed', 'This service has no workspace yet.');
  await requireJoinableDomain(db, first.id, userId);
  await addMember(db, first.id, userId, systemRoleId('viewer'));
}
