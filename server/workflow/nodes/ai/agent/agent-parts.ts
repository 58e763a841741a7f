import {
  isJavaScriptDialect,
  type ExpressionDialect,
  type ExpressionLanguage,
} from '@/contract/workflows/expression-language';
import type { WorkflowNode } from '@/contract/workflows/workflow';
import { approvalNodeType } from '../../flow/approval';
import type { NodeTypeDefinition } from '../../node-type';
import type { LoopPart as PartOf, RoundNodeResult, LoopParts, PlannedRoundNode, LoopRoundView } from '../../parts';
import { partOfNodeId } from '../../parts';
import { agentConfig, listToolNodes, type AgentNodeConfig } from './config';
import { readAgentAnswer, createMemoryNodeType } from './memory';
import type { AgentModelStep } from './messages';
import { createModelNodeType, createStepMessages } from './model';
import { createOpeningNodeType } from './start';
import { AGENT_TOOL_NODE_TYPES, createToolNodeType } from './tool-node-types';

type AgentPart = PartOf<NodeTypeDefinition>;

/** A call of the model is retried like this unless the agent says otherwise, because rate limits of providers pass. */
const DEFAULT_MODEL_RETRY = { maxAttempts: 3, backoffMs: 2000 };
const DEFAULT_MEMORY_WINDOW = 20;

/** Failures of a tool that its model cannot do anything about. */
const isFatalToolFailure = (code: string) =>
  code === 'FORBIDDEN' || code === 'NOT_MOCKED' || code.startsWith('CREDENTIAL_');

const createInnerNode = (id: string, type: string, rest: Partial<WorkflowNode>): WorkflowNode => ({
  id,
  type,
  position: { x: 0, y: 0 },
  config: {},
  ...rest,
});

/** The arguments of the call that a node carries out, or asks a person about. */
function findCallArguments({ id, result }: LoopRoundView): unknown {
  const step = result('model')?.output as AgentModelStep | undefined;
  const node = id.replace(/\.approval$/, '');
  return step?.calls.find((call) => call.node === node && call.problem === undefined)?.arguments;
}

/** The question of an approval. The arguments are data: they are shown, and decide nothing. */
const APPROVAL_ARGUMENTS: Record<ExpressionLanguage, string> = {
  jsonata: '$substring($string(input, true), 0, 8000)',
  javascript: '(JSON.stringify(input, null, 2) ?? "").slice(0, 8000)',
};
const writeApprovalQuestion = (tool: string, language: ExpressionDialect) =>
  `The agent asks to call ${tool} with these arguments:\n\n{{ ${APPROVAL_ARGUMENTS[isJavaScriptDialect(language) ? 'javascript' : 'jsonata']} }}`;

function createToolParts(agent: WorkflowNode, source: AgentNodeConfig, language: ExpressionDialect): AgentPart[] {
  return listToolNodes(agent.config).flatMap(({ node, tool }) => {
    const kind = AGENT_TOOL_NODE_TYPES.get(node.type);
    if (!kind) return [];
    const repeatable = tool.repeatable ?? agent.repeatable;
    const assignees = agent.config['assignees'];
    const rule = source.approvals?.[node.id] ?? 'never';
    const asking: AgentPart = {
      node: createInnerNode(`${node.id}.approval`, approvalNodeType.type, {
        name: `Approval of ${node.id}`,
        config: {
          message: writeApprovalQuestion(node.id, language),
          ...(assignees === undefined ? {} : { assignees }),
        },
      }),
      nodeType: approvalNodeType as unknown as NodeTypeDefinition,
      input: findCallArguments,
    };
    const calling: AgentPart = {
      node: { ...node, ...(repeatable === undefined ? {} : { repeatable }) },
      nodeType: createToolNodeType(kind, node.config),
      input: findCallArguments,
      keepsFailure: (code) => !isFatalToolFailure(code),
    };
    return rule.trim() === 'never' ? [calling] : [asking, calling];
  });
}

/** The parts of an agent: its opening, the calls of its model, its tools with their approvals, its memory. */
export function createAgentParts(agent: WorkflowNode, language: ExpressionDialect): LoopParts<NodeTypeDefinition> {
  const settings = agentConfig.safeParse(agent.config).data ?? {};
  const { credentialId, retry = DEFAULT_MODEL_RETRY, config: written } = agent;
  const memory = written['memory'] as { key?: unknown } | undefined;
  const key = memory === undefined ? {} : { key: memory.key };
  const opening = Object.fromEntries(
    ['model', 'instructions', 'input'].flatMap((field) =>
      written[field] === undefined ? [] : [[field, written[field]]],
    ),
  );
  const start: AgentPart = {
    node: createInnerNode('start', 'agent_start', { config: { ...opening, ...key } }),
    nodeType: createOpeningNodeType(written) as unknown as NodeTypeDefinition,
    input: (view) => view.input,
  };
  const model: AgentPart = {
    node: createInnerNode('model', 'agent_model', { credentialId, retry }),
    nodeType: createModelNodeType(settings) as unknown as NodeTypeDefinition,
    input: createStepMessages,
    isKept: true,
  };
  const remembering: AgentPart = {
    node: createInnerNode('memory', 'agent_memory', {}),
    nodeType: createMemoryNodeType(settings.memory?.window ?? DEFAULT_MEMORY_WINDOW) as unknown as NodeTypeDefinition,
    input: readAgentAnswer,
  };
  const tools = createToolParts(agent, settings, language);
  const known = new Set(tools.map(({ node }) => node.id));
  return {
    parts: [start, model, ...tools, ...(memory === undefined ? [] : [remembering])],
    result: 'model',
    round: (index, resultOf) => planAgentRound(index, resultOf('model'), memory !== undefined, known),
  };
}

/** First the model; then the tools that it calls, or, with its answer, the memory. */
function planAgentRound(
  index: number,
  model: RoundNodeResult | undefined,
  hasMemory: boolean,
  known: ReadonlySet<string>,
): PlannedRoundNode[] {
  const nodes: PlannedRoundNode[] =
    index === 0
      ? [
          { id: 'start', part: 'start' },
          { id: 'model', part: 'model', after: { id: 'start', port: 'output' } },
        ]
      : [{ id: 'model', part: 'model' }];
  if (model?.status !== 'completed') return nodes;
  if (model.port !== 'calls') return hasMemory ? [...nodes, { id: 'memory', part: 'memory' }] : nodes;
  const { calls } = model.output as AgentModelStep;
  for (const { node: id, needsApproval, problem } of calls) {
    const part = partOfNodeId(id);
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
