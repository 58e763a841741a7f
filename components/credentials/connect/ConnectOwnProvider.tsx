import { Button, Stack, Text } from '@mantine/core';
import { splitFieldErrors } from '@/components/client/field-errors';
import { CopyableField } from '@/components/ui/values/CopyableField';
import { FormErrorAlert } from '@/components/ui/states/FormErrorAlert';
import { PageSection } from '@/components/ui/page/PageSection';
import { PopupOpenNote, isRedirectFailure, RedirectHelp } from './ConnectNotes';
import { ConnectFailure } from './popup';
import { useConnect } from './useConnect';
import { useConnectors } from '@/components/client/queries/useConnectors';

interface Props {
  credential: { id: string; config: Record<string, unknown>; secretFields: string[] };
  onConnected(credentialId: string): void;
}

/** Connects an account with the authorization and token URL of the credential itself. */
export function ConnectOwnProvider({ credential: { id, config, secretFields }, onConnected }: Props) {
  const connect = useConnect(onConnected);
  // All connectors share one redirect URL, and this uses it too.
  const redirectUri = useConnectors().data?.data[0]?.redirectUri;
  const isReady = ['clientId', 'authorizeUrl', 'tokenUrl'].every((name) => config[name]);
  const { error } = connect;
  const said = error instanceof ConnectFailure ? error.message : splitFieldErrors(error, () => false).elsewhere;
  return (
    <PageSection title="Account">
      <Stack gap="sm">
        <FormErrorAlert>{said}</FormErrorAlert>
        {redirectUri && isRedirectFailure(error) && <RedirectHelp redirectUri={redirectUri} provider="the provider" />}
        <Text size="sm" c="dimmed">
          {isReady
            ? 'Opens the consent page of the provider. First register this redirect URL there:'
            : 'To connect an account, fill in client id, authorization URL and token URL below and save. Register this redirect URL at the provider:'}
        </Text>
        {redirectUri && <CopyableField label="Redirect URL" value={redirectUri} />}
        <Button
          w="fit-content"
          disabled={!isReady}
          loading={connect.isPending}
          onClick={() => connect.mutate({ flow: 'authorization_code', credentialId: id })}
        >
          {secretFields.includes('accessToken') ? 'Connect again' : 'Connect'}
        </Button>
        {connect.isPending && <PopupOpenNote />}
      </Stack>
    </PageSection>
  );
}
