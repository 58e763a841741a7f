import type { RunError } from '@/contract/execution';
import type { LogEntry } from '@/contract/execution-log';
import { rewriteFailureMessage } from '@/contract/failures/failures';
import { roundSuffix } from './rounds';

/** A line of a log as people read it. */
export interface ReadableLogLine {
  /** The title of the node on the canvas, with its round. Undefined if the line is about the run. */
  node: string | undefined;
  text: string;
}

/** Lines of a log with the names of nodes in place of their ids. */
export function readableLogLines(entries: readonly LogEntry[]): ReadableLogLine[] {
  const names = new Map(
    entries.flatMap(({ nodeId, nodeName }) =>
      nodeId === undefined || nodeName === undefined ? [] : [[nodeId, nodeName + roundSuffix(nodeId)]],
    ),
  );
  const named = (text: string, error: RunError | undefined) => {
    const name = names.get(String(error?.parameters?.['nodeId']));
    if (!error || name === undefined) return text;
    return text.replace(error.message, () => rewriteFailureMessage(error, { nodeId: `“${name}”` }));
  };
  return entries.map(({ nodeId, message, error }) => {
    if (nodeId === undefined) return { node: undefined, text: named(message, error) };
    // The service begins lines of a node with its id.
    const own = message.startsWith(`${nodeId}: `) ? message.slice(nodeId.length + 2) : message;
    return { node: names.get(nodeId) ?? nodeId, text: named(own, error) };
  });
}
