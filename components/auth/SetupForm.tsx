'use client';

import { useMutation } from '@tanstack/react-query';
import { Client } from '../client/Client';
import { problemOf } from '../client/problem';
import { useTRPC } from '../client/trpc';
import { AccountForm } from './AccountForm';
import { enter } from './signIn';

/** Makes the first owner, with the one-time link's token, and signs them in. */
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
      title="Make it yours"
      lead="The first account owns this installation and its first workspace."
      action="Create the owner"
      problem={create.error && problemOf(create.error)}
      isBusy={create.isPending || create.isSuccess}
      onSubmit={(account) =>
        create.mutate({ body: { token, ...account } }, { onSuccess: () => enter(account.email, account.password) })
      }
    />
  );
}
