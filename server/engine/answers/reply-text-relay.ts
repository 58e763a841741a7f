import { currentDispatcher } from '@/server/platform/dispatch/dispatcher';
import type { ReplyTextPiece } from '@/server/platform/dispatch/events';
import type { NotifyListener } from '@/server/platform/db/listen';
import { serviceLog } from '@/server/platform/log';
import { getRuntime } from '@/server/platform/runtime';

declare module '@/server/platform/runtime' {
  interface Runtime {
    /** Passes replies on to callers of this process while the replies are written. */
    replyTextRelay?: ReplyTextRelay;
  }
}

type ReplyTextReader = (piece: ReplyTextPiece) => void;

/** The subscription is closed after this time without a reader. */
const REPLY_SUBSCRIPTION_IDLE_MS = 30_000;

export const replyTextRelay = (): ReplyTextRelay => (getRuntime().replyTextRelay ??= new ReplyTextRelay());

/**
 * Passes a reply on, piece by piece, from the run that writes it to the callers that wait for it, in this process or
 * another. The pieces are a preview: the stored reply follows, so that a lost piece costs only the preview.
 */
export class ReplyTextRelay {
  private readonly readers = new Map<string, Set<ReplyTextReader>>();
  private subscription: Promise<NotifyListener | undefined> | undefined;
  private closing: NodeJS.Timeout | undefined;

  /** Adds a reader of the reply of a run. The returned function removes it. */
  addReader(executionId: string, reader: ReplyTextReader): () => void {
    const readers = this.readers.get(executionId) ?? new Set();
    this.readers.set(executionId, readers.add(reader));
    this.subscribe();
    return () => {
      readers.delete(reader);
      if (readers.size === 0) this.readers.delete(executionId);
      if (this.readers.size === 0)
        this.closing ??= setTimeout(() => void this.close(), REPLY_SUBSCRIPTION_IDLE_MS).unref();
    };
  }

  /** Shows a piece to the readers of its run: directly if they are in this process. */
  publishPiece(piece: ReplyTextPiece): void {
    if (!this.showPiece(piece)) currentDispatcher().replyTextWritten(piece);
  }

  async close(): Promise<void> {
    const { subscription } = this;
    clearTimeout(this.closing);
    this.closing = undefined;
    this.subscription = undefined;
    await (await subscription)?.close();
  }

  private showPiece(piece: ReplyTextPiece): boolean {
    const readers = this.readers.get(piece.executionId);
    for (const read of readers ?? []) read(piece);
    return readers !== undefined;
  }

  private subscribe(): void {
    clearTimeout(this.closing);
    this.closing = undefined;
    this.subscription ??= currentDispatcher()
      .watchReplyTexts((piece) => void this.showPiece(piece))
      .catch((error: unknown) => {
        serviceLog().warn({ err: error }, 'answers of other processes can not be read while they are written');
        this.subscription = undefined;
        return undefined;
      });
  }
}
