import { startWithCapital } from '@/components/ui/values/start-with-capital';

/** Words that are written in a way of their own. */
const SPELLINGS: Readonly<Record<string, string>> = Object.fromEntries(
  'API BCC CC CSV DNS EML HTML HTTP ID IMAP IP JSON JWT MCP NDJSON PDF PNG SMS SMTP SQL SSH TLS URL XLSX XML ZIP'
    .split(' ')
    .map((word) => [word.toLowerCase(), word]),
);

/** `NOT_STARTED` → `Not started`, `backoffMs` → `Backoff ms`, `json` → `JSON`. Texts with blanks or capitals stay. */
export function wordsFromIdentifier(text: string): string {
  const isPlain = /^-?[a-z][a-zA-Z0-9]*(?:[_-][a-zA-Z0-9]+)*$/.test(text) || /^[A-Z0-9]+(?:_[A-Z0-9]+)+$/.test(text);
  if (!isPlain) return text;
  const words = text
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[\s_-]+/)
    .filter(Boolean)
    .map((word) => SPELLINGS[word.toLowerCase()] ?? word.toLowerCase());
  const sentence = words.join(' ');
  const label = startWithCapital(sentence);
  // A minus before a name of a field turns the order around.
  return text.startsWith('-') ? `${label}, descending` : label;
}
