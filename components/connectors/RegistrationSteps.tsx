import { Divider, Text } from '@mantine/core';
import type { Connector } from '@/contract/connectors/connector';
import { CopyField } from '@/components/ui/values/CopyField';
import { AccountStep } from './AccountStep';
import { Part } from './Part';
import { RegistrationStep } from './RegistrationStep';

/** How accounts are connected by OAuth: the app at the provider, its registration here, and the accounts. */
export function RegistrationSteps({ connector }: { connector: Connector }) {
  const { id, name, setup, flow, redirectUri, configured, token } = connector;
  return (
    <>
      {token && !configured && (
        <Part title={`With a token: ${token.title}`}>
          <AccountStep key={id} connector={connector} />
        </Part>
      )}
      {token && !configured && <Divider label="or with an app, for accounts of several users" />}
      <Part title={`1. At ${name}`}>
        <Text size="sm" c="dimmed" mb="sm">
          {setup}
        </Text>
        {flow === 'authorization_code' && <CopyField label="Redirect URL" value={redirectUri} />}
      </Part>
      <Part title="2. App registration">
        <RegistrationStep key={id} connector={connector} />
      </Part>
      {configured && (
        <Part title="3. Connect an account">
          <AccountStep key={id} connector={connector} />
        </Part>
      )}
    </>
  );
}
