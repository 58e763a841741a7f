import { Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ConnectorResponse } from '@/contract/connectors/connector';
import type { CredentialResponse } from '@/contract/credentials/credential';
import { useTRPC } from '@/components/client/trpc';
import { useInvalidateQueries } from '@/components/client/useInvalidateQueries';
import { CredentialForm } from '../CredentialForm';

interface Props {
  connector: ConnectorResponse;
  token: NonNullable<ConnectorResponse['token']>;
  onConnected(credentialId: string): void;
  onCancel?(): void;
  credential?: CredentialResponse;
}

/** Stores a static token of an account, or replaces it. */
export function TokenForm({ connector, token, credential, onConnected, onCancel }: Props) {
  const trpc = useTRPC();
  const refresh = useInvalidateQueries();
  const done = ({ id }: { id: string }) => {
    refresh();
    onConnected(id);
  };
  const create = useMutation(trpc.credentials.create.mutationOptions({ onSuccess: done }));
  const update = useMutation(trpc.credentials.update.mutationOptions({ onSuccess: done }));
  return (
    <>
      <Text size="sm" c="dimmed">
        {token.setup}
      </Text>
      <CredentialForm
        form={{ schema: token.configSchema, secrets: token.secretFields }}
        stored={credential ?? { name: connector.name, config: {}, secretFields: [] }}
        action={credential ? 'Save' : 'Connect'}
        error={create.error ?? update.error}
        isBusy={create.isPending || update.isPending}
        onCancel={onCancel}
        onSubmit={(given) =>
          credential
            ? update.mutate({ params: { id: credential.id }, body: { ...given, version: credential.version } })
            : create.mutate({ body: { type: 'token', connectorId: connector.id, ...given } })
        }
      />
    </>
  );
}
