import { asN8nObject, type N8nConnection, type N8nFile, type N8nNode, type N8nObject } from '../file';
import { linkAroundCircles } from './rounds/circle-loop';
import { findCircles } from './rounds/circles';
import { findLoopBodies, isLoopNode, loopBodyOutput } from './rounds/loops';
import { groupLinksByEnd, reachableIds, sortWithoutCycles } from '../node-links';
import { isTriggerNode, shortNodeType } from '../starts/convert-trigger';
import type { ImportedTrigger } from '../starts/trigger';
import { ArrivalMap, readRootArrivals } from './arrivals/arrivals';
import { givesSomeItem } from './arrivals/item-counts';
import { findRunOrder } from './arrivals/run-order';
import { LAST_RESULT_TYPE, MAX_RESULT_INPUTS } from './last-result';
import { countNodeOutputs } from './output-counts';

/** Whether callers of a trigger get what the last node gives: other workflows, a webhook or a chat. */
export function givesLastResult({ type, parameters }: N8nNode): boolean {
  const short = shortNodeType(type);
  if (short === 'executeWorkflowTrigger') return true;
  if (short === 'webhook') return parameters['responseMode'] === 'lastNode' && parameters['responseData'] !== 'noData';
  if (short !== 'chatTrigger') return false;
  const mode = asN8nObject(parameters['options'])['responseMode'] ?? parameters['responseMode'];
  return !['responseNode', 'responseNodes'].includes(String(mode));
}

/** Whether a webhook or a chat answers with the first item that the last node gives. */
export const answersFirstItem = (node: N8nNode): boolean =>
  givesLastResult(node) &&
  (shortNodeType(node.type) === 'chatTrigger' ||
    (shortNodeType(node.type) === 'webhook' &&
      (node.parameters['responseData'] ?? 'firstEntryJson') === 'firstEntryJson'));

/** A node that n8n does not have, behind another one. */
const addedNode = (type: string, name: string, before: N8nNode, parameters: N8nObject = {}): N8nNode => ({
  name,
  type,
  version: 1.1,
  parameters,
  position: { x: before.position.x + 320, y: before.position.y },
  isDisabled: false,
  alwaysOutputsData: false,
  executesOnce: false,
  notes: '',
  hasCredential: false,
  retry: undefined,
  onError: 'stop',
});

/** Outputs of nodes that lead to nothing. */
type OpenOutput = Pick<N8nConnection, 'from' | 'output'>;

/** The outputs of a node that lead to nothing. */
function listOpenOutputs(node: N8nNode, own: readonly N8nConnection[]): OpenOutput[] {
  if (shortNodeType(node.type) === 'respondToWebhook') return [];
  const outputs = isLoopNode(node)
    ? [1 - loopBodyOutput(node)]
    : Array.from({ length: countNodeOutputs(node) }, (_, output) => output);
  return outputs.flatMap((output) => (own.some((link) => link.output === output) ? [] : [{ from: node.name, output }]));
}

/** A last node with its outputs that lead to nothing. */
interface LastNode {
  end: N8nNode;
  outputs: OpenOutput[];
}

/** The last nodes behind triggers, and the open outputs of those between. */
function findLastNodes(file: N8nFile, triggers: readonly N8nNode[]): { ends: LastNode[]; between: OpenOutput[] } {
  const outgoing = groupLinksByEnd(file.links, 'from');
  const reached = reachableIds(
    triggers.map(({ name }) => name),
    (name) => (outgoing.get(name) ?? []).map(({ to }) => to),
  );
  const found = file.nodes.flatMap((end) => {
    const isStep = reached.has(end.name) && !file.parts.has(end.name) && !triggers.includes(end);
    const outputs = isStep ? listOpenOutputs(end, outgoing.get(end.name) ?? []) : [];
    return outputs.length > 0 ? [{ end, outputs }] : [];
  });
  const isLast = ({ end }: LastNode) => isLoopNode(end) || !outgoing.has(end.name);
  return {
    ends: found.filter(isLast),
    between: found.filter((one) => !isLast(one)).flatMap(({ outputs }) => outputs),
  };
}

/** A name that no node of a file has: links say by names where they lead. */
function findFreeName({ nodes }: N8nFile, wanted: string): string {
  const used = new Set(nodes.map((node) => node.name));
  let name = wanted;
  for (let count = 2; used.has(name); count += 1) name = `${wanted} ${count}`;
  return name;
}

/** A file with one more node behind outputs of others. `inputs`: those that lead to each of its inputs. */
function withNodeBehind(file: N8nFile, node: N8nNode, inputs: readonly (readonly OpenOutput[])[]): N8nFile {
  const name = findFreeName(file, node.name);
  const added = inputs.flatMap((outputs, input) =>
    outputs.map(({ from, output }) => ({ from, output, to: name, input })),
  );
  return { ...file, nodes: [...file.nodes, { ...node, name }], links: [...file.links, ...added] };
}

const MAX_COMPARED_OUTPUTS = 60;

/** Whether at most one of these nodes runs, and whether n8n may run one of them several times. */
function compareLastNodes(
  { nodes, links }: N8nFile,
  ends: readonly LastNode[],
): { areExclusive: boolean; runSeveralTimes: boolean } {
  const outputs = ends.flatMap((one) => one.outputs.map((output) => ({ ...output, to: '', input: 0 })));
  const byName = new Map(nodes.map((node) => [node.name, node]));
  const names = [...byName.keys()];
  const bodies = findLoopBodies(names, links, byName);
  const inside = new Set([...bodies.values()].flatMap((body) => [...body]));
  const outer = names.filter((name) => !inside.has(name));
  const open = links.filter(
    ({ from, to }) => !inside.has(from) && !inside.has(to) && !(from === to && bodies.has(from)),
  );
  const circles = findCircles(outer, open);
  const rounds = new Set(circles.flatMap(({ first, ids }) => [...ids].filter((name) => name !== first)));
  const shown = outer.filter((name) => !rounds.has(name));
  const { order, kept, cut } = sortWithoutCycles(shown, linkAroundCircles(open, circles));
  const triggers = nodes.filter(isTriggerNode).map(({ name }) => name);
  const roots = readRootArrivals(triggers, byName);
  const arrivals = new ArrivalMap({ order, links: [...kept, ...outputs], nodes: byName, roots, circles });
  const isPlain = bodies.size === 0 && circles.length === 0 && cut.length === 0;
  const known = new Set(shown);
  return {
    areExclusive: isPlain && arrivals.areExclusive(outputs, MAX_COMPARED_OUTPUTS),
    runSeveralTimes:
      cut.length > 0 || ends.some(({ end: { name } }) => !known.has(name) || arrivals.arrivalAt(name) === 'lists'),
  };
}

/** The last outputs that the runs of these triggers do not reach, but those of others. */
function listOtherLastOutputs(file: N8nFile, triggers: readonly N8nNode[], asked: readonly N8nNode[]): OpenOutput[] {
  const outgoing = groupLinksByEnd(file.links, 'from');
  const reachFrom = (starts: readonly N8nNode[]) =>
    reachableIds(
      starts.map(({ name }) => name),
      (name) => (outgoing.get(name) ?? []).map(({ to }) => to),
    );
  const own = reachFrom(asked);
  const nodes = new Map(file.nodes.map((node) => [node.name, node]));
  const inside = new Set(
    [...findLoopBodies([...nodes.keys()], file.links, nodes).values()].flatMap((body) => [...body]),
  );
  return [...reachFrom(triggers)]
    .filter((name) => !own.has(name) && !outgoing.has(name) && !inside.has(name))
    .map((from) => ({ from, output: 0 }));
}

/** One input of the node with the result: a last output, or what tells that nothing came behind it. */
interface ResultInput {
  isResult: boolean;
  outputs: OpenOutput[];
}

/** What the result is made of, in the order in which n8n runs nodes: the last of them that has items counts. */
function listResultInputs(file: N8nFile, triggers: readonly N8nNode[]): ResultInput[] | undefined {
  const order = findRunOrder(file, triggers);
  if (!order) return undefined;
  const nodes = new Map(file.nodes.map((node) => [node.name, node]));
  const outgoing = groupLinksByEnd(file.links, 'from');
  const incoming = groupLinksByEnd(order.links, 'to');
  const isChat = triggers.every(({ type }) => shortNodeType(type) === 'chatTrigger');
  const inputs: ResultInput[] = [];
  const add = (isResult: boolean, outputs: readonly OpenOutput[]): void => {
    const last = inputs.at(-1);
    if (outputs.length === 0) return;
    if (!isResult && last?.isResult === false) last.outputs.push(...outputs);
    else inputs.push({ isResult, outputs: [...outputs] });
  };
  for (const name of order.names) {
    const node = nodes.get(name);
    if (!node || triggers.includes(node)) continue;
    const open = listOpenOutputs(node, outgoing.get(name) ?? []);
    // A node that gets items and gives none is the last one where none comes behind it.
    if (!givesSomeItem(node) && inputs.some(({ isResult }) => isResult)) add(false, incoming.get(name) ?? []);
    const [first, ...others] = open[0]?.output === 0 ? open : [undefined, ...open];
    // Callers get what the first output gives; a chat answers with that of the first one that gives something.
    for (const one of others.toReversed()) if (one) add(isChat, [one]);
    if (first) add(true, [first]);
  }
  return inputs.length >= MAX_RESULT_INPUTS ? undefined : inputs;
}

/**
 * A file in which each last node behind these triggers is followed by one that answers with its first item: what a node
 * gives here is a list. `isAnswered`: there are such nodes.
 */
export function addFirstItemAnswers(
  file: N8nFile,
  triggers: readonly N8nNode[],
): { file: N8nFile; isAnswered: boolean } {
  const { ends } = findLastNodes(file, triggers);
  const answered = ends.reduce((before, { end, outputs }) => {
    const answer = addedNode('n8n-nodes-base.respondToWebhook', `${end.name}: answer`, end, {
      respondWith: 'firstIncomingItem',
    });
    return withNodeBehind(before, answer, [outputs]);
  }, file);
  return { file: answered, isAnswered: ends.length > 0 };
}

/** Whether callers get what all runs of the last node give, and not the last one alone. */
const givesAllRuns = ({ type, version, parameters }: N8nNode): boolean =>
  shortNodeType(type) === 'executeWorkflowTrigger' && (version >= 1.2 || parameters['returnOutput'] === 'allRuns');

/**
 * A file whose last nodes lead to one, where their callers get what the last node gives and several may be the last:
 * what that node gives is what they get. `isExact`: it is the same as in n8n.
 */
export function joinLastResults(file: N8nFile, triggers: readonly N8nNode[]): { file: N8nFile; isExact: boolean } {
  const asked = triggers.filter(givesLastResult);
  const { ends, between } = findLastNodes(file, asked);
  const outputs = ends.flatMap((one) => one.outputs);
  const [first] = ends;
  if (!first) return { file, isExact: true };
  const { areExclusive, runSeveralTimes } = compareLastNodes(file, ends);
  const isCalled = asked.some(({ type }) => shortNodeType(type) === 'executeWorkflowTrigger');
  // The output of a run is a list if one node alone is the last one of the whole workflow.
  const others = asked.every(answersFirstItem) ? [] : listOtherLastOutputs(file, triggers, asked);
  const isOne = outputs.length === 1 && between.length === 0;
  if (isOne && others.length === 0) return { file, isExact: !runSeveralTimes || asked.every(givesAllRuns) };
  const isOneAtMost =
    areExclusive && !runSeveralTimes && between.length === 0 && outputs.every(({ output }) => output === 0);
  if (isOneAtMost && asked.every(answersFirstItem)) return { file, isExact: true };
  const name = isCalled ? 'Result for callers' : 'Result';
  const inputs = isOneAtMost ? undefined : listResultInputs(file, asked);
  if (inputs) {
    if (others.length > 0) inputs.unshift({ isResult: true, outputs: others });
    const ended = inputs.flatMap(({ isResult }, index) => (isResult ? [] : [index]));
    const last = addedNode(LAST_RESULT_TYPE, name, first.end, { numberInputs: inputs.length, ended });
    const joined = withNodeBehind(
      file,
      last,
      inputs.map((one) => one.outputs),
    );
    return { file: joined, isExact: true };
  }
  const joined = withNodeBehind(file, addedNode('n8n-nodes-base.noOp', name, first.end), [[...outputs, ...others]]);
  const isExact = isOneAtMost || (isOne && asked.every(givesAllRuns));
  return { file: isCalled || isExact ? joined : file, isExact };
}

/** A webhook whose answer is that of a node. */
export const answerByNode = (trigger: ImportedTrigger): ImportedTrigger =>
  trigger.kind === 'webhook' && trigger.settings.response?.mode === 'last_node'
    ? {
        ...trigger,
        settings: { ...trigger.settings, response: { ...trigger.settings.response, mode: 'respond_node' } },
      }
    : trigger;
