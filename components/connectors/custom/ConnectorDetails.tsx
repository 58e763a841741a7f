import { Anchor, Badge, Button, Divider, Group, List, ScrollArea, Stack, Text } from '@mantine/core';
import { IconRefresh, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ConnectorOperation } from '@/contract/connectors/connector';
import type { ConnectorDetails as Details } from '@/contract/connectors/custom-connector';
import { useTRPC } from '@/components/client/trpc';
import { Link } from '@/components/ui/Link';
import { Permitted } from '@/components/ui/Permitted';
import { FailureNote } from '@/components/ui/states/FailureNote';
import { ListSkeleton } from '@/components/ui/states/ListSkeleton';
import { FactList } from '@/components/ui/values/FactList';
import { AccountStep } from '../AccountStep';
import { Part } from '../Part';
import { RegistrationSteps } from '../RegistrationSteps';
import { DeleteConnector } from './DeleteConnector';
import { OperationAddress } from './OperationChoice';
import { UpdateConnector } from './UpdateConnector';
import { SearchInput } from '@/components/ui/SearchInput';

/** A connector of the workspace: accounts, source, operations and use, with update and deletion. */
export function ConnectorDetails({ id, onDeleted }: { id: string; onDeleted(): void }) {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(trpc.connectors.get.queryOptions({ params: { id } }, { retry: false }));
  const [open, setOpen] = useState<'update' | 'delete'>();
  if (error) return <FailureNote title="The connector can’t be shown" error={error} onRetry={() => void refetch()} />;
  if (!data) return <ListSkeleton rows={4} />;
  return (
    <Stack gap="lg">
      {data.flow === 'token' ? (
        data.token && (
          <Part title="Accounts">
            <AccountStep connector={data} />
          </Part>
        )
      ) : (
        <RegistrationSteps connector={data} />
      )}
      <Part title="Document">
        <Facts connector={data} />
        <Group gap="xs" mt="sm">
          <Permitted to="connector:update">
            <Button
              variant="default"
              size="compact-sm"
              leftSection={<IconRefresh size={15} aria-hidden />}
              onClick={() => setOpen('update')}
            >
              Update
            </Button>
          </Permitted>
          <Permitted to="connector:delete">
            <Button
              variant="subtle"
              size="compact-sm"
              color="madder"
              leftSection={<IconTrash size={15} aria-hidden />}
              onClick={() => setOpen('delete')}
            >
              Delete
            </Button>
          </Permitted>
        </Group>
      </Part>
      <Part title="Used by">
        <Uses connector={data} />
      </Part>
      <Divider />
      <Operations operations={data.operations} />
      {open === 'update' && <UpdateConnector connector={data} onClose={() => setOpen(undefined)} />}
      <DeleteConnector
        connector={data}
        isOpen={open === 'delete'}
        onDeleted={onDeleted}
        onClose={() => setOpen(undefined)}
      />
    </Stack>
  );
}

function Facts({ connector: { source, operations } }: { connector: Details }) {
  if (!source) return null;
  const facts: [string, string][] = [
    ['Server', source.server],
    ['URL', source.url ?? 'Sent as text'],
    ['API version', source.documentVersion],
    ['Operations', String(operations.filter((one) => one.method !== undefined).length)],
    ['Updated', new Date(source.updatedAt).toLocaleString()],
  ];
  return <FactList facts={facts} />;
}

function Uses({ connector: { usedBy, otherUses } }: { connector: Details }) {
  if (usedBy.length + otherUses === 0)
    return (
      <Text size="sm" c="dimmed">
        No workflow uses it yet. In the editor, its operations are in the list of nodes.
      </Text>
    );
  return (
    <List size="sm" listStyleType="none">
      {usedBy.map((workflow) => (
        <List.Item key={workflow.id}>
          <Anchor component={Link} href={`/workflows/${workflow.id}`} size="sm">
            {workflow.name}
          </Anchor>
        </List.Item>
      ))}
      {otherUses > 0 && (
        <List.Item>
          <Text size="sm" c="dimmed">
            {otherUses} {otherUses === 1 ? 'workflow' : 'workflows'} that you can’t see
          </Text>
        </List.Item>
      )}
    </List>
  );
}

const MAX_ROWS = 200;

function Operations({ operations }: { operations: readonly ConnectorOperation[] }) {
  const [search, setSearch] = useState('');
  const wanted = search.trim().toLowerCase();
  const found = operations.filter(
    ({ id, title, path, method }) =>
      method && [id, title, path ?? ''].some((text) => text.toLowerCase().includes(wanted)),
  );
  return (
    <Part title="Operations">
      <SearchInput
        label="Search operations of this connector"
        placeholder="Search by name or path"
        mb="xs"
        value={search}
        onChange={setSearch}
      />
      <ScrollArea.Autosize
        mah={420}
        type="auto"
        viewportProps={{ tabIndex: 0, 'aria-label': 'Operations of this connector' }}
      >
        <List size="sm" listStyleType="none" spacing={8}>
          {found.slice(0, MAX_ROWS).map(({ id, title, method = '', path = '', isRemoved, isDeprecated }) => (
            <List.Item key={id}>
              {title} {isRemoved && <Mark>Removed</Mark>} {isDeprecated && <Mark>Deprecated</Mark>}
              <Text size="xs" c="dimmed">
                <OperationAddress method={method} path={path} />
              </Text>
            </List.Item>
          ))}
        </List>
      </ScrollArea.Autosize>
      {found.length > MAX_ROWS && (
        <Text size="sm" c="dimmed">
          The first {MAX_ROWS} of {found.length} are shown. Search to find others.
        </Text>
      )}
    </Part>
  );
}

const Mark = ({ children }: { children: string }) => (
  <Badge size="xs" variant="default" component="span" tt="none">
    {children}
  </Badge>
);
