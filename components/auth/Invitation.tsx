'use client';

import { useMutation } from '@tanstack/react-query';
import type { InvitationFacts } from '@/server/accounts/invitations';
import { Client } from '@/components/client/Client';
import { problemOf, type Problem } from '@/components/client/problem';
import { useTRPC } from '@/components/client/trpc';
import { chooseWorkspace } from '@/components/client/workspace';
import { AccountForm } from './AccountForm';
import { InvitationCard } from './InvitationCard';
import { enter } from './sign-in/signIn';

interface Props {
  token: string;
  invitation: InvitationFacts;
  /** Email of the signed-in user, if any. */
  signedInAs: string | null;
  /** The session comes from a workspace's sign-in provider and is limited to that workspace. */
  isThroughProvider: boolean;
}

/** Shows the next step for an invitation: join, sign in first, or create an account. */
export function Invitation(props: Props) {
  return (
    <Client>
      <Choice {...props} />
    </Client>
  );
}

function Choice({ token, invitation, signedInAs, isThroughProvider }: Props) {
  const { email, workspaceId, workspaceName, hasAccount } = invitation;
  const trpc = useTRPC();
  const accept = useMutation(
    trpc.invitations.accept.mutationOptions({ onSuccess: () => chooseWorkspace(workspaceId) }),
  );
  const problem = accept.error && spoken(problemOf(accept.error));
  const isBusy = accept.isPending || accept.isSuccess;
  if (hasAccount || (signedInAs !== null && !isThroughProvider)) {
    return (
      <InvitationCard
        {...{ token, invitation, signedInAs, isThroughProvider, problem, isBusy }}
        onJoin={() => accept.mutate({ body: { token } }, { onSuccess: () => location.assign('/workflows') })}
      />
    );
  }
  return (
    <AccountForm
      title={`Join ${workspaceName}`}
      lead="You are invited. Enter your name and choose a password."
      action="Join"
      email={email}
      problem={problem}
      isBusy={isBusy}
      onSubmit={({ name, password }) =>
        accept.mutate({ body: { token, name, password } }, { onSuccess: () => enter(email, password) })
      }
    />
  );
}

/** The link was valid when the page was rendered, so the invitation ended since. */
const spoken = (problem: Problem): Problem =>
  problem.details.some(({ field }) => field === 'token')
    ? { ...problem, message: 'This invitation was used or revoked in the meantime.', details: [] }
    : problem;
