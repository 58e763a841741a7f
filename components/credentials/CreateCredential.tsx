import { Modal, Skeleton } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Connector } from '@/contract/connectors/connector';
import { useTRPC } from '@/components/client/trpc';
import { useRefresh } from '@/components/client/useRefresh';
import { ConnectForm } from './connect/ConnectForm';
import { CredentialForm } from './CredentialForm';
import { KindChoice, type Fits } from './KindChoice';
import { configForm, KINDS, type Kind } from './kinds';
import { useConnectors } from '@/components/client/queries/useConnectors';

const EMPTY = { name: '', config: {}, secretFields: [] };

interface Props {
  isOpen: boolean;
  /** Limits the choice to fitting types; absent: all types. */
  fits?: Fits;
  onCreated(id: string): void;
  onClose(): void;
}

/** First the type, then its form. Can be stacked on another dialog. */
export function CreateCredential({ isOpen, fits, onCreated, onClose }: Props) {
  const trpc = useTRPC();
  const refresh = useRefresh();
  const { data: connectors } = useConnectors();
  const [kind, setKind] = useState<Kind>();
  const [picked, setConnector] = useState<Connector>();
  const only = connectors && onlyFitting(connectors.data, fits);
  const connector = picked ?? only;
  const create = useMutation(trpc.credentials.create.mutationOptions());

  const back = () => {
    setKind(undefined);
    setConnector(undefined);
    create.reset();
  };
  const close = () => {
    back();
    onClose();
  };
  const show = (id: string) => {
    refresh();
    close();
    onCreated(id);
  };
  const submit = ({ type, connectorId }: Kind, given: { name: string; config: Record<string, unknown> }) =>
    create.mutate({ body: { type, connectorId, ...given } }, { onSuccess: ({ id }) => show(id) });

  return (
    <Modal
      opened={isOpen}
      stackId="new-credential"
      onClose={close}
      title={titleOf(kind, connector)}
      size={kind || connector ? 'md' : 'xl'}
    >
      {!kind && !connector && !connectors && <Skeleton h={240} />}
      {!kind && !connector && connectors && (
        <KindChoice connectors={connectors.data} fits={fits} onKind={setKind} onConnector={setConnector} />
      )}
      {connector && <ConnectForm connector={connector} onConnected={show} onCancel={only ? undefined : back} />}
      {kind && (
        <CredentialForm
          form={configForm(kind.type, kind.connectorId)}
          stored={EMPTY}
          action="Save"
          error={create.error}
          isBusy={create.isPending}
          onSubmit={(given) => submit(kind, given)}
          onCancel={back}
        />
      )}
    </Modal>
  );
}

/** The only choice that fits; undefined: there are several. */
function onlyFitting(connectors: Connector[], fits: Fits | undefined): Connector | undefined {
  if (!fits || KINDS.some(({ type, connectorId }) => fits(type, connectorId))) return undefined;
  const fitting = connectors.filter(({ id }) => fits('oauth2', id) || fits('token', id));
  return fitting.length === 1 ? fitting[0] : undefined;
}

const titleOf = (kind: Kind | undefined, connector: Connector | undefined) =>
  connector ? `Connect ${connector.name}` : kind ? `New credential: ${kind.label}` : 'New credential';
