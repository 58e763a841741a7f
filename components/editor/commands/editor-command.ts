/** A command of the editor. Shortcuts, command bar and menus share one list. */
export interface EditorCommand {
  id: string;
  title: string;
  group: 'Workflow' | 'Add' | 'Edit' | 'Select' | 'View';
  /** Key combinations in the notation of `pressed`; the first is shown. */
  keys?: string[];
  /** The command also works in text fields. */
  isEverywhere?: boolean;
  /** Whether the command is available; absent: always. */
  applies?(): boolean;
  run(): void;
}

/** The functions that the commands call, besides edits and view. */
export interface CommandHandlers {
  hasSelection(): boolean;
  /** Exactly one node, or one group, is selected. */
  hasNode(): boolean;
  hasGroup(): boolean;
  /** Exactly one node, or one part of an agent, is selected. */
  mayOpen(): boolean;
  /** An agent is selected, or a part of one. */
  hasAgent(): boolean;
  /** A tool is selected, and another one is above (-1) or below (1) it. */
  mayMoveTool(by: 1 | -1): boolean;
  /** It has no memory. */
  mayAddMemory(): boolean;
  /** A loop is selected, or a node in the frame of one. */
  hasLoop(): boolean;
  /** The selection contains a node, or a group. */
  hasNodes(): boolean;
  hasGroups(): boolean;
  canShare(): boolean;
  canUndo(): boolean;
  canRedo(): boolean;
  save(): void;
  run(): void;
  undo(): void;
  redo(): void;
  openPalette(): void;
  addTool(): void;
  addModel(): void;
  addMemory(): void;
  /** Language models may be used. */
  canBuild(): boolean;
  build(): void;
  replace(): void;
  openNode(): void;
  rename(): void;
  copy(): void;
  pin(): void;
  toggleLoop(): void;
  extract(): void;
  publish(): void;
  showChecks(): void;
  showKeys(): void;
  showBar(): void;
  showTriggers(): void;
  showRuns(): void;
  showVersions(): void;
  showSettings(): void;
  showSharing(): void;
  showTests(): void;
  showOrigin(): void;
  exportJson(): void;
  clearSelection(): void;
}
