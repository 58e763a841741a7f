import { cutWellFormed } from './file';

const MAX_NAMED_EXPRESSIONS = 3;

/** A field that has no value in n8n either, so that nothing was lost. */
export interface EmptyFieldChoice {
  /** The path of the field in the node, or in the settings of the trigger. */
  field: string;
  /** The sentence of the message that asks for it. */
  sentence: string;
}

/** The sentences that are reported of a node, in their order, and then the expressions that are lost. */
export class RemarkList {
  private readonly sentences = new Set<string>();
  private readonly notes = new Set<string>();
  private readonly fields = new Map<string, EmptyFieldChoice>();
  private readonly lost = new Set<string>();

  addTask(sentence: string): void {
    if (sentence !== '') this.sentences.add(sentence);
  }

  /** Adds a sentence that requires no action. */
  addNote(sentence: string): void {
    this.notes.add(sentence);
    this.sentences.add(sentence);
  }

  /** Adds what a field asks for that has no value in n8n either. */
  addChoice(field: string, sentence: string): void {
    this.fields.set(sentence, { field, sentence });
    this.sentences.add(sentence);
  }

  /** Adds the sentences of another list. */
  addAll({ message, knowledge, choices }: Pick<RemarkList, 'message' | 'knowledge' | 'choices'>): void {
    for (const sentence of knowledge) this.notes.add(sentence);
    for (const choice of choices) this.fields.set(choice.sentence, choice);
    this.addTask(message);
  }

  addLostExpression(source: string, reason: string): void {
    const text = source.length > 80 ? `${cutWellFormed(source, 79)}…` : source;
    this.lost.add(`the expression “${text}”: ${reason} has no counterpart`);
  }

  get message(): string {
    const named = [...this.lost].slice(0, MAX_NAMED_EXPRESSIONS).map((one) => `Rewrite ${one}.`);
    const rest = this.lost.size - named.length;
    const more = rest > 0 ? [`Rewrite ${rest} more expressions.`] : [];
    return [...this.sentences, ...named, ...more].join(' ');
  }

  /** The sentences that require no action. */
  get knowledge(): string[] {
    return [...this.notes];
  }

  /** The fields that have no value in n8n either. */
  get choices(): EmptyFieldChoice[] {
    return [...this.fields.values()];
  }
}
