import type { Db } from '../db/client';
import { newId } from '../db/ids';

export interface NewPerson {
  /** In lower case. */
  email: string;
  name: string;
  passwordHash: string;
}

/** Creates a person and answers their id; null when somebody has the address, also somebody who took it just now. */
export async function createPerson(db: Db, person: NewPerson): Promise<string | null> {
  const id = newId('usr');
  const { count } = await db.user.createMany({ data: [{ id, ...person }], skipDuplicates: true });
  return count === 1 ? id : null;
}
