import { Menu } from '@mantine/core';
import { usePermissions } from '@/components/client/usePermissions';
import type { EditorCommand } from './editor-command';
import { singleSelectedId, useDraft } from '../draft/draft';
import { KeyCombination } from '@/components/ui/choosing/KeyCombination';
import type { ContextMenuTarget } from './context-menu-target';
import { PartialRunItems } from '../run/PartialRunItems';
import { usePartialRuns } from '../run/usePartialRuns';

const NODE_COMMANDS = [
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
];

const COMMANDS_BY_ITEM: Record<ContextMenuTarget['over'], string[]> = {
  node: NODE_COMMANDS,
  agent: ['addModel', 'addTool', 'addMemory', ...NODE_COMMANDS],
  part: ['open', 'rename', 'toolUp', 'toolDown', 'duplicate', 'addTool', 'delete'],
  note: ['rename', 'duplicate', 'copy', 'delete'],
  group: ['rename', 'expand', 'collapse', 'ungroup', 'extract', 'tidy', 'disable', 'duplicate', 'copy', 'delete'],
  selection: ['group', 'extract', 'duplicate', 'copy', 'disable', 'tidy', 'delete'],
  connection: ['insert', 'disconnect'],
  canvas: ['add', 'build', 'note', 'all', 'tidy', 'fit', 'triggers', 'runs', 'versions', 'export', 'keys'],
};

function NodeRunMenuItems({ nodeId }: { nodeId: string }) {
  const runs = usePartialRuns(nodeId);
  const can = usePermissions();
  if (!runs.isPossible || can('workflow:execute') === 'none') return null;
  return (
    <>
      <PartialRunItems runs={runs} hasNode />
      <Menu.Divider />
    </>
  );
}

/** Context menu of the canvas: the commands for the item at that place. */
export function CanvasMenu({
  place,
  commands,
  onClose,
}: {
  place: ContextMenuTarget;
  commands: EditorCommand[];
  onClose(): void;
}) {
  const nodeId = useDraft(singleSelectedId);
  const offered = COMMANDS_BY_ITEM[place.over].flatMap((id) => commands.find((command) => command.id === id) ?? []);
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
        {(place.over === 'node' || place.over === 'agent') && nodeId !== undefined && (
          <NodeRunMenuItems nodeId={nodeId} />
        )}
        {offered.map(({ id, title, keys, applies, run }) => (
          <Menu.Item
            key={id}
            disabled={applies?.() === false}
            color={id === 'delete' || id === 'disconnect' ? 'madder' : undefined}
            rightSection={keys?.[0] && <KeyCombination keys={keys[0]} />}
            onClick={run}
          >
            {title}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
