import { Avatar, Skeleton, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { lazyWithPreload } from '@/components/client/lazy-with-preload';
import { MenuButton } from '@/components/ui/MenuButton';
import classes from './Navigation.module.css';
import { useCurrentUser } from '@/components/client/useCurrentUser';

const AccountMenu = lazyWithPreload(() => import('./AccountMenu').then((module) => module.AccountMenu));

export function UserMenu({ isNarrow }: { isNarrow: boolean }) {
  const { me } = useCurrentUser();
  if (!me) return <Skeleton h={54} />;
  const { name, email } = me.user;
  return (
    <MenuButton menu={AccountMenu} menuProps={{}}>
      <UnstyledButton className={classes.button}>
        <Avatar size={28} name={name} color="gray" aria-hidden />
        <VisuallyHidden>Account of {isNarrow && name}</VisuallyHidden>
        {!isNarrow && (
          <span className={classes.label}>
            {name}
            <span className={classes.small}>{email}</span>
          </span>
        )}
      </UnstyledButton>
    </MenuButton>
  );
}
