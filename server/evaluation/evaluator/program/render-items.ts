import { setField } from '@/server/evaluation/expressions/scope';
import type { FieldReadingRules } from '@/server/evaluation/expressions/template';
import type { ExpressionDialect } from '@/contract/workflows/expression-language';
import { ScopeTexts } from './javascript/scope-texts';
import type { EvaluationLimits, ItemNames, ItemRendering } from '../jobs';
import { EvaluationMeter, LimitExceededError } from './meter';
import { FieldRenderer, FieldRenderError } from './render';

/**
 * A meter is used for expressions of several items up to this time, because its start reads the clock of the processor.
 */
const SHARED_METER_MS = 5;
/** Characters of results after which the other items are left to another job. */
const MAX_RENDERED_CHARACTERS = 256 * 1024;

/** What the expressions of a node see besides its item, and the fields with these expressions. */
export interface ItemRenderingRequest {
  fields: Record<string, unknown>;
  /** JSON of an object. */
  scopeJson: string;
  items: ItemNames[];
  language: ExpressionDialect;
}

/** Renders the fields of one node's config for one item after the other. */
class ItemFieldRenderer extends FieldRenderer {
  private readonly sharedScope: object;
  private names: ItemNames = { item: null, index: 0 };
  private ofItem: ScopeTexts | undefined;
  private sharedTexts: string | undefined;
  private meter: EvaluationMeter | undefined;
  private meterStartedAt = 0;

  constructor(
    private readonly baseScopeJson: string,
    rules: FieldReadingRules,
    private readonly itemLimits: EvaluationLimits,
    progress: () => Promise<void>,
    language: ExpressionDialect,
    timeZone?: string,
  ) {
    super(baseScopeJson, rules, itemLimits, progress, language, timeZone);
    this.sharedScope = JSON.parse(baseScopeJson) as object;
  }

  setItem(names: ItemNames): void {
    this.names = names;
    this.ofItem = undefined;
  }

  protected override scope(isFresh: boolean): unknown {
    if (!isFresh) return { ...this.sharedScope, ...this.names, input: this.names.item };
    // The expression can modify what it gets.
    const own = structuredClone(this.names);
    return { ...(JSON.parse(this.baseScopeJson) as object), ...own, input: own.item };
  }

  protected override scopeTexts(): ScopeTexts {
    return (this.ofItem ??= new ScopeTexts(JSON.stringify(this.scope(false))));
  }

  protected override preludeScope(): string {
    this.sharedTexts ??= new ScopeTexts(this.baseScopeJson).forPrelude();
    const own = JSON.stringify(this.names).slice(0, -1);
    return this.sharedTexts === '{}' ? `${own}}` : `${own},${this.sharedTexts.slice(1)}`;
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
  { fields, scopeJson, items, language }: ItemRenderingRequest,
  rules: FieldReadingRules,
  limits: EvaluationLimits,
  progress: () => Promise<void>,
  timeZone?: string,
): Promise<string> {
  const renderer = new ItemFieldRenderer(scopeJson, rules, limits, progress, language, timeZone);
  const names = Object.keys(fields);
  const texts: string[] = [];
  let characters = 0;
  for (const item of items) {
    renderer.setItem(item);
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
