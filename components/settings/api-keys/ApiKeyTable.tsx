import { Badge, Button, Code, Group, Stack, Table, Text } from '@mantine/core';
import type { ApiKey } from '@/contract/access/api-key';
import { Permitted } from '@/components/ui/Permitted';
import classes from '@/components/ui/lists/Table.module.css';
import { TimeAgo } from '@/components/ui/values/TimeAgo';
import { usePeople } from '@/components/client/queries/usePeople';

export function ApiKeyTable({ keys, onRevoke }: { keys: ApiKey[]; onRevoke(key: ApiKey): void }) {
  const people = usePeople();
  const nameOf = (id: string) => people.find(({ value }) => value === id)?.name ?? 'Former member';
  return (
    <div className={classes.frame}>
      <Table className={classes.table} verticalSpacing="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Name</Table.Th>
            <Table.Th visibleFrom="md">Created by</Table.Th>
            <Table.Th visibleFrom="sm">Scopes</Table.Th>
            <Table.Th visibleFrom="md">Last used</Table.Th>
            <Table.Th visibleFrom="sm">Expires</Table.Th>
            <Table.Th w={90}>
              <span className={classes.hidden}>Actions</span>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {keys.map((key) => (
            <Table.Tr key={key.id} className={classes.row}>
              <Table.Td>
                <Text size="sm" fw={570} className={classes.written}>
                  {key.name}
                </Text>
                <Code>{key.key}</Code>
                {key.ssoProviderId && (
                  <Text size="xs" c="dimmed">
                    Works only while its sign-in provider is enabled
                  </Text>
                )}
                <Stack hiddenFrom="sm" gap={4} mt={6}>
                  <Scopes of={key} />
                  <Text size="xs" c="dimmed">
                    {key.expiresAt ? (
                      <>
                        Expires <TimeAgo at={key.expiresAt} />
                      </>
                    ) : (
                      'Never expires'
                    )}
                  </Text>
                </Stack>
              </Table.Td>
              <Table.Td visibleFrom="md">{nameOf(key.createdBy)}</Table.Td>
              <Table.Td visibleFrom="sm">
                <Scopes of={key} />
              </Table.Td>
              <Table.Td visibleFrom="md">{key.lastUsedAt ? <TimeAgo at={key.lastUsedAt} /> : 'Never'}</Table.Td>
              <Table.Td visibleFrom="sm">{key.expiresAt ? <TimeAgo at={key.expiresAt} /> : 'Never'}</Table.Td>
              <Table.Td>
                <Permitted to="api_key:delete">
                  <Button
                    size="compact-sm"
                    variant="default"
                    aria-label={`Revoke ${key.name}`}
                    onClick={() => onRevoke(key)}
                  >
                    Revoke
                  </Button>
                </Permitted>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

const Scopes = ({ of: { scopes } }: { of: ApiKey }) => (
  <Group gap={4}>
    {scopes.map((scope) => (
      <Badge key={scope} variant="default" tt="none">
        {scope}
      </Badge>
    ))}
  </Group>
);
