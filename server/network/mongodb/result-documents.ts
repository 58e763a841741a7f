import { parseUnlessLarge, serializeJson } from '@/server/evaluation/expressions/large-json';
import { NodeFailure } from '@/server/platform/errors/node-failure';
import { YieldTimer } from '@/server/platform/timers/cooperative';
import { BYTES_PER_MIB } from '@/contract/units';
import { toMongoReplyJson } from './document-json';
import { MongoDocumentWriter } from './document-writer';
import type { ReserveMemory } from '@/server/network/pools/memory';

export const MAX_MONGO_DOCUMENTS = 10_000;
export const MAX_MONGO_RESULT_BYTES = 10 * BYTES_PER_MIB;
/** Up to this size a result is kept without reserving memory. */
const UNRESERVED_RESULT_BYTES = 256 * 1024;

/** A document that came as a part of a reply. */
const writeReadDocument = (document: unknown): string => serializeJson(toMongoReplyJson(document)) ?? 'null';

/** The result of one operation. Documents become JSON at once, so that no more than the limit is held. */
export class MongoResultDocuments {
  private readonly texts: string[] = [];
  private bytes = 0;
  private readonly yieldTimer = new YieldTimer();

  constructor(private readonly reserve: ReserveMemory) {}

  /** Throws NodeFailure TOO_MANY_ROWS, TOO_LARGE, OUTPUT_TOO_DEEP or BAD_RESPONSE. */
  async add(document: unknown): Promise<void> {
    if (this.texts.length === MAX_MONGO_DOCUMENTS)
      throw new NodeFailure('TOO_MANY_ROWS', `The result has more than ${MAX_MONGO_DOCUMENTS} documents.`, false);
    if (this.yieldTimer.isDue) await this.yieldTimer.take();
    const text = Buffer.isBuffer(document)
      ? await new MongoDocumentWriter(document).write()
      : writeReadDocument(document);
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
    if (this.bytes > MAX_MONGO_RESULT_BYTES)
      throw new NodeFailure('TOO_LARGE', 'The result is larger than 10 MiB.', false);
    if (before <= UNRESERVED_RESULT_BYTES && this.bytes > UNRESERVED_RESULT_BYTES)
      await this.reserve(MAX_MONGO_RESULT_BYTES);
  }
}
