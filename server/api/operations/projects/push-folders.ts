import { isDeepStrictEqual } from 'node:util';
import type { FolderResponse } from '@/contract/workflows/folder';
import { createFolderOperation } from '../workflows/folders';
import type { ProjectObjectRef, PushState } from './push-state';
import { readFolderPaths } from './stored-workflow';
import { runOperationInside } from './run-operation-inside';

/** The folders of the workspace during a push, with those that it creates. */
export class PushFolders {
  readonly #state: PushState;
  /** Names from the root, by the ids of the folders. */
  readonly paths: Map<string, string[]>;

  private constructor(state: PushState, paths: Map<string, string[]>) {
    this.#state = state;
    this.paths = paths;
  }

  static async read(state: PushState): Promise<PushFolders> {
    const { db, caller } = state.call;
    return new PushFolders(state, await readFolderPaths(db, caller.workspaceId));
  }

  /** The id of the folder at this path. */
  findIdAtPath(path: readonly string[]): string | undefined {
    return [...this.paths].find(([, other]) => isDeepStrictEqual(other, path))?.[0];
  }

  /** Creates the folders of a path that are missing. Returns false if that was refused. */
  createMissingFolders(path: readonly string[]): Promise<boolean> {
    const place: ProjectObjectRef = { kind: 'folder', name: path.join(' / '), workflow: null };
    return this.#state.runPart(place, () => this.#createMissing(path));
  }

  async #createMissing(path: readonly string[]): Promise<void> {
    const created = new Map<string, string[]>();
    let parentId: string | null = null;
    for (const [index, name] of path.entries()) {
      const here = path.slice(0, index + 1);
      const known: string | undefined = this.findIdAtPath(here);
      if (known === undefined) {
        const { id }: FolderResponse = await runOperationInside(this.#state.call, createFolderOperation, {
          body: { name, parentId },
        });
        created.set(id, here);
        parentId = id;
      } else parentId = known;
    }
    // A refusal rolls back all of them, so they are recorded only after the last one.
    for (const [id, here] of created) {
      this.paths.set(id, here);
      this.#state.recordChange({ kind: 'folder', name: here.join(' / '), action: 'create' });
    }
  }
}
