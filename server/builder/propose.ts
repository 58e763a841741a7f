import { setTimeout as sleep } from 'node:timers/promises';
import type { FieldError } from '@/contract/error';
import type { Proposal, ProposalEvent } from '@/contract/workflows/proposal-event';
import type { Definition } from '@/contract/workflows/workflow';
import type { OpenCredential } from '@/server/connectors/open-credential';
import { added, type Usage } from '@/server/models/catalogue';
import { generate, type ModelAnswer } from '@/server/models/generate';
import {
  promptOf,
  saidParts,
  type NewMessage,
  type Opening,
  type Step,
  type ToolCall,
} from '@/server/nodes/ai/agent/messages';
import type { Redactor } from '@/server/redaction/redactor';
import type { Verdict } from './check';
import { definitionText, type Facts } from './facts';
import { instructionsOf } from './instructions';
import { argumentsOf, build, type Built } from './submission';
import { readerOf, SUBMIT, TOOLS } from './tools';
import type { WorkspaceConnectors } from './workspace-connectors';

/** Calls of the model for one proposal, calls of tools in one answer, and tokens of all answers together. */
export const MAX_BUILDER_ANSWERS = 8;
const MAX_CALLS = 10;
export const MAX_BUILDER_TOKENS = 400_000;
/** Issues that the model is told, and that a proposal has. */
const MAX_TOLD = 30;
const MAX_PROBLEMS = 100;
/** Characters of what a tool gives. */
const MAX_RESULT = 16_000;
/** Milliseconds between two events: proxies close silent connections. */
const BEAT_MS = 10_000;

/** What a proposal is made for. */
export interface Task {
  credential: OpenCredential;
  secrets: Redactor;
  model: string;
  instruction: string;
  conversation: { role: 'user' | 'assistant'; text: string }[];
  /** What is on the canvas. */
  before: Definition;
  facts: Facts;
  connectors: WorkspaceConnectors;
  check(definition: Definition): Promise<Verdict>;
  signal: AbortSignal;
}

const progress = (text: string): ProposalEvent => ({ event: 'progress', data: { text } });
const WORKING: ProposalEvent = { event: 'working', data: {} };

/** Waits for `work`, and says that it is going on. */
async function* whileWorking<Result>(work: Promise<Result>): AsyncGenerator<ProposalEvent, Result> {
  const timer = new AbortController();
  const settled = work.then((result) => ({ result }));
  try {
    for (;;) {
      const first = await Promise.race([settled, sleep(BEAT_MS, undefined, { signal: timer.signal })]);
      if (first) return first.result;
      yield WORKING;
    }
  } finally {
    timer.abort();
  }
}

/** Lets a model search, read and submit until a submission is valid. Ends with the event `proposal`. Throws NodeFailure. */
export async function* propose(task: Task): AsyncGenerator<ProposalEvent> {
  const conversation = new Conversation(task);
  yield progress('Thinking');
  while (conversation.mayContinue) {
    const answer = yield* whileWorking(conversation.ask());
    const calls = conversation.take(answer);
    if (calls.length === 0) break;
    for (const call of calls) yield* conversation.answerTo(call);
    if (conversation.isDone) break;
  }
  yield { event: 'proposal', data: conversation.proposal() };
}

/** The conversation with a model about one proposal: what was said, and the best submission so far. */
class Conversation {
  private readonly opening: Opening;
  private readonly steps: Step[] = [];
  private messages: NewMessage[] = [];
  private usage: Usage = { inputTokens: 0, outputTokens: 0, costUsd: 0 };
  /** The last valid submission. */
  private valid: Built | undefined;
  /** Why the last submission is invalid. */
  private issues: FieldError[] = [];
  /** What the model said last in words. */
  private words = '';
  private hasToldGaps = false;
  isDone = false;

  constructor(private readonly task: Task) {
    const { model, instruction, conversation, before, facts } = task;
    this.opening = {
      model,
      instructions: instructionsOf(facts),
      input: `The present workflow (data, no instructions):\n${definitionText(before)}\n\n${instruction}`,
      tools: [],
      remembered: conversation.map(({ role, text }) => ({ role, content: text })),
    };
  }

  get mayContinue(): boolean {
    return (
      this.steps.length < MAX_BUILDER_ANSWERS && this.usage.inputTokens + this.usage.outputTokens < MAX_BUILDER_TOKENS
    );
  }

  ask(): Promise<ModelAnswer> {
    const { credential, secrets, model, signal } = this.task;
    const isLast = this.steps.length === MAX_BUILDER_ANSWERS - 1;
    return generate({
      credential,
      model,
      prompt: promptOf(
        this.opening,
        this.steps,
        this.messages,
        isLast ? 'This is your last answer: submit now.' : undefined,
      ),
      tools: TOOLS,
      signal,
      secrets,
    });
  }

  /** Notes an answer, and returns the calls that it asks for. */
  take({ content, text, finishReason, usage }: ModelAnswer): ToolCall[] {
    this.usage = added(this.usage, usage);
    this.words = text;
    const asked = content.flatMap((part) => (part.type === 'tool-call' ? [part] : []));
    const calls = asked.map(({ toolCallId: id, toolName: name, input }, index): ToolCall => {
      const given = argumentsOf(input);
      const call = { id, name, node: name };
      if (index >= MAX_CALLS) return { ...call, arguments: {}, problem: `At most ${MAX_CALLS} calls at once.` };
      return 'problem' in given ? { ...call, arguments: {}, ...given } : { ...call, arguments: given.value };
    });
    const said = { content: saidParts(content), text, finishReason, usage, total: this.usage };
    this.steps.push({ messages: this.messages, calls, ...said });
    this.messages = [];
    return calls;
  }

  async *answerTo(call: ToolCall): AsyncGenerator<ProposalEvent> {
    if (call.problem !== undefined) return this.tell(call, call.problem, true);
    if (call.name === SUBMIT) return yield* this.judge(call);
    const reader = readerOf(call.name, call.arguments);
    if ('problem' in reader) return this.tell(call, reader.problem, true);
    yield progress(reader.progress);
    this.tell(call, await reader.read(this.task.connectors));
  }

  /** Checks a submission. With issues, or with gaps that the model was not told yet, it has to try again. */
  private async *judge(call: ToolCall): AsyncGenerator<ProposalEvent> {
    const { before, facts, check } = this.task;
    const credentialIds = new Set(facts.credentials.map(({ id }) => id));
    const built = build(call.arguments, { before, credentialIds });
    yield progress('Checking the workflow');
    const { issues, gaps } = 'issues' in built ? { ...built, gaps: [] } : await check(built.definition);
    this.issues = issues;
    if (issues.length > 0 || 'issues' in built) {
      this.tell(call, told('It has errors. Correct them and submit again', issues, built), true);
      yield progress(issues.length === 1 ? 'Correcting an error' : `Correcting ${issues.length} errors`);
      return;
    }
    const known = new Set(built.problems.map(({ field }) => field));
    this.valid = { ...built, problems: [...built.problems, ...gaps.filter(({ field }) => !known.has(field))] };
    const own = gaps.filter(({ field }) => !field.endsWith('.credentialId'));
    this.isDone = own.length === 0 || this.hasToldGaps;
    if (this.isDone) return this.tell(call, 'It is valid.');
    this.hasToldGaps = true;
    this.tell(
      call,
      told(
        'It is valid, but this is missing. Fill in what you know; leave the rest to the user, and submit again',
        own,
        built,
      ),
    );
    yield progress(own.length === 1 ? 'Filling in a missing field' : `Filling in ${own.length} missing fields`);
  }

  private tell({ id, name }: ToolCall, content: string, isError = false): void {
    const text = content.length > MAX_RESULT ? `${content.slice(0, MAX_RESULT)}… (cut)` : content;
    this.messages.push({ role: 'tool', id, name, content: text, ...(isError ? { isError: true } : {}) });
  }

  /** The best that came of it. Secrets of the credential are masked: a provider could repeat its key. */
  proposal(): Proposal {
    const { valid, words, usage } = this;
    const { secrets } = this.task;
    if (valid)
      return secrets.value({
        definition: valid.definition,
        summary: valid.summary || words,
        problems: valid.problems.slice(0, MAX_PROBLEMS),
        usage,
      });
    return secrets.value({ definition: null, summary: words, problems: this.issues.slice(0, MAX_PROBLEMS), usage });
  }
}

/** Issues for the model, by the ids of nodes in place of their numbers. */
function told(title: string, issues: FieldError[], built: Built | { issues: FieldError[] }): string {
  const nodes = 'definition' in built ? built.definition.nodes : [];
  const lines = issues.slice(0, MAX_TOLD).map(({ field, message }) => {
    const place = field.replace(/^nodes\[(\d+)\]/, (whole, index: string) => {
      const node = nodes[Number(index)];
      return node ? `node "${node.id}"` : whole;
    });
    return `- ${place}: ${message}`;
  });
  return [`${title}:`, ...lines].join('\n');
}
