/** The marks that may change the state: the fence of a code block, or a tag around what a model thinks aloud. */
const REASONING_MARKS = /```|<(\/?)(think|thinking|thought|reasoning)>/gi;
/** The end of a text that may be the beginning of a mark. */
const UNFINISHED_MARK = /(?:`{1,2}|<\/?[a-z]{0,9})$/i;
const MAX_MARK_LENGTH = '</reasoning>'.length;

/**
 * Separates what a model thinks aloud in its answer from the answer: models without a channel of their own for it write
 * `<think>…</think>`. Tags in code blocks are text. Each character is read once, also if the text comes in many pieces.
 */
export class ReasoningSplitter {
  private answer = '';
  private readonly thoughts: string[] = [];
  /** The name of the open tag. */
  private openTag: string | undefined;
  private isInCode = false;
  private unread = '';

  push(piece: string): void {
    const rest = this.readMarks(this.unread + piece);
    const unfinished = UNFINISHED_MARK.exec(rest.slice(-MAX_MARK_LENGTH));
    const end = rest.length - (unfinished?.[0].length ?? 0);
    this.add(rest.slice(0, end));
    this.unread = rest.slice(end);
  }

  /** After the last piece. */
  end(): void {
    this.add(this.unread);
    this.unread = '';
  }

  /** The answer so far. Only a closing tag without an opening one, which some servers cut off, makes it shorter. */
  get text(): string {
    return this.thoughts.length > 0 ? this.answer.trimStart() : this.answer;
  }

  /** The thoughts so far; '' if there are none. */
  get reasoning(): string {
    return this.thoughts
      .map((thought) => thought.trim())
      .filter((thought) => thought !== '')
      .join('\n\n');
  }

  /** Reads a text up to its last mark; the rest is returned. */
  private readMarks(text: string): string {
    let from = 0;
    for (const match of text.matchAll(REASONING_MARKS)) {
      const [mark, slash, name] = match;
      this.add(text.slice(from, match.index));
      from = match.index + mark.length;
      if (!this.applyMark(name?.toLowerCase(), slash === '/')) this.add(mark);
    }
    return text.slice(from);
  }

  /** False: the mark belongs to the text. `name`: of a tag; undefined: the fence of a code block. */
  private applyMark(name: string | undefined, isClosing: boolean): boolean {
    if (name === undefined) {
      if (this.openTag === undefined) this.isInCode = !this.isInCode;
      return false;
    }
    if (this.openTag !== undefined) {
      if (name !== this.openTag || !isClosing) return false;
      this.openTag = undefined;
      return true;
    }
    if (this.isInCode) return false;
    if (!isClosing) {
      this.openTag = name;
      this.thoughts.push('');
      return true;
    }
    if (name !== 'think' || this.thoughts.length > 0) return false;
    this.thoughts.push(this.answer);
    this.answer = '';
    return true;
  }

  private add(text: string): void {
    if (this.openTag === undefined) this.answer += text;
    else this.thoughts.push(`${this.thoughts.pop() ?? ''}${text}`);
  }
}

/** The answer and the thoughts in a whole text. */
export function splitReasoning(text: string): { text: string; reasoning: string } {
  const splitter = new ReasoningSplitter();
  splitter.push(text);
  splitter.end();
  return { text: splitter.text, reasoning: splitter.reasoning };
}
