import { Menu } from '@mantine/core';
import { useCan } from '@/components/client/useCan';
import type { Command } from './commands';
import { selectedId, useDraft } from '../draft/draft';
import { Keys } from '@/components/ui/choosing/Keys';
import type { MenuPlace } from './menu-place';
import { PartRunItems } from '../run/PartRunItems';
import { usePartRuns } from '../run/usePartRuns';

const OFFERED: Record<MenuPlace['over'], string[]> = {
  node: [
    'open',
    'rename',
    'replace',
    'disable',
    'duplicate',
    'copy',
    'pin',
    'group',
    'extract',
    'upstream',
    'downstream',
    'delete',
  ],
  note: ['rename', 'duplicate', 'copy', 'delete'],
  group: ['rename', 'expand', 'collapse', 'ungroup', 'extract', 'tidy', 'disable', 'duplicate', 'copy', 'delete'],
  selection: ['group', 'extract', 'duplicate', 'copy', 'disable', 'tidy', 'delete'],
  connection: ['insert', 'disconnect'],
  canvas: ['add', 'build', 'note', 'all', 'tidy', 'fit', 'triggers', 'runs', 'versions', 'export', 'keys'],
};

function NodeRunItems({ nodeId }: { nodeId: string }) {
  const runs = usePartRuns(nodeId);
  const can = useCan();
  if (!runs.isPossible || can('workflow:execute') === 'none') return null;
  return (
    <>
      <PartRunItems runs={runs} hasNode />
      <Menu.Divider />
    </>
  );
}

/** Context menu of the canvas: the commands for the item at that place. */
export function CanvasMenu({ place, commands, onClose }: { place: MenuPlace; commands: Command[]; onClose(): void }) {
  const nodeId = useDraft(selectedId);
  const offered = OFFERED[place.over].flatMap((id) => commands.find((command) => command.id === id) ?? []);
  return (
    <Menu
      opened
      onClose={onClose}
      position="bottom-start"
      offset={0}
      width={260}
      // The menu stays in the window, also where its node is near an edge.
      middlewares={{ flip: false, shift: { crossAxis: true, padding: 8 } }}
      styles={{ dropdown: { maxHeight: 'calc(100dvh - 16px)', overflowY: 'auto' } }}
    >
      <Menu.Target>
        <div role="button" aria-label="Actions" style={{ position: 'fixed', left: place.x, top: place.y }} />
      </Menu.Target>
      <Menu.Dropdown>
        {place.over === 'node' && nodeId !== undefined && <NodeRunItems nodeId={nodeId} />}
        {offered.map(({ id, title, keys, applies, run }) => (
          <Menu.Item
            key={id}
            disabled={applies?.() === false}
            color={id === 'delete' || id === 'disconnect' ? 'madder' : undefined}
            rightSection={keys?.[0] && <Keys keys={keys[0]} />}
            onClick={run}
          >
            {title}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
