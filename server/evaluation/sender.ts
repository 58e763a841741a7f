/** Workspaces by the parts of the request bodies that they sent. */
const workspaces = new WeakMap<object, string>();

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/**
 * Notes which workspace sent a body, for checks inside a schema, which get a part of the body and nothing else. An
 * AsyncLocalStorage would do the same, and slow down every promise of the process.
 */
export function noteSender(body: unknown, workspaceId: string): void {
  if (!isObject(body)) return;
  for (const part of Object.values(body)) if (isObject(part)) workspaces.set(part, workspaceId);
}

/** The workspace that sent this part of a body; evaluations without one share a queue. */
export const senderOf = (part: unknown): string => (isObject(part) ? workspaces.get(part) : undefined) ?? '';
