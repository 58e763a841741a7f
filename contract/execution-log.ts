import { z } from 'zod';
import { RunError } from './execution';
import { Timestamp } from './text';

export const LogLevel = z.enum(['info', 'warn', 'error']);
export type LogLevel = z.infer<typeof LogLevel>;

export const LogEntry = z
  .object({
    timestamp: Timestamp.describe('When it was'),
    level: LogLevel.describe('The severity'),
    message: z.string().describe('What happened, in a sentence'),
    nodeId: z.string().optional().describe('The node; inside loops with rounds: `loop[3].inner`'),
    nodeName: z.string().optional().meta({ description: 'The name of the node, or of its type if it has no name' }),
    error: RunError.optional().meta({ description: 'The failure that the line tells of' }),
  })
  .meta({ id: 'LogEntry', description: 'A line of the log of a run' });
export type LogEntry = z.infer<typeof LogEntry>;

export const ExecutionLogs = z
  .object({ logs: z.array(LogEntry).describe('The lines') })
  .meta({ id: 'ExecutionLogs', description: 'The log of a run, in the order of time' });
