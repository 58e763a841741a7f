import { Divider, Text } from '@mantine/core';
import type { ConnectorResponse } from '@/contract/connectors/connector';
import { CopyableField } from '@/components/ui/values/CopyableField';
import { ConnectedAccounts } from './ConnectedAccounts';
import { PanelSection } from './PanelSection';
import { StoredRegistration } from './StoredRegistration';

/** How accounts are connected by OAuth: the app at the provider, its registration here, and the accounts. */
export function OauthSetupSteps({ connector }: { connector: ConnectorResponse }) {
  const { id, name, setup, flow, redirectUri, configured, token } = connector;
  return (
    <>
      {token && !configured && (
        <PanelSection title={`With a token: ${token.title}`}>
          <ConnectedAccounts key={id} connector={connector} />
        </PanelSection>
      )}
      {token && !configured && <Divider label="or with an app, for accounts of several users" />}
      <PanelSection title={`1. At ${name}`}>
        <Text size="sm" c="dimmed" mb="sm">
          {setup}
        </Text>
        {flow === 'authorization_code' && <CopyableField label="Redirect URL" value={redirectUri} />}
      </PanelSection>
      <PanelSection title="2. App registration">
        <StoredRegistration key={id} connector={connector} />
      </PanelSection>
      {configured && (
        <PanelSection title="3. Connect an account">
          <ConnectedAccounts key={id} connector={connector} />
        </PanelSection>
      )}
    </>
  );
}
