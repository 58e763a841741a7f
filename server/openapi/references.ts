import { fieldOf, isBag, lineOf, type Bag } from './document';

/** References that follow each other. */
const MAX_HOPS = 20;
/** Steps that reading one operation may take: schemas, parts of them, values of examples. */
const MAX_STEPS = 2000;
/** The same for one that is not selected: only whether it can be used is of interest. */
const FEW_STEPS = 20;

/** A part of an operation that cannot be read: the operation is left out. `at`: its place in the document. */
export class Unusable extends Error {
  constructor(at: string, message: string) {
    super(`${at}: ${message}`);
  }
}

/** Follows references within a document, at a limited cost for each operation. References to other documents are never followed. */
export class References {
  private left = MAX_STEPS;

  constructor(private readonly root: Bag) {}

  /** Begins with the next operation. */
  refill(isSelected: boolean): void {
    this.left = isSelected ? MAX_STEPS : FEW_STEPS;
  }

  /** Whether there is a step left. */
  spend(): boolean {
    this.left -= 1;
    return this.left >= 0;
  }

  /** The object at a place of the document, or behind its reference. Throws Unusable. */
  resolve(value: unknown, at: string): Bag {
    const found = this.follow(value);
    if (typeof found === 'string') throw new Unusable(at, found);
    return found;
  }

  /** The same for what can be left out: an empty object if it leads to nothing. */
  find(value: unknown): Bag {
    const found = this.follow(value);
    return typeof found === 'string' ? {} : found;
  }

  /** The object, or what is wrong with its reference. */
  private follow(value: unknown): Bag | string {
    let current = value;
    for (let hops = 0; hops < MAX_HOPS; hops += 1) {
      if (!isBag(current)) return 'is not an object';
      const reference = fieldOf(current, '$ref');
      if (typeof reference !== 'string') return current;
      const name = lineOf(reference, 200);
      if (!reference.startsWith('#/')) return `the reference ${name} leads to another document`;
      const parts = reference.slice(2, 2000).split('/').map(unescaped);
      const next = parts.reduce<unknown>((inside, part) => fieldOf(inside, part), this.root);
      if (next === undefined) return `the reference ${name} leads to nothing`;
      current = next;
    }
    return 'its references lead in a circle';
  }
}

/** A part of a JSON pointer (RFC 6901), percent-decoded. */
function unescaped(part: string): string {
  const plain = part.replaceAll('~1', '/').replaceAll('~0', '~');
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
}
