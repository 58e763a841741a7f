import { Menu, type MenuProps } from '@mantine/core';
import type { ReactNode } from 'react';

/** Where a menu hangs, and what ends it. */
export interface MenuPlace {
  anchor: HTMLElement;
  onClose(): void;
}

interface Props extends MenuPlace {
  position: MenuProps['position'];
  width?: number;
  /** `Menu.Item`s and their like. */
  children: ReactNode;
}

/** A menu that is open, at the button that opened it. */
export function OpenMenu({ anchor, onClose, position, width, children }: Props) {
  const { left, top, width: anchorWidth, height } = anchor.getBoundingClientRect();
  return (
    <Menu opened onClose={onClose} position={position} width={width} returnFocus={false}>
      <Menu.Target>
        {/* Lies over the button, whose next click closes the menu. */}
        <div aria-hidden style={{ position: 'fixed', zIndex: 200, left, top, width: anchorWidth, height }} />
      </Menu.Target>
      <Menu.Dropdown aria-label={anchor.getAttribute('aria-label') ?? anchor.textContent}>{children}</Menu.Dropdown>
    </Menu>
  );
}
