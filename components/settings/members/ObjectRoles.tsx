import { Badge, Button, Divider, Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { MemberRoleAssignment } from '@/contract/access/role';
import type { MemberResponse } from '@/contract/workspace';
import { readableRoleName } from '@/components/client/role-names';
import { apiErrorSentence } from '@/components/client/api-error';
import { useTRPC } from '@/components/client/trpc';
import { useInvalidateQueries } from '@/components/client/useInvalidateQueries';
import { PermittedButton } from '@/components/ui/PermittedButton';
import { FormErrorAlert } from '@/components/ui/states/FormErrorAlert';
import { QueryList } from '@/components/ui/lists/QueryList';
import { GiveObjectRole } from './GiveObjectRole';
import { readableResourceName } from '@/components/client/permission-words';

/** The roles of a member on single objects. */
export function ObjectRoles({ member, onClose }: { member: MemberResponse; onClose(): void }) {
  const trpc = useTRPC();
  const refresh = useInvalidateQueries();
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
        <FormErrorAlert>{revoke.error && apiErrorSentence(revoke.error)}</FormErrorAlert>
        <QueryList
          of="roles"
          query={{ data: onObjects && { data: onObjects }, error: assignments.error, refetch: assignments.refetch }}
          empty={<Text size="sm">No roles on single objects.</Text>}
        >
          {(items) =>
            items.map(({ roleId, role, resource }) => (
              <Group key={`${roleId} ${resource?.id}`} justify="space-between" gap="sm" wrap="nowrap">
                <RoleOnObject role={role} resource={resource} />
                <PermittedButton to="role:assign">
                  <Button
                    size="compact-sm"
                    variant="default"
                    aria-label={`Remove: ${readableRoleName(role)} on ${resource?.name ?? resource?.id}`}
                    onClick={() => revoke.mutate({ query: { userId, roleId, ...resourceParameters(resource) } })}
                  >
                    Remove
                  </Button>
                </PermittedButton>
              </Group>
            ))
          }
        </QueryList>
        <Divider />
        <GiveObjectRole userId={userId} />
      </Stack>
    </Modal>
  );
}

const resourceParameters = (resource: MemberRoleAssignment['resource']) =>
  resource ? { resourceType: resource.type, resourceId: resource.id } : {};

function RoleOnObject({ role, resource }: Pick<MemberRoleAssignment, 'role' | 'resource'>) {
  return (
    <Group gap="xs" miw={0}>
      <Badge variant="light" tt="none">
        {readableRoleName(role)}
      </Badge>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        on {readableResourceName(resource?.type ?? '')} <b>{resource?.name ?? '(deleted)'}</b>
      </Text>
    </Group>
  );
}
