import { Alert, Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Connector } from '@/contract/connectors/connector';
import { useCan } from '@/components/client/useCan';
import { useTRPC } from '@/components/client/trpc';
import { FailureNote } from '@/components/ui/states/FailureNote';
import { ListSkeleton } from '@/components/ui/states/ListSkeleton';
import { FactList } from '@/components/ui/values/FactList';
import { RegistrationForm } from './RegistrationForm';
import { RemoveRegistration } from './RemoveRegistration';

/** The registration of this workspace: what is stored, or the form to store it. */
export function RegistrationStep({ connector }: { connector: Connector }) {
  const trpc = useTRPC();
  const [isChanging, setChanging] = useState(false);
  const isStored = connector.registration === 'workspace';
  const isAllowed = useCan()('connector:update') !== 'none';
  const { data, error, refetch } = useQuery(
    trpc.connectors.registration.queryOptions(
      { params: { id: connector.id } },
      { enabled: isStored && isAllowed, retry: false },
    ),
  );
  if (isStored && !isAllowed) return <Text size="sm">The app is registered for this workspace.</Text>;
  if (isStored && error)
    return <FailureNote title="The registration can’t be shown" error={error} onRetry={() => void refetch()} />;
  if (isStored && !data) return <ListSkeleton rows={2} />;
  if (isStored && data && !isChanging) {
    const { clientId, tokenUrl, apiUrl, updatedAt } = data;
    const facts: [string, string | undefined][] = [
      ['Client id', clientId],
      ['Client secret', 'Stored, not shown'],
      ['Token URL', tokenUrl],
      ['API URL', apiUrl],
      ['Saved', new Date(updatedAt).toLocaleString()],
    ];
    return (
      <>
        <FactList facts={facts} />
        <Group gap="xs" mt="sm">
          <Button variant="default" size="compact-sm" onClick={() => setChanging(true)}>
            Change registration
          </Button>
          <RemoveRegistration connector={connector} />
        </Group>
      </>
    );
  }
  return (
    <>
      {connector.registration === 'service' && (
        <Alert color="woad" mb="sm">
          The service has its own registration, so you can connect accounts already. A registration of this workspace
          takes precedence.
        </Alert>
      )}
      <RegistrationForm
        connector={connector}
        stored={isStored ? data : undefined}
        onSaved={() => setChanging(false)}
        onCancel={isChanging ? () => setChanging(false) : undefined}
      />
    </>
  );
}
