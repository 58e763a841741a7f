'use client';

import { Badge, Button, Group, Skeleton, Stack, Table, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconUserPlus } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { MemberResponse } from '@/contract/workspace';
import { readableRoleName } from '@/components/client/role-names';
import { useTRPC } from '@/components/client/trpc';
import { PermittedButton } from '@/components/ui/PermittedButton';
import { useCurrentUser } from '@/components/client/useCurrentUser';
import { QueryList } from '@/components/ui/lists/QueryList';
import { ListPagination } from '@/components/ui/lists/ListPagination';
import { PageSection } from '@/components/ui/page/PageSection';
import classes from '@/components/ui/lists/Table.module.css';
import { TimeAgo } from '@/components/ui/values/TimeAgo';
import { InvitationList } from './InvitationList';
import { InviteMember } from './InviteMember';
import { MemberMenu } from './MemberMenu';

const MEMBERS_PER_PAGE = 50;
const ADDED_BY_PROVIDER_HINT =
  'Added by a sign-in provider. The user has not accepted the membership in another sign-in yet.';

export function MemberList() {
  const { workspace } = useCurrentUser();
  // The list waits for the workspace, because an earlier invitation would name none.
  return workspace ? <ActiveMembers workspaceId={workspace.id} /> : <Skeleton h={320} />;
}

function ActiveMembers({ workspaceId: id }: { workspaceId: string }) {
  const trpc = useTRPC();
  const [page, setPage] = useState(1);
  const [isInviting, inviting] = useDisclosure(false);
  const query = { status: 'active' as const, limit: MEMBERS_PER_PAGE, offset: (page - 1) * MEMBERS_PER_PAGE };
  const members = useQuery(
    trpc.members.list.queryOptions({ params: { id }, query }, { placeholderData: keepPreviousData }),
  );
  return (
    <Stack gap="lg">
      <PageSection
        title="Members"
        summary="People in this workspace and their roles."
        aside={
          <PermittedButton to="member:create">
            <Button leftSection={<IconUserPlus size={17} aria-hidden />} onClick={inviting.open}>
              Invite
            </Button>
          </PermittedButton>
        }
      >
        <QueryList of="members" query={members} empty={<Text c="dimmed">No members.</Text>}>
          {(items) => <MemberTable workspaceId={id} members={items} />}
        </QueryList>
        <ListPagination query={members} perPage={MEMBERS_PER_PAGE} page={page} onChange={setPage} />
        <InviteMember workspaceId={id} isOpen={isInviting} onClose={inviting.close} />
      </PageSection>
      <InvitationList workspaceId={id} />
    </Stack>
  );
}

function MemberTable({ workspaceId, members }: { workspaceId: string; members: MemberResponse[] }) {
  const { me } = useCurrentUser();
  return (
    <div className={classes.frame}>
      <Table className={classes.table} verticalSpacing="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Member</Table.Th>
            <Table.Th>Roles</Table.Th>
            <Table.Th w={130} visibleFrom="xs">
              Joined
            </Table.Th>
            <Table.Th w={56}>
              <span className={classes.hidden}>Actions</span>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {members.map((member) => (
            <Table.Tr key={member.userId} className={classes.row}>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>
                <Group gap={6}>
                  <Text size="sm" fw={570} className={classes.written}>
                    {member.name || member.email}
                  </Text>
                  {member.userId === me?.user.id && (
                    <Badge variant="light" size="sm" tt="none">
                      You
                    </Badge>
                  )}
                  {!member.isAccepted && (
                    <Badge variant="light" size="sm" tt="none" color="weld" title={ADDED_BY_PROVIDER_HINT}>
                      SSO only
                    </Badge>
                  )}
                </Group>
                {member.name && member.name !== member.email && (
                  <Text size="xs" c="dimmed">
                    {member.email}
                  </Text>
                )}
              </Table.Td>
              <Table.Td>
                <Group gap={4}>
                  {member.roles.map((role) => (
                    <Badge key={role} variant="default" tt="none" miw="max-content">
                      {readableRoleName(role)}
                    </Badge>
                  ))}
                  {member.roles.length === 0 && (
                    <Text size="xs" c="dimmed">
                      Roles on single objects only
                    </Text>
                  )}
                </Group>
              </Table.Td>
              <Table.Td visibleFrom="xs">{member.joinedAt && <TimeAgo at={member.joinedAt} />}</Table.Td>
              <Table.Td>
                <MemberMenu workspaceId={workspaceId} member={member} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}
