import { Avatar, Menu, Skeleton, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconCheck, IconPlus, IconSelector } from '@tabler/icons-react';
import { later } from '../client/later';
import { enterWorkspace } from './enter-workspace';
import classes from './Navigation.module.css';
import { useMe } from './useMe';

const CreateWorkspace = later(() => import('./CreateWorkspace').then((module) => module.CreateWorkspace));

export function WorkspaceSwitcher({ isNarrow }: { isNarrow: boolean }) {
  const { me, workspace } = useMe();
  const [isCreating, { open, close }] = useDisclosure(false);
  if (!me) return <Skeleton h={46} />;
  if (!workspace) return null;
  return (
    <>
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
              onClick={() => id !== workspace.id && enterWorkspace(id)}
              rightSection={id === workspace.id && <IconCheck size={16} aria-label="current" />}
            >
              {name}
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item leftSection={<IconPlus size={16} aria-hidden />} onClick={open}>
            New workspace …
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isCreating && <CreateWorkspace onClose={close} />}
    </>
  );
}
