import { Drawer, Stack } from '@mantine/core';
import type { Connector } from '@/contract/connectors/connector';
import { AccountStep } from './AccountStep';
import { ConnectorDetails } from './custom/ConnectorDetails';
import { RegistrationSteps } from './RegistrationSteps';

/** Set-up of a connector: its accounts, the app at the provider if they are connected by OAuth, and the document of one of the workspace. */
export function RegistrationPanel({ connector, onClose }: { connector: Connector | undefined; onClose(): void }) {
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
            <ConnectorDetails key={connector.id} id={connector.id} onDeleted={onClose} />
          ) : connector.flow === 'token' ? (
            <AccountStep key={connector.id} connector={connector} />
          ) : (
            <RegistrationSteps connector={connector} />
          )}
        </Stack>
      )}
    </Drawer>
  );
}
