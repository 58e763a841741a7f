import { isDeepStrictEqual } from 'node:util';
import type { Folder } from '@/contract/workflows/folder';
import { createFolder } from '../workflows/folders';
import type { Place, PushState } from './push-state';
import { folderPaths } from './stored';
import { within } from './within';

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
    return new PushFolders(state, await folderPaths(db, caller.workspaceId));
  }

  /** The id of the folder at this path. */
  at(path: readonly string[]): string | undefined {
    return [...this.paths].find(([, other]) => isDeepStrictEqual(other, path))?.[0];
  }

  /** Creates the folders of a path that are missing. Returns false if that was refused. */
  create(path: readonly string[]): Promise<boolean> {
    const place: Place = { kind: 'folder', name: path.join(' / '), workflow: null };
    return this.#state.attempt(place, () => this.#createMissing(path));
  }

  async #createMissing(path: readonly string[]): Promise<void> {
    const created = new Map<string, string[]>();
    let parentId: string | null = null;
    for (const [index, name] of path.entries()) {
      const here = path.slice(0, index + 1);
      const known: string | undefined = this.at(here);
      if (known === undefined) {
        const { id }: Folder = await within(this.#state.call, createFolder, { body: { name, parentId } });
        created.set(id, here);
        parentId = id;
      } else parentId = known;
    }
    // A refusal undoes all of them, so they are known only now.
    for (const [id, here] of created) {
      this.paths.set(id, here);
      this.#state.change({ kind: 'folder', name: here.join(' / '), action: 'create' });
    }
  }
}
