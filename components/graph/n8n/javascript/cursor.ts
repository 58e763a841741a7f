import { Unsupported } from './syntax';
import type { Token } from './tokens';

/** The place of a parser in its tokens. */
export class Cursor {
  private at = 0;

  constructor(private readonly tokens: readonly Token[]) {}

  /** The token at a place ahead, which is not taken. */
  peek(ahead = 0): Token {
    return this.tokens[this.at + ahead] ?? { kind: 'end', text: '' };
  }

  /** Takes the next token, or so many. */
  next(count = 1): Token {
    const token = this.peek();
    this.at += count;
    return token;
  }

  is(sign: string, ahead = 0): boolean {
    const { kind, text } = this.peek(ahead);
    return kind === 'sign' && text === sign;
  }

  isWord(word: string): boolean {
    const { kind, text } = this.peek();
    return kind === 'name' && text === word;
  }

  take(sign: string): boolean {
    if (!this.is(sign)) return false;
    this.at += 1;
    return true;
  }

  takeWord(word: string): boolean {
    if (!this.isWord(word)) return false;
    this.at += 1;
    return true;
  }

  need(sign: string): void {
    if (!this.take(sign)) throw new Unsupported('this form of expression');
  }

  name(): string {
    const { kind, text } = this.next();
    if (kind !== 'name') throw new Unsupported('this form of expression');
    return text;
  }
}
