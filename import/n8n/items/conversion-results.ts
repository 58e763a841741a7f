import { cutWellFormed, type N8nNode } from '../file';
import type { ConversionResult } from '../report/report-entry';
import type { ItemConversion } from './item-conversion';

const NOTHING_SAID: ConversionResult = { outcome: 'converted', message: '', knowledge: [] };

const joinSentences = (...sentences: string[]): string => sentences.filter(Boolean).join(' ');

/** What is reported of the nodes of a file, by their names. */
export class ConversionResults {
  readonly byName = new Map<string, ConversionResult>();

  set(name: string, result: ConversionResult): void {
    this.byName.set(name, result);
  }

  /** Says what the conversion of a node says. */
  setConversion(name: string, { outcome, remarks: { message, knowledge, choices } }: ItemConversion): void {
    this.set(name, { outcome, message, knowledge, choices });
  }

  /** Adds what the conversion of a circle says to the entry of its first node. */
  addConversion(name: string, { outcome, remarks }: ItemConversion): void {
    const found = this.byName.get(name);
    if (!found) return;
    this.set(name, {
      outcome: found.outcome === 'converted' ? outcome : found.outcome,
      message: joinSentences(found.message, remarks.message),
      knowledge: [...found.knowledge, ...remarks.knowledge],
    });
  }

  /** Adds a sentence that requires no action. */
  addNote(name: string, sentence: string): void {
    const found = this.byName.get(name) ?? NOTHING_SAID;
    const message = joinSentences(found.message, sentence);
    this.set(name, { ...found, message, knowledge: [...found.knowledge, sentence] });
  }

  /** Adds a task to the entry of a node that was converted. */
  addTask(name: string | undefined, sentence: string): void {
    if (name === undefined) return;
    const found = this.byName.get(name) ?? NOTHING_SAID;
    const { outcome, message } = found;
    this.set(name, {
      ...found,
      outcome: outcome === 'converted' ? 'partly' : outcome,
      message: message.includes(sentence) ? message : joinSentences(message, sentence),
    });
  }

  /** Says that nodes are inside of a loop that is no part of the workflow. */
  leaveOut(ids: Iterable<string>, nodes: ReadonlyMap<string, N8nNode>, loop: string): void {
    const message = `It is inside of the loop “${cutWellFormed(loop, 60)}”, for which the workflow has no room.`;
    for (const id of ids) {
      const node = nodes.get(id);
      if (node) this.set(node.name, { outcome: 'left out', message, knowledge: [] });
    }
  }
}
