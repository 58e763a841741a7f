import { Button, Group, Modal, Text } from '@mantine/core';
import type { ConnectorResponse } from '@/contract/connectors/connector';
import type { DirectoryService } from '@/contract/connectors/directory';
import { usePermissions } from '@/components/client/usePermissions';
import { AddConnector } from '../custom/AddConnector';

interface Props {
  service: DirectoryService;
  onAdded(connector: ConnectorResponse): void;
  onClose(): void;
}

/** Adds a service of the directory, or says who can. */
export function AddService({ service, onAdded, onClose }: Props) {
  const can = usePermissions();
  if (can('connector:create') !== 'none') return <AddConnector service={service} onAdded={onAdded} onClose={onClose} />;
  return (
    <Modal opened onClose={onClose} title={`Add ${service.name}`}>
      <Text size="sm">
        Your role can’t add connectors. Ask a person with the role admin or owner to add {service.name} under
        Connectors: everyone in the workspace can use it then.
      </Text>
      <Group justify="flex-end" mt="md">
        <Button data-autofocus onClick={onClose}>
          Close
        </Button>
      </Group>
    </Modal>
  );
}
