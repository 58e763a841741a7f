import { runtime } from '@/server/runtime';

declare module '@/server/runtime' {
  interface Runtime {
    /** Proposals that this process makes at present, by workspace. */
    proposals?: Map<string, number>;
  }
}

/** Proposals that a workspace has under way at a time in one process. */
export const MAX_PROPOSALS = 2;

/** Admits a proposal of a workspace, until the returned function is called; undefined: as many are under way as it may have. */
export function admitProposal(workspaceId: string): (() => void) | undefined {
  const running = (runtime().proposals ??= new Map<string, number>());
  const count = running.get(workspaceId) ?? 0;
  if (count >= MAX_PROPOSALS) return undefined;
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
