import type { N8nNode } from '../file';
import { readNodeSources, writeParameterText } from './node-sources';

/** What reads a node by its name, in an expression or in code. */
const NODE = String.raw`\$(?:\([^()]{0,300}\)|node\s*(?:\[[^\]]{0,300}\]|\.\w{1,200})|input)`;

/** Names of n8n that Weft has not, with what to do. */
const MISSING_NAMES: readonly (readonly [pattern: RegExp, task: string])[] = [
  [/\$secrets\b/, 'It reads $secrets, which does not exist here: choose a credential.'],
  [/\$parameter\b/, 'It reads $parameter, which does not exist here: write the value.'],
  [new RegExp(String.raw`${NODE}\s*\??\.\s*params\b`), 'It reads .params, which does not exist here: write the value.'],
  [/\$workflow\.name\b/, 'It reads $workflow.name, which does not exist here: write the name of the workflow.'],
  [
    new RegExp(String.raw`noItemsLeft|currentRunIndex|${NODE}\s*\??\.\s*context\b`),
    'Check what it reads of a loop: rounds have no state that others can read.',
  ],
];

/** What only n8n has at its address: webhooks, forms, pages and its API are elsewhere here. */
const N8N_PATH = /webhook(?:-\w+)?\/|\/webhook|N8N_ENDPOINT|\b(?:rest|api|form|workflow|home|mcp)\//;

/** Whether the address of n8n, which is that of Weft here, is all that a node reads of its environment. */
const readsAddressAlone = (node: N8nNode, names: readonly string[]): boolean =>
  names.length > 0 && names.every((name) => name === 'WEBHOOK_URL') && !N8N_PATH.test(writeParameterText(node));

/** Says what a node reads that does not exist here. */
export function listMissingNames(node: N8nNode): string[] {
  const text = readNodeSources(node);
  const variables = [...text.matchAll(/\$env(?:\.|\[\s*['"])(\w+)/g)].map(([, name = '']) => name);
  const names = [...new Set(variables)].slice(0, 10).join(', ');
  const environment = readsAddressAlone(node, variables)
    ? []
    : names !== ''
      ? [`Create the variables that are in the environment of n8n: ${names}.`]
      : text.includes('$env')
        ? ['It reads $env: here these are variables ($vars).']
        : [];
  return [...environment, ...MISSING_NAMES.flatMap(([pattern, task]) => (pattern.test(text) ? [task] : []))];
}
