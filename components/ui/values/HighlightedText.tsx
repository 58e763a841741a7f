import classes from './HighlightedText.module.css';

/** A text in which words are marked, as a search found them. `words`: in lower case. */
export function HighlightedText({ text, words = [] }: { text: string; words?: readonly string[] }) {
  if (words.length === 0) return text;
  // Every second part is a word.
  const parts = text.split(/([\p{L}\p{N}]+)/u);
  return parts.map((part, at) =>
    words.includes(part.toLowerCase()) ? (
      <mark key={at} className={classes.mark}>
        {part}
      </mark>
    ) : (
      part
    ),
  );
}
