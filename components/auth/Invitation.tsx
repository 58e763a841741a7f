'use client';

import { useMutation } from '@tanstack/react-query';
import type { InvitationDetails } from '@/server/people/accounts/invitations';
import { ApiClientProvider } from '@/components/client/ApiClientProvider';
import { readApiError, type ApiErrorBody } from '@/components/client/api-error';
import { useTRPC } from '@/components/client/trpc';
import { storeChosenWorkspace } from '@/components/client/chosen-workspace';
import { AccountForm } from './AccountForm';
import { InvitationCard } from './InvitationCard';
import { signInNewAccount } from './sign-in/signIn';

interface Props {
  token: string;
  invitation: InvitationDetails;
  /** Email of the signed-in user, if any. */
  signedInAs: string | null;
  /** The session comes from a workspace's sign-in provider and is limited to that workspace. */
  isThroughProvider: boolean;
}

/** Shows the next step for an invitation: join, sign in first, or create an account. */
export function Invitation(props: Props) {
  return (
    <ApiClientProvider>
      <InvitationNextStep {...props} />
    </ApiClientProvider>
  );
}

function InvitationNextStep({ token, invitation, signedInAs, isThroughProvider }: Props) {
  const { email, workspaceId, workspaceName, hasAccount } = invitation;
  const trpc = useTRPC();
  const accept = useMutation(
    trpc.invitations.accept.mutationOptions({ onSuccess: () => storeChosenWorkspace(workspaceId) }),
  );
  const problem = accept.error && toInvitationProblem(readApiError(accept.error));
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
        accept.mutate(
          { body: { token, name, password } },
          { onSuccess: () => signInNewAccount(email, password, '/workflows') },
        )
      }
    />
  );
}

/** Explains a refused token: the link was valid when the page was rendered, so the invitation has ended since. */
const toInvitationProblem = (problem: ApiErrorBody): ApiErrorBody =>
  problem.details.some(({ field }) => field === 'token')
    ? { ...problem, message: 'This invitation was used or revoked in the meantime.', details: [] }
    : problem;
