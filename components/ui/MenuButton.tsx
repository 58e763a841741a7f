import { cloneElement, useState, type MouseEvent, type ReactElement } from 'react';
import type { LazyWithPreload } from '@/components/client/lazy-with-preload';
import { useIdleCallback } from '@/components/client/useIdleCallback';
import type { MenuAnchor } from './AnchoredMenu';

interface MenuTriggerProps {
  'aria-haspopup'?: 'menu';
  'aria-expanded'?: boolean;
  onClick?(event: MouseEvent<HTMLElement>): void;
}

interface Props<MenuProps extends object> {
  /** The button that opens the menu. */
  children: ReactElement<MenuTriggerProps>;
  menu: LazyWithPreload<MenuProps & MenuAnchor>;
  /** Further props of the menu. */
  menuProps: MenuProps;
}

/** A button with a lazily loaded menu, so that the page loads only the code of the button. */
export function MenuButton<MenuProps extends object>({ children, menu: Menu, menuProps }: Props<MenuProps>) {
  const [anchor, setAnchor] = useState<HTMLElement>();
  useIdleCallback(() => void Promise.allSettled([Menu.load()]));
  const close = () => {
    setAnchor(undefined);
    if (document.activeElement?.closest('[role="menu"]')) anchor?.focus();
  };
  return (
    <>
      {cloneElement(children, {
        'aria-haspopup': 'menu',
        'aria-expanded': anchor !== undefined,
        onClick: (event) => setAnchor(event.currentTarget),
      })}
      {anchor && <Menu {...menuProps} anchor={anchor} onClose={close} />}
    </>
  );
}
