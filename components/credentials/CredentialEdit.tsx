import { Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import type { Connector } from '@/contract/connector';
import type { Credential } from '@/contract/credential';
import { useTRPC } from '../client/trpc';
import { useRefresh } from '../client/useRefresh';
import { Section } from '../ui/Section';
import { ConnectForm } from './ConnectForm';
import { ConnectOwn } from './ConnectOwn';
import { CredentialForm } from './CredentialForm';

interface Props {
  credential: Credential;
  /** Whose account it is, if it is one's. */
  connector: Connector | undefined;
}

/** Changes what a credential holds, or connects it again. Give it the version as its key. */
export function CredentialEdit({ credential, connector }: Props) {
  const { id, type, connectorId, version } = credential;
  const trpc = useTRPC();
  const refresh = useRefresh();
  const update = useMutation(
    trpc.credentials.update.mutationOptions({
      onSuccess: () => {
        refresh();
        notifications.show({ message: 'Saved', color: 'verdigris' });
      },
    }),
  );
  const onConnected = () => notifications.show({ message: 'Connected', color: 'verdigris' });
  if (connector)
    return (
      <Section title="Account">
        <ConnectForm connector={connector} credential={credential} onConnected={onConnected} />
      </Section>
    );
  return (
    <Stack gap="lg">
      {type === 'oauth2' && <ConnectOwn credential={credential} onConnected={onConnected} />}
      <Section title="What it holds">
        <CredentialForm
          type={type}
          connectorId={connectorId}
          stored={credential}
          action="Save"
          error={update.error}
          isBusy={update.isPending}
          onSubmit={(body) => update.mutate({ params: { id }, body: { ...body, version } })}
        />
      </Section>
    </Stack>
  );
}
