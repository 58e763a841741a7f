import type { Definition } from '@weft/client';
import { EXIT_CODES, CommandFailure } from './failure.js';
import * as n8n from './generated/n8n.js';

/** What a person has to know, or to do, about an imported workflow. */
export interface N8nImportFinding {
  kind: 'account' | 'choose' | 'check' | 'replace' | 'know';
  node: string;
  field: string | null;
  message: string;
}

/** A workflow that others call: its id, and the start node at which calls begin. */
export interface CallableImport {
  workflowId: string;
  startNodeId: string | null;
}

/** Everything that is created for a workflow of n8n. */
export interface N8nConversionResult {
  name: string;
  description: string;
  definition: Definition;
  settings: {
    timeZone?: string | null;
    isTool?: boolean;
    startNodeId?: string | null;
    errorWorkflowId?: string | null;
  };
  triggers: { kind: 'webhook' | 'form' | 'chat' | 'schedule' | 'poll'; settings: object }[];
  light: 'green' | 'yellow' | 'red';
  tags: string[];
  folder: string | null;
  pins: { nodeId: string; output: unknown }[];
  tests: { name: string; input: object; mocks: object; expectations: object; startNodeId: string | null }[];
  runsLeftOut: number;
  calledStartId: string | null;
  /** The workflows that are created beside it: the tools that it offers in n8n. */
  further: N8nConversionResult[];
  linkToItself: ((id: string) => Definition) | null;
  record: { sourceId: string | null; report: N8nImportFinding[] };
}

/** The workflows of n8n in a parsed file: one, a list, or a backup. */
export const findN8nWorkflows = (value: unknown): unknown[] => n8n.listN8nWorkflows(value) as unknown[];

/** Those that others call come first, so that they can be led to. */
export const sortN8nWorkflows = <Found extends { value: unknown }>(found: readonly Found[]): Found[] =>
  n8n.sortByCalls(found, ({ value }: { value: unknown }) => value) as Found[];

/** Makes workflows known to those of the same import that call them. */
export function rememberCallableImports(found: readonly { value: unknown }[], workflows: Map<string, CallableImport>) {
  const namesakes = n8n.findNamesakes(found.map(({ value }) => value));
  return (id: string, called: CallableImport): void =>
    n8n.addCalledWorkflow(workflows, { id, namesakes, ...called } as never);
}

/** Converts a workflow of n8n with its runs. `source`: where it is from, for the failure. */
export function convertN8nWorkflow(
  value: unknown,
  source: string,
  about: { url?: string | null; runs?: readonly unknown[]; workflows?: ReadonlyMap<string, CallableImport> } = {},
): N8nConversionResult {
  try {
    return n8n.planN8nImport(value, about as never) as N8nConversionResult;
  } catch (error) {
    throw new CommandFailure(
      `${source}: ${error instanceof Error ? error.message : 'it can not be imported'}`,
      EXIT_CODES.usage,
    );
  }
}
