import { Button, PasswordInput, Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { fieldErrorsOf } from '@/components/client/field-errors';
import { useTRPC } from '@/components/client/trpc';
import { useRefresh } from '@/components/client/useRefresh';
import { ErrorNote } from '@/components/ui/states/ErrorNote';
import { Section } from '@/components/ui/page/Section';

const EMPTY = { currentPassword: '', newPassword: '' };

export function PasswordSettings() {
  const trpc = useTRPC();
  const refresh = useRefresh();
  const [values, setValues] = useState(EMPTY);
  const change = useMutation(
    trpc.auth.changePassword.mutationOptions({
      onSuccess: () => {
        setValues(EMPTY);
        refresh();
        notifications.show({ message: 'Password changed', color: 'verdigris' });
      },
    }),
  );
  const { at, elsewhere } = fieldErrorsOf(change.error, (field) => field in EMPTY);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    change.mutate({ body: values });
  };
  return (
    <Section title="Password" summary="A password change ends all your other sessions.">
      <form onSubmit={submit}>
        <Stack maw={420}>
          <ErrorNote>{elsewhere}</ErrorNote>
          <PasswordInput
            label="Current password"
            autoComplete="current-password"
            required
            value={values.currentPassword}
            error={at.get('currentPassword')}
            onChange={(event) => setValues({ ...values, currentPassword: event.currentTarget.value })}
          />
          <PasswordInput
            label="New password"
            description="At least 12 characters. Your workspaces may require more."
            autoComplete="new-password"
            required
            value={values.newPassword}
            error={at.get('newPassword')}
            onChange={(event) => setValues({ ...values, newPassword: event.currentTarget.value })}
          />
          <Button type="submit" w="fit-content" loading={change.isPending}>
            Change password
          </Button>
        </Stack>
      </form>
    </Section>
  );
}
