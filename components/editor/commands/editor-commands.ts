import type { SelectionEdits } from '../draft/useSelectionEdits';
import { buildAgentCommands } from './agent-commands';
import type { CommandHandlers, EditorCommand } from './editor-command';
import type { CanvasViewControls } from '../useCanvasView';

const workflowCommands = (handlers: CommandHandlers): EditorCommand[] => [
  { id: 'save', title: 'Save', group: 'Workflow', keys: ['mod+s'], isEverywhere: true, run: handlers.save },
  { id: 'run', title: 'Run', group: 'Workflow', keys: ['mod+enter'], isEverywhere: true, run: handlers.run },
  { id: 'publish', title: 'Publish or go live', group: 'Workflow', keys: ['shift+p'], run: handlers.publish },
  { id: 'checks', title: 'Checks', group: 'Workflow', run: handlers.showChecks },
  {
    id: 'triggers',
    title: 'Triggers: webhooks, forms, chats and schedules',
    group: 'Workflow',
    run: handlers.showTriggers,
  },
  { id: 'runs', title: 'Runs of this workflow', group: 'Workflow', run: handlers.showRuns },
  { id: 'versions', title: 'Versions', group: 'Workflow', run: handlers.showVersions },
  { id: 'tests', title: 'Tests', group: 'Workflow', run: handlers.showTests },
  { id: 'origin', title: 'What it was in n8n', group: 'Workflow', run: handlers.showOrigin },
  { id: 'settings', title: 'Workflow settings', group: 'Workflow', run: handlers.showSettings },
  { id: 'share', title: 'Share', group: 'Workflow', applies: handlers.canShare, run: handlers.showSharing },
  { id: 'export', title: 'Export as JSON', group: 'Workflow', run: handlers.exportJson },
  { id: 'bar', title: 'Command bar', group: 'Workflow', keys: ['mod+k'], isEverywhere: true, run: handlers.showBar },
  { id: 'keys', title: 'Keyboard shortcuts', group: 'Workflow', keys: ['?'], run: handlers.showKeys },
];

const addCommands = (edits: SelectionEdits, handlers: CommandHandlers): EditorCommand[] => [
  { id: 'add', title: 'Add a node', group: 'Add', keys: ['n', 'tab'], run: handlers.openPalette },
  {
    id: 'build',
    title: 'Build with AI',
    group: 'Add',
    keys: ['shift+b'],
    applies: handlers.canBuild,
    run: handlers.build,
  },
  { id: 'note', title: 'Add a note', group: 'Add', keys: ['shift+s'], run: edits.addNote },
];

const editCommands = (edits: SelectionEdits, handlers: CommandHandlers): EditorCommand[] => [
  {
    id: 'open',
    title: 'Open node',
    group: 'Edit',
    keys: ['enter'],
    applies: handlers.mayOpen,
    run: handlers.openNode,
  },
  {
    id: 'rename',
    title: 'Rename or edit text',
    group: 'Edit',
    keys: ['f2'],
    applies: handlers.hasSelection,
    run: handlers.rename,
  },
  {
    id: 'replace',
    title: 'Replace with another type',
    group: 'Edit',
    applies: handlers.hasNode,
    run: handlers.replace,
  },
  {
    id: 'disable',
    title: 'Disable or enable',
    group: 'Edit',
    keys: ['d'],
    applies: handlers.hasNodes,
    run: edits.toggleDisabled,
  },
  {
    id: 'duplicate',
    title: 'Duplicate',
    group: 'Edit',
    keys: ['mod+d'],
    applies: handlers.hasSelection,
    run: edits.duplicate,
  },
  { id: 'copy', title: 'Copy as JSON', group: 'Edit', applies: handlers.hasSelection, run: handlers.copy },
  { id: 'delete', title: 'Delete', group: 'Edit', keys: ['delete', 'backspace'], run: edits.remove },
  { id: 'undo', title: 'Undo', group: 'Edit', keys: ['mod+z'], applies: handlers.canUndo, run: handlers.undo },
  {
    id: 'redo',
    title: 'Redo',
    group: 'Edit',
    keys: ['mod+shift+z', 'mod+y'],
    applies: handlers.canRedo,
    run: handlers.redo,
  },
  { id: 'tidy', title: 'Tidy up', group: 'Edit', keys: ['alt+shift+t'], run: () => void edits.tidy() },
];

const groupCommands = (edits: SelectionEdits, handlers: CommandHandlers): EditorCommand[] => [
  { id: 'group', title: 'Group', group: 'Edit', keys: ['mod+g'], applies: handlers.hasNodes, run: edits.group },
  {
    id: 'renameGroup',
    title: 'Rename group',
    group: 'Edit',
    keys: ['space'],
    applies: handlers.hasGroup,
    run: handlers.rename,
  },
  {
    id: 'ungroup',
    title: 'Ungroup',
    group: 'Edit',
    keys: ['mod+shift+g'],
    applies: handlers.hasGroups,
    run: edits.ungroup,
  },
  {
    id: 'expand',
    title: 'Expand group',
    group: 'Edit',
    keys: ['alt+g'],
    applies: handlers.hasGroups,
    run: () => edits.setFolded(false),
  },
  {
    id: 'collapse',
    title: 'Collapse group',
    group: 'Edit',
    keys: ['alt+shift+g'],
    applies: handlers.hasGroups,
    run: () => edits.setFolded(true),
  },
  {
    id: 'extract',
    title: 'Extract to sub-workflow',
    group: 'Edit',
    keys: ['alt+x'],
    applies: handlers.hasNodes,
    run: handlers.extract,
  },
];

const selectionCommands = (edits: SelectionEdits, handlers: CommandHandlers): EditorCommand[] => [
  { id: 'all', title: 'Select all', group: 'Select', keys: ['mod+a'], run: edits.selectAll },
  { id: 'none', title: 'Clear selection', group: 'Select', keys: ['escape'], run: handlers.clearSelection },
  {
    id: 'upstream',
    title: 'Select upstream nodes',
    group: 'Select',
    keys: ['shift+arrowleft'],
    applies: handlers.hasSelection,
    run: () => edits.selectAlong('upstream'),
  },
  {
    id: 'downstream',
    title: 'Select downstream nodes',
    group: 'Select',
    keys: ['shift+arrowright'],
    applies: handlers.hasSelection,
    run: () => edits.selectAlong('downstream'),
  },
  { id: 'left', title: 'Previous node', group: 'Select', keys: ['arrowleft'], run: () => edits.walk('left') },
  { id: 'right', title: 'Next node', group: 'Select', keys: ['arrowright'], run: () => edits.walk('right') },
  { id: 'up', title: 'Node above', group: 'Select', keys: ['arrowup'], run: () => edits.walk('up') },
  { id: 'down', title: 'Node below', group: 'Select', keys: ['arrowdown'], run: () => edits.walk('down') },
];

const viewCommands = (view: CanvasViewControls, handlers: CommandHandlers): EditorCommand[] => [
  { id: 'zoomIn', title: 'Zoom in', group: 'View', keys: ['+', '='], run: view.zoomIn },
  { id: 'zoomOut', title: 'Zoom out', group: 'View', keys: ['-'], run: view.zoomOut },
  { id: 'actual', title: 'Actual size', group: 'View', keys: ['0'], run: () => view.zoomTo(1) },
  { id: 'fit', title: 'Fit to view', group: 'View', keys: ['1'], run: view.fit },
  {
    id: 'fitSelection',
    title: 'Fit selection to view',
    group: 'View',
    keys: ['2'],
    applies: handlers.hasSelection,
    run: view.fitSelection,
  },
];

/** All commands of the editor. Lists of commands show them in this order. */
export const buildEditorCommands = (
  edits: SelectionEdits,
  view: CanvasViewControls,
  handlers: CommandHandlers,
): EditorCommand[] => [
  ...workflowCommands(handlers),
  ...addCommands(edits, handlers),
  ...buildAgentCommands(edits, handlers),
  ...editCommands(edits, handlers),
  ...groupCommands(edits, handlers),
  {
    id: 'pin',
    title: 'Pin or unpin output',
    group: 'Edit',
    keys: ['p'],
    applies: handlers.hasNode,
    run: handlers.pin,
  },
  {
    id: 'loop',
    title: 'Open or close the body of a loop',
    group: 'Edit',
    keys: ['o'],
    applies: handlers.hasLoop,
    run: handlers.toggleLoop,
  },
  ...selectionCommands(edits, handlers),
  ...viewCommands(view, handlers),
];
