import { Avatar, Menu, Skeleton, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconCheck, IconSelector } from '@tabler/icons-react';
import { chooseWorkspace } from '../client/workspace';
import classes from './Navigation.module.css';
import { useMe } from './useMe';

export function WorkspaceSwitcher({ isNarrow }: { isNarrow: boolean }) {
  const { me, workspace } = useMe();
  if (!me || !workspace) return <Skeleton h={46} />;
  const change = (id: string) => {
    chooseWorkspace(id);
    // Everything on the page belongs to the workspace left: start afresh.
    location.assign('/workflows');
  };
  return (
    <Menu position="bottom-start" width={240}>
      <Menu.Target>
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
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Workspaces</Menu.Label>
        {me.workspaces.map(({ id, name }) => (
          <Menu.Item
            key={id}
            onClick={() => change(id)}
            rightSection={id === workspace.id && <IconCheck size={16} aria-label="current" />}
          >
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
