import { cutWellFormed, type N8nNode } from '../../file';
import { groupLinksByEnd, listLinkOutputs, type NodeLink } from '../../node-links';
import type { ArrivalMap } from './arrivals';
import { dependsOnWholeList, readsWholeLists } from './item-counts';
import { findNamedNodes } from '../node-names';

const SEVERAL_SOURCES =
  'n8n runs it once for each of its connections, Weft once for all items together: check its result.';
const SEVERAL_RUNS =
  'n8n runs it more than once, because of connections or rounds before it, Weft once for all items together: check its result.';

/** n8n runs a node once for each list that comes to it: for code and lists that may be another result. */
export function listRunTasks(
  shown: readonly string[],
  links: readonly NodeLink[],
  nodes: ReadonlyMap<string, N8nNode>,
  arrivals: ArrivalMap,
): { id: string; task: string }[] {
  const repeated = new Set(shown.filter((id) => arrivals.arrivalAt(id) === 'lists'));
  const names = [...repeated].flatMap((id) => nodes.get(id)?.name ?? []);
  const incoming = groupLinksByEnd(links, 'to');
  return shown.flatMap((id) => {
    const node = nodes.get(id);
    if (!node) return [];
    const tasks: string[] = [];
    if (repeated.has(id) && dependsOnWholeList(node)) {
      tasks.push(listLinkOutputs(incoming.get(id) ?? []).length > 1 ? SEVERAL_SOURCES : SEVERAL_RUNS);
    }
    const [read] = readsWholeLists(node) ? findNamedNodes(node, names) : [];
    if (read !== undefined)
      tasks.push(
        `Check what it reads of “${cutWellFormed(read, 60)}”: n8n runs that more than once, and reads its last run.`,
      );
    return tasks.map((task) => ({ id, task }));
  });
}

/** Nodes inside of a loop cannot be read from outside of it. */
export function listHiddenNameTasks(
  shown: readonly string[],
  hidden: readonly string[],
  nodes: ReadonlyMap<string, N8nNode>,
): { id: string; task: string }[] {
  const names = hidden.flatMap((id) => nodes.get(id)?.name ?? []);
  if (names.length === 0) return [];
  return shown.flatMap((id) => {
    const node = nodes.get(id);
    const [name] = node ? findNamedNodes(node, names) : [];
    if (name === undefined) return [];
    const task = `It reads “${cutWellFormed(name, 60)}”, which is inside of a loop: read what the loop gives.`;
    return [{ id, task }];
  });
}
