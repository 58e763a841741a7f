'use client';

import { Alert, Button, Stack, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { AppLink } from '@/components/ui/AppLink';
import { ApiClientProvider } from '@/components/client/ApiClientProvider';
import { readApiError } from '@/components/client/api-error';
import { useTRPC } from '@/components/client/trpc';
import { useIsHydrated } from '@/components/ui/useIsHydrated';

interface Props {
  token: string;
  /** Email of the signed-in user, if any. */
  signedInAs: string | null;
}

/**
 * The page that the link in the sign-up mail opens. It confirms by a button, because link scanners of mail servers open
 * links.
 */
export function VerifyEmail(props: Props) {
  return (
    <ApiClientProvider>
      <EmailConfirmation {...props} />
    </ApiClientProvider>
  );
}

function EmailConfirmation({ token, signedInAs }: Props) {
  const trpc = useTRPC();
  const isMounted = useIsHydrated();
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
          {confirmationError(verify.error)}
        </Alert>
      )}
      {signedInAs === null && (
        <Button size="md" component={AppLink} href={`/login?returnTo=${encodeURIComponent(here)}`}>
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

function confirmationError(error: unknown): string {
  const { message, details } = readApiError(error);
  const isToken = details.some(({ field }) => field === 'token');
  return isToken ? 'This link belongs to another account, is incomplete, or is older than three days.' : message;
}
