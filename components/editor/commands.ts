import type { Edits } from './useEdits';
import type { View } from './useView';

/** Something the editor can do: by key, from the command bar, from a menu. One list for all of them. */
export interface Command {
  id: string;
  title: string;
  group: 'Workflow' | 'Add' | 'Edit' | 'Select' | 'View';
  /** As `pressed` writes them; the first is shown. */
  keys?: string[];
  /** Also while somebody types. */
  isEverywhere?: boolean;
  /** Whether there is something to do it to right now; absent: always. */
  applies?(): boolean;
  run(): void;
}

/** What the commands need besides the edits. */
export interface Deeds {
  hasSelection(): boolean;
  /** One node is selected, one group, and nothing else. */
  hasNode(): boolean;
  hasGroup(): boolean;
  /** Among what is selected, there is a node, a group. */
  hasNodes(): boolean;
  hasGroups(): boolean;
  canUndo(): boolean;
  canRedo(): boolean;
  save(): void;
  run(): void;
  undo(): void;
  redo(): void;
  openPalette(): void;
  replace(): void;
  openNode(): void;
  rename(): void;
  copy(): void;
  pin(): void;
  extract(): void;
  publish(): void;
  showChecks(): void;
  showKeys(): void;
  showBar(): void;
  showTriggers(): void;
  showVersions(): void;
  exportJson(): void;
  clearSelection(): void;
}

export const commandsOf = (edits: Edits, view: View, deeds: Deeds): Command[] => [
  { id: 'save', title: 'Save', group: 'Workflow', keys: ['mod+s'], isEverywhere: true, run: deeds.save },
  { id: 'run', title: 'Run', group: 'Workflow', keys: ['mod+enter'], isEverywhere: true, run: deeds.run },
  { id: 'publish', title: 'Publish, or activate', group: 'Workflow', keys: ['shift+p'], run: deeds.publish },
  { id: 'checks', title: 'Checks: what is missing', group: 'Workflow', run: deeds.showChecks },
  { id: 'triggers', title: 'Triggers: webhooks and schedules', group: 'Workflow', run: deeds.showTriggers },
  { id: 'versions', title: 'Versions', group: 'Workflow', run: deeds.showVersions },
  { id: 'export', title: 'Export as JSON', group: 'Workflow', run: deeds.exportJson },
  { id: 'bar', title: 'Command bar', group: 'Workflow', keys: ['mod+k'], isEverywhere: true, run: deeds.showBar },
  { id: 'keys', title: 'Keyboard shortcuts', group: 'Workflow', keys: ['?'], run: deeds.showKeys },
  { id: 'add', title: 'Add a node', group: 'Add', keys: ['n', 'tab'], run: deeds.openPalette },
  { id: 'note', title: 'Add a note', group: 'Add', keys: ['shift+s'], run: edits.addNote },
  { id: 'open', title: 'Open the node', group: 'Edit', keys: ['enter'], applies: deeds.hasNode, run: deeds.openNode },
  {
    id: 'rename',
    title: 'Rename, or write',
    group: 'Edit',
    keys: ['f2'],
    applies: deeds.hasSelection,
    run: deeds.rename,
  },
  { id: 'replace', title: 'Replace by another type', group: 'Edit', applies: deeds.hasNode, run: deeds.replace },
  {
    id: 'disable',
    title: 'Disable or enable',
    group: 'Edit',
    keys: ['d'],
    applies: deeds.hasNodes,
    run: edits.toggleDisabled,
  },
  {
    id: 'duplicate',
    title: 'Duplicate',
    group: 'Edit',
    keys: ['mod+d'],
    applies: deeds.hasSelection,
    run: edits.duplicate,
  },
  { id: 'copy', title: 'Copy as JSON', group: 'Edit', applies: deeds.hasSelection, run: deeds.copy },
  { id: 'delete', title: 'Delete', group: 'Edit', keys: ['delete', 'backspace'], run: edits.remove },
  { id: 'undo', title: 'Undo', group: 'Edit', keys: ['mod+z'], applies: deeds.canUndo, run: deeds.undo },
  { id: 'redo', title: 'Redo', group: 'Edit', keys: ['mod+shift+z', 'mod+y'], applies: deeds.canRedo, run: deeds.redo },
  { id: 'tidy', title: 'Tidy up', group: 'Edit', keys: ['alt+shift+t'], run: () => void edits.tidy() },
  { id: 'group', title: 'Group', group: 'Edit', keys: ['mod+g'], applies: deeds.hasNodes, run: edits.group },
  {
    id: 'renameGroup',
    title: 'Rename the group',
    group: 'Edit',
    keys: ['space'],
    applies: deeds.hasGroup,
    run: deeds.rename,
  },
  {
    id: 'ungroup',
    title: 'Ungroup',
    group: 'Edit',
    keys: ['mod+shift+g'],
    applies: deeds.hasGroups,
    run: edits.ungroup,
  },
  {
    id: 'expand',
    title: 'Expand the group',
    group: 'Edit',
    keys: ['alt+g'],
    applies: deeds.hasGroups,
    run: () => edits.setFolded(false),
  },
  {
    id: 'collapse',
    title: 'Collapse the group',
    group: 'Edit',
    keys: ['alt+shift+g'],
    applies: deeds.hasGroups,
    run: () => edits.setFolded(true),
  },
  {
    id: 'extract',
    title: 'Selection to sub-workflow',
    group: 'Edit',
    keys: ['alt+x'],
    applies: deeds.hasNodes,
    run: deeds.extract,
  },
  { id: 'pin', title: 'Pin or unpin the output', group: 'Edit', keys: ['p'], applies: deeds.hasNode, run: deeds.pin },
  { id: 'all', title: 'Select all', group: 'Select', keys: ['mod+a'], run: edits.selectAll },
  { id: 'none', title: 'Select nothing', group: 'Select', keys: ['escape'], run: deeds.clearSelection },
  {
    id: 'upstream',
    title: 'Select everything before',
    group: 'Select',
    keys: ['shift+arrowleft'],
    applies: deeds.hasSelection,
    run: () => edits.selectAlong('upstream'),
  },
  {
    id: 'downstream',
    title: 'Select everything after',
    group: 'Select',
    keys: ['shift+arrowright'],
    applies: deeds.hasSelection,
    run: () => edits.selectAlong('downstream'),
  },
  { id: 'left', title: 'Node before', group: 'Select', keys: ['arrowleft'], run: () => edits.walk('left') },
  { id: 'right', title: 'Node after', group: 'Select', keys: ['arrowright'], run: () => edits.walk('right') },
  { id: 'up', title: 'Node above', group: 'Select', keys: ['arrowup'], run: () => edits.walk('up') },
  { id: 'down', title: 'Node below', group: 'Select', keys: ['arrowdown'], run: () => edits.walk('down') },
  { id: 'zoomIn', title: 'Zoom in', group: 'View', keys: ['+', '='], run: view.zoomIn },
  { id: 'zoomOut', title: 'Zoom out', group: 'View', keys: ['-'], run: view.zoomOut },
  { id: 'actual', title: 'Actual size', group: 'View', keys: ['0'], run: () => view.zoomTo(1) },
  { id: 'fit', title: 'Show everything', group: 'View', keys: ['1'], run: view.fit },
  {
    id: 'fitSelection',
    title: 'Show the selection',
    group: 'View',
    keys: ['2'],
    applies: deeds.hasSelection,
    run: view.fitSelection,
  },
];
