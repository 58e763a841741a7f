import { readFileSync, writeFileSync } from 'node:fs';
import {
  buildCaseWorkflow,
  CASE_NODE_NAME,
  parseNodeCases,
  type CaseItem,
  type NodeCase,
} from '@/import/n8n/cases/node-case';
import type { RealN8n } from './real-n8n';

const CONCURRENCY = 4;

/** What n8n gives for a case, in place of what is recorded. */
async function recordCase(n8n: RealN8n, one: NodeCase): Promise<NodeCase> {
  const { outputs: _, failure: __, ...asked } = one;
  try {
    const { outputs, failure } = await n8n.run(buildCaseWorkflow(asked));
    if (failure !== undefined) return { ...asked, failure };
    const given = outputs[CASE_NODE_NAME] ?? [];
    const ports = Array.from({ length: asked.ports ?? 1 }, (__, port) => (given[port] ?? []) as CaseItem[]);
    return { ...asked, outputs: ports };
  } catch (error) {
    return { ...asked, failure: String(error) };
  }
}

/** Writes the outputs of n8n into a file of cases. */
export async function recordCases(n8n: RealN8n, file: string): Promise<number> {
  const cases = parseNodeCases(readFileSync(file, 'utf8'));
  const recorded: NodeCase[] = [];
  const waiting = [...cases.entries()];
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) recorded[next[0]] = await recordCase(n8n, next[1]);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  writeFileSync(
    file,
    recorded
      .map(
        (one) => `${JSON.stringify(one)}
`,
      )
      .join(''),
  );
  return recorded.length;
}
