import { Button, PasswordInput, Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { fieldErrorsOf } from '../client/field-errors';
import { useTRPC } from '../client/trpc';
import { useRefresh } from '../client/useRefresh';
import { ErrorNote } from '../ui/ErrorNote';
import { Section } from '../ui/Section';

const EMPTY = { currentPassword: '', newPassword: '' };

export function PasswordSettings() {
  const trpc = useTRPC();
  const refresh = useRefresh();
  const [given, setGiven] = useState(EMPTY);
  const change = useMutation(
    trpc.auth.changePassword.mutationOptions({
      onSuccess: () => {
        setGiven(EMPTY);
        refresh();
        notifications.show({ message: 'Your password is changed', color: 'verdigris' });
      },
    }),
  );
  const { at, elsewhere } = fieldErrorsOf(change.error, (field) => field in EMPTY);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    change.mutate({ body: given });
  };
  return (
    <Section title="Password" summary="Changing it signs you out everywhere but here.">
      <form onSubmit={submit}>
        <Stack maw={420}>
          <ErrorNote>{elsewhere}</ErrorNote>
          <PasswordInput
            label="Current password"
            autoComplete="current-password"
            required
            value={given.currentPassword}
            error={at.get('currentPassword')}
            onChange={(event) => setGiven({ ...given, currentPassword: event.currentTarget.value })}
          />
          <PasswordInput
            label="New password"
            description="At least 12 characters; a workspace of yours may ask for more."
            autoComplete="new-password"
            required
            value={given.newPassword}
            error={at.get('newPassword')}
            onChange={(event) => setGiven({ ...given, newPassword: event.currentTarget.value })}
          />
          <Button type="submit" w="fit-content" loading={change.isPending}>
            Change password
          </Button>
        </Stack>
      </form>
    </Section>
  );
}
