import { z } from 'zod';
import { NodeFailure } from '@/server/errors/node-failure';
import { added } from '@/server/models/catalogue';
import { generate, hasPrice, type ModelTool } from '@/server/models/generate';
import { objectIn } from '@/server/models/object';
import { done, nodeKind, type RunContext } from '../../node';
import type { RoundView } from '../../parts';
import { MODEL_TIMEOUT_MS } from '../fields';
import { ANSWER, callsIn } from './calls';
import type { Config } from './config';
import {
  promptOf,
  saidParts,
  type NewMessage,
  type Opening,
  type SaidPart,
  type Step,
  type ToolCall,
} from './messages';

/** Characters of all results of one step that the model is told. */
const MAX_RESULTS = 128 * 1024;
/** Characters of what a model says beside its calls: they decide what follows, and stay in memory. */
const MAX_SAID = 64 * 1024;

const ANSWER_RULE = `When you have the answer, call the tool "${ANSWER}" with it, and call no other tool with it.`;
const NO_ANSWER = `This is not the answer yet: call the tool "${ANSWER}" with it.`;

const cut = (text: string, most: number) =>
  text.length > most ? `${text.slice(0, most).toWellFormed()}… (cut)` : text;

/** The result of a call that was carried out, or why there is none. */
function resultOf({ node, name, id, problem }: ToolCall, view: RoundView, most: number): NewMessage {
  const message = (content: string, isError = false): NewMessage => ({
    role: 'tool',
    id,
    name,
    content: cut(content, most),
    ...(isError ? { isError: true } : {}),
  });
  const approval = view.result(`${node}.approval`, 1);
  const result = view.result(node, 1);
  if (problem !== undefined) return message(problem, true);
  if (approval?.port === 'rejected') {
    const { comment } = (approval.output ?? {}) as { comment?: string | null };
    return message(`A person rejected this call${comment ? `: ${comment}` : '.'}`, true);
  }
  if (!result) return message('There is no result.', true);
  if (result.error) return message(`${result.error.code}: ${result.error.message}`, true);
  const { output = null } = result;
  return message(typeof output === 'string' ? output : JSON.stringify(output));
}

/** What the model is told before it speaks: in the first step the task, after that the results of its calls. */
export function newMessages(view: RoundView): { messages: NewMessage[] } {
  if (view.index === 0) {
    const opening = view.result('start')?.output as Opening | undefined;
    return { messages: [{ role: 'user', content: opening?.input ?? '' }] };
  }
  const step = view.result('model', 1)?.output as Step | undefined;
  if (!step) return { messages: [] };
  const most = Math.floor(MAX_RESULTS / Math.max(1, step.calls.length));
  const results = step.calls.map((call) => resultOf(call, view, most));
  return { messages: step.problem === undefined ? results : [...results, { role: 'user', content: step.problem }] };
}

/** An input that a person has edited. */
const Edited = z.strictObject({
  messages: z
    .array(
      z.union([
        z.strictObject({ role: z.literal('user'), content: z.string() }),
        z.strictObject({
          role: z.literal('tool'),
          id: z.string(),
          name: z.string(),
          content: z.string(),
          isError: z.literal(true).optional(),
        }),
      ]),
    )
    .max(100),
});

/** The opening, the steps so far, and what the model is told now. */
async function conversationOf({ input, roundResults }: RunContext<unknown>) {
  const [first] = await roundResults('start');
  const steps = (await roundResults('model')).map(({ output }) => output as Step);
  const told = Edited.safeParse(input);
  if (!told.success)
    throw new NodeFailure(
      'CONFIG',
      'The input must be {messages: [{role: user, content} or {role: tool, id, name, content}]}.',
      false,
    );
  if (!first) throw new Error('The agent has no opening.');
  const opening = first.output as Opening;
  const [only] = told.data.messages;
  const isOpening = steps.length === 0 && told.data.messages.length === 1 && only?.content === opening.input;
  return { opening, steps, now: isOpening ? [] : told.data.messages };
}

const toolOf = ({ name, description, inputSchema }: Opening['tools'][number]): ModelTool => ({
  type: 'function',
  name,
  description,
  inputSchema: inputSchema as ModelTool['inputSchema'],
});

/** What is kept of what a model said beside calls: text is cut, and reasoning left out, if it is long. */
function keptParts(parts: SaidPart[]): SaidPart[] {
  if (JSON.stringify(parts).length <= MAX_SAID) return parts;
  return parts.flatMap((part) =>
    part.type === 'reasoning' ? [] : part.type === 'text' ? [{ ...part, text: cut(part.text, MAX_SAID / 4) }] : [part],
  );
}

/** Each call of the model is a node of this kind. `settings`: the config of the agent. */
export const modelKind = (
  settings: Pick<Config, 'outputSchema' | 'approvals' | 'budget' | 'temperature' | 'maxTokens'>,
) =>
  nodeKind({
    type: 'agent_model',
    title: 'Model',
    summary: 'Asks the model of an agent for its next step.',
    category: 'ai',
    config: z.strictObject({}),
    required: [],
    expressions: [],
    hasInput: true,
    outputs: ['output', 'calls'],
    credentialTypes: ['llm'],
    needsCredential: true,
    isOutside: true,
    defaultTimeoutMs: MODEL_TIMEOUT_MS,
    async run(context) {
      const { credential, secrets, signal, reserve, log, workspaceId, showText } = context;
      const { outputSchema, approvals = {}, budget, temperature, maxTokens } = settings;
      if (!credential) throw new NodeFailure('CREDENTIAL_MISSING', 'The node needs a credential.', false);
      const { opening, steps, now } = await conversationOf(context);
      const { model } = opening;
      if (budget?.costUsd !== undefined && !hasPrice(credential.credential, model))
        throw new NodeFailure(
          'BUDGET',
          `The price of ${model} is not known: a budget in dollars cannot be kept.`,
          false,
        );
      const answerTool = { name: ANSWER, description: 'Gives the final answer.', inputSchema: outputSchema ?? {} };
      const tools = outputSchema ? [...opening.tools, answerTool] : opening.tools;
      const answer = await generate({
        credential: credential.credential,
        model,
        prompt: promptOf(opening, steps, now, outputSchema && ANSWER_RULE),
        temperature,
        maxTokens,
        tools: tools.length > 0 ? tools.map(toolOf) : undefined,
        signal,
        secrets,
        reserve,
        onText: outputSchema ? undefined : showText,
      });
      const { text, reasoning, finishReason, usage } = answer;
      log('info', `${model}: ${usage.inputTokens} tokens in, ${usage.outputTokens} out`);
      const calls = await callsIn(answer.content, { tools, approvals }, context);
      const step: Step = {
        messages: now,
        content: saidParts(answer.content),
        text,
        ...(reasoning === undefined ? {} : { reasoning: cut(reasoning, MAX_SAID) }),
        calls,
        finishReason,
        usage,
        total: added(steps.at(-1)?.total, usage),
      };
      const given = calls.find(({ name, problem }) => name === ANSWER && problem === undefined);
      if (outputSchema && given) return done({ ...step, object: given.arguments, calls: [given] });
      if (calls.length > 0)
        return done({ ...step, text: cut(text, MAX_SAID / 4), content: keptParts(step.content) }, 'calls');
      if (!outputSchema) return done(step);
      // Some models answer in words instead of by the tool.
      const found = await objectIn(text, outputSchema, { workspaceId, signal });
      if ('object' in found) return done({ ...step, object: found.object });
      return done(
        { ...step, text: cut(text, MAX_SAID / 4), content: keptParts(step.content), problem: NO_ANSWER },
        'calls',
      );
    },
  });
