import { Group, Table, Text } from '@mantine/core';
import { Link } from '@/components/ui/Link';
import type { Credential } from '@/contract/credentials/credential';
import { StatusBadge } from '@/components/ui/states/StatusBadge';
import classes from '@/components/ui/lists/Table.module.css';
import { TimeAgo } from '@/components/ui/values/TimeAgo';
import { useNow } from '@/components/ui/values/useNow';
import { ConnectorIcon } from './ConnectorIcon';
import { HEALTH_LOOK, healthOf } from './health';
import { kindOf } from './kinds';
import { useConnectors } from '@/components/client/queries/useConnectors';

export function CredentialTable({ credentials }: { credentials: Credential[] }) {
  const now = useNow(60_000);
  const { data: connectors } = useConnectors();
  return (
    <div className={classes.frame}>
      <Table className={classes.table} verticalSpacing="sm" horizontalSpacing="md">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Name</Table.Th>
            <Table.Th w={190} visibleFrom="xs">
              Type
            </Table.Th>
            <Table.Th w={140}>Status</Table.Th>
            <Table.Th w={150} visibleFrom="sm">
              Updated
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {credentials.map((credential) => {
            const { id, name, type, connectorId, updatedAt } = credential;
            const connector = connectors?.data.find((known) => known.id === connectorId);
            const health = healthOf(credential, connector?.flow === 'client_credentials', now);
            return (
              <Table.Tr key={id} className={classes.row}>
                <Table.Td>
                  <Link href={`/credentials/${id}`} className={classes.link}>
                    {name}
                  </Link>
                </Table.Td>
                <Table.Td visibleFrom="xs">
                  <Group gap="xs" wrap="nowrap">
                    {connector && <ConnectorIcon src={connector.icon} />}
                    <Text size="sm" c="dimmed">
                      {connector?.name ?? kindOf(type, connectorId)?.label}
                    </Text>
                  </Group>
                </Table.Td>
                <Table.Td>
                  <StatusBadge look={HEALTH_LOOK[health]} />
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
