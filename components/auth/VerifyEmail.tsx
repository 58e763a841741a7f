'use client';

import { Alert, Button, Stack, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@/components/ui/Link';
import { Client } from '@/components/client/Client';
import { problemOf } from '@/components/client/problem';
import { useTRPC } from '@/components/client/trpc';
import { useMounted } from '@/components/ui/useMounted';

interface Props {
  token: string;
  /** Email of the signed-in user, if any. */
  signedInAs: string | null;
}

/**
 * Target of the link in the sign-up mail. It confirms by a button, because link scanners of mail servers open links.
 */
export function VerifyEmail(props: Props) {
  return (
    <Client>
      <Card {...props} />
    </Client>
  );
}

function Card({ token, signedInAs }: Props) {
  const trpc = useTRPC();
  const isMounted = useMounted();
  const verify = useMutation(trpc.auth.verifyEmail.mutationOptions());
  const here = `/verify-email?token=${encodeURIComponent(token)}`;
  return (
    <Stack gap="md">
      <div>
        <Title order={1}>{verify.isSuccess ? 'Address confirmed' : 'Confirm your address'}</Title>
        <Text c="dimmed" mt={4}>
          {signedInAs ?? 'Sign in with your new account, then confirm.'}
        </Text>
      </div>
      {verify.error && (
        <Alert color="madder" role="alert">
          {refusalOf(verify.error)}
        </Alert>
      )}
      {signedInAs === null && (
        <Button size="md" component={Link} href={`/login?returnTo=${encodeURIComponent(here)}`}>
          Sign in to confirm
        </Button>
      )}
      {signedInAs !== null && !verify.isSuccess && (
        <Button
          size="md"
          loading={verify.isPending}
          disabled={!isMounted}
          onClick={() => verify.mutate({ body: { token } })}
        >
          Confirm
        </Button>
      )}
      {verify.isSuccess && (
        <Button size="md" component="a" href="/workflows">
          Go to your workflows
        </Button>
      )}
    </Stack>
  );
}

function refusalOf(error: unknown): string {
  const { message, details } = problemOf(error);
  const isToken = details.some(({ field }) => field === 'token');
  return isToken ? 'This link belongs to another account, is incomplete, or is older than three days.' : message;
}
