'use client';

import { useMutation } from '@tanstack/react-query';
import { Client } from '@/components/client/Client';
import { problemOf } from '@/components/client/problem';
import { useTRPC } from '@/components/client/trpc';
import { AccountForm } from './AccountForm';
import { enter } from './sign-in/signIn';

/** Creates the first owner with the token of the one-time set-up link, and signs them in. */
export function SetupForm({ token }: { token: string | undefined }) {
  return (
    <Client>
      <Form token={token} />
    </Client>
  );
}

function Form({ token }: { token: string | undefined }) {
  const trpc = useTRPC();
  const create = useMutation(trpc.setup.create.mutationOptions());
  return (
    <AccountForm
      title="Create the first account"
      lead="The first account owns this installation and its first workspace."
      action="Create account"
      problem={create.error && problemOf(create.error)}
      isBusy={create.isPending || create.isSuccess}
      onSubmit={(account) =>
        create.mutate({ body: { token, ...account } }, { onSuccess: () => enter(account.email, account.password) })
      }
    />
  );
}
