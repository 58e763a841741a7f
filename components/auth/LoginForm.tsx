'use client';

import { Alert, Anchor, Button, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import Link from 'next/link';
import { useState, type SubmitEvent } from 'react';
import { duration } from '../ui/time';
import { useMounted } from '../ui/useMounted';
import { signIn } from './signIn';

interface Refusal {
  field?: 'password';
  message: string;
}

interface Props {
  returnTo: string;
  /** Nobody can sign in yet; the link printed at start makes the first account. */
  isOwnerNeeded: boolean;
  /** Whoever comes may make an account. */
  isSignUpOpen: boolean;
}

export function LoginForm({ returnTo, isOwnerNeeded, isSignUpOpen }: Props) {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [refusal, setRefusal] = useState<Refusal>();
  const [isBusy, setBusy] = useState(false);
  const isMounted = useMounted();

  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    setBusy(true);
    setRefusal(undefined);
    const answer = await signIn(email, password);
    if (answer.isSignedIn) return location.assign(returnTo);
    setBusy(false);
    setRefusal(refusalOf(answer.code, answer.retryAfterSeconds));
  };

  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack gap="md">
        <div>
          <Title order={1}>Sign in</Title>
          <Text c="dimmed" mt={4}>
            Welcome back to your workflows.
          </Text>
        </div>
        {isOwnerNeeded && (
          <Alert color="weld" title="There is no account yet">
            Open the setup link that the service printed when it started.
          </Alert>
        )}
        {refusal && !refusal.field && (
          <Alert color="madder" role="alert">
            {refusal.message}
          </Alert>
        )}
        <TextInput
          label="Email"
          type="email"
          autoComplete="username"
          required
          withAsterisk={false}
          autoFocus
          size="md"
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          required
          withAsterisk={false}
          size="md"
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          error={refusal?.field === 'password' && refusal.message}
        />
        <Button type="submit" size="md" mt="xs" loading={isBusy} disabled={!isMounted}>
          Sign in
        </Button>
        {isSignUpOpen && (
          <Text size="sm" ta="center">
            New here?{' '}
            <Anchor component={Link} href="/signup" inherit>
              Create an account
            </Anchor>
          </Text>
        )}
      </Stack>
    </form>
  );
}

function refusalOf(code: string, retryAfterSeconds: number | undefined): Refusal {
  if (code === 'UNAUTHORIZED') return { field: 'password', message: 'Email or password is wrong.' };
  if (code === 'RATE_LIMITED') {
    const wait = retryAfterSeconds ? `in ${duration(retryAfterSeconds * 1000)}` : 'in a few minutes';
    return { message: `Too many attempts. Please try again ${wait}.` };
  }
  if (code === 'FORBIDDEN') return { message: 'Your workspace asks you to sign in through your company.' };
  return { message: 'Signing in didn’t work just now. Please try again in a moment.' };
}
