import { Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import type { Connector } from '@/contract/connector';
import { fieldErrorsOf } from '../client/field-errors';
import { useTRPC } from '../client/trpc';
import { useRefresh } from '../client/useRefresh';
import { Permitted } from '../shell/Permitted';
import { ErrorNote } from '../ui/ErrorNote';

const EMPTY = { clientId: '', clientSecret: '', tokenUrl: '', apiUrl: '' };
type Field = keyof typeof EMPTY;

/** The client id and secret that the provider gave. The stored ones are never shown; new ones take their place. */
export function RegistrationForm({ connector: { id, name, registration, needsAddresses } }: { connector: Connector }) {
  const trpc = useTRPC();
  const refresh = useRefresh();
  const [given, setGiven] = useState(EMPTY);
  const register = useMutation(
    trpc.connectors.register.mutationOptions({
      onSuccess: () => {
        refresh();
        setGiven(EMPTY);
        notifications.show({ message: `${name} is ready for accounts`, color: 'verdigris' });
      },
    }),
  );
  const { at, elsewhere } = fieldErrorsOf(register.error, (field) => field in EMPTY);
  const input = (field: Field, label: string) => ({
    label,
    required: true,
    autoComplete: 'off',
    value: given[field],
    error: at.get(field),
    onChange: (event: { currentTarget: { value: string } }) =>
      setGiven({ ...given, [field]: event.currentTarget.value.trim() }),
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const { clientId, clientSecret, tokenUrl, apiUrl } = given;
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
        <Permitted to="connector:update">
          <Button type="submit" w="fit-content" loading={register.isPending}>
            {registration === 'workspace' ? 'Replace registration' : 'Register'}
          </Button>
        </Permitted>
      </Stack>
    </form>
  );
}
