'use client';

import { Anchor, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import Link from 'next/link';
import { Client } from '../client/Client';
import { problemOf } from '../client/problem';
import { useTRPC } from '../client/trpc';
import { AccountForm } from './AccountForm';
import { enter } from './signIn';

/** Makes an account with a workspace of its own, and signs in. */
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
      lead="It comes with a workspace of your own and a first workflow to try."
      action="Sign up"
      problem={signUp.error && problemOf(signUp.error)}
      isBusy={signUp.isPending || signUp.isSuccess}
      onSubmit={(account) =>
        signUp.mutate({ body: account }, { onSuccess: () => enter(account.email, account.password) })
      }
    >
      <Text size="sm" ta="center">
        You have an account?{' '}
        <Anchor component={Link} href="/login" inherit>
          Sign in
        </Anchor>
      </Text>
    </AccountForm>
  );
}
