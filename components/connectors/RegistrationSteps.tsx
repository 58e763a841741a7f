import { Divider, Text, Title } from '@mantine/core';
import { useId, type ReactNode } from 'react';
import type { Connector } from '@/contract/connectors/connector';
import { CopyField } from '@/components/ui/values/CopyField';
import { AccountStep } from './AccountStep';
import { RegistrationStep } from './RegistrationStep';

/** How accounts are connected by OAuth: the app at the provider, its registration here, and the accounts. */
export function RegistrationSteps({ connector }: { connector: Connector }) {
  const { id, name, setup, flow, redirectUri, configured, token } = connector;
  return (
    <>
      {token && !configured && (
        <Step title={`With a token: ${token.title}`}>
          <AccountStep key={id} connector={connector} />
        </Step>
      )}
      {token && !configured && <Divider label="or with an app, for accounts of several users" />}
      <Step title={`1. At ${name}`}>
        <Text size="sm" c="dimmed" mb="sm">
          {setup}
        </Text>
        {flow === 'authorization_code' && <CopyField label="Redirect URL" value={redirectUri} />}
      </Step>
      <Step title="2. App registration">
        <RegistrationStep key={id} connector={connector} />
      </Step>
      {configured && (
        <Step title="3. Connect an account">
          <AccountStep key={id} connector={connector} />
        </Step>
      )}
    </>
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
