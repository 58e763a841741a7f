import type { Db } from '../db/client';
import { newId } from '../db/ids';
import type { Asserted } from './asserted';
import { removeFactor } from './mfa';
import type { Provider } from './sso-provider';
import { SsoRefusal } from './sso-refusal';

interface Known {
  /** The address that the provider vouches for. */
  email: string;
  /** Who is signed in, in the browser that comes back; null: nobody. */
  visitorId: string | null;
}

/** The person a subject is: known from before, or by the address that the provider vouches for, or new. */
export async function personOf(
  db: Db,
  { id: providerId, workspaceId }: Provider,
  { subject, name, claims }: Asserted,
  { email, visitorId }: Known,
): Promise<string> {
  const key = { providerId, subject };
  const known = await db.ssoIdentity.findUnique({ where: { providerId_subject: key } });
  if (known) return known.userId;
  const isService = workspaceId === null;
  // Two first sign-ins at once: one makes the person, the other finds them.
  const shown = (name ?? '').replace(/\p{C}/gu, '').trim().slice(0, 200);
  const fresh = { id: newId('usr'), email, name: shown || email };
  await db.user.createMany({ data: [fresh], skipDuplicates: true });
  const user = await db.user.findUniqueOrThrow({ where: { email } });
  if (!user.emailProvenAt && user.passwordHash && user.id !== visitorId) {
    // Whoever signed up with somebody's address would else be waiting in what becomes that person's account.
    const way = 'Sign in with its password first, then through this provider.';
    throw new SsoRefusal('unproven', `The account with this address has not been shown to be yours. ${way}`, claims);
  }
  if (isService && !user.emailProvenAt) {
    // Nobody but a workspace's provider can have been here before, and what it set up is not this person's.
    if (!user.passwordHash) await removeFactor(db, user.id);
    await db.user.update({ where: { id: user.id }, data: { emailProvenAt: new Date() } });
  }
  await db.ssoIdentity.createMany({ data: [{ ...key, userId: user.id }], skipDuplicates: true });
  return user.id;
}
