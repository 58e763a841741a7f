import { conflict, forbidden } from '@/server/errors/problem';
import type { Named } from './names';
import { keyOf, workflowPlace, type PushState } from './push-state';
import type { Pushed } from './pushed';

/** The workflows of the files with their twins here, without those of other projects. */
export interface Twins {
  pushed: Pushed[];
  /** What earlier pushes of this project stored, by identity. */
  records: ReadonlyMap<string, { workflowId: string; version: number }>;
}

/** Finds the twins of the workflows of the files: by earlier pushes and their ids, then by their names. */
export class TwinSearch {
  readonly #state: PushState;
  readonly #pushed: Pushed[] = [];

  constructor(state: PushState) {
    this.#state = state;
  }

  async find(): Promise<Twins> {
    const { call, asked, catalogue } = this.#state;
    const { workspaceId } = call.caller;
    const stored = await call.db.projectWorkflow.findMany({ where: { workspaceId } });
    const own = stored.filter(({ project }) => project === asked.project);
    const records = new Map(own.map(({ key, workflowId, version }) => [key, { workflowId, version }]));
    const others = stored.filter(({ project }) => project !== asked.project);
    const unknown: Pushed[] = [];
    for (const item of asked.workflows) {
      const one: Pushed = { key: keyOf(item), identity: item.id ?? keyOf(item), item, row: undefined };
      const id = records.get(one.identity)?.workflowId;
      const other = others.find(({ key, workflowId }) => key === one.identity || workflowId === item.id);
      await this.#state.attempt(workflowPlace(one.key), async () => {
        if (id !== undefined) this.#take(one, id);
        else if (other) this.#refer(one, other);
        else if (catalogue.workflow.some((here) => here.id === item.id)) this.#take(one, item.id);
        else unknown.push(one);
      });
    }
    const taken = new Set(stored.map(({ workflowId }) => workflowId));
    for (const one of unknown)
      await this.#state.attempt(workflowPlace(one.key), async () => this.#take(one, this.#namesake(one, taken)));
    await this.#readRows();
    return { pushed: this.#pushed, records };
  }

  /** A workflow that several projects call belongs to the one that pushed it first. */
  #refer({ key }: Pushed, { workflowId, project }: { workflowId: string; project: string }): void {
    this.#requireReadable(workflowId);
    this.#state.ids.workflow.set(key, workflowId);
    this.#state.note(workflowPlace(key), `It belongs to the project ${project} here, and is left as it is.`);
  }

  #requireReadable(workflowId: string): void {
    if (!this.#state.catalogue.workflow.some(({ id }) => id === workflowId))
      throw forbidden('It exists here, and you may not read it.');
  }

  /** A workflow with the same name that is not part of any project. */
  #namesake({ item }: Pushed, taken: ReadonlySet<string>): string | undefined {
    const isFree = ({ id, name }: Named) => name === item.name && !taken.has(id) && !this.#isTaken(id);
    const [first, second] = this.#state.catalogue.workflow.filter(isFree);
    if (second) throw conflict(`Several workflows here are named ${item.name}. Rename them.`);
    return first?.id;
  }

  #isTaken(id: string): boolean {
    return [...this.#state.ids.workflow.values()].includes(id);
  }

  #take(one: Pushed, id: string | undefined): void {
    if (id !== undefined && this.#isTaken(id)) throw conflict('Another workflow of the files is the same one here.');
    if (id !== undefined) {
      this.#requireReadable(id);
      this.#state.ids.workflow.set(one.key, id);
    }
    this.#pushed.push(one);
  }

  async #readRows(): Promise<void> {
    const { call, ids } = this.#state;
    const found = this.#pushed.flatMap(({ key }) => ids.workflow.get(key) ?? []);
    const where = { id: { in: found }, workspaceId: call.caller.workspaceId };
    const rows = new Map((await call.db.workflow.findMany({ where })).map((row) => [row.id, row]));
    for (const one of this.#pushed) one.row = rows.get(ids.workflow.get(one.key) ?? '');
  }
}
