'use client';

import { Anchor, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { AppLink } from '@/components/ui/AppLink';
import { ApiClientProvider } from '@/components/client/ApiClientProvider';
import { readApiError } from '@/components/client/api-error';
import { useTRPC } from '@/components/client/trpc';
import { AccountForm } from './AccountForm';
import { signInNewAccount } from './sign-in/signIn';

/** Creates an account with its own workspace, and signs in. */
export function SignUpForm() {
  return (
    <ApiClientProvider>
      <NewAccountForm />
    </ApiClientProvider>
  );
}

function NewAccountForm() {
  const trpc = useTRPC();
  const signUp = useMutation(trpc.auth.signUp.mutationOptions());
  return (
    <AccountForm
      title="Create your account"
      lead="You get your own workspace with an example workflow."
      action="Sign up"
      problem={signUp.error && readApiError(signUp.error)}
      isBusy={signUp.isPending || signUp.isSuccess}
      onSubmit={(account) =>
        signUp.mutate({ body: account }, { onSuccess: () => signInNewAccount(account.email, account.password) })
      }
    >
      <Text size="sm" ta="center">
        Already have an account?{' '}
        <Anchor component={AppLink} href="/login" inherit>
          Sign in
        </Anchor>
      </Text>
    </AccountForm>
  );
}
