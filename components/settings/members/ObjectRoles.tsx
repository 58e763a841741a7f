import { Badge, Button, Divider, Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { Assignment } from '@/contract/access/role';
import type { Member } from '@/contract/workspace';
import { sentence } from '@/components/client/problem';
import { useTRPC } from '@/components/client/trpc';
import { useRefresh } from '@/components/client/useRefresh';
import { Permitted } from '@/components/ui/Permitted';
import { ErrorNote } from '@/components/ui/states/ErrorNote';
import { Listing } from '@/components/ui/lists/Listing';
import { GiveObjectRole } from './GiveObjectRole';
import { wordsOf } from '../roles/role-matrix';

/** The roles of a member on single objects. */
export function ObjectRoles({ member, onClose }: { member: Member; onClose(): void }) {
  const trpc = useTRPC();
  const refresh = useRefresh();
  const userId = member.userId ?? '';
  const assignments = useQuery(trpc.rbac.list.queryOptions({ query: { userId, limit: 100 } }));
  const revoke = useMutation(trpc.rbac.revoke.mutationOptions({ onSuccess: refresh }));
  const onObjects = assignments.data?.data.filter(({ resource }) => resource !== null);
  return (
    <Modal opened onClose={onClose} size="lg" title={`Roles of ${member.name || member.email} on single objects`}>
      <Stack>
        <Text size="sm" c="dimmed">
          A role on a workflow also covers its runs, webhooks, forms, chats, schedules and polls.
        </Text>
        <ErrorNote>{revoke.error && sentence(revoke.error)}</ErrorNote>
        <Listing
          of="roles"
          query={{ data: onObjects && { data: onObjects }, error: assignments.error, refetch: assignments.refetch }}
          empty={<Text size="sm">No roles on single objects.</Text>}
        >
          {(items) =>
            items.map(({ roleId, role, resource }) => (
              <Group key={`${roleId} ${resource?.id}`} justify="space-between" gap="sm" wrap="nowrap">
                <Place role={role} resource={resource} />
                <Permitted to="role:assign">
                  <Button
                    size="compact-sm"
                    variant="default"
                    aria-label={`Remove: ${role} on ${resource?.name ?? resource?.id}`}
                    onClick={() => revoke.mutate({ query: { userId, roleId, ...flat(resource) } })}
                  >
                    Remove
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
        on {wordsOf(resource?.type ?? '')} <b>{resource?.name ?? '(deleted)'}</b>
      </Text>
    </Group>
  );
}
