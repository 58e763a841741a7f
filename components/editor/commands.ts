import type { Edits } from './useEdits';

/** Something the editor can do: by key, from the command bar, from a menu. One list for all of them. */
export interface Command {
  id: string;
  title: string;
  group: 'Workflow' | 'Add' | 'Edit' | 'Select' | 'View';
  /** As `pressed` writes them; the first is shown. */
  keys?: string[];
  /** Also while somebody types. */
  isEverywhere?: boolean;
  isOff?: boolean;
  run(): void;
}

/** What the commands need besides the edits. */
export interface Deeds {
  hasSelection: boolean;
  hasOne: boolean;
  canUndo: boolean;
  canRedo: boolean;
  save(): void;
  run(): void;
  undo(): void;
  redo(): void;
  openPalette(): void;
  replace(): void;
  openNode(): void;
  rename(): void;
  copy(): void;
  showKeys(): void;
  showBar(): void;
  showTriggers(): void;
  showVersions(): void;
  exportJson(): void;
  clearSelection(): void;
}

export const commandsOf = (edits: Edits, deeds: Deeds): Command[] => [
  { id: 'save', title: 'Save', group: 'Workflow', keys: ['mod+s'], isEverywhere: true, run: deeds.save },
  { id: 'run', title: 'Run', group: 'Workflow', keys: ['mod+enter'], isEverywhere: true, run: deeds.run },
  { id: 'triggers', title: 'Triggers: webhooks and schedules', group: 'Workflow', run: deeds.showTriggers },
  { id: 'versions', title: 'Versions', group: 'Workflow', run: deeds.showVersions },
  { id: 'export', title: 'Export as JSON', group: 'Workflow', run: deeds.exportJson },
  { id: 'bar', title: 'Command bar', group: 'Workflow', keys: ['mod+k'], isEverywhere: true, run: deeds.showBar },
  { id: 'keys', title: 'Keyboard shortcuts', group: 'Workflow', keys: ['?'], run: deeds.showKeys },
  { id: 'add', title: 'Add a node', group: 'Add', keys: ['n', 'tab'], run: deeds.openPalette },
  { id: 'open', title: 'Open the node', group: 'Edit', keys: ['enter'], isOff: !deeds.hasOne, run: deeds.openNode },
  { id: 'rename', title: 'Rename', group: 'Edit', keys: ['f2'], isOff: !deeds.hasOne, run: deeds.rename },
  { id: 'replace', title: 'Replace by another type', group: 'Edit', isOff: !deeds.hasOne, run: deeds.replace },
  {
    id: 'disable',
    title: 'Disable or enable',
    group: 'Edit',
    keys: ['d'],
    isOff: !deeds.hasSelection,
    run: edits.toggleDisabled,
  },
  {
    id: 'duplicate',
    title: 'Duplicate',
    group: 'Edit',
    keys: ['mod+d'],
    isOff: !deeds.hasSelection,
    run: edits.duplicate,
  },
  { id: 'copy', title: 'Copy as JSON', group: 'Edit', isOff: !deeds.hasSelection, run: deeds.copy },
  { id: 'delete', title: 'Delete', group: 'Edit', keys: ['delete', 'backspace'], run: () => edits.remove() },
  { id: 'undo', title: 'Undo', group: 'Edit', keys: ['mod+z'], isOff: !deeds.canUndo, run: deeds.undo },
  { id: 'redo', title: 'Redo', group: 'Edit', keys: ['mod+shift+z', 'mod+y'], isOff: !deeds.canRedo, run: deeds.redo },
  { id: 'tidy', title: 'Tidy up', group: 'Edit', keys: ['alt+shift+t'], run: () => void edits.tidy() },
  { id: 'all', title: 'Select all', group: 'Select', keys: ['mod+a'], run: edits.selectAll },
  { id: 'none', title: 'Select nothing', group: 'Select', keys: ['escape'], run: deeds.clearSelection },
  {
    id: 'upstream',
    title: 'Select everything before',
    group: 'Select',
    keys: ['shift+arrowleft'],
    isOff: !deeds.hasSelection,
    run: () => edits.selectAlong('upstream'),
  },
  {
    id: 'downstream',
    title: 'Select everything after',
    group: 'Select',
    keys: ['shift+arrowright'],
    isOff: !deeds.hasSelection,
    run: () => edits.selectAlong('downstream'),
  },
  { id: 'left', title: 'Node before', group: 'Select', keys: ['arrowleft'], run: () => edits.walk('left') },
  { id: 'right', title: 'Node after', group: 'Select', keys: ['arrowright'], run: () => edits.walk('right') },
  { id: 'up', title: 'Node above', group: 'Select', keys: ['arrowup'], run: () => edits.walk('up') },
  { id: 'down', title: 'Node below', group: 'Select', keys: ['arrowdown'], run: () => edits.walk('down') },
  { id: 'zoomIn', title: 'Zoom in', group: 'View', keys: ['+', '='], run: edits.zoomIn },
  { id: 'zoomOut', title: 'Zoom out', group: 'View', keys: ['-'], run: edits.zoomOut },
  { id: 'actual', title: 'Actual size', group: 'View', keys: ['0'], run: () => edits.zoomTo(1) },
  { id: 'fit', title: 'Show everything', group: 'View', keys: ['1'], run: edits.fit },
];
