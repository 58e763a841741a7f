import { Avatar, Skeleton, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconSelector } from '@tabler/icons-react';
import { readableRoleName } from '@/components/client/role-names';
import { lazyWithPreload } from '@/components/client/lazy-with-preload';
import { MenuButton } from '@/components/ui/MenuButton';
import classes from './Navigation.module.css';
import { useCurrentUser } from '@/components/client/useCurrentUser';

const CreateWorkspace = lazyWithPreload(() => import('./CreateWorkspace').then((module) => module.CreateWorkspace));
const WorkspaceMenu = lazyWithPreload(() => import('./WorkspaceMenu').then((module) => module.WorkspaceMenu));

export function WorkspaceSwitcher({ isNarrow }: { isNarrow: boolean }) {
  const { me, workspace } = useCurrentUser();
  const [isCreating, { open, close }] = useDisclosure(false);
  if (!me) return <Skeleton h={54} />;
  if (!workspace) return null;
  return (
    <>
      <MenuButton
        menu={WorkspaceMenu}
        menuProps={{ workspaces: me.workspaces, currentId: workspace.id, onCreate: open }}
      >
        <UnstyledButton className={`${classes.button} ${classes.switcher}`}>
          <Avatar size={28} radius="sm" color="woad" name={workspace.name} aria-hidden />
          <VisuallyHidden>Workspace: {isNarrow && workspace.name}</VisuallyHidden>
          {!isNarrow && (
            <>
              <span className={classes.label}>
                {workspace.name}
                <span className={classes.small}>{workspace.role && readableRoleName(workspace.role)}</span>
              </span>
              <IconSelector size={16} aria-hidden />
            </>
          )}
        </UnstyledButton>
      </MenuButton>
      {isCreating && <CreateWorkspace onClose={close} />}
    </>
  );
}
