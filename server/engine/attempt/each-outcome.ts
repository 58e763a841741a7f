import { isLargeJson, parseUnlessLarge } from '@/server/evaluation/expressions/large-json';
import type { EvaluationContext } from '@/server/evaluation/evaluator/evaluation';
import { parseStoredJson } from '@/server/platform/messages/json-in-pieces';
import { YieldTimer } from '@/server/platform/timers/cooperative';
import type { EachRules } from '@/server/workflow/nodes/each-loop';
import { buildPortShares, type TakenPort } from '../store/port-shares';
import { MAX_OUTPUT_BYTES, normalizeJson, outputTooLargeFailure } from '../store/value';
import { toOutputOutcome, type AttemptOutcome } from './outcome';
import type { SecretRedactor } from './secret-redactor';

/** The message of an expression without the place that it names, as n8n has it. */
const withoutPlace = (message: string): string =>
  /^Node [^]*?, config\.[\w.[\]]+: ([^]*?)(?: \(at position \d+ of [^]*)?$/.exec(message)?.[1] ?? message;

/** Outputs that are written as JSON at once. */
const OUTPUTS_PER_PIECE = 256;

/** Collects the outputs of a node that runs once for each item of a list, in order. Only their JSON stays in memory. */
export class ItemOutputList {
  private readonly texts: string[] = [];
  private readonly taken: TakenPort[] = [];
  private readonly timer = new YieldTimer();
  private unwritten: unknown[] = [];
  private characters = 0;
  private readonly origins: number[] = [];

  constructor(private readonly rules: EachRules) {}

  get hasPrelude(): boolean {
    return this.rules.hasPrelude;
  }

  /**
   * Adds the output of the item at an index. A promise if others get their turn. Throws NodeFailure OUTPUT_TOO_LARGE.
   */
  add(port: string, output: unknown, index: number): Promise<void> | undefined {
    if (this.rules.flatten && Array.isArray(output)) return this.addOutputs(port, output, index);
    if (!this.rules.flatten || !isLargeJson(output) || !output.text.startsWith('['))
      return this.addOutputs(port, [output], index);
    return parseStoredJson(output.text).then((list) => this.addOutputs(port, list as unknown[], index));
  }

  /** Adds an error in the place of an output. */
  addError(error: unknown, index: number): Promise<void> | undefined {
    const { message } = error as { message?: unknown };
    return this.addOutputs(
      this.rules.firstPort,
      [{ error: this.rules.hasPrelude ? withoutPlace(String(message)) : error }],
      index,
    );
  }

  private addOutputs(port: string, outputs: unknown[], index: number): Promise<void> | undefined {
    this.taken.push({ port, count: outputs.length });
    for (const output of outputs) {
      this.origins.push(index);
      this.unwritten.push(output);
      if (this.unwritten.length >= OUTPUTS_PER_PIECE || isLargeJson(output)) this.write();
    }
    return this.timer.isDue ? this.timer.take() : undefined;
  }

  private write(): void {
    if (this.unwritten.length === 0) return;
    const text = normalizeJson(this.unwritten).slice(1, -1);
    this.unwritten = [];
    this.texts.push(text);
    this.characters += text.length + 1;
    if (this.characters > MAX_OUTPUT_BYTES) throw outputTooLargeFailure();
  }

  /** The outcome of the node that ran for `count` items: the list of its outputs, divided among its ports. */
  async toOutcome(
    { count, isTraced }: { count: number; isTraced: boolean },
    redactor: SecretRedactor,
    purpose: () => EvaluationContext,
  ): Promise<AttemptOutcome> {
    const { firstPort, hasSeveralPorts, onEmpty, hasPrelude } = this.rules;
    // With a prelude, as in n8n: nothing goes on without items, and what has none may get an empty one.
    const isEmpty = hasPrelude && !this.taken.some((one) => one.count > 0);
    const hasFirst = this.taken.some((one) => one.port === firstPort && one.count > 0);
    if (hasPrelude && onEmpty === 'pass' && !hasFirst) this.addOutputs(firstPort, [{}], 0);
    if (isEmpty && onEmpty === 'end') this.taken.length = 0;
    this.write();
    const list = parseUnlessLarge(`[${this.texts.join()}]`);
    const outcome = await toOutputOutcome(list, redactor, purpose, this.taken[0]?.port ?? firstPort);
    const passesEmpty = count === 0 && onEmpty === 'pass' && !hasPrelude;
    const isDivided = (hasSeveralPorts || this.taken.length === 0) && !passesEmpty;
    if (outcome.kind !== 'done') return outcome;
    return {
      ...outcome,
      ...(isDivided && { shares: buildPortShares(this.taken) }),
      ...(isTraced && { origins: this.origins }),
    };
  }
}
