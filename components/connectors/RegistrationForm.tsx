import { Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import type { ConnectorResponse, RegistrationResponse } from '@/contract/connectors/connector';
import { splitFieldErrors } from '@/components/client/field-errors';
import { CredentialFields } from '@/components/credentials/CredentialFields';
import { useTRPC } from '@/components/client/trpc';
import { useInvalidateQueries } from '@/components/client/useInvalidateQueries';
import { PermittedButton } from '@/components/ui/PermittedButton';
import { FormErrorAlert } from '@/components/ui/states/FormErrorAlert';

const EMPTY_REGISTRATION = { clientId: '', clientSecret: '', tokenUrl: '', apiUrl: '' };
type RegistrationField = keyof typeof EMPTY_REGISTRATION;

const TOKEN_PARAMETERS_SCHEMA = {
  type: 'object',
  properties: {
    tokenParameters: {
      type: 'object',
      title: 'Parameters of token requests',
      description: 'Sent with every request for tokens, such as audience or resource.',
      additionalProperties: { type: 'string' },
    },
  },
};

interface Props {
  connector: ConnectorResponse;
  /** The registration that the workspace has stored. Absent if there is none. */
  stored?: RegistrationResponse;
  onSaved(): void;
  onCancel?(): void;
}

/** Client id and client secret of the app at the provider. The stored secret is never shown, only replaced. */
export function RegistrationForm({ connector: { id, needsAddresses }, stored, onSaved, onCancel }: Props) {
  const trpc = useTRPC();
  const refresh = useInvalidateQueries();
  const { clientId = '', tokenUrl = '', apiUrl = '' } = stored ?? {};
  const [values, setValues] = useState({ ...EMPTY_REGISTRATION, clientId, tokenUrl, apiUrl });
  const [further, setFurther] = useState<{ tokenParameters?: Record<string, string> }>({});
  const register = useMutation(
    trpc.connectors.register.mutationOptions({
      onSuccess: () => {
        refresh();
        onSaved();
      },
    }),
  );
  const { at, elsewhere } = splitFieldErrors(
    register.error,
    (field) => field in EMPTY_REGISTRATION || field.startsWith('tokenParameters'),
  );
  const input = (field: RegistrationField, label: string) => ({
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
    const addresses = needsAddresses ? { tokenUrl: values.tokenUrl, apiUrl: values.apiUrl } : {};
    const client = { clientId: values.clientId, clientSecret: values.clientSecret };
    register.mutate({ params: { id }, body: { ...client, ...addresses, ...further } });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <FormErrorAlert>{elsewhere}</FormErrorAlert>
        <TextInput {...input('clientId', 'Client id')} />
        <PasswordInput
          {...input('clientSecret', 'Client secret')}
          description={stored && 'A secret is stored. Enter it again, or a new one.'}
        />
        {needsAddresses && <TextInput {...input('tokenUrl', 'Token URL')} type="url" />}
        {needsAddresses && <TextInput {...input('apiUrl', 'API URL')} type="url" />}
        <CredentialFields
          schema={TOKEN_PARAMETERS_SCHEMA}
          secrets={['tokenParameters']}
          storedSecrets={[]}
          value={further}
          errors={at}
          onChange={setFurther}
        />
        {stored?.secretFields.includes('tokenParameters') && (
          <Text size="sm" c="dimmed">
            Parameters are stored. Enter them again, or they are removed.
          </Text>
        )}
        {needsAddresses && stored && (
          <Text size="sm" c="dimmed">
            If you change a URL, the credentials of this service must be connected again.
          </Text>
        )}
        <Group gap="xs">
          <PermittedButton to="connector:update">
            <Button type="submit" loading={register.isPending}>
              {stored ? 'Replace registration' : 'Register'}
            </Button>
          </PermittedButton>
          {onCancel && (
            <Button variant="default" onClick={onCancel}>
              Cancel
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}
