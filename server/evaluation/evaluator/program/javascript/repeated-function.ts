import type { QuickJSHandle } from 'quickjs-emscripten';

/** How often in succession an expression is compiled before the memory with its function is kept. */
const KEPT_AFTER = 8;

/** A state of the memory that can be put back. */
export interface RestorableMemory {
  restore(): void;
}

/** A memory, and how another state of it is captured. */
export interface CapturedMemory extends RestorableMemory {
  /** Compiles, and captures the memory after that. Without a state the memory has become too large for it. */
  capture(compile: () => QuickJSHandle): { compiled: QuickJSHandle; state: RestorableMemory | undefined };
}

/**
 * The function of an expression that is evaluated many times in succession, such as for the items of a list: it is
 * compiled once, and each evaluation begins with the memory as it was after that, before any evaluation.
 */
export class RepeatedFunction {
  private kept: { source: string; compiled: QuickJSHandle; state: RestorableMemory } | undefined;
  private last = '';
  private times = 0;

  constructor(private readonly memory: CapturedMemory) {}

  /** The compiled function of a source. What `compile` throws is thrown. */
  provide(source: string, compile: () => QuickJSHandle): QuickJSHandle {
    if (this.kept?.source === source) return this.kept.compiled;
    if (this.kept) {
      this.kept = undefined;
      this.memory.restore();
    }
    this.times = source === this.last ? this.times + 1 : 1;
    this.last = source;
    if (this.times < KEPT_AFTER) return compile();
    this.times = 0;
    const { compiled, state } = this.memory.capture(compile);
    if (state) this.kept = { source, compiled, state };
    return compiled;
  }

  /** Makes the memory what it was before the evaluation. */
  restore(): void {
    (this.kept?.state ?? this.memory).restore();
  }
}
