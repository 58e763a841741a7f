import { Menu, type MenuProps } from '@mantine/core';
import type { ReactNode } from 'react';

/** The anchor of a menu, and how to close it. */
export interface MenuAnchor {
  anchor: HTMLElement;
  onClose(): void;
}

interface Props extends MenuAnchor {
  position: MenuProps['position'];
  width?: number;
  /** Menu items. */
  children: ReactNode;
}

/** An open menu at the button that opened it. */
export function AnchoredMenu({ anchor, onClose, position, width, children }: Props) {
  const { left, top, width: anchorWidth, height } = anchor.getBoundingClientRect();
  return (
    <Menu opened onClose={onClose} position={position} width={width} returnFocus={false}>
      <Menu.Target>
        {/* Covers the button, so that a click on it closes the menu. */}
        <div aria-hidden style={{ position: 'fixed', zIndex: 200, left, top, width: anchorWidth, height }} />
      </Menu.Target>
      <Menu.Dropdown aria-label={anchor.getAttribute('aria-label') ?? anchor.textContent}>{children}</Menu.Dropdown>
    </Menu>
  );
}
