'use client';

import { Button, Table, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconClock, IconUserCheck, IconUserPlus } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Member } from '@/contract/workspace';
import { useTRPC } from '../client/trpc';
import { useMe } from '../shell/useMe';
import { Listing } from '../ui/Listing';
import { Pages } from '../ui/Pages';
import { Section } from '../ui/Section';
import type { Look } from '../ui/status';
import { StatusBadge } from '../ui/StatusBadge';
import classes from '../ui/Table.module.css';
import { InviteMember } from './InviteMember';
import { MemberMenu } from './MemberMenu';

const PER_PAGE = 50;

export function MemberList() {
  const trpc = useTRPC();
  const { workspace } = useMe();
  const id = workspace?.id ?? '';
  const [page, setPage] = useState(1);
  const [isInviting, inviting] = useDisclosure(false);
  const query = { limit: PER_PAGE, offset: (page - 1) * PER_PAGE };
  const options = { enabled: workspace !== undefined, placeholderData: keepPreviousData };
  const members = useQuery(trpc.members.list.queryOptions({ params: { id }, query }, options));
  return (
    <Section
      title="Members"
      summary="Who works here, and what they may do."
      aside={
        <Button leftSection={<IconUserPlus size={17} aria-hidden />} onClick={inviting.open}>
          Invite
        </Button>
      }
    >
      <Listing of="members" query={members} empty={<Text c="dimmed">Nobody yet.</Text>}>
        {(items) => <MemberTable workspaceId={id} members={items} />}
      </Listing>
      <Pages total={members.data?.total} perPage={PER_PAGE} page={page} onChange={setPage} />
      <InviteMember workspaceId={id} isOpen={isInviting} onClose={inviting.close} />
    </Section>
  );
}

const LOOK: Record<Member['status'], Look> = {
  active: { label: 'Active', icon: IconUserCheck, tone: 'done' },
  invited: { label: 'Invited', icon: IconClock, tone: 'waiting' },
};

function MemberTable({ workspaceId, members }: { workspaceId: string; members: Member[] }) {
  return (
    <div className={classes.frame}>
      <Table className={classes.table} verticalSpacing="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Person</Table.Th>
            <Table.Th>Roles</Table.Th>
            <Table.Th w={110} visibleFrom="xs">
              Status
            </Table.Th>
            <Table.Th w={56}>
              <span className={classes.hidden}>Actions</span>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {members.map((member) => (
            <Table.Tr key={member.userId ?? member.invitationId} className={classes.row}>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>
                <Text size="sm" fw={570}>
                  {member.name || member.email}
                </Text>
                {member.name && (
                  <Text size="xs" c="dimmed">
                    {member.email}
                  </Text>
                )}
              </Table.Td>
              <Table.Td>{member.roles.join(', ')}</Table.Td>
              <Table.Td visibleFrom="xs">
                <StatusBadge look={LOOK[member.status]} />
              </Table.Td>
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
