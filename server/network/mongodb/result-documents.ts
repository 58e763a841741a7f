import { parseUnlessLarge } from '@/server/evaluation/expressions/large-json';
import { NodeFailure } from '@/server/platform/errors/node-failure';
import { YieldTimer } from '@/server/platform/timers/cooperative';
import { BYTES_PER_MIB } from '@/contract/units';
import { MongoDocumentWriter, tooLargeMongoResult } from './document-writer';
import type { ReserveMemory } from '@/server/network/pools/memory';

export const MAX_MONGO_DOCUMENTS = 10_000;
export const MAX_MONGO_RESULT_BYTES = 10 * BYTES_PER_MIB;
/** Up to this size a result is kept without reserving memory. */
const UNRESERVED_RESULT_BYTES = 256 * 1024;

/** The result of one operation. Documents become JSON at once, so that no more than the limit is held. */
export class MongoResultDocuments {
  private readonly texts: string[] = [];
  private bytes = 0;
  private readonly yieldTimer = new YieldTimer();

  constructor(private readonly reserve: ReserveMemory) {}

  /** Adds a document of BSON. Throws NodeFailure TOO_MANY_ROWS, TOO_LARGE, OUTPUT_TOO_DEEP or BAD_RESPONSE. */
  async add(document: Buffer): Promise<void> {
    if (this.texts.length === MAX_MONGO_DOCUMENTS)
      throw new NodeFailure('TOO_MANY_ROWS', `The result has more than ${MAX_MONGO_DOCUMENTS} documents.`, false);
    if (this.yieldTimer.isDue) await this.yieldTimer.take();
    const text = await new MongoDocumentWriter(document, MAX_MONGO_RESULT_BYTES - this.bytes).write();
    await this.count(text);
    this.texts.push(text);
  }

  get list(): unknown {
    return parseUnlessLarge(`[${this.texts.join(',')}]`);
  }

  /** The first document, or null. */
  get first(): unknown {
    return parseUnlessLarge(this.texts[0] ?? 'null');
  }

  private async count(text: string): Promise<void> {
    const before = this.bytes;
    // The comma and the brackets of the list are counted, too.
    this.bytes += Buffer.byteLength(text) + 2;
    if (this.bytes > MAX_MONGO_RESULT_BYTES) throw tooLargeMongoResult();
    if (before <= UNRESERVED_RESULT_BYTES && this.bytes > UNRESERVED_RESULT_BYTES)
      await this.reserve(MAX_MONGO_RESULT_BYTES);
  }
}
