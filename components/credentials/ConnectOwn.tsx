import { Button, Stack, Text } from '@mantine/core';
import { fieldErrorsOf } from '../client/field-errors';
import { CopyField } from '../ui/CopyField';
import { ErrorNote } from '../ui/ErrorNote';
import { Section } from '../ui/Section';
import { InThePopup, isRedirectTrouble, RedirectHelp } from './ConnectNotes';
import { ConnectFailure } from './popup';
import { useConnect } from './useConnect';
import { useConnectors } from './useConnectors';

interface Props {
  credential: { id: string; config: Record<string, unknown>; secretFields: string[] };
  onConnected(credentialId: string): void;
}

/** Connects an account at the addresses that the credential itself holds. */
export function ConnectOwn({ credential: { id, config, secretFields }, onConnected }: Props) {
  const connect = useConnect(onConnected);
  // All connectors come back to the same address, and so does this.
  const redirectUri = useConnectors().data?.data[0]?.redirectUri;
  const isReady = ['clientId', 'authorizeUrl', 'tokenUrl'].every((name) => config[name]);
  const { error } = connect;
  const said = error instanceof ConnectFailure ? error.message : fieldErrorsOf(error, () => false).elsewhere;
  return (
    <Section title="Account">
      <Stack gap="sm">
        <ErrorNote>{said}</ErrorNote>
        {redirectUri && isRedirectTrouble(error) && <RedirectHelp redirectUri={redirectUri} provider="the provider" />}
        <Text size="sm" c="dimmed">
          {isReady
            ? 'Opens the provider’s page to ask for consent. Register this address there first:'
            : 'To connect an account, fill in client id, authorization address and token address below, and save. Register this address at the provider:'}
        </Text>
        {redirectUri && <CopyField label="Redirect URL" value={redirectUri} />}
        <Button
          w="fit-content"
          disabled={!isReady}
          loading={connect.isPending}
          onClick={() => connect.mutate({ flow: 'authorization_code', credentialId: id })}
        >
          {secretFields.includes('accessToken') ? 'Connect again' : 'Connect'}
        </Button>
        {connect.isPending && <InThePopup />}
      </Stack>
    </Section>
  );
}
