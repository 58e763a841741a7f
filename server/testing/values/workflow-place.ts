import { readNodeResult } from '@/server/engine/report/node-report';
import { buildWorkflow, type TestUser } from '../factories';
import { flow, type Sketch } from '../flow';
import { parsed, startRun } from '../runs';
import { idOf, KIND_NAMES, LONG, Refusal, type Given, type Kind, type Place } from './kinds';

/** The nodes that a value goes through, which the first one reads as `execution.input.<id>`. */
export type Steps = (kind: Kind) => Sketch[];

/** The value in the output of the last step. */
type Read = (output: unknown) => unknown;

/** All kinds in one run, and the largest one in a run of its own. */
export const workflowPlace =
  (user: TestUser, steps: Steps, read: Read = (output) => output): Place =>
  async (_, values) => {
    const small = await through(
      user,
      steps,
      read,
      values,
      KIND_NAMES.filter((kind) => kind !== LONG),
    );
    return { ...small, ...(await through(user, steps, read, values, [LONG])) } as Given;
  };

async function through({ workspaceId }: TestUser, steps: Steps, read: Read, values: Given, kinds: Kind[]) {
  const nodes: Record<string, Sketch> = { in: { type: 'start' } };
  const links: string[] = [];
  for (const kind of kinds) {
    let before = 'in';
    for (const [at, step] of steps(kind).entries()) {
      const id = `${idOf(kind)}_${at}`;
      nodes[id] = step;
      // A failure that is caught does not end the run.
      nodes[`${id}_caught`] = { type: 'transform', config: { expression: 'null' } };
      links.push(`${before}>${id}`, `${id}:error>${id}_caught`);
      before = id;
    }
  }
  const workflowId = await buildWorkflow({ workspaceId, definition: flow(nodes, links) });
  const input = Object.fromEntries(kinds.map((kind) => [idOf(kind), values[kind]]));
  const execution = await (await startRun({ workspaceId, workflowId }, input)).finish();
  if (execution.error) throw new Error(JSON.stringify(execution.error));
  const results = new Map(execution.nodeResults.map((result) => [result.nodeId, result]));
  const given: [Kind, unknown][] = [];
  for (const kind of kinds) {
    const own = steps(kind).map((_, at) => results.get(`${idOf(kind)}_${at}`));
    const failed = own.find((result) => result?.error)?.error;
    const last = own.at(-1);
    // The report of a run leaves out what is too large for one answer.
    const whole = last?.omitted ? await readNodeResult(workspaceId, execution.id, last.nodeId) : last;
    given.push([kind, failed ? new Refusal(failed.code, failed.message) : read(parsed(whole?.output))]);
  }
  return Object.fromEntries(given);
}
