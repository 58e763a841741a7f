import { createHash } from 'node:crypto';
import type { FileRecord } from './records';

/** Passes the bytes of a file on, and then says whether they are those that were stored. */
export class ChecksumVerifier {
  private readonly hash = createHash('sha256');
  private length = 0;

  constructor(private readonly file: Pick<FileRecord, 'size' | 'sha256'>) {}

  async *passThrough(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of bytes) {
      this.hash.update(chunk);
      this.length += chunk.length;
      yield chunk;
    }
  }

  /** Whether all bytes were the stored ones. Call it after the last byte. */
  isWhole(): boolean {
    return this.length === this.file.size && this.hash.copy().digest('hex') === this.file.sha256;
  }
}
