import { ActionIcon, Menu, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconDots } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Member } from '@/contract/workspace';
import { useTRPC } from '../client/trpc';
import { useRefresh } from '../client/useRefresh';
import { useCan } from '../shell/useCan';
import { Confirm } from '../ui/Confirm';
import { MemberRoles } from './MemberRoles';
import { MemberSessions } from './MemberSessions';
import { ObjectRoles } from './ObjectRoles';

type Deed = 'remove' | 'resetMfa' | 'unlock';
type Dialog = 'roles' | 'objects' | 'sessions';

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
  const can = useCan();
  const mayUpdate = can('member:update') !== 'none';
  const [deed, setDeed] = useState<Deed>();
  const [dialog, setDialog] = useState<Dialog>();
  const mutations: Record<
    Deed,
    ReturnType<typeof useMutation<unknown, unknown, { params: { id: string; userId: string } }>>
  > = {
    remove: useMutation(trpc.members.remove.mutationOptions()),
    resetMfa: useMutation(trpc.members.resetMfa.mutationOptions()),
    unlock: useMutation(trpc.members.unlock.mutationOptions()),
  };
  const userId = member.userId ?? '';
  const chosen = deed && { ...DEEDS[deed], mutation: mutations[deed] };
  const confirm = () =>
    chosen?.mutation.mutate(
      { params: { id, userId } },
      {
        onSuccess: () => {
          setDeed(undefined);
          refresh();
          notifications.show({ message: chosen.done, color: 'verdigris' });
        },
      },
    );
  const closeDialog = () => setDialog(undefined);
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
          <Menu.Item disabled={!mayUpdate} onClick={() => setDialog('roles')}>
            Change roles …
          </Menu.Item>
          <Menu.Item onClick={() => setDialog('objects')}>Roles on single objects …</Menu.Item>
          <Menu.Item disabled={!mayUpdate} onClick={() => setDialog('sessions')}>
            Sessions …
          </Menu.Item>
          <Menu.Divider />
          {(Object.keys(DEEDS) as Deed[]).map((each) => (
            <Menu.Item
              key={each}
              color={each === 'remove' ? 'madder' : undefined}
              disabled={each === 'remove' ? can('member:delete') === 'none' : !mayUpdate}
              onClick={() => setDeed(each)}
            >
              {DEEDS[each].label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {dialog === 'roles' && <MemberRoles workspaceId={id} member={member} onClose={closeDialog} />}
      {dialog === 'objects' && <ObjectRoles member={member} onClose={closeDialog} />}
      {dialog === 'sessions' && <MemberSessions workspaceId={id} member={member} onClose={closeDialog} />}
      <Confirm
        isOpen={deed !== undefined}
        title={member.name || member.email}
        action={chosen?.action ?? ''}
        isBusy={chosen?.mutation.isPending ?? false}
        error={chosen?.mutation.error}
        onConfirm={confirm}
        onClose={close}
      >
        <Text>{chosen?.what}</Text>
      </Confirm>
    </>
  );
}
