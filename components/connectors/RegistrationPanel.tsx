import { Drawer, Stack, Text, Title } from '@mantine/core';
import { useId, type ReactNode } from 'react';
import type { Connector } from '@/contract/connector';
import { CopyField } from '@/components/ui/values/CopyField';
import { AccountStep } from './AccountStep';
import { RegistrationStep } from './RegistrationStep';

/** Set-up of a connector: the steps at the provider, the registration here, and the accounts. */
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
          <Step title={`1. At ${connector.name}`}>
            <Text size="sm" c="dimmed" mb="sm">
              {connector.setup}
            </Text>
            {connector.flow === 'authorization_code' && (
              <CopyField label="Redirect URL" value={connector.redirectUri} />
            )}
          </Step>
          <Step title="2. App registration">
            <RegistrationStep key={connector.id} connector={connector} />
          </Step>
          {connector.configured && (
            <Step title="3. Connect an account">
              <AccountStep key={connector.id} connector={connector} />
            </Step>
          )}
        </Stack>
      )}
    </Drawer>
  );
}

function Step({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <Title order={3} id={id} fz="sm" fw={570} mb="xs">
        {title}
      </Title>
      {children}
    </section>
  );
}
