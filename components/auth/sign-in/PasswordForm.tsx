import { Anchor, Button, Divider, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { IconBuilding } from '@tabler/icons-react';
import { AppLink } from '@/components/ui/AppLink';
import type { SubmitEvent } from 'react';
import { useTextBeforeHydration } from '@/components/ui/useTextBeforeHydration';
import { useIsHydrated } from '@/components/ui/useIsHydrated';

interface Props {
  email: string;
  password: string;
  error?: string;
  isBusy: boolean;
  isSignUpOpen: boolean;
  onChange(changes: { email?: string; password?: string }): void;
  onSubmit(): void;
  onSso(): void;
}

export function PasswordForm({ email, password, error, isBusy, isSignUpOpen, onChange, onSubmit, onSso }: Props) {
  const isMounted = useIsHydrated();
  const emailField = useTextBeforeHydration(email, (text) => onChange({ email: text }));
  const passwordField = useTextBeforeHydration(password, (text) => onChange({ password: text }));
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <TextInput
          ref={emailField}
          label="Email"
          type="email"
          autoComplete="username"
          required
          withAsterisk={false}
          autoFocus
          size="md"
          value={email}
          onChange={(event) => onChange({ email: event.currentTarget.value })}
        />
        <PasswordInput
          ref={passwordField}
          label="Password"
          autoComplete="current-password"
          required
          withAsterisk={false}
          size="md"
          value={password}
          onChange={(event) => onChange({ password: event.currentTarget.value })}
          error={error}
        />
        <Button type="submit" size="md" mt="xs" loading={isBusy} disabled={!isMounted}>
          Sign in
        </Button>
        <Divider label="or" />
        <Button
          variant="default"
          size="md"
          leftSection={<IconBuilding size={18} aria-hidden />}
          disabled={!isMounted}
          onClick={onSso}
        >
          Continue with SSO
        </Button>
        {isSignUpOpen && (
          <Text size="sm" ta="center">
            New here?{' '}
            <Anchor component={AppLink} href="/signup" inherit>
              Create an account
            </Anchor>
          </Text>
        )}
      </Stack>
    </form>
  );
}
