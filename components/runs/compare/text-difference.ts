/** Letters shown around the part that differs. */
const CONTEXT_LETTERS = 24;

/** Two texts without what is equal at their beginning and end. */
export interface TextDifference {
  start: string;
  before: string;
  after: string;
  end: string;
}

/** The part in which two texts differ, with a little of what is around it. */
export function findTextDifference(before: string, after: string): TextDifference {
  const most = Math.min(before.length, after.length);
  let from = 0;
  while (from < most && before[from] === after[from]) from += 1;
  let back = 0;
  while (back < most - from && before.at(-1 - back) === after.at(-1 - back)) back += 1;
  const [start, end] = [before.slice(0, from), before.slice(before.length - back)];
  return {
    start: start.length > CONTEXT_LETTERS ? `…${start.slice(-CONTEXT_LETTERS)}` : start,
    before: before.slice(from, before.length - back),
    after: after.slice(from, after.length - back),
    end: end.length > CONTEXT_LETTERS ? `${end.slice(0, CONTEXT_LETTERS)}…` : end,
  };
}
