import { getRuntime } from '@/server/platform/runtime';

declare module '@/server/platform/runtime' {
  interface Runtime {
    /** Proposals that this process makes at present, by workspace. */
    proposals?: Map<string, number>;
  }
}

/** The maximum number of proposals of one workspace that a process makes at the same time. */
export const MAX_CONCURRENT_PROPOSALS = 2;

/**
 * Admits a proposal of a workspace, until the returned function is called; undefined: as many are under way as it may
 * have.
 */
export function admitProposal(workspaceId: string): (() => void) | undefined {
  const running = (getRuntime().proposals ??= new Map<string, number>());
  const count = running.get(workspaceId) ?? 0;
  if (count >= MAX_CONCURRENT_PROPOSALS) return undefined;
  running.set(workspaceId, count + 1);
  let isOver = false;
  return () => {
    if (isOver) return;
    isOver = true;
    const left = (running.get(workspaceId) ?? 1) - 1;
    if (left > 0) running.set(workspaceId, left);
    else running.delete(workspaceId);
  };
}
