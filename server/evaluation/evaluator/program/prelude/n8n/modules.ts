import { bytesToCodes, CodeBuffer } from './buffer';
import { PreludeFailure } from './failure';

/** What the sandbox has for digests. Bytes are texts of their codes. */
declare const helpers: {
  digestBytes(bytes: string, algorithm: string, key: string | null): string;
  uuid(): string;
};
declare const DateTime: unknown;
declare const Duration: unknown;
declare const Interval: unknown;
declare const URL: unknown;
declare const URLSearchParams: unknown;

/** A digest of parts. `key`: that of an HMAC. */
class Digest {
  private readonly parts: CodeBuffer[] = [];

  constructor(
    private readonly algorithm: unknown,
    private readonly key: CodeBuffer | null = null,
  ) {}

  update(value: unknown, encoding?: unknown): this {
    this.parts.push(CodeBuffer.from(value, encoding));
    return this;
  }

  digest(encoding?: unknown): unknown {
    const codes = bytesToCodes(CodeBuffer.concat(this.parts));
    const key = this.key && bytesToCodes(this.key);
    const bytes = CodeBuffer.from(helpers.digestBytes(codes, String(this.algorithm), key), 'latin1');
    return encoding === undefined ? bytes : bytes.toString(encoding);
  }
}

const cryptoModule = {
  createHash: (algorithm: unknown) => new Digest(algorithm),
  createHmac: (algorithm: unknown, key: unknown) => new Digest(algorithm, CodeBuffer.from(key)),
  randomUUID: () => helpers.uuid(),
};

/** What code may require. Others are refused with the reason. */
export function requireModule(name: unknown): unknown {
  switch (String(name).replace(/^node:/, '')) {
    case 'crypto':
      return cryptoModule;
    case 'buffer':
      return { Buffer: CodeBuffer };
    case 'luxon':
      return { DateTime, Duration, Interval };
    case 'url':
      return { URL, URLSearchParams };
    default:
      throw new PreludeFailure(`The module “${String(name)}” is not available`);
  }
}
