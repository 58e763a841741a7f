/** An item of n8n in a case: its JSON, with its files in `$files`. */
export type CaseItem = Record<string, unknown>;

/**
 * One node of n8n with data, and the items that n8n gave at each of its outputs. `outputs` is absent where n8n fails
 * with `failure`.
 */
export interface NodeCase {
  /** What the case shows. */
  shows: string;
  type: string;
  version: number;
  parameters?: Record<string, unknown>;
  /** The items at the first input, or those at each input. */
  items?: CaseItem[];
  inputs?: CaseItem[][];
  /** Settings of the node: `onError`, `alwaysOutputData`, `executeOnce`. */
  settings?: Record<string, unknown>;
  /** How many outputs the node has; one unless it is given. */
  ports?: number;
  outputs?: CaseItem[][];
  failure?: string;
}

/** A whole workflow, and the items that n8n gave at its nodes. */
export interface WorkflowCase {
  workflow: { name: string };
  items: Record<string, unknown[]>;
  failure?: string;
}

/** A workflow that another one calls with items, and the items that n8n gave to the caller. */
export interface CalledCase {
  called: { name: string };
  given: CaseItem[];
  result: unknown[];
}

const parseLines = <Case>(text: string): Case[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Case);

/** The cases of a file, one in each line. */
export const parseCases = parseLines<NodeCase | WorkflowCase>;

/** The cases of a file about what callers of workflows get. */
export const parseCalledCases = parseLines<CalledCase>;

/** A workflow that calls the one of a case in n8n, and its node that has what it gets. */
export function buildCallingWorkflow({ called, given }: Omit<CalledCase, 'result'>) {
  const step = (name: string, type: string, typeVersion: number, parameters: object, x: number) => ({
    id: name.toLowerCase(),
    name,
    type: `n8n-nodes-base.${type}`,
    typeVersion,
    parameters,
    position: [x, 0],
  });
  const workflowJson = JSON.stringify(called);
  const to = (node: string) => ({ main: [[{ node, type: 'main', index: 0 }]] });
  return {
    name: `Calls ${called.name}`,
    nodes: [
      step('Start', 'manualTrigger', 1, {}, 0),
      step('Data', 'code', 2, { jsCode: `return ${JSON.stringify(given.map((json) => ({ json })))};` }, 200),
      step('Call', 'executeWorkflow', 1.2, { source: 'parameter', workflowJson, options: {} }, 400),
      step(CASE_NODE_NAME, 'noOp', 1, {}, 600),
    ],
    connections: { Start: to('Data'), Data: to('Call'), Call: to(CASE_NODE_NAME) },
    settings: { executionOrder: 'v1' },
  };
}

export const isWorkflowCase = (one: NodeCase | WorkflowCase): one is WorkflowCase => 'workflow' in one;

/** The name of the node of a case, and of the nodes that show what each of its outputs gives. */
export const CASE_NODE_NAME = 'Node';
export const caseOutputName = (port: number): string => `Out ${port + 1}`;

/** A file as a case has it: its content in Base64. */
interface CaseFile {
  data: string;
  mimeType: string;
  fileName: string;
}

interface CaseLink {
  node: string;
  type: 'main';
  index: number;
}

/** What a case looks like as an exported workflow: a manual trigger, code with the items, the node, one node for each output. */
export function buildCaseWorkflow(one: NodeCase) {
  const inputs = one.inputs ?? [one.items ?? [{}]];
  const ports = one.ports ?? 1;
  const link = (node: string, index = 0): CaseLink => ({ node, type: 'main', index });
  const sources = inputs.map((items, index) => ({
    name: inputs.length > 1 ? `Data ${index + 1}` : 'Data',
    items,
  }));
  const base = (name: string, type: string, typeVersion: number, parameters: object, x: number, y = 0) => ({
    id: name.toLowerCase().replaceAll(' ', '-'),
    name,
    type: type.includes('.') ? type : `n8n-nodes-base.${type}`,
    typeVersion,
    parameters,
    position: [x, y] as [number, number],
  });
  const { $files: files } = (inputs[0]?.[0] ?? {}) as { $files?: Record<string, CaseFile> };
  const file = Object.values(files ?? {})[0];
  const first = file ? 'File' : 'Data';
  const outputs = Array.from({ length: ports }, (_, port) => caseOutputName(port));
  return {
    name: one.shows,
    nodes: [
      base('Start', 'manualTrigger', 1, {}, 0),
      ...sources.map(({ name, items }, index) =>
        base(name, 'code', 2, { jsCode: `return ${JSON.stringify(items.map(toCodeItem))};` }, 200, index * 200),
      ),
      ...(file
        ? [
            base(
              'File',
              'convertToFile',
              1.1,
              {
                operation: 'toBinary',
                sourceProperty: 'content',
                options: { fileName: file.fileName, mimeType: file.mimeType },
              },
              300,
            ),
          ]
        : []),
      { ...base(CASE_NODE_NAME, one.type, one.version, one.parameters ?? {}, 400), ...one.settings },
      ...outputs.map((name, port) => base(name, 'noOp', 1, {}, 600, port * 200)),
    ],
    connections: {
      Start: { main: [sources.map(({ name }) => link(name))] },
      ...Object.fromEntries(sources.map(({ name }, index) => [name, { main: [[link(CASE_NODE_NAME, index)]] }])),
      ...(file ? { Data: { main: [[link(first)]] }, File: { main: [[link(CASE_NODE_NAME)]] } } : {}),
      [CASE_NODE_NAME]: { main: outputs.map((name) => [link(name)]) },
    },
    settings: { executionOrder: 'v1' },
  };
}

/** An item as code returns it. One with a file has its content, of which the next node makes the file. */
function toCodeItem({ $files, ...json }: CaseItem) {
  const [file] = Object.values(($files ?? {}) as Record<string, CaseFile>);
  return { json: file ? { content: file.data } : json };
}
