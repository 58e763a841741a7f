import { Group, Table, Text } from '@mantine/core';
import type { NamedListSort } from '@/contract/list-sort';
import { AppLink } from '@/components/ui/AppLink';
import { SortableHeader } from '@/components/ui/lists/SortableHeader';
import type { CredentialResponse } from '@/contract/credentials/credential';
import { StatusBadge } from '@/components/ui/states/StatusBadge';
import classes from '@/components/ui/lists/Table.module.css';
import { TimeAgo } from '@/components/ui/values/TimeAgo';
import { useCurrentTime } from '@/components/ui/values/useCurrentTime';
import { ConnectorIcon } from './ConnectorIcon';
import { CREDENTIAL_HEALTH_STYLE, credentialHealth } from './health';
import { credentialTypeOption } from './kinds';
import { useConnectors } from '@/components/client/queries/useConnectors';

interface Props {
  credentials: CredentialResponse[];
  sort: NamedListSort;
  onSort(sort: NamedListSort): void;
}

export function CredentialTable({ credentials, sort, onSort }: Props) {
  const now = useCurrentTime(60_000);
  const { data: connectors } = useConnectors();
  return (
    <div className={classes.frame}>
      <Table className={classes.table} verticalSpacing="sm" horizontalSpacing="md">
        <Table.Thead>
          <Table.Tr>
            <SortableHeader label="Name" first="name" sort={sort} onSort={onSort} />
            <Table.Th w={220} visibleFrom="xs">
              Type
            </Table.Th>
            <Table.Th w={140}>Status</Table.Th>
            <SortableHeader w={150} visibleFrom="sm" label="Updated" first="-updatedAt" sort={sort} onSort={onSort} />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {credentials.map((credential) => {
            const { id, name, type, connectorId, updatedAt } = credential;
            const connector = connectors?.data.find((known) => known.id === connectorId);
            const health = credentialHealth(credential, connector?.flow === 'client_credentials', now);
            return (
              <Table.Tr key={id} className={classes.row}>
                <Table.Td>
                  <AppLink href={`/credentials/${id}`} className={classes.link}>
                    {name}
                  </AppLink>
                </Table.Td>
                <Table.Td visibleFrom="xs">
                  <Group gap="xs" wrap="nowrap">
                    {connector && <ConnectorIcon src={connector.icon} />}
                    <Text size="sm" c="dimmed">
                      {connector?.name ?? credentialTypeOption(type, connectorId)?.label}
                    </Text>
                  </Group>
                </Table.Td>
                <Table.Td>
                  <StatusBadge look={CREDENTIAL_HEALTH_STYLE[health]} />
                </Table.Td>
                <Table.Td visibleFrom="sm">
                  <TimeAgo at={updatedAt} />
                </Table.Td>
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
    </div>
  );
}
