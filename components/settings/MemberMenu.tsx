import { ActionIcon, Menu, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconDots } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Member } from '@/contract/workspace';
import { useTRPC } from '../client/trpc';
import { useRefresh } from '../client/useRefresh';
import { Confirm } from '../ui/Confirm';
import { MemberRoles } from './MemberRoles';

type Deed = 'remove' | 'resetMfa' | 'unlock' | 'signOut';

const DEEDS: Record<Deed, { label: string; action: string; done: string; what: string }> = {
  resetMfa: {
    label: 'Reset second factor …',
    action: 'Reset',
    done: 'The second factor is gone',
    what: 'They are signed out everywhere, and can set up a new second factor at their next sign-in.',
  },
  unlock: {
    label: 'Unlock sign-in …',
    action: 'Unlock',
    done: 'They can sign in again',
    what: 'If they are blocked after failed attempts, they can try again at once.',
  },
  signOut: {
    label: 'Sign out everywhere …',
    action: 'Sign out',
    done: 'Their sessions are over',
    what: 'Every device that they are signed in on must sign in again.',
  },
  remove: {
    label: 'Remove …',
    action: 'Remove',
    done: 'Removed',
    what: 'Their access and API keys stop working at once.',
  },
};

export function MemberMenu({ workspaceId: id, member }: { workspaceId: string; member: Member }) {
  const trpc = useTRPC();
  const refresh = useRefresh();
  const [deed, setDeed] = useState<Deed>();
  const [isEditing, setEditing] = useState(false);
  const mutations: Record<
    Deed,
    ReturnType<typeof useMutation<unknown, unknown, { params: { id: string; userId: string } }>>
  > = {
    remove: useMutation(trpc.members.remove.mutationOptions()),
    resetMfa: useMutation(trpc.members.resetMfa.mutationOptions()),
    unlock: useMutation(trpc.members.unlock.mutationOptions()),
    signOut: useMutation(trpc.sessions.deleteOfMember.mutationOptions()),
  };
  const userId = member.userId ?? member.invitationId ?? '';
  const isInvited = member.status === 'invited';
  const chosen = deed && { ...DEEDS[deed], mutation: mutations[deed] };
  const confirm = () =>
    chosen?.mutation.mutate(
      { params: { id, userId } },
      {
        onSuccess: () => {
          setDeed(undefined);
          refresh();
          notifications.show({ message: isInvited ? 'The invitation is taken back' : chosen.done, color: 'verdigris' });
        },
      },
    );
  const close = () => {
    chosen?.mutation.reset();
    setDeed(undefined);
  };
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon size="lg" aria-label={`Actions for ${member.email}`}>
            <IconDots size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {isInvited ? (
            <Menu.Item onClick={() => setDeed('remove')}>Take the invitation back …</Menu.Item>
          ) : (
            <>
              <Menu.Item onClick={() => setEditing(true)}>Change roles …</Menu.Item>
              {(Object.keys(DEEDS) as Deed[]).map((each) => (
                <Menu.Item key={each} onClick={() => setDeed(each)}>
                  {DEEDS[each].label}
                </Menu.Item>
              ))}
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      {isEditing && <MemberRoles workspaceId={id} member={member} onClose={() => setEditing(false)} />}
      <Confirm
        isOpen={deed !== undefined}
        title={member.name || member.email}
        action={chosen?.action ?? ''}
        isBusy={chosen?.mutation.isPending ?? false}
        error={chosen?.mutation.error}
        onConfirm={confirm}
        onClose={close}
      >
        <Text>{isInvited ? 'The link stops working.' : chosen?.what}</Text>
      </Confirm>
    </>
  );
}
