/**
 * Fuzzy match score: 0 if the letters don't occur in order, higher for adjacent letters and beginnings of words. An
 * empty search matches everything.
 */
export function fuzzy(typed: string, text: string): number {
  const wanted = typed.toLowerCase().replace(/\s+/g, '');
  const found = text.toLowerCase();
  if (wanted === '') return 1;
  const whole = found.indexOf(typed.toLowerCase().trim());
  if (whole !== -1) return 1000 - Math.min(whole, 500) + (isWordStart(found, whole) ? 500 : 0);
  let score = 0;
  let last = -2;
  for (const letter of wanted) {
    const at = found.indexOf(letter, last + 1);
    if (at === -1) return 0;
    score += at === last + 1 ? 8 : isWordStart(found, at) ? 6 : 1;
    last = at;
  }
  // A few letters scattered over a long sentence are no match.
  return score >= wanted.length * 3 ? score : 0;
}

const isWordStart = (text: string, at: number) => at === 0 || !/[a-z0-9]/.test(text[at - 1] ?? '');
