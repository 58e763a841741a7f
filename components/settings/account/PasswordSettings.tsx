import { Button, PasswordInput, Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { splitFieldErrors } from '@/components/client/field-errors';
import { useTRPC } from '@/components/client/trpc';
import { useInvalidateQueries } from '@/components/client/useInvalidateQueries';
import { FormErrorAlert } from '@/components/ui/states/FormErrorAlert';
import { PageSection } from '@/components/ui/page/PageSection';

const EMPTY_PASSWORDS = { currentPassword: '', newPassword: '' };

export function PasswordSettings() {
  const trpc = useTRPC();
  const refresh = useInvalidateQueries();
  const [values, setValues] = useState(EMPTY_PASSWORDS);
  const change = useMutation(
    trpc.auth.changePassword.mutationOptions({
      onSuccess: () => {
        setValues(EMPTY_PASSWORDS);
        refresh();
        notifications.show({ message: 'Password changed', color: 'verdigris' });
      },
    }),
  );
  const { at, elsewhere } = splitFieldErrors(change.error, (field) => field in EMPTY_PASSWORDS);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    change.mutate({ body: values });
  };
  return (
    <PageSection title="Password" summary="A password change ends all your other sessions.">
      <form onSubmit={submit}>
        <Stack maw={420}>
          <FormErrorAlert>{elsewhere}</FormErrorAlert>
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
    </PageSection>
  );
}
