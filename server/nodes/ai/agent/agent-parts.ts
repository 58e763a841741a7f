import type { Node } from '@/contract/workflows/workflow';
import { approval } from '../../flow/approval';
import type { NodeKind } from '../../node';
import type { Part as PartOf, PartResult, Parts, RoundNode, RoundView } from '../../parts';
import { partIdOf } from '../../parts';
import { config, toolNodes, type Config } from './config';
import { answerIn, memoryKind } from './memory';
import type { Step } from './messages';
import { modelKind, newMessages } from './model';
import { startKind } from './start';
import { TOOL_KINDS, toolKind } from './tool-kinds';

type Part = PartOf<NodeKind>;

/** Retries of a call of the model, unless the agent has others: rate limits of providers pass. */
const RETRY = { maxAttempts: 3, backoffMs: 2000 };
const DEFAULT_WINDOW = 20;

/** Failures of a tool that its model cannot do anything about. */
const isFatal = (code: string) => code === 'FORBIDDEN' || code === 'NOT_MOCKED' || code.startsWith('CREDENTIAL_');

const nodeOf = (id: string, type: string, rest: Partial<Node>): Node => ({
  id,
  type,
  position: { x: 0, y: 0 },
  config: {},
  ...rest,
});

/** The arguments of the call that a node carries out, or asks a person about. */
function argumentsOf({ id, result }: RoundView): unknown {
  const step = result('model')?.output as Step | undefined;
  const node = id.replace(/\.approval$/, '');
  return step?.calls.find((call) => call.node === node && call.problem === undefined)?.arguments;
}

/** The question of an approval. The arguments are data: they are shown, and decide nothing. */
const question = (tool: string) =>
  `The agent asks to call ${tool} with these arguments:\n\n{{ $substring($string(input, true), 0, 8000) }}`;

function toolParts(agent: Node, source: Config): Part[] {
  return toolNodes(agent.config).flatMap(({ node, tool }) => {
    const kind = TOOL_KINDS.get(node.type);
    if (!kind) return [];
    const repeatable = tool.repeatable ?? agent.repeatable;
    const assignees = agent.config['assignees'];
    const rule = source.approvals?.[node.id] ?? 'never';
    const asking: Part = {
      node: nodeOf(`${node.id}.approval`, approval.type, {
        name: `Approval of ${node.id}`,
        config: { message: question(node.id), ...(assignees === undefined ? {} : { assignees }) },
      }),
      kind: approval as unknown as NodeKind,
      input: argumentsOf,
    };
    const calling: Part = {
      node: { ...node, ...(repeatable === undefined ? {} : { repeatable }) },
      kind: toolKind(kind, node.config),
      input: argumentsOf,
      keepsFailure: (code) => !isFatal(code),
    };
    return rule.trim() === 'never' ? [calling] : [asking, calling];
  });
}

/** The parts of an agent: its opening, the calls of its model, its tools with their approvals, its memory. */
export function agentParts(agent: Node): Parts<NodeKind> {
  const settings = config.safeParse(agent.config).data ?? {};
  const { credentialId, retry = RETRY, config: written } = agent;
  const memory = written['memory'] as { key?: unknown } | undefined;
  const key = memory === undefined ? {} : { key: memory.key };
  const opening = Object.fromEntries(
    ['model', 'instructions', 'input'].flatMap((field) =>
      written[field] === undefined ? [] : [[field, written[field]]],
    ),
  );
  const start: Part = {
    node: nodeOf('start', 'agent_start', { config: { ...opening, ...key } }),
    kind: startKind(written) as unknown as NodeKind,
    input: (view) => view.input,
  };
  const model: Part = {
    node: nodeOf('model', 'agent_model', { credentialId, retry }),
    kind: modelKind(settings) as unknown as NodeKind,
    input: newMessages,
    isKept: true,
  };
  const remembering: Part = {
    node: nodeOf('memory', 'agent_memory', {}),
    kind: memoryKind(settings.memory?.window ?? DEFAULT_WINDOW) as unknown as NodeKind,
    input: answerIn,
  };
  const tools = toolParts(agent, settings);
  const known = new Set(tools.map(({ node }) => node.id));
  return {
    parts: [start, model, ...tools, ...(memory === undefined ? [] : [remembering])],
    result: 'model',
    round: (index, resultOf) => roundOf(index, resultOf('model'), memory !== undefined, known),
  };
}

/** First the model; then the tools that it calls, or, with its answer, the memory. */
function roundOf(
  index: number,
  model: PartResult | undefined,
  hasMemory: boolean,
  known: ReadonlySet<string>,
): RoundNode[] {
  const nodes: RoundNode[] =
    index === 0
      ? [
          { id: 'start', part: 'start' },
          { id: 'model', part: 'model', after: { id: 'start', port: 'output' } },
        ]
      : [{ id: 'model', part: 'model' }];
  if (model?.status !== 'completed') return nodes;
  if (model.port !== 'calls') return hasMemory ? [...nodes, { id: 'memory', part: 'memory' }] : nodes;
  const { calls } = model.output as Step;
  for (const { node: id, needsApproval, problem } of calls) {
    const part = partIdOf(id);
    if (problem !== undefined || !known.has(part)) continue;
    if (!needsApproval) nodes.push({ id, part });
    else
      nodes.push(
        { id: `${id}.approval`, part: `${part}.approval` },
        { id, part, after: { id: `${id}.approval`, port: 'approved' } },
      );
  }
  return nodes;
}
