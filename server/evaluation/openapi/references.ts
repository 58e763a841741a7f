import { readOwnField, isOpenApiObject, toSingleLine, type OpenApiObject } from './document';

/** The longest chain of references that is followed. */
const MAX_REFERENCE_HOPS = 20;
/** Reading one operation may take this many steps: schemas, parts of them, values of examples. */
const MAX_READING_STEPS = 2000;
/** The limit for an operation that is not selected, of which only matters whether it can be used. */
const MAX_UNSELECTED_STEPS = 20;

/**
 * Thrown for a part of an operation that cannot be read: the operation is left out. `at` is its place in the document.
 */
export class UnusableOperationError extends Error {
  constructor(at: string, message: string) {
    super(`${at}: ${message}`);
  }
}

/**
 * Follows references within a document, at a limited cost for each operation. References to other documents are never
 * followed.
 */
export class ReferenceResolver {
  private remainingSteps = MAX_READING_STEPS;

  constructor(private readonly root: OpenApiObject) {}

  /** Renews the steps for the next operation. */
  resetBudget(isSelected: boolean): void {
    this.remainingSteps = isSelected ? MAX_READING_STEPS : MAX_UNSELECTED_STEPS;
  }

  /** Takes one step, and returns whether it was left. */
  spendStep(): boolean {
    this.remainingSteps -= 1;
    return this.remainingSteps >= 0;
  }

  /** The object at a place of the document, or behind its reference. Throws UnusableOperationError. */
  resolve(value: unknown, at: string): OpenApiObject {
    const found = this.follow(value);
    if (typeof found === 'string') throw new UnusableOperationError(at, found);
    return found;
  }

  /** Like `resolve`, for what can be left out: returns an empty object if the reference leads to nothing. */
  resolveOrEmpty(value: unknown): OpenApiObject {
    const found = this.follow(value);
    return typeof found === 'string' ? {} : found;
  }

  /** The object, or what is wrong with its reference. */
  private follow(value: unknown): OpenApiObject | string {
    let current = value;
    for (let hops = 0; hops < MAX_REFERENCE_HOPS; hops += 1) {
      if (!isOpenApiObject(current)) return 'is not an object';
      const reference = readOwnField(current, '$ref');
      if (typeof reference !== 'string') return current;
      const name = toSingleLine(reference, 200);
      if (!reference.startsWith('#/')) return `the reference ${name} leads to another document`;
      const parts = reference.slice(2, 2000).split('/').map(decodePointerSegment);
      const next = parts.reduce<unknown>((inside, part) => readOwnField(inside, part), this.root);
      if (next === undefined) return `the reference ${name} leads to nothing`;
      current = next;
    }
    return 'its references lead in a circle';
  }
}

/** A part of a JSON pointer (RFC 6901), percent-decoded. */
function decodePointerSegment(part: string): string {
  const plain = part.replaceAll('~1', '/').replaceAll('~0', '~');
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
}
