import type { AuthenticatedPerson } from '@/server/people/access/caller';
import type { OperationCall } from '@/server/api/operation/operation';
import { findIdentifiedCaller } from '@/server/api/pipeline/steps/identify';

/** Says why a caller does not count as a member of a workspace. */
export class MembershipRefusal {
  constructor(
    readonly reason: string,
    /** A sign-in may help. */
    readonly isSignedOut = false,
  ) {}
}

/** Identifies the member who calls a page of their workspace. The reason of a refusal names the page by `page`. */
export async function identifyPageMember(
  call: OperationCall,
  workspaceId: string,
  page: 'form' | 'chat',
): Promise<AuthenticatedPerson | MembershipRefusal> {
  const forMembers = `This ${page} is for members of its workspace.`;
  const standing = await findIdentifiedCaller(call, workspaceId);
  if (!standing) return new MembershipRefusal(forMembers, true);
  const { person, caller, pendingFactor, needsSso } = standing;
  if (needsSso) return new MembershipRefusal('The workspace requires a sign-in through its own provider.');
  if (!caller) return new MembershipRefusal(`${forMembers} You are signed in as ${person.email}.`);
  if (pendingFactor) return new MembershipRefusal(`${forMembers} Complete the sign-in with your second factor first.`);
  return person;
}
