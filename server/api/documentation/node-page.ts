import type { NodeTypeDescription } from '@/contract/workflows/node-type';
import { loadTemplateFiles } from '@/server/workflow/templates';
import { NODE_GUIDES } from './contents';
import { markdownCell, schemaFieldRows, markdownTable } from './schema-table';

/** The pages of all nodes repeat this section: a search for its words means the guide. */
export const EACH_SECTION_HEADING = 'Runs for each item';

const PORT_DESCRIPTIONS: Readonly<Record<string, string>> = {
  output: 'the result',
  error: 'the error, if something is connected here; otherwise a failure of the node fails the run',
};

/** The page of a node type as Markdown, generated from its record. */
export async function buildNodePage({
  type,
  title,
  description,
  synonyms,
  ports,
  credentialTypes,
  configSchema,
  takesEach,
}: NodeTypeDescription): Promise<string> {
  const guide = NODE_GUIDES[type];
  return [
    `# ${title}`,
    description,
    `Type in definitions: \`${type}\`.${synonyms.length ? ` Also found as: ${synonyms.join(', ')}.` : ''}`,
    guide ? `**Guide with examples: [${guide.title}](/docs/${guide.path}).**` : '',
    '## Configuration',
    configurationSection(configSchema),
    '## Ports',
    ports.inputs.length ? '' : 'It has no input: it starts the run.',
    markdownTable(
      ['Output', 'Passes on'],
      [
        ...ports.outputs.map((port) => [
          `\`${port}\``,
          PORT_DESCRIPTIONS[port] ?? 'the result, if the node chooses this port',
        ]),
        ...(ports.dynamicOutputs ? [['…', `one port for each entry of \`${ports.dynamicOutputs}\``]] : []),
      ],
    ),
    ...(credentialTypes.length
      ? [
          '## Credential',
          `Accepts credentials of these kinds: ${credentialTypes.map((kind) => `\`${kind}\``).join(', ')}.`,
        ]
      : []),
    `## ${EACH_SECTION_HEADING}`,
    eachSection(takesEach === true, ports),
    ...(await nodeExampleSection(type)),
    '## Errors and time',
    'Attempts, timeout and the error port are settings of every node: see [Errors and retries](/docs/errors).',
  ].join('\n\n');
}

/** What `each` does at nodes of a type. */
function eachSection(takesEach: boolean, { outputs, dynamicOutputs }: NodeTypeDescription['ports']): string {
  if (!takesEach) return 'It does not take `each`: see [Lists](/docs/each).';
  const hasSeveralPorts = dynamicOutputs !== null || outputs.filter((port) => port !== 'error').length > 1;
  return [
    'With `each` it runs once for each item that arrives: `input` and `item` are the item, `index` is its place.',
    hasSeveralPorts
      ? 'Each item leaves by the port that the node chooses for it, and a port delivers its items together.'
      : 'Its output has the outputs, in order.',
    'Without items the branch ends here, unless the node says otherwise: see [`each`](/docs/each).',
  ].join(' ');
}

function configurationSection(schema: Record<string, unknown>): string {
  const rows = schemaFieldRows(schema);
  if (!rows.length) return 'It has no fields.';
  return `${markdownTable(['Field', 'Type', 'Meaning'], rows)}\n\nFields take expressions in \`{{ }}\` unless their type says otherwise: see [Expressions](/docs/expressions).`;
}

/** The node of this type in the smallest template that has one: every template is run by a test. */
async function nodeExampleSection(type: string): Promise<string[]> {
  const used = (await loadTemplateFiles())
    .map((template) => ({ template, node: template.definition.nodes.find((one) => one.type === type) }))
    .filter(({ node }) => node !== undefined && Object.keys(node.config).length > 0)
    .sort((a, b) => a.template.definition.nodes.length - b.template.definition.nodes.length)[0];
  if (!used?.node) return [];
  const { id, config } = used.node;
  const json = JSON.stringify({ id, type, config }, null, 2);
  return ['## Example', `From the template “${markdownCell(used.template.name)}”:`, `\`\`\`json\n${json}\n\`\`\``];
}
