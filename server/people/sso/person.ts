import type { DatabaseClient } from '@/server/platform/db/client';
import type { AssertedPerson } from './external-identity';
import { isDomainProven, emailDomain, isProviderTrustedForDomain } from './domain-proof';
import { removeSecondFactor } from '@/server/people/auth/mfa';
import {
  findServiceAccount,
  ensureWorkspaceAccount,
  createServiceAccount,
  lockEmailAddress,
  adoptProviderAccount,
} from '@/server/people/auth/people';
import type { IdentityProvider } from './provider';
import { SsoRefusal } from './refusal';

interface BrowserPerson {
  /** The address that the provider vouches for. */
  email: string;
  /** The person signed in to the returning browser; null: none. */
  visitorId: string | null;
}

type ServiceAccount = NonNullable<Awaited<ReturnType<typeof findServiceAccount>>>;

/** The person of a subject: linked before, or found by the verified address, or new. */
export async function findOrCreatePerson(
  db: DatabaseClient,
  provider: IdentityProvider,
  asserted: AssertedPerson,
  browser: BrowserPerson,
): Promise<string> {
  const { subject, name } = asserted;
  const key = { providerId: provider.id, subject };
  const identity = await db.ssoIdentity.findUnique({ where: { providerId_subject: key } });
  if (identity) return identity.userId;
  const displayName = (name ?? '').replace(/\p{C}/gu, '').trim().slice(0, 200);
  const person = { email: browser.email, name: displayName || browser.email };
  const userId = provider.workspaceId
    ? await personOfWorkspaceProvider(
        db,
        { ...provider, workspaceId: provider.workspaceId },
        asserted,
        person,
        browser.visitorId,
      )
    : await personOfServiceProvider(db, asserted, person, browser.visitorId);
  await db.ssoIdentity.createMany({ data: [{ ...key, userId }], skipDuplicates: true });
  return userId;
}

interface PersonProfile {
  email: string;
  name: string;
}

/** A provider of the whole service: its assertion proves the address. */
async function personOfServiceProvider(
  db: DatabaseClient,
  asserted: AssertedPerson,
  person: PersonProfile,
  visitorId: string | null,
): Promise<string> {
  await lockEmailAddress(db, person.email);
  const account = await findServiceAccount(db, person.email);
  if (!account) return (await adoptProviderAccount(db, person)) ?? createNewPerson(db, person);
  requireProvenAccount(account, visitorId, asserted);
  if (!account.emailProvenAt) {
    // Only workspaces' providers can have created this account, and their second factor is not this person's.
    if (!account.passwordHash) await removeSecondFactor(db, account.id);
    await db.user.update({ where: { id: account.id }, data: { emailProvenAt: new Date() } });
  }
  return account.id;
}

async function createNewPerson(db: DatabaseClient, person: PersonProfile): Promise<string> {
  const id = await createServiceAccount(db, { ...person, passwordHash: null, emailProvenAt: new Date() });
  if (id === null) throw new Error('The address has got an account while it was locked.');
  return id;
}

/**
 * A workspace's provider is trusted for its workspace. It signs in to an account of the service only if that account is
 * a member, or the address is in one of the provider's proven domains. All other people get an account of the workspace
 * alone, so that the provider cannot find out whether the service knows an address.
 */
async function personOfWorkspaceProvider(
  db: DatabaseClient,
  provider: IdentityProvider & { workspaceId: string },
  asserted: AssertedPerson,
  person: PersonProfile,
  visitorId: string | null,
): Promise<string> {
  const { workspaceId } = provider;
  const account = await findServiceAccount(db, person.email);
  if (account && (await hasAcceptedMembership(db, workspaceId, account.id))) {
    requireProvenAccount(account, visitorId, asserted);
    return account.id;
  }
  await requireProvenDomain(db, provider, person.email, asserted);
  const isLinked =
    account !== null &&
    (account.id === visitorId ||
      (account.emailProvenAt !== null && (await isProviderTrustedForDomain(db, provider, emailDomain(person.email)))));
  return isLinked ? account.id : ensureWorkspaceAccount(db, workspaceId, person);
}

/** A provider with a list of domains admits new people only from those that are proven. */
export async function requireProvenDomain(
  db: DatabaseClient,
  { id, domains }: IdentityProvider,
  email: string,
  { claims }: AssertedPerson,
): Promise<void> {
  const domain = emailDomain(email);
  if (domains.length === 0 || (await isDomainProven(db, id, domain))) return;
  const message = `The domain ${domain} is not verified for this sign-in. An administrator verifies it in its settings.`;
  throw new SsoRefusal('unverified_domain', message, claims);
}

async function hasAcceptedMembership(db: DatabaseClient, workspaceId: string, userId: string): Promise<boolean> {
  return (await db.member.findFirst({ where: { workspaceId, userId, acceptedAt: { not: null } } })) !== null;
}

/**
 * An attacker may have signed up with another person's address, and would keep access to what becomes that person's
 * account.
 */
function requireProvenAccount(
  { id, emailProvenAt, passwordHash }: ServiceAccount,
  visitorId: string | null,
  { claims }: AssertedPerson,
): void {
  if (emailProvenAt || !passwordHash || id === visitorId) return;
  const way = 'Sign in with its password first, then through this provider.';
  throw new SsoRefusal('unproven', `The account with this address is not proven to be yours. ${way}`, claims);
}
