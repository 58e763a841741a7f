import type { Db } from '../db/client';
import { newId } from '../db/ids';
import { runtime } from '../runtime';

export interface NewPerson {
  /** In lower case. */
  email: string;
  name: string;
  passwordHash: string;
  /** When they were seen to have the address; null: they say so. */
  emailProvenAt: Date | null;
}

/**
 * An invitation shows its link to whoever sends it, too. Where anybody may have a workspace, and invite from it, following
 * one proves nothing; elsewhere the sender is an administrator of the one company that is here.
 */
export const provenByInvitation = (): Date | null => (runtime().env.multiTenant ? null : new Date());

/** Creates a person and answers their id; null when somebody has the address, also somebody who took it just now. */
export async function createPerson(db: Db, person: NewPerson): Promise<string | null> {
  const id = newId('usr');
  const { count } = await db.user.createMany({ data: [{ id, ...person }], skipDuplicates: true });
  return count === 1 ? id : null;
}
