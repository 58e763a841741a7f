import { Alert, Button, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { useState, type ReactNode, type SubmitEvent } from 'react';
import type { ApiErrorBody } from '@/components/client/api-error';
import { useTextBeforeHydration } from '@/components/ui/useTextBeforeHydration';
import { useIsHydrated } from '@/components/ui/useIsHydrated';

export interface NewAccountFields {
  name: string;
  email: string;
  password: string;
}

interface Props {
  title: string;
  lead: ReactNode;
  /** Label of the submit button. */
  action: string;
  /** Fixed address, for example from an invitation. */
  email?: string;
  problem: ApiErrorBody | null;
  isBusy: boolean;
  onSubmit(account: NewAccountFields): void;
  /** Further choices, above the button. */
  choices?: ReactNode;
  children?: ReactNode;
}

/** Name, email and password of a new account: used by set-up, sign-up and invitations. */
export function AccountForm({ title, lead, action, email, problem, isBusy, onSubmit, choices, children }: Props) {
  const isMounted = useIsHydrated();
  const [account, setAccount] = useState<NewAccountFields>({ name: '', email: email ?? '', password: '' });
  const change = (part: Partial<NewAccountFields>) => setAccount((before) => ({ ...before, ...part }));
  const nameField = useTextBeforeHydration(account.name, (name) => change({ name }));
  const emailField = useTextBeforeHydration(account.email, (text) => change({ email: text }));
  const passwordField = useTextBeforeHydration(account.password, (password) => change({ password }));
  const errorOf = (field: keyof NewAccountFields) => problem?.details.find((detail) => detail.field === field)?.message;
  const isElsewhere = problem && !problem.details.some(({ field }) => field in account);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    onSubmit(account);
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <div>
          <Title order={1}>{title}</Title>
          <Text c="dimmed" mt={4}>
            {lead}
          </Text>
        </div>
        {isElsewhere && (
          <Alert color="madder" role="alert">
            {problem.message}
          </Alert>
        )}
        <TextInput
          ref={nameField}
          label="Your name"
          autoComplete="name"
          required
          withAsterisk={false}
          size="md"
          value={account.name}
          error={errorOf('name')}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
        <TextInput
          ref={emailField}
          label="Email"
          type="email"
          autoComplete="username"
          required
          withAsterisk={false}
          size="md"
          readOnly={email !== undefined}
          value={account.email}
          error={errorOf('email')}
          onChange={(event) => change({ email: event.currentTarget.value })}
        />
        <PasswordInput
          ref={passwordField}
          label="Password"
          description="At least 12 characters."
          autoComplete="new-password"
          required
          withAsterisk={false}
          size="md"
          value={account.password}
          error={errorOf('password')}
          onChange={(event) => change({ password: event.currentTarget.value })}
        />
        {choices}
        <Button type="submit" size="md" mt="xs" loading={isBusy} disabled={!isMounted}>
          {action}
        </Button>
        {children}
      </Stack>
    </form>
  );
}
