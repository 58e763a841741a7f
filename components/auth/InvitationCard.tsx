import { Alert, Button, Stack, Text, Title } from '@mantine/core';
import { signOut } from 'next-auth/react';
import { AppLink } from '@/components/ui/AppLink';
import type { InvitationDetails } from '@/server/people/accounts/invitations';
import type { ApiErrorBody } from '@/components/client/api-error';
import { useIsHydrated } from '@/components/ui/useIsHydrated';

interface Props {
  token: string;
  invitation: InvitationDetails;
  signedInAs: string | null;
  /** The session comes from a workspace's sign-in provider and opens no other workspace. */
  isThroughProvider: boolean;
  problem: ApiErrorBody | null;
  isBusy: boolean;
  onJoin(): void;
}

/** Shows an invitation to an existing account, or to another account than the signed-in one. */
export function InvitationCard({ token, invitation, signedInAs, isThroughProvider, problem, isBusy, onJoin }: Props) {
  const isMounted = useIsHydrated();
  const { email, workspaceName } = invitation;
  const isTheirs = signedInAs === email && !isThroughProvider;
  const here = `/invitation?token=${encodeURIComponent(token)}`;
  const again = async () => {
    await signOut({ redirect: false });
    location.reload();
  };
  return (
    <Stack gap="md">
      <div>
        <Title order={1}>Join {workspaceName}</Title>
        <Text c="dimmed" mt={4}>
          The invitation is for {email}.
        </Text>
      </div>
      {problem && (
        <Alert color="madder" role="alert">
          {problem.message}
        </Alert>
      )}
      {isTheirs && (
        <Button size="md" loading={isBusy} disabled={!isMounted} onClick={onJoin}>
          Join
        </Button>
      )}
      {signedInAs === null && (
        <Button size="md" component={AppLink} href={`/login?returnTo=${encodeURIComponent(here)}`}>
          Sign in to join
        </Button>
      )}
      {signedInAs !== null && !isTheirs && (
        <>
          <Alert color="weld">
            {isThroughProvider
              ? 'You are signed in through a company’s sign-in provider. Sign in to your own account to join.'
              : `You are signed in as ${signedInAs}.`}
          </Alert>
          <Button size="md" disabled={!isMounted} onClick={() => void again()}>
            Sign out and continue
          </Button>
        </>
      )}
    </Stack>
  );
}
