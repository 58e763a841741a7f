import { conflictProblem, forbiddenProblem } from '@/server/platform/errors/problem';
import type { ReadableObject } from './object-keys';
import { projectKey, projectWorkflowRef, type PushState } from './push-state';
import type { MatchedWorkflow } from './matched-workflow';

/** The workflows of the files, matched with those of the workspace, without those of other projects. */
export interface WorkflowMatches {
  pushed: MatchedWorkflow[];
  /** The records of earlier pushes of this project, by identity. */
  records: ReadonlyMap<string, { workflowId: string; version: number }>;
}

/** Matches workflows of the files with those of the workspace: first by earlier pushes and ids, then by name. */
export class WorkflowMatcher {
  readonly #state: PushState;
  readonly #pushed: MatchedWorkflow[] = [];

  constructor(state: PushState) {
    this.#state = state;
  }

  async matchWorkflows(): Promise<WorkflowMatches> {
    const { call, asked, catalogue } = this.#state;
    const { workspaceId } = call.caller;
    const stored = await call.db.projectWorkflow.findMany({ where: { workspaceId } });
    const own = stored.filter(({ project }) => project === asked.project);
    const records = new Map(own.map(({ key, workflowId, version }) => [key, { workflowId, version }]));
    const others = stored.filter(({ project }) => project !== asked.project);
    const unknown: MatchedWorkflow[] = [];
    for (const item of asked.workflows) {
      const one: MatchedWorkflow = {
        key: projectKey(item),
        identity: item.id ?? projectKey(item),
        item,
        row: undefined,
      };
      const id = records.get(one.identity)?.workflowId;
      const other = others.find(({ key, workflowId }) => key === one.identity || workflowId === item.id);
      await this.#state.runPart(projectWorkflowRef(one.key), async () => {
        if (id !== undefined) this.#addMatch(one, id);
        else if (other) this.#keepForOtherProject(one, other);
        else if (catalogue.workflow.some((here) => here.id === item.id)) this.#addMatch(one, item.id);
        else unknown.push(one);
      });
    }
    const taken = new Set(stored.map(({ workflowId }) => workflowId));
    for (const one of unknown)
      await this.#state.runPart(projectWorkflowRef(one.key), async () =>
        this.#addMatch(one, this.#namesake(one, taken)),
      );
    await this.#readRows();
    return { pushed: this.#pushed, records };
  }

  /** A workflow that several projects call belongs to the one that pushed it first. */
  #keepForOtherProject(
    { key }: MatchedWorkflow,
    { workflowId, project }: { workflowId: string; project: string },
  ): void {
    this.#requireReadable(workflowId);
    this.#state.ids.workflow.set(key, workflowId);
    this.#state.recordNote(projectWorkflowRef(key), `It belongs to the project ${project} here, and is left as it is.`);
  }

  #requireReadable(workflowId: string): void {
    if (!this.#state.catalogue.workflow.some(({ id }) => id === workflowId))
      throw forbiddenProblem('It exists here, and you may not read it.');
  }

  /** A workflow with the same name that is not part of any project. */
  #namesake({ item }: MatchedWorkflow, taken: ReadonlySet<string>): string | undefined {
    const isFree = ({ id, name }: ReadableObject) => name === item.name && !taken.has(id) && !this.#isTaken(id);
    const [first, second] = this.#state.catalogue.workflow.filter(isFree);
    if (second) throw conflictProblem(`Several workflows here are named ${item.name}. Rename them.`);
    return first?.id;
  }

  #isTaken(id: string): boolean {
    return [...this.#state.ids.workflow.values()].includes(id);
  }

  #addMatch(one: MatchedWorkflow, id: string | undefined): void {
    if (id !== undefined && this.#isTaken(id))
      throw conflictProblem('Another workflow of the files is the same one here.');
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
