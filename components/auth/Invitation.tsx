'use client';

import { useMutation } from '@tanstack/react-query';
import type { InvitationFacts } from '@/server/auth/invitations';
import { Client } from '../client/Client';
import { problemOf, type Problem } from '../client/problem';
import { useTRPC } from '../client/trpc';
import { chooseWorkspace } from '../client/workspace';
import { AccountForm } from './AccountForm';
import { InvitationCard } from './InvitationCard';
import { enter } from './signIn';

interface Props {
  token: string;
  invitation: InvitationFacts;
  /** The address of whoever is signed in. */
  signedInAs: string | null;
}

/** What to do with an invitation: join at once, sign in first, or begin here. */
export function Invitation(props: Props) {
  return (
    <Client>
      <Choice {...props} />
    </Client>
  );
}

function Choice({ token, invitation, signedInAs }: Props) {
  const { email, workspaceId, workspaceName, hasAccount } = invitation;
  const trpc = useTRPC();
  const accept = useMutation(
    trpc.invitations.accept.mutationOptions({ onSuccess: () => chooseWorkspace(workspaceId) }),
  );
  const problem = accept.error && spoken(problemOf(accept.error));
  const isBusy = accept.isPending || accept.isSuccess;
  if (signedInAs !== null || hasAccount) {
    return (
      <InvitationCard
        {...{ token, invitation, signedInAs, problem, isBusy }}
        onJoin={() => accept.mutate({ body: { token } }, { onSuccess: () => location.assign('/workflows') })}
      />
    );
  }
  return (
    <AccountForm
      title={`Join ${workspaceName}`}
      lead="You are invited. Say who you are, and choose a password."
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

/** The link was good when the page was drawn. */
const spoken = (problem: Problem): Problem =>
  problem.details.some(({ field }) => field === 'token')
    ? { ...problem, message: 'This invitation was used or taken back meanwhile.', details: [] }
    : problem;
