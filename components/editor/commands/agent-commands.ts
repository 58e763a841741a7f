import type { SelectionEdits } from '../draft/useSelectionEdits';
import type { CommandHandlers, EditorCommand } from './editor-command';

/** The commands for the parts of an agent. */
export const buildAgentCommands = (edits: SelectionEdits, handlers: CommandHandlers): EditorCommand[] => [
  {
    id: 'addTool',
    title: 'Add a tool to the agent',
    group: 'Add',
    keys: ['t'],
    applies: handlers.hasAgent,
    run: handlers.addTool,
  },
  {
    id: 'addModel',
    title: 'Choose the model of the agent',
    group: 'Add',
    applies: handlers.hasAgent,
    run: handlers.addModel,
  },
  {
    id: 'addMemory',
    title: 'Add memory to the agent',
    group: 'Add',
    applies: handlers.mayAddMemory,
    run: handlers.addMemory,
  },
  {
    id: 'toolUp',
    title: 'Move the tool up',
    group: 'Edit',
    keys: ['alt+arrowup'],
    applies: () => handlers.mayMoveTool(-1),
    run: () => edits.shiftTool(-1),
  },
  {
    id: 'toolDown',
    title: 'Move the tool down',
    group: 'Edit',
    keys: ['alt+arrowdown'],
    applies: () => handlers.mayMoveTool(1),
    run: () => edits.shiftTool(1),
  },
];
