'use client';

import { Anchor, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@/components/ui/Link';
import { Client } from '@/components/client/Client';
import { problemOf } from '@/components/client/problem';
import { useTRPC } from '@/components/client/trpc';
import { AccountForm } from './AccountForm';
import { enter } from './sign-in/signIn';

/** Creates an account with its own workspace, and signs in. */
export function SignUpForm() {
  return (
    <Client>
      <Form />
    </Client>
  );
}

function Form() {
  const trpc = useTRPC();
  const signUp = useMutation(trpc.auth.signUp.mutationOptions());
  return (
    <AccountForm
      title="Create your account"
      lead="You get your own workspace with an example workflow."
      action="Sign up"
      problem={signUp.error && problemOf(signUp.error)}
      isBusy={signUp.isPending || signUp.isSuccess}
      onSubmit={(account) =>
        signUp.mutate({ body: account }, { onSuccess: () => enter(account.email, account.password) })
      }
    >
      <Text size="sm" ta="center">
        Already have an account?{' '}
        <Anchor component={Link} href="/login" inherit>
          Sign in
        </Anchor>
      </Text>
    </AccountForm>
  );
}
