import { useMemo } from 'react';
import Markdown, { type Components } from 'react-markdown';

// HTML is shown as text, and only http, https and mailto links work (the library's defaults).
// Remote images are left out: loading one would tell its server who reads the text.
const DISALLOWED_ELEMENTS = ['img'];

const markdownComponents: Components = {
  a: ({ href, children }) => (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow" className="nodrag">
      {children}
    </a>
  ),
};

/** Renders untrusted Markdown. */
export function UntrustedMarkdown({ text }: { text: string }) {
  return useMemo(
    () => (
      <Markdown disallowedElements={DISALLOWED_ELEMENTS} components={markdownComponents}>
        {text}
      </Markdown>
    ),
    [text],
  );
}
