/** How many edits a typed word may be away from a known one. Short words are similar by chance. */
const maxTypingErrors = (length: number): number => (length < 5 ? 0 : length < 8 ? 1 : 2);

/**
 * Letters that are missing, added, exchanged for another, or swapped with their neighbour (optimal string alignment).
 */
function countEdits(one: string, other: string): number {
  let before: number[] = [];
  let last: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let i = 1; i <= one.length; i += 1) {
    [before, last, row] = [last, row, [i]];
    for (let j = 1; j <= other.length; j += 1) {
      const isSame = one[i - 1] === other[j - 1];
      const isSwapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      row[j] = Math.min(
        (last[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (last[j - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
  }
  return row[other.length] ?? 0;
}

const sortedLetters = (word: string) => [...word].sort().join('');

/** Whether a typed word is probably another one, or the beginning of it, with a slip: “emial”, “shedule”, “htpt”. */
export function isLikelyMisspelt(typed: string, word: string): boolean {
  if (typed.length < 4 || word.length < typed.length - 1) return false;
  const hasSameLetters = sortedLetters(typed) === sortedLetters(word) && countEdits(typed, word) === 1;
  // Of four letters, only the order may be wrong. Words with another first letter, such as “catch” and “match”, are
  // others.
  if (typed.length === 4 || typed[0] !== word[0]) return hasSameLetters;
  const most = maxTypingErrors(typed.length);
  if (Math.abs(typed.length - word.length) <= most && countEdits(typed, word) <= most) return true;
  return word.length > typed.length + most && countEdits(typed, word.slice(0, typed.length)) <= 1;
}
