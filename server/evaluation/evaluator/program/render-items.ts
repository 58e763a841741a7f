import { setField } from '@/server/evaluation/expressions/scope';
import type { FieldReadingRules } from '@/server/evaluation/expressions/template';
import type { EvaluationLimits, ItemRendering } from '../jobs';
import { EvaluationMeter, LimitExceededError } from './meter';
import { FieldRenderer, FieldRenderError } from './render';

/** A meter is used for expressions of several items up to this time, because its start reads the clock of the processor. */
const SHARED_METER_MS = 5;
/** Characters of results after which the other items are left to another job. */
const MAX_RENDERED_CHARACTERS = 256 * 1024;

/** What the expressions of a node see besides its item, and the fields with these expressions. */
export interface ItemRenderingRequest {
  fields: Record<string, unknown>;
  /** JSON of an object. */
  scopeJson: string;
  /** The index of each item. */
  indexes: number[];
  items: unknown[];
}

/** Renders the fields of one node's config for one item after the other. */
class ItemFieldRenderer extends FieldRenderer {
  private readonly sharedScope: object;
  private item: { item: unknown; index: number } = { item: null, index: 0 };
  private meter: EvaluationMeter | undefined;
  private meterStartedAt = 0;

  constructor(
    private readonly baseScopeJson: string,
    rules: FieldReadingRules,
    private readonly itemLimits: EvaluationLimits,
    progress: () => Promise<void>,
    timeZone?: string,
  ) {
    super(baseScopeJson, rules, itemLimits, progress, timeZone);
    this.sharedScope = JSON.parse(baseScopeJson) as object;
  }

  setItem(item: unknown, index: number): void {
    this.item = { item, index };
  }

  protected override scope(isFresh: boolean): unknown {
    const { item, index } = this.item;
    if (!isFresh) return { ...this.sharedScope, item, index, input: item };
    // The expression can modify what it gets.
    const own = structuredClone(item);
    return { ...(JSON.parse(this.baseScopeJson) as object), item: own, index, input: own };
  }

  protected override startMeter(): EvaluationMeter {
    const now = performance.now();
    if (!this.meter || now - this.meterStartedAt > SHARED_METER_MS) {
      this.meter = new EvaluationMeter(this.itemLimits);
      this.meterStartedAt = now;
    }
    return this.meter;
  }
}

/** The fields for each item, or why they cannot be rendered; of the first items only if the results are large. */
export async function renderItemFields(
  { fields, scopeJson, indexes, items }: ItemRenderingRequest,
  rules: FieldReadingRules,
  limits: EvaluationLimits,
  progress: () => Promise<void>,
  timeZone?: string,
): Promise<string> {
  const renderer = new ItemFieldRenderer(scopeJson, rules, limits, progress, timeZone);
  const names = Object.keys(fields);
  const texts: string[] = [];
  let characters = 0;
  for (const [place, item] of items.entries()) {
    renderer.setItem(item, indexes[place] ?? place);
    const text = JSON.stringify(await renderItem(renderer, names, fields));
    texts.push(text);
    characters += text.length;
    if (characters > MAX_RENDERED_CHARACTERS) break;
  }
  return `[${texts.join()}]`;
}

async function renderItem(
  renderer: FieldRenderer,
  names: string[],
  fields: Record<string, unknown>,
): Promise<ItemRendering> {
  const values: Record<string, unknown> = {};
  try {
    for (const name of names) setField(values, name, (await renderer.field(name, fields[name])) ?? null);
    return { fields: values };
  } catch (error) {
    if (error instanceof FieldRenderError) return { failure: error.failure };
    if (error instanceof LimitExceededError) return { failure: { code: error.code, message: error.message } };
    throw error;
  }
}
