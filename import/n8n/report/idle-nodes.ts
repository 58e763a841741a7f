import type { N8nFile, N8nNode } from '../file';
import { groupLinksByEnd, reachableIds } from '../node-links';
import type { ConversionResult } from './report-entry';

const UNREACHED = 'No trigger leads to it: it runs neither in n8n nor here.';
const SWITCHED_OFF = 'It is switched off, and passes its items on.';

/** The packages of n8n itself, whose triggers are known. */
const OWN_PACKAGES = /^(?:n8n-nodes-base|@n8n\/n8n-nodes-langchain)\./;

/**
 * The nodes that no trigger leads to, and that are no part of one which runs. A file without triggers has none, nor one
 * that has lost its connections: it does not say what runs.
 */
export function findUnreachedNodes(
  { nodes, links, attached, hasLostLinks }: N8nFile,
  triggers: readonly N8nNode[],
): Set<string> {
  const isConnected = links.some(({ from }) => triggers.some(({ name }) => name === from));
  if (!isConnected || hasLostLinks) return new Set();
  const [next, incoming] = [groupLinksByEnd(links, 'from'), groupLinksByEnd(links, 'to')];
  // What nothing leads to may start runs if it is of a package that is not known.
  const others = nodes.filter(({ name, type }) => !incoming.has(name) && !OWN_PACKAGES.test(type));
  const reached = reachableIds(
    [...triggers, ...others].map(({ name }) => name),
    (name) => [
      ...(next.get(name) ?? []).map(({ to }) => to),
      ...(attached.get(name) ?? []).map(({ node }) => node.name),
    ],
  );
  return new Set(nodes.flatMap(({ name }) => (reached.has(name) ? [] : [name])));
}

/** What a node that never runs asks for is worth knowing, and no task. */
export function describeIdleNode(found: ConversionResult, node: N8nNode, isUnreached: boolean): ConversionResult {
  const isSkipped = node.isDisabled && found.outcome === 'placeholder';
  if (found.outcome === 'converted' || (!isUnreached && !isSkipped)) return found;
  const message = `${isUnreached ? UNREACHED : SWITCHED_OFF} ${found.message}`.trim();
  return { outcome: 'converted', message, knowledge: [message] };
}
