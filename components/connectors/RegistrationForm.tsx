import { Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import type { Connector } from '@/contract/connector';
import { fieldErrorsOf } from '@/components/client/field-errors';
import { useTRPC } from '@/components/client/trpc';
import { useRefresh } from '@/components/client/useRefresh';
import { Permitted } from '@/components/ui/Permitted';
import { ErrorNote } from '@/components/ui/states/ErrorNote';

const EMPTY = { clientId: '', clientSecret: '', tokenUrl: '', apiUrl: '' };
type Field = keyof typeof EMPTY;

/** Client id and client secret of the app at the provider. Stored values are never shown, only replaced. */
export function RegistrationForm({ connector: { id, name, registration, needsAddresses } }: { connector: Connector }) {
  const trpc = useTRPC();
  const refresh = useRefresh();
  const [values, setValues] = useState(EMPTY);
  const register = useMutation(
    trpc.connectors.register.mutationOptions({
      onSuccess: () => {
        refresh();
        setValues(EMPTY);
        notifications.show({ message: `${name} is registered. You can connect accounts now.`, color: 'verdigris' });
      },
    }),
  );
  const { at, elsewhere } = fieldErrorsOf(register.error, (field) => field in EMPTY);
  const input = (field: Field, label: string) => ({
    label,
    required: true,
    autoComplete: 'off',
    value: values[field],
    error: at.get(field),
    onChange: (event: { currentTarget: { value: string } }) =>
      setValues({ ...values, [field]: event.currentTarget.value.trim() }),
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const { clientId, clientSecret, tokenUrl, apiUrl } = values;
    const addresses = needsAddresses ? { tokenUrl, apiUrl } : {};
    register.mutate({ params: { id }, body: { clientId, clientSecret, ...addresses } });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <ErrorNote>{elsewhere}</ErrorNote>
        <TextInput {...input('clientId', 'Client id')} />
        <PasswordInput {...input('clientSecret', 'Client secret')} />
        {needsAddresses && <TextInput {...input('tokenUrl', 'Token URL')} type="url" />}
        {needsAddresses && <TextInput {...input('apiUrl', 'API URL')} type="url" />}
        {needsAddresses && registration && (
          <Text size="sm" c="dimmed">
            If you change a URL, the credentials of this service must be connected again.
          </Text>
        )}
        <Permitted to="connector:update">
          <Button type="submit" w="fit-content" loading={register.isPending}>
            {registration === 'workspace' ? 'Replace registration' : 'Register'}
          </Button>
        </Permitted>
      </Stack>
    </form>
  );
}
