'use client';

import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { ExpressionLanguage } from '@/contract/workflows/expression-language';
import { LanguageChoice } from '@/components/ui/LanguageChoice';
import { ApiClientProvider } from '@/components/client/ApiClientProvider';
import { readApiError } from '@/components/client/api-error';
import { useTRPC } from '@/components/client/trpc';
import { AccountForm } from './AccountForm';
import { signInNewAccount } from './sign-in/signIn';

/** Creates the first owner with the token of the one-time set-up link, and signs them in. */
export function SetupForm({ token }: { token: string | undefined }) {
  return (
    <ApiClientProvider>
      <FirstAccountForm token={token} />
    </ApiClientProvider>
  );
}

function FirstAccountForm({ token }: { token: string | undefined }) {
  const trpc = useTRPC();
  const [expressionLanguage, setExpressionLanguage] = useState<ExpressionLanguage>('javascript');
  const create = useMutation(trpc.setup.create.mutationOptions());
  return (
    <AccountForm
      title="Create the first account"
      lead="The first account owns this installation and its first workspace."
      action="Create account"
      problem={create.error && readApiError(create.error)}
      isBusy={create.isPending || create.isSuccess}
      choices={<LanguageChoice size="md" value={expressionLanguage} onChange={setExpressionLanguage} />}
      onSubmit={(account) =>
        create.mutate(
          { body: { token, ...account, expressionLanguage } },
          { onSuccess: () => signInNewAccount(account.email, account.password) },
        )
      }
    />
  );
}
