import { useMemo } from 'react';
import Markdown, { type Components } from 'react-markdown';

// Of HTML only the text is shown, and no address but http, https and mail is followed (the library's defaults).
// Pictures could tell others who reads the note.
const UNWANTED = ['img'];

const components: Components = {
  a: ({ href, children }) => (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow" className="nodrag">
      {children}
    </a>
  ),
};

/** Markdown, drawn without ever trusting it. */
export function NoteText({ text }: { text: string }) {
  return useMemo(
    () => (
      <Markdown disallowedElements={UNWANTED} components={components}>
        {text}
      </Markdown>
    ),
    [text],
  );
}
