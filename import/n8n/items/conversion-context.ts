import type { CalledWorkflows } from '../called-workflows';
import type { ConversionContext, ConversionStatus } from '../conversion';
import type { N8nFile } from '../file';
import type { ConversionResult } from '../report/report-entry';
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
  const named = new Map<string, { count: number; first: string }>();
  /** How many nodes have a pattern, and the first of them. All are searched once. */
  const countNamed = (pattern: RegExp) => {
    const key = String(pattern);
    const found = named.get(key) ?? { count: 0, first: '' };
    if (!named.has(key)) {
      const names = file.nodes.filter((node) => pattern.test(writeParameterText(node))).map(({ name }) => name);
      Object.assign(found, { count: names.length, first: names[0] ?? '' });
      named.set(key, found);
    }
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
    isNamedElsewhere: ({ name }, pattern) => {
      const { count, first } = countNamed(pattern);
      return count > 1 || (count === 1 && first !== name);
    },
  };
}
