import { Alert, Anchor, Drawer, Stack, Text } from '@mantine/core';
import Link from 'next/link';
import type { Connector } from '@/contract/connector';
import { CopyField } from '@/components/ui/values/CopyField';
import { RegistrationForm } from './RegistrationForm';
import { RemoveRegistration } from './RemoveRegistration';

/** Set-up of a connector: the steps at the provider, the registration here, and the next step. */
export function RegistrationPanel({ connector, onClose }: { connector: Connector | undefined; onClose(): void }) {
  return (
    <Drawer
      opened={connector !== undefined}
      onClose={onClose}
      position="right"
      size="md"
      title={connector && `Set up ${connector.name}`}
    >
      {connector && (
        <Stack gap="lg">
          <section>
            <Text fw={570} mb={4}>
              1. At {connector.name}
            </Text>
            <Text size="sm" c="dimmed" mb="sm">
              {connector.setup}
            </Text>
            {connector.flow === 'authorization_code' && (
              <CopyField label="Redirect URL" value={connector.redirectUri} />
            )}
          </section>
          <section>
            <Text fw={570} mb="xs">
              2. Here
            </Text>
            {connector.registration === 'service' && (
              <Alert color="woad" mb="sm">
                The service has its own registration, so you can connect accounts already. A registration of this
                workspace takes precedence.
              </Alert>
            )}
            <RegistrationForm key={connector.id} connector={connector} />
          </section>
          {connector.configured && (
            <section>
              <Text fw={570} mb={4}>
                3. Connect accounts
              </Text>
              <Anchor component={Link} href="/credentials" size="sm">
                Go to credentials
              </Anchor>
            </section>
          )}
          {connector.registration === 'workspace' && <RemoveRegistration connector={connector} />}
        </Stack>
      )}
    </Drawer>
  );
}
