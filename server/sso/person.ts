import type { Db } from '@/server/db/client';
import type { Asserted } from './external-identity';
import { counts, domainOf, isTrustedForDomain } from './domain-proof';
import { removeFactor } from '@/server/auth/mfa';
import { accountWith, accountWithin, createPerson, lockAddress, takeOver } from '@/server/auth/people';
import type { Provider } from './provider';
import { SsoRefusal } from './refusal';

interface Known {
  /** The address that the provider vouches for. */
  email: string;
  /** The person signed in to the returning browser; null: none. */
  visitorId: string | null;
}

type Account = NonNullable<Awaited<ReturnType<typeof accountWith>>>;

/** The person of a subject: linked before, or found by the verified address, or new. */
export async function personOf(db: Db, provider: Provider, asserted: Asserted, browser: Known): Promise<string> {
  const { subject, name } = asserted;
  const key = { providerId: provider.id, subject };
  const identity = await db.ssoIdentity.findUnique({ where: { providerId_subject: key } });
  if (identity) return identity.userId;
  const displayName = (name ?? '').replace(/\p{C}/gu, '').trim().slice(0, 200);
  const person = { email: browser.email, name: displayName || browser.email };
  const userId = provider.workspaceId
    ? await ofWorkspace(db, { ...provider, workspaceId: provider.workspaceId }, asserted, person, browser.visitorId)
    : await ofService(db, asserted, person, browser.visitorId);
  await db.ssoIdentity.createMany({ data: [{ ...key, userId }], skipDuplicates: true });
  return userId;
}

interface Shown {
  email: string;
  name: string;
}

/** A provider of the whole service: its assertion proves the address. */
async function ofService(db: Db, asserted: Asserted, person: Shown, visitorId: string | null): Promise<string> {
  await lockAddress(db, person.email);
  const account = await accountWith(db, person.email);
  if (!account) return (await takeOver(db, person)) ?? newPerson(db, person);
  requireOwn(account, visitorId, asserted);
  if (!account.emailProvenAt) {
    // Only workspaces' providers can have created this account, and their second factor is not this person's.
    if (!account.passwordHash) await removeFactor(db, account.id);
    await db.user.update({ where: { id: account.id }, data: { emailProvenAt: new Date() } });
  }
  return account.id;
}

async function newPerson(db: Db, person: Shown): Promise<string> {
  const id = await createPerson(db, { ...person, passwordHash: null, emailProvenAt: new Date() });
  if (id === null) throw new Error('The address has got an account while it was locked.');
  return id;
}

/**
 * A workspace's provider is trusted for its workspace. It signs in to an account of the service only if that account is a member, or the
 * address is in one of the provider's proven domains. All other people get an account of the workspace alone, so that the provider cannot
 * find out whether the service knows an address.
 */
async function ofWorkspace(
  db: Db,
  provider: Provider & { workspaceId: string },
  asserted: Asserted,
  person: Shown,
  visitorId: string | null,
): Promise<string> {
  const { workspaceId } = provider;
  const account = await accountWith(db, person.email);
  if (account && (await hasAccepted(db, workspaceId, account.id))) {
    requireOwn(account, visitorId, asserted);
    return account.id;
  }
  await requireVerified(db, provider, person.email, asserted);
  const isLinked =
    account !== null &&
    (account.id === visitorId ||
      (account.emailProvenAt !== null && (await isTrustedForDomain(db, provider, domainOf(person.email)))));
  return isLinked ? account.id : accountWithin(db, workspaceId, person);
}

/** A provider with a list of domains admits new people only from those that are proven. */
export async function requireVerified(
  db: Db,
  { id, domains }: Provider,
  email: string,
  { claims }: Asserted,
): Promise<void> {
  const domain = domainOf(email);
  if (domains.length === 0 || (await counts(db, id, domain))) return;
  const message = `The domain ${domain} is not verified for this sign-in. An administrator verifies it in its settings.`;
  throw new SsoRefusal('unverified_domain', message, claims);
}

async function hasAccepted(db: Db, workspaceId: string, userId: string): Promise<boolean> {
  return (await db.member.findFirst({ where: { workspaceId, userId, acceptedAt: { not: null } } })) !== null;
}

/** An attacker may have signed up with another person's address, and would keep access to what becomes that person's account. */
function requireOwn(
  { id, emailProvenAt, passwordHash }: Account,
  visitorId: string | null,
  { claims }: Asserted,
): void {
  if (emailProvenAt || !passwordHash || id === visitorId) return;
  const way = 'Sign in with its password first, then through this provider.';
  throw new SsoRefusal('unproven', `The account with this address is not proven to be yours. ${way}`, claims);
}
