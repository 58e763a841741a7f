import { Anchor, Button, Group, MultiSelect, Stack, Text, TextInput } from '@mantine/core';
import { AppLink } from '@/components/ui/AppLink';
import { useState, type SubmitEvent } from 'react';
import type { ConnectorResponse } from '@/contract/connectors/connector';
import { splitFieldErrors } from '@/components/client/field-errors';
import { FormErrorAlert } from '@/components/ui/states/FormErrorAlert';
import { PopupOpenNote, isRedirectFailure, RedirectHelp } from './ConnectNotes';
import { ConnectFailure } from './popup';
import { useConnect } from './useConnect';

interface Props {
  connector: ConnectorResponse;
  onConnected(credentialId: string): void;
  onCancel?(): void;
  /** The credential to reconnect; absent: a new one. */
  credential?: { id: string; name: string; config: Record<string, unknown> };
}

/** Connects an account of a provider by OAuth: for a new credential, or for one with expired tokens. */
export function AuthorizeForm({ connector, credential, onConnected, onCancel }: Props) {
  const { additionalParams, optionalScopes } = connector;
  const flow = connector.flow === 'client_credentials' ? connector.flow : 'authorization_code';
  const known = credential?.config ?? {};
  const [name, setName] = useState(credential?.name ?? connector.name);
  const [scopes, setScopes] = useState(Array.isArray(known.scopes) ? known.scopes.map(String) : connector.scopes);
  const [params, setParams] = useState<Record<string, string>>(
    Object.fromEntries(additionalParams.map((param) => [param.name, String(known[param.name] ?? '')])),
  );
  const connect = useConnect(onConnected);
  const isOwn = connect.error instanceof ConnectFailure;
  const needsHelp = isRedirectFailure(connect.error);
  const { at, elsewhere } = splitFieldErrors(
    isOwn ? null : connect.error,
    (field) => field.startsWith('additional_params.') || field === 'credential_name',
  );

  if (!connector.configured) return <UnregisteredAppNote name={connector.name} />;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const given = Object.fromEntries(Object.entries(params).filter(([, value]) => value.trim() !== ''));
    connect.mutate({
      connectorId: connector.id,
      flow,
      name: name.trim(),
      scopes,
      params: given,
      credentialId: credential?.id,
    });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <FormErrorAlert>{isOwn ? connect.error?.message : elsewhere}</FormErrorAlert>
        {needsHelp && <RedirectHelp redirectUri={connector.redirectUri} provider={connector.name} />}
        <TextInput
          label="Name"
          required
          maxLength={200}
          data-autofocus
          value={name}
          error={at.get('credential_name')}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        {additionalParams.map(({ name: param, title, description, required }) => (
          <TextInput
            key={param}
            label={title}
            placeholder={description}
            required={required}
            value={params[param] ?? ''}
            error={at.get(`additional_params.${param}`)}
            onChange={(event) => setParams({ ...params, [param]: event.currentTarget.value })}
          />
        ))}
        {flow === 'authorization_code' && (
          <MultiSelect
            label="Scopes"
            description="Permissions that the credential requests at the provider."
            data={[...connector.scopes, ...optionalScopes]}
            value={scopes}
            onChange={setScopes}
          />
        )}
        <Group justify="flex-end" gap="xs">
          {onCancel && (
            <Button variant="default" onClick={onCancel}>
              Back
            </Button>
          )}
          <Button type="submit" loading={connect.isPending} disabled={name.trim() === ''}>
            {credential ? 'Connect again' : 'Connect'}
          </Button>
        </Group>
        {connect.isPending && flow === 'authorization_code' && <PopupOpenNote />}
      </Stack>
    </form>
  );
}

function UnregisteredAppNote({ name }: { name: string }) {
  return (
    <Text>
      {name} needs an app registration before accounts can be connected.{' '}
      <Anchor component={AppLink} href="/connectors" target="_blank">
        Register the app
      </Anchor>
    </Text>
  );
}
