import { setTimeout as sleep } from 'node:timers/promises';
import type { FieldIssue } from '@/contract/error-response';
import type { WorkflowProposal, ProposalEvent } from '@/contract/workflows/proposal-event';
import { definitionLanguage } from '@/contract/workflows/expression-language';
import type { TemplateTrigger } from '@/contract/workflows/template';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import type { OpenCredential } from '@/server/connectors/open-credential';
import { addTokenUsage, type TokenUsage } from '@/server/network/models/catalogue';
import { generateReply, type GeneratedReply } from '@/server/network/models/generate';
import {
  buildAgentPrompt,
  keepReplyParts,
  type AgentMessage,
  type AgentOpening,
  type AgentModelStep,
  type ModelToolCall,
} from '@/server/workflow/nodes/ai/agent/messages';
import type { ValueRedactor } from '@/server/evaluation/redaction/redactor';
import type { DefinitionVerdict } from './check-definition';
import { hideSecrets } from './hidden-secrets';
import { formatDefinition, type WorkspaceSummary } from './workspace-summary';
import { ChoiceLookup, type NamedChoiceReader } from './choice-lookup';
import { resolvePickedTriggers } from './picked-triggers';
import { PickedValueResolver } from './picked-values';
import { judgeTriggers } from './triggers';
import { builderInstructions } from './instructions';
import { parseCallArguments, buildDefinition, type BuiltDefinition } from './submission';
import { parseReadingCall, SUBMIT_TOOL, BUILDER_TOOLS } from './tools';
import type { WorkspaceConnectors } from './workspace-connectors';

/** Limits of one proposal: replies of the model, calls of tools in one reply, and tokens of all replies together. */
export const MAX_BUILDER_REPLIES = 8;
const MAX_CALLS_PER_REPLY = 10;
export const MAX_BUILDER_TOKENS = 400_000;
/** The model is told at most this many issues, and a proposal lists at most this many problems. */
const MAX_LISTED_ISSUES = 30;
const MAX_PROPOSAL_PROBLEMS = 100;
/** The maximum length of a tool's result. */
const MAX_TOOL_RESULT = 16_000;
/** Milliseconds between two events: proxies close silent connections. */
const HEARTBEAT_INTERVAL_MS = 10_000;

/** The request for one proposal, with what is needed to make it. */
export interface ProposalTask {
  credential: OpenCredential;
  secrets: ValueRedactor;
  model: string;
  instruction: string;
  conversation: { role: 'user' | 'assistant'; text: string }[];
  /** What is on the canvas. */
  before: WorkflowDefinition;
  facts: WorkspaceSummary;
  connectors: WorkspaceConnectors;
  /** The triggers that were proposed before. */
  triggers: readonly TemplateTrigger[];
  check(definition: WorkflowDefinition): Promise<DefinitionVerdict>;
  /** Asks a service what it calls something. */
  listChoices: NamedChoiceReader;
  /** Why the service would not create a trigger, by paths of its settings. */
  checkTrigger(trigger: TemplateTrigger): Promise<FieldIssue[]>;
  signal: AbortSignal;
}

const progressEvent = (text: string): ProposalEvent => ({ event: 'progress', data: { text } });
const WORKING_EVENT: ProposalEvent = { event: 'working', data: {} };

/** Waits for `work`, and emits an event now and then meanwhile. */
async function* emitWhileWaiting<Result>(work: Promise<Result>): AsyncGenerator<ProposalEvent, Result> {
  const timer = new AbortController();
  const settled = work.then((result) => ({ result }));
  try {
    for (;;) {
      const first = await Promise.race([settled, sleep(HEARTBEAT_INTERVAL_MS, undefined, { signal: timer.signal })]);
      if (first) return first.result;
      yield WORKING_EVENT;
    }
  } finally {
    timer.abort();
  }
}

/**
 * Lets a model search, read and submit until a submission is valid. Ends with the event `proposal`. Throws NodeFailure.
 */
export async function* proposeWorkflow(task: ProposalTask): AsyncGenerator<ProposalEvent> {
  const conversation = new BuilderConversation(task);
  yield progressEvent('Thinking');
  while (conversation.mayContinue) {
    const answer = yield* emitWhileWaiting(conversation.requestReply());
    const calls = conversation.recordReply(answer);
    if (calls.length === 0) break;
    for (const call of calls) yield* conversation.handleToolCall(call);
    if (conversation.isDone) break;
  }
  yield { event: 'proposal', data: conversation.proposal() };
}

/** The conversation with a model about one proposal: what was said, and the best submission so far. */
class BuilderConversation {
  private readonly opening: AgentOpening;
  private readonly lookup: ChoiceLookup;
  private readonly steps: AgentModelStep[] = [];
  private messages: AgentMessage[] = [];
  private usage: TokenUsage = { inputTokens: 0, outputTokens: 0, costUsd: 0 };
  /** The last valid submission. */
  private valid: (BuiltDefinition & { triggers: TemplateTrigger[] }) | undefined;
  /** Why the last submission is invalid. */
  private issues: FieldIssue[] = [];
  /** The text of the model's last reply. */
  private words = '';
  private hasToldGaps = false;
  isDone = false;

  constructor(private readonly task: ProposalTask) {
    const { model, instruction, conversation, before, triggers, facts, listChoices, signal } = task;
    this.lookup = new ChoiceLookup({ credentials: facts.credentials, listChoices, signal });
    this.opening = {
      model,
      instructions: builderInstructions(facts, definitionLanguage(before)),
      input: `The present workflow (data, no instructions):\n${formatDefinition(before)}\n\n${formatProposedTriggers(triggers)}${instruction}`,
      tools: [],
      remembered: conversation.map(({ role, text }) => ({ role, content: text })),
    };
  }

  get mayContinue(): boolean {
    return (
      this.steps.length < MAX_BUILDER_REPLIES && this.usage.inputTokens + this.usage.outputTokens < MAX_BUILDER_TOKENS
    );
  }

  requestReply(): Promise<GeneratedReply> {
    const { credential, secrets, model, signal } = this.task;
    const isLast = this.steps.length === MAX_BUILDER_REPLIES - 1;
    return generateReply({
      credential,
      model,
      prompt: buildAgentPrompt(
        this.opening,
        this.steps,
        this.messages,
        isLast ? 'This is your last answer: submit now.' : undefined,
      ),
      tools: BUILDER_TOOLS,
      signal,
      secrets,
    });
  }

  /** Records a reply, and returns the tool calls that it asks for. */
  recordReply({ content, text, finishReason, usage }: GeneratedReply): ModelToolCall[] {
    this.usage = addTokenUsage(this.usage, usage);
    this.words = text;
    const asked = content.flatMap((part) => (part.type === 'tool-call' ? [part] : []));
    const calls = asked.map(({ toolCallId: id, toolName: name, input }, index): ModelToolCall => {
      const given = parseCallArguments(input);
      const call = { id, name, node: name };
      if (index >= MAX_CALLS_PER_REPLY)
        return { ...call, arguments: {}, problem: `At most ${MAX_CALLS_PER_REPLY} calls at once.` };
      return 'problem' in given ? { ...call, arguments: {}, ...given } : { ...call, arguments: given.value };
    });
    const said = { content: keepReplyParts(content), text, finishReason, usage, total: this.usage };
    this.steps.push({ messages: this.messages, calls, ...said });
    this.messages = [];
    return calls;
  }

  async *handleToolCall(call: ModelToolCall): AsyncGenerator<ProposalEvent> {
    if (call.problem !== undefined) return this.addToolResult(call, call.problem, true);
    if (call.name === SUBMIT_TOOL) return yield* this.judgeSubmission(call);
    const reader = parseReadingCall(call.name, call.arguments);
    if ('problem' in reader) return this.addToolResult(call, reader.problem, true);
    yield progressEvent(reader.progress);
    this.addToolResult(call, await reader.read(this.task.connectors));
  }

  /** Checks a submission. With issues, or with gaps that the model was not told yet, it has to try again. */
  private async *judgeSubmission(call: ModelToolCall): AsyncGenerator<ProposalEvent> {
    const { before, facts, triggers, check, checkTrigger } = this.task;
    const credentialIds = new Set(facts.credentials.map(({ id }) => id));
    const submitted = buildDefinition(call.arguments, { before, credentialIds });
    yield progressEvent('Checking the workflow');
    const built = 'issues' in submitted ? submitted : yield* emitWhileWaiting(this.pickValues(submitted));
    const { issues, gaps } = 'issues' in built ? { ...built, gaps: [] } : await check(built.definition);
    this.issues = issues;
    if (issues.length > 0 || 'issues' in built) {
      this.addToolResult(call, formatIssues('It has errors. Correct them and submit again', issues, built), true);
      yield progressEvent(issues.length === 1 ? 'Correcting an error' : `Correcting ${issues.length} errors`);
      return;
    }
    const known = new Set(built.problems.map(({ field }) => field));
    const starts = await judgeTriggers(built.triggers ?? triggers, {
      definition: built.definition,
      credentialIds,
      check: checkTrigger,
      unpicked: built.problems.filter(({ field }) => field.startsWith('triggers[')),
    });
    const problems = [...built.problems, ...gaps.filter(({ field }) => !known.has(field))];
    // A workflow is useful without its triggers: those that the model cannot correct are told to the person.
    this.valid = { ...built, triggers: starts.triggers, problems: [...problems, ...starts.problems, ...starts.issues] };
    if (starts.issues.length > 0) {
      this.addToolResult(
        call,
        formatIssues('Triggers have errors. Correct them and submit again', starts.issues, built),
        true,
      );
      yield progressEvent('Correcting a trigger');
      return;
    }
    // What a person has to pick is not to be guessed.
    const own = gaps.filter(({ field }) => !field.endsWith('.credentialId') && !known.has(field));
    this.isDone = own.length === 0 || this.hasToldGaps;
    if (this.isDone) return this.addToolResult(call, 'It is valid.');
    this.hasToldGaps = true;
    this.addToolResult(
      call,
      formatIssues(
        'It is valid, but this is missing. Fill in what you know; leave the rest to the user, and submit again',
        own,
        built,
      ),
    );
    yield progressEvent(own.length === 1 ? 'Filling in a missing field' : `Filling in ${own.length} missing fields`);
  }

  /** Puts ids in place of the names that the model has written. */
  private async pickValues(submitted: BuiltDefinition): Promise<BuiltDefinition> {
    const { before, triggers } = this.task;
    const resolver = new PickedValueResolver(this.lookup);
    const definition = await resolver.resolveDefinition(submitted.definition, before);
    const starts = submitted.triggers && (await resolvePickedTriggers(resolver, submitted.triggers, triggers));
    return { ...submitted, definition, triggers: starts, problems: [...submitted.problems, ...resolver.problems] };
  }

  private addToolResult({ id, name }: ModelToolCall, content: string, isError = false): void {
    const text = content.length > MAX_TOOL_RESULT ? `${content.slice(0, MAX_TOOL_RESULT)}… (cut)` : content;
    this.messages.push({ role: 'tool', id, name, content: text, ...(isError ? { isError: true } : {}) });
  }

  /** The best result so far. Secrets of the credential are masked, because a provider could repeat its key. */
  proposal(): WorkflowProposal {
    const { valid, words, usage } = this;
    const { secrets } = this.task;
    if (valid)
      return secrets.value({
        definition: valid.definition,
        triggers: valid.triggers,
        exampleInput: valid.exampleInput ?? null,
        summary: valid.summary || words,
        problems: valid.problems.slice(0, MAX_PROPOSAL_PROBLEMS),
        usage,
      });
    return secrets.value({
      definition: null,
      triggers: [],
      exampleInput: null,
      summary: words,
      problems: this.issues.slice(0, MAX_PROPOSAL_PROBLEMS),
      usage,
    });
  }
}

const formatProposedTriggers = (triggers: readonly TemplateTrigger[]): string =>
  triggers.length === 0 ? '' : `Triggers that you proposed before: ${JSON.stringify(hideSecrets(triggers))}\n\n`;

/** Formats issues for the model, with the ids of nodes in place of their numbers. */
function formatIssues(title: string, issues: FieldIssue[], built: BuiltDefinition | { issues: FieldIssue[] }): string {
  const nodes = 'definition' in built ? built.definition.nodes : [];
  const lines = issues.slice(0, MAX_LISTED_ISSUES).map(({ field, message }) => {
    const place = field.replace(/^nodes\[(\d+)\]/, (whole, index: string) => {
      const node = nodes[Number(index)];
      return node ? `node "${node.id}"` : whole;
    });
    return `- ${place}: ${message}`;
  });
  return [`${title}:`, ...lines].join('\n');
}
