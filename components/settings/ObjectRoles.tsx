import { Badge, Button, Divider, Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { Assignment } from '@/contract/role';
import type { Member } from '@/contract/workspace';
import { sentence } from '../client/problem';
import { useTRPC } from '../client/trpc';
import { useRefresh } from '../client/useRefresh';
import { Permitted } from '../shell/Permitted';
import { ErrorNote } from '../ui/ErrorNote';
import { Listing } from '../ui/Listing';
import { GiveObjectRole } from './GiveObjectRole';
import { wordsOf } from './role-matrix';

/** The roles that a member holds on single workflows, credentials and the like. */
export function ObjectRoles({ member, onClose }: { member: Member; onClose(): void }) {
  const trpc = useTRPC();
  const refresh = useRefresh();
  const userId = member.userId ?? '';
  const held = useQuery(trpc.rbac.list.queryOptions({ query: { userId, limit: 100 } }));
  const revoke = useMutation(trpc.rbac.revoke.mutationOptions({ onSuccess: refresh }));
  const onObjects = held.data?.data.filter(({ resource }) => resource !== null);
  return (
    <Modal opened onClose={onClose} size="lg" title={`Roles of ${member.name || member.email} on single objects`}>
      <Stack>
        <Text size="sm" c="dimmed">
          A role on a workflow reaches its runs, webhooks and schedules, too, and nothing else.
        </Text>
        <ErrorNote>{revoke.error && sentence(revoke.error)}</ErrorNote>
        <Listing
          of="roles"
          query={{ data: onObjects && { data: onObjects }, error: held.error, refetch: held.refetch }}
          empty={<Text size="sm">None so far.</Text>}
        >
          {(items) =>
            items.map(({ roleId, role, resource }) => (
              <Group key={`${roleId} ${resource?.id}`} justify="space-between" gap="sm" wrap="nowrap">
                <Place role={role} resource={resource} />
                <Permitted to="role:assign">
                  <Button
                    size="compact-sm"
                    variant="default"
                    aria-label={`Take away: ${role} on ${resource?.name ?? resource?.id}`}
                    onClick={() => revoke.mutate({ query: { userId, roleId, ...flat(resource) } })}
                  >
                    Take away
                  </Button>
                </Permitted>
              </Group>
            ))
          }
        </Listing>
        <Divider />
        <GiveObjectRole userId={userId} />
      </Stack>
    </Modal>
  );
}

const flat = (resource: Assignment['resource']) =>
  resource ? { resourceType: resource.type, resourceId: resource.id } : {};

function Place({ role, resource }: Pick<Assignment, 'role' | 'resource'>) {
  return (
    <Group gap="xs" miw={0}>
      <Badge variant="light" tt="none">
        {role}
      </Badge>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        on {wordsOf(resource?.type ?? '')} <b>{resource?.name ?? 'that is gone'}</b>
      </Text>
    </Group>
  );
}
