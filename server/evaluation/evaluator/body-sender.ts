/** Workspaces by the parts of the request bodies that they sent. */
const workspacesByBody = new WeakMap<object, string>();

const isWeakKey = (value: unknown): value is object => typeof value === 'object' && value !== null;

/**
 * Notes which workspace sent a body, for checks inside a schema, which get a part of the body and nothing else. An
 * AsyncLocalStorage would do the same, and slow down every promise of the process.
 */
export function recordBodySender(body: unknown, workspaceId: string): void {
  if (!isWeakKey(body)) return;
  for (const part of Object.values(body)) if (isWeakKey(part)) workspacesByBody.set(part, workspaceId);
}

/** The workspace that sent this part of a body; evaluations without one share a queue. */
export const findBodySender = (part: unknown): string =>
  (isWeakKey(part) ? workspacesByBody.get(part) : undefined) ?? '';
