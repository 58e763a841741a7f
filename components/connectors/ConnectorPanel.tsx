import { Drawer, Stack } from '@mantine/core';
import type { ConnectorResponse } from '@/contract/connectors/connector';
import { ConnectedAccounts } from './ConnectedAccounts';
import { CustomConnectorDetails } from './custom/CustomConnectorDetails';
import { OauthSetupSteps } from './OauthSetupSteps';

/**
 * Set-up of a connector: its accounts, the app at the provider if they are connected by OAuth, and the document of one
 * of the workspace.
 */
export function ConnectorPanel({ connector, onClose }: { connector: ConnectorResponse | undefined; onClose(): void }) {
  return (
    <Drawer
      opened={connector !== undefined}
      onClose={onClose}
      position="right"
      size="md"
      title={connector && (connector.isCustom ? connector.name : `Set up ${connector.name}`)}
    >
      {connector && (
        <Stack gap="lg">
          {connector.isCustom ? (
            <CustomConnectorDetails key={connector.id} id={connector.id} onDeleted={onClose} />
          ) : connector.flow === 'token' ? (
            <ConnectedAccounts key={connector.id} connector={connector} />
          ) : (
            <OauthSetupSteps connector={connector} />
          )}
        </Stack>
      )}
    </Drawer>
  );
}
