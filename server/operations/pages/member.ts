import type { Person } from '@/server/access/caller';
import type { Call } from '@/server/api/operation';
import { standingOf } from '@/server/pipeline/steps/identify';

/** Why a caller does not pass as a member of a workspace. */
export class NotMember {
  constructor(
    readonly reason: string,
    /** A sign-in may help. */
    readonly isSignedOut = false,
  ) {}
}

/** The member who calls a page of their workspace. `page`: its name in the reason if the caller is none. */
export async function memberOf(call: Call, workspaceId: string, page: 'form' | 'chat'): Promise<Person | NotMember> {
  const forMembers = `This ${page} is for members of its workspace.`;
  const standing = await standingOf(call, workspaceId);
  if (!standing) return new NotMember(forMembers, true);
  const { person, caller, pendingFactor, needsSso } = standing;
  if (needsSso) return new NotMember('The workspace requires a sign-in through its own provider.');
  if (!caller) return new NotMember(`${forMembers} You are signed in as ${person.email}.`);
  if (pendingFactor) return new NotMember(`${forMembers} Complete the sign-in with your second factor first.`);
  return person;
}
