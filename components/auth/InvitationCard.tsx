import { Alert, Button, Stack, Text, Title } from '@mantine/core';
import { signOut } from 'next-auth/react';
import Link from 'next/link';
import type { InvitationFacts } from '@/server/auth/invitations';
import type { Problem } from '../client/problem';
import { useMounted } from '../ui/useMounted';

interface Props {
  token: string;
  invitation: InvitationFacts;
  signedInAs: string | null;
  problem: Problem | null;
  isBusy: boolean;
  onJoin(): void;
}

/** An invitation of somebody who has an account, or of somebody else than who is signed in. */
export function InvitationCard({ token, invitation, signedInAs, problem, isBusy, onJoin }: Props) {
  const isMounted = useMounted();
  const { email, workspaceName } = invitation;
  const isTheirs = signedInAs === email;
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
        <Button size="md" component={Link} href={`/login?returnTo=${encodeURIComponent(here)}`}>
          Sign in to join
        </Button>
      )}
      {signedInAs !== null && !isTheirs && (
        <>
          <Alert color="weld">You are signed in as {signedInAs}.</Alert>
          <Button size="md" disabled={!isMounted} onClick={() => void again()}>
            Sign out and go on
          </Button>
        </>
      )}
    </Stack>
  );
}
