/** Limits the recursion of PostgreSQL's parser and the parsers of this service. */
export const MAX_JSON_NESTING = 1000;

/** The deepest nesting of lists and objects in JSON. */
export function measureJsonDepth(json: string): number {
  let depth = 0;
  let deepest = 0;
  let isInString = false;
  for (let index = 0; index < json.length; index += 1) {
    const code = json.charCodeAt(index);
    if (isInString) {
      if (code === 92 /* \ */) index += 1;
      else if (code === 34 /* " */) isInString = false;
    } else if (code === 34) isInString = true;
    else if (code === 123 /* { */ || code === 91 /* [ */) deepest = Math.max(deepest, ++depth);
    else if (code === 125 || code === 93) depth -= 1;
  }
  return deepest;
}
