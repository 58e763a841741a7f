import type { LogEntry } from '@/contract/execution-log';
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
  // The service writes `Node fetch, config.url: …` and, in lines of a node, `fetch: …`.
  const named = (message: string) =>
    message.replace(/\bNode (\S+), (?=config\.)/g, (text, id: string) => {
      const name = names.get(id);
      return name === undefined ? text : `“${name}”, `;
    });
  return entries.map(({ nodeId, message }) => {
    if (nodeId === undefined) return { node: undefined, text: named(message) };
    const own = message.startsWith(`${nodeId}: `) ? message.slice(nodeId.length + 2) : message;
    return { node: names.get(nodeId) ?? nodeId, text: named(own) };
  });
}
