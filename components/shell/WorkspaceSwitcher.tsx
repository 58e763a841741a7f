import { Avatar, Skeleton, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconSelector } from '@tabler/icons-react';
import { later } from '../client/later';
import { MenuButton } from '../ui/MenuButton';
import classes from './Navigation.module.css';
import { useMe } from './useMe';

const CreateWorkspace = later(() => import('./CreateWorkspace').then((part) => part.CreateWorkspace));
const WorkspaceMenu = later(() => import('./WorkspaceMenu').then((part) => part.WorkspaceMenu));

export function WorkspaceSwitcher({ isNarrow }: { isNarrow: boolean }) {
  const { me, workspace } = useMe();
  const [isCreating, { open, close }] = useDisclosure(false);
  if (!me) return <Skeleton h={54} />;
  if (!workspace) return null;
  return (
    <>
      <MenuButton menu={WorkspaceMenu} given={{ workspaces: me.workspaces, currentId: workspace.id, onCreate: open }}>
        <UnstyledButton className={`${classes.button} ${classes.switcher}`}>
          <Avatar size={28} radius="sm" color="woad" name={workspace.name} aria-hidden />
          <VisuallyHidden>Workspace: {isNarrow && workspace.name}</VisuallyHidden>
          {!isNarrow && (
            <>
              <span className={classes.label}>
                {workspace.name}
                <span className={classes.small}>{workspace.role}</span>
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
