import { cloneElement, useState, type MouseEvent, type ReactElement } from 'react';
import type { Later } from '../client/later';
import { useIdle } from '../client/useIdle';
import type { MenuPlace } from './OpenMenu';

interface Asked {
  'aria-haspopup'?: 'menu';
  'aria-expanded'?: boolean;
  onClick?(event: MouseEvent<HTMLElement>): void;
}

interface Props<Given extends object> {
  /** What opens the menu. */
  children: ReactElement<Asked>;
  menu: Later<Given & MenuPlace>;
  /** What the menu needs to know besides its place. */
  given: Given;
}

/** A button with a menu whose code comes when the page is there, so that only the button weighs on it. */
export function MenuButton<Given extends object>({ children, menu: Menu, given }: Props<Given>) {
  const [anchor, setAnchor] = useState<HTMLElement>();
  useIdle(() => void Promise.allSettled([Menu.load()]));
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
      {anchor && <Menu {...given} anchor={anchor} onClose={close} />}
    </>
  );
}
