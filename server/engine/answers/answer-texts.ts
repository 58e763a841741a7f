import { dispatcher } from '@/server/dispatch/dispatcher';
import type { AnswerText } from '@/server/dispatch/events';
import type { Listener } from '@/server/db/listen';
import { log } from '@/server/log';
import { runtime } from '@/server/runtime';

declare module '@/server/runtime' {
  interface Runtime {
    /** Callers of this process that read answers while they are written. */
    answerTexts?: AnswerTexts;
  }
}

type Reader = (piece: AnswerText) => void;

/** The subscription is closed after this time without a reader. */
const LINGER_MS = 30_000;

export const answerTexts = (): AnswerTexts => (runtime().answerTexts ??= new AnswerTexts());

/**
 * Answers that are being written, on their way from the runs that write them to the callers that wait, in this process or another. They are a
 * preview: the stored answer follows, and a lost piece costs only the preview.
 */
export class AnswerTexts {
  private readonly readers = new Map<string, Set<Reader>>();
  private subscription: Promise<Listener | undefined> | undefined;
  private closing: NodeJS.Timeout | undefined;

  /** Reads the answer of a run from now on. The returned function ends it. */
  follow(executionId: string, reader: Reader): () => void {
    const readers = this.readers.get(executionId) ?? new Set();
    this.readers.set(executionId, readers.add(reader));
    this.subscribe();
    return () => {
      readers.delete(reader);
      if (readers.size === 0) this.readers.delete(executionId);
      if (this.readers.size === 0) this.closing ??= setTimeout(() => void this.close(), LINGER_MS).unref();
    };
  }

  /** Shows a piece to the readers of its run: directly if they are in this process. */
  write(piece: AnswerText): void {
    if (!this.show(piece)) dispatcher().answerWritten(piece);
  }

  async close(): Promise<void> {
    const { subscription } = this;
    clearTimeout(this.closing);
    this.closing = undefined;
    this.subscription = undefined;
    await (await subscription)?.close();
  }

  private show(piece: AnswerText): boolean {
    const readers = this.readers.get(piece.executionId);
    for (const read of readers ?? []) read(piece);
    return readers !== undefined;
  }

  private subscribe(): void {
    clearTimeout(this.closing);
    this.closing = undefined;
    this.subscription ??= dispatcher()
      .watchAnswers((piece) => void this.show(piece))
      .catch((error: unknown) => {
        log().warn({ err: error }, 'answers of other processes can not be read while they are written');
        this.subscription = undefined;
        return undefined;
      });
  }
}
