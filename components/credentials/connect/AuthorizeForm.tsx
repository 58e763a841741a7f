import { Anchor, Button, Group, MultiSelect, Stack, Text, TextInput } from '@mantine/core';
import { Link } from '@/components/ui/Link';
import { useState, type SubmitEvent } from 'react';
import type { Connector } from '@/contract/connectors/connector';
import { fieldErrorsOf } from '@/components/client/field-errors';
import { ErrorNote } from '@/components/ui/states/ErrorNote';
import { InThePopup, isRedirectTrouble, RedirectHelp } from './ConnectNotes';
import { ConnectFailure } from './popup';
import { useConnect } from './useConnect';

interface Props {
  connector: Connector;
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
  const needsHelp = isRedirectTrouble(connect.error);
  const { at, elsewhere } = fieldErrorsOf(
    isOwn ? null : connect.error,
    (field) => field.startsWith('additional_params.') || field === 'credential_name',
  );

  if (!connector.configured) return <Unregistered name={connector.name} />;
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
        <ErrorNote>{isOwn ? connect.error?.message : elsewhere}</ErrorNote>
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
        {connect.isPending && flow === 'authorization_code' && <InThePopup />}
      </Stack>
    </form>
  );
}

function Unregistered({ name }: { name: string }) {
  return (
    <Text>
      {name} needs an app registration before accounts can be connected.{' '}
      <Anchor component={Link} href="/connectors" target="_blank">
        Register the app
      </Anchor>
    </Text>
  );
}
