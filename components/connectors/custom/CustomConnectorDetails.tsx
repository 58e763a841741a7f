import { Anchor, Badge, Button, Divider, Group, List, ScrollArea, Stack, Text } from '@mantine/core';
import { IconRefresh, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ConnectorOperationInfo } from '@/contract/connectors/connector';
import type { ConnectorDetails as Details } from '@/contract/connectors/custom-connector';
import { useTRPC } from '@/components/client/trpc';
import { AppLink } from '@/components/ui/AppLink';
import { PermittedButton } from '@/components/ui/PermittedButton';
import { RequestErrorAlert } from '@/components/ui/states/RequestErrorAlert';
import { ListSkeleton } from '@/components/ui/states/ListSkeleton';
import { NameValueList } from '@/components/ui/values/NameValueList';
import { ConnectedAccounts } from '../ConnectedAccounts';
import { PanelSection } from '../PanelSection';
import { OauthSetupSteps } from '../OauthSetupSteps';
import { DeleteConnector } from './DeleteConnector';
import { OperationAddress } from './OperationChoice';
import { UpdateConnector } from './UpdateConnector';
import { SearchInput } from '@/components/ui/SearchInput';

/** A connector of the workspace: accounts, source, operations and use, with update and deletion. */
export function CustomConnectorDetails({ id, onDeleted }: { id: string; onDeleted(): void }) {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(trpc.connectors.get.queryOptions({ params: { id } }, { retry: false }));
  const [open, setOpen] = useState<'update' | 'delete'>();
  if (error)
    return <RequestErrorAlert title="The connector can’t be shown" error={error} onRetry={() => void refetch()} />;
  if (!data) return <ListSkeleton rows={4} />;
  return (
    <Stack gap="lg">
      {data.flow === 'token' ? (
        data.token && (
          <PanelSection title="Accounts">
            <ConnectedAccounts connector={data} />
          </PanelSection>
        )
      ) : (
        <OauthSetupSteps connector={data} />
      )}
      <PanelSection title="Document">
        <ConnectorSummary connector={data} />
        <Group gap="xs" mt="sm">
          <PermittedButton to="connector:update">
            <Button
              variant="default"
              size="compact-sm"
              leftSection={<IconRefresh size={15} aria-hidden />}
              onClick={() => setOpen('update')}
            >
              Update
            </Button>
          </PermittedButton>
          <PermittedButton to="connector:delete">
            <Button
              variant="subtle"
              size="compact-sm"
              color="madder"
              leftSection={<IconTrash size={15} aria-hidden />}
              onClick={() => setOpen('delete')}
            >
              Delete
            </Button>
          </PermittedButton>
        </Group>
      </PanelSection>
      <PanelSection title="Used by">
        <ConnectorUses connector={data} />
      </PanelSection>
      <Divider />
      <OperationList operations={data.operations} />
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

function ConnectorSummary({ connector: { source, operations } }: { connector: Details }) {
  if (!source) return null;
  const facts: [string, string][] = [
    ['Server', source.server],
    ['URL', source.url ?? 'Sent as text'],
    ['API version', source.documentVersion],
    ['Operations', String(operations.filter((one) => one.method !== undefined).length)],
    ['Updated', new Date(source.updatedAt).toLocaleString()],
  ];
  return <NameValueList facts={facts} />;
}

function ConnectorUses({ connector: { usedBy, otherUses } }: { connector: Details }) {
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
          <Anchor component={AppLink} href={`/workflows/${workflow.id}`} size="sm">
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

const MAX_VISIBLE_OPERATIONS = 200;

function OperationList({ operations }: { operations: readonly ConnectorOperationInfo[] }) {
  const [search, setSearch] = useState('');
  const wanted = search.trim().toLowerCase();
  const found = operations.filter(
    ({ id, title, path, method }) =>
      method && [id, title, path ?? ''].some((text) => text.toLowerCase().includes(wanted)),
  );
  return (
    <PanelSection title="Operations">
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
          {found
            .slice(0, MAX_VISIBLE_OPERATIONS)
            .map(({ id, title, method = '', path = '', isRemoved, isDeprecated }) => (
              <List.Item key={id}>
                {title} {isRemoved && <OperationBadge>Removed</OperationBadge>}{' '}
                {isDeprecated && <OperationBadge>Deprecated</OperationBadge>}
                <Text size="xs" c="dimmed">
                  <OperationAddress method={method} path={path} />
                </Text>
              </List.Item>
            ))}
        </List>
      </ScrollArea.Autosize>
      {found.length > MAX_VISIBLE_OPERATIONS && (
        <Text size="sm" c="dimmed">
          The first {MAX_VISIBLE_OPERATIONS} of {found.length} are shown. Search to find others.
        </Text>
      )}
    </PanelSection>
  );
}

const OperationBadge = ({ children }: { children: string }) => (
  <Badge size="xs" variant="default" component="span" tt="none">
    {children}
  </Badge>
);
