import { Badge, Button, Code, Group, Stack, Table, Text } from '@mantine/core';
import type { ApiKeyResponse } from '@/contract/access/api-key';
import { PermittedButton } from '@/components/ui/PermittedButton';
import classes from '@/components/ui/lists/Table.module.css';
import { TimeAgo } from '@/components/ui/values/TimeAgo';
import { API_KEY_SCOPE_NAMES } from './scope-names';
import { useMemberOptions } from '@/components/client/queries/useMemberOptions';

export function ApiKeyTable({ keys, onRevoke }: { keys: ApiKeyResponse[]; onRevoke(key: ApiKeyResponse): void }) {
  const people = useMemberOptions();
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
                  <ApiKeyScopes of={key} />
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
                <ApiKeyScopes of={key} />
              </Table.Td>
              <Table.Td visibleFrom="md">{key.lastUsedAt ? <TimeAgo at={key.lastUsedAt} /> : 'Never'}</Table.Td>
              <Table.Td visibleFrom="sm">{key.expiresAt ? <TimeAgo at={key.expiresAt} /> : 'Never'}</Table.Td>
              <Table.Td>
                <PermittedButton to="api_key:delete">
                  <Button
                    size="compact-sm"
                    variant="default"
                    aria-label={`Revoke ${key.name}`}
                    onClick={() => onRevoke(key)}
                  >
                    Revoke
                  </Button>
                </PermittedButton>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

const ApiKeyScopes = ({ of: { scopes } }: { of: ApiKeyResponse }) => (
  <Group gap={4}>
    {scopes.map((scope) => (
      <Badge key={scope} variant="default" tt="none">
        {API_KEY_SCOPE_NAMES[scope]}
      </Badge>
    ))}
  </Group>
);
