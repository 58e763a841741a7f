import { Modal, Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '../client/trpc';
import { FailureNote } from '../ui/FailureNote';
import { CredentialEdit } from './CredentialEdit';
import { addressFor, TestCredential } from './TestCredential';
import { useConnectors } from './useConnectors';

/** A credential where it is used: tried and changed without leaving. Lies over other dialogs of a stack. */
export function CredentialDialog({ id, onClose }: { id: string | undefined; onClose(): void }) {
  return (
    <Modal opened={id !== undefined} stackId="credential" onClose={onClose} title="Credential" size="lg">
      {id !== undefined && <Content id={id} />}
    </Modal>
  );
}

function Content({ id }: { id: string }) {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(trpc.credentials.get.queryOptions({ params: { id } }));
  const { data: connectors } = useConnectors();
  if (error) return <FailureNote title="The credential can’t be shown" error={error} onRetry={() => void refetch()} />;
  if (!data || !connectors) return <Skeleton h={320} />;
  const connector = connectors.data.find((known) => known.id === data.connectorId);
  return (
    <Stack gap="lg">
      <TestCredential id={id} address={addressFor(data, connector)} />
      <CredentialEdit key={data.version} credential={data} connector={connector} />
    </Stack>
  );
}
