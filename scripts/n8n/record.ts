import { readFileSync, writeFileSync } from 'node:fs';
import {
  buildCallingWorkflow,
  buildCaseWorkflow,
  CASE_NODE_NAME,
  isWorkflowCase,
  parseCalledCases,
  parseCases,
  type CaseItem,
  type NodeCase,
  type WorkflowCase,
} from '@/import/n8n/cases/node-case';
import type { RealN8n } from './real-n8n';

const CONCURRENCY = 4;

/** What n8n gives for a case, in place of what is recorded. */
async function recordNodeCase(n8n: RealN8n, one: NodeCase): Promise<NodeCase> {
  const { outputs: _, failure: __, ...asked } = one;
  const { outputs, failure } = await n8n.run(buildCaseWorkflow(asked));
  if (failure !== undefined) return { ...asked, failure };
  const given = outputs[CASE_NODE_NAME] ?? [];
  const ports = Array.from({ length: asked.ports ?? 1 }, (__, port) => (given[port] ?? []) as CaseItem[]);
  return { ...asked, outputs: ports };
}

/** A workflow with what n8n gives. */
export async function recordWorkflow(n8n: RealN8n, workflow: WorkflowCase['workflow']): Promise<WorkflowCase> {
  const { items, failure } = await n8n.run(workflow);
  return { workflow, items, ...(failure === undefined ? {} : { failure }) };
}

/** Writes the cases of a file about what callers of workflows get, with what n8n gives them now. */
export async function recordCalledCases(n8n: RealN8n, file: string): Promise<number> {
  const lines: string[] = [];
  for (const { called, given } of parseCalledCases(readFileSync(file, 'utf8'))) {
    const { items, failure } = await n8n.run(buildCallingWorkflow({ called, given }));
    if (failure !== undefined) throw new Error(`${called.name}: ${failure}`);
    lines.push(`${JSON.stringify({ called, given, result: items[CASE_NODE_NAME] ?? [] })}\n`);
  }
  writeFileSync(file, lines.join(''));
  return lines.length;
}

/** Writes cases of nodes and of workflows into a file, with what n8n gives now. */
export async function recordCases(n8n: RealN8n, file: string, cases = readCases(file)): Promise<number> {
  const recorded: (NodeCase | WorkflowCase)[] = [];
  const waiting = [...cases.entries()];
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [index, one] = next;
      recorded[index] = await (isWorkflowCase(one) ? recordWorkflow(n8n, one.workflow) : recordNodeCase(n8n, one));
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  writeFileSync(file, recorded.map((one) => `${JSON.stringify(one)}\n`).join(''));
  return recorded.length;
}

const readCases = (file: string) => parseCases(readFileSync(file, 'utf8'));
