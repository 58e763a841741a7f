import { NodeFailure } from '@/server/platform/errors/node-failure';
import { encodeUtf8 } from './source';
import { MAX_CONVERTED_BYTES, MAX_CONVERTED_VALUE_BYTES } from '../../convert-job';
import { BYTES_PER_MIB } from '@/contract/units';

/** Texts are encoded in parts: many small buffers would take more memory than their text. */
const FLUSH_CHARACTERS = 256 * 1024;

const HIGH_SURROGATE = /[\ud800-\udbff]$/;

/** The failure of a result that is larger than its limit: that of a file or that of a value. */
export function tooLargeResult(isFile: boolean): NodeFailure {
  return isFile
    ? new NodeFailure('TOO_LARGE', `The result is larger than ${MAX_CONVERTED_BYTES / BYTES_PER_MIB} MiB.`, false)
    : new NodeFailure(
        'OUTPUT_TOO_LARGE',
        `The result is larger than ${MAX_CONVERTED_VALUE_BYTES / BYTES_PER_MIB} MiB. With options.asFile it may have ${MAX_CONVERTED_BYTES / BYTES_PER_MIB} MiB.`,
        false,
      );
}

/** Collects a result as UTF-8, outside of the heap, and limits its size while it grows. */
export class TextSink {
  private readonly parts: Buffer[] = [];
  private text = '';
  private size = 0;

  constructor(private readonly isFile: boolean) {}

  write(text: string): void {
    this.text += text;
    if (this.text.length < FLUSH_CHARACTERS) return;
    // A pair may arrive in two parts.
    this.flush(this.text.length - (HIGH_SURROGATE.test(this.text) ? 1 : 0));
  }

  end(): Buffer {
    this.flush(this.text.length);
    return Buffer.concat(this.parts);
  }

  private flush(length: number): void {
    const text = this.text.slice(0, length);
    const part = encodeUtf8(text);
    this.text = this.text.slice(length);
    this.size += part.length;
    if (this.size > (this.isFile ? MAX_CONVERTED_BYTES : MAX_CONVERTED_VALUE_BYTES)) throw tooLargeResult(this.isFile);
    this.parts.push(part);
  }
}
