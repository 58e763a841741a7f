import type { CalledWorkflows } from '../called-workflows';
import type { ConversionContext, ConversionStatus } from '../conversion';
import type { N8nFile, N8nNode } from '../file';
import { groupLinksByEnd, reachableIds, type NodeLink } from '../node-links';
import type { ConversionResult } from '../report/report-entry';
import { readsNode } from './node-names';
import { writeParameterText } from './node-sources';

const STATUS_ORDER: readonly ConversionStatus[] = ['converted', 'partly', 'placeholder', 'left out'];
const worseStatus = (one: ConversionStatus, other: ConversionStatus): ConversionStatus =>
  STATUS_ORDER.indexOf(one) < STATUS_ORDER.indexOf(other) ? other : one;

/** What is reported of a part that becomes several, such as the tools of one server. */
const joinResults = (one: ConversionResult, other: ConversionResult): ConversionResult => ({
  outcome: worseStatus(one.outcome, other.outcome),
  message: one.message.includes(other.message) ? one.message : `${one.message} ${other.message}`,
  knowledge: [...new Set([...one.knowledge, ...other.knowledge])],
  choices: [...(one.choices ?? []), ...(other.choices ?? [])],
});

/** What the conversion of one node needs to know about the rest of a file. Parts are reported in `results`. */
export function createConversionContext(
  file: N8nFile,
  workflows: CalledWorkflows,
  results: Map<string, ConversionResult>,
): ConversionContext {
  const reported = new Set<string>();
  const sources = new Set(file.links.map(({ from }) => from));
  const next = groupLinksByEnd(file.links, 'from');
  const listNext = (name: string) => [
    ...(next.get(name) ?? []).map(({ to }) => to),
    ...(file.attached.get(name) ?? []).map(({ node }) => node.name),
  ];
  const behind = new Map<string, Set<string>>();
  /** The nodes that get what comes of a node, with their parts. */
  const listBehind = (name: string, outputs: readonly NodeLink[]) => {
    const key = `${name} ${outputs.length}`;
    const found = behind.get(key) ?? reachableIds(new Set(outputs.map(({ to }) => to)), listNext);
    behind.set(key, found);
    return found;
  };
  const named = new Map<string, N8nNode[]>();
  /** The nodes that have a pattern. All are searched once. */
  const listNamed = (pattern: RegExp) => {
    const key = String(pattern);
    const found = named.get(key) ?? file.nodes.filter((node) => pattern.test(writeParameterText(node)));
    named.set(key, found);
    return found;
  };
  return {
    attachedParts: ({ name }, wanted) =>
      (file.attached.get(name) ?? []).flatMap(({ kind, node }) =>
        kind === wanted && !node.isDisabled && file.parts.has(node.name) ? [node] : [],
      ),
    reportPart: ({ name }, outcome, message, { knowledge = [], choices } = {}) => {
      const before = reported.has(name) ? results.get(name) : undefined;
      const result = { outcome, message, knowledge, choices };
      results.set(name, before ? joinResults(before, result) : result);
      reported.add(name);
    },
    workflows,
    hasFollowers: ({ name }) => sources.has(name),
    isNamedElsewhere: ({ name, onError }, pattern, isOfErrors = false) => {
      const links = next.get(name) ?? [];
      const outputs = isOfErrors && onError === 'output' ? links.filter(({ output }) => output > 0) : links;
      return listNamed(pattern).some(
        (one) => one.name !== name && (listBehind(name, outputs).has(one.name) || readsNode(one, name)),
      );
    },
  };
}
