import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** The colours are CSS variables, so one theme serves light and dark mode. */
const syntaxColours = HighlightStyle.define([
  { tag: [tags.keyword, tags.brace], color: 'var(--weft-accent)', fontWeight: '600' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--weft-done)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--weft-waiting)' },
  { tag: [tags.function(tags.variableName), tags.function(tags.propertyName)], color: 'var(--weft-accent)' },
  { tag: tags.comment, color: 'var(--weft-muted)', fontStyle: 'italic' },
  { tag: tags.operator, color: 'var(--weft-muted)' },
]);

const MONOSPACE_FONT = 'var(--mantine-font-family-monospace)';

const editorChrome = EditorView.theme({
  '&': {
    border: '1px solid var(--mantine-color-default-border)',
    borderRadius: 'var(--mantine-radius-default)',
    backgroundColor: 'var(--mantine-color-default)',
    color: 'var(--weft-ink)',
    fontSize: '13px',
  },
  '&.cm-focused': { outline: 'none', borderColor: 'var(--mantine-primary-color-filled)' },
  '&[data-invalid]': { borderColor: 'var(--mantine-color-error)' },
  // A field may have buttons at its end.
  '.cm-scroller': {
    marginInlineEnd: 'var(--code-end, 0px)',
    fontFamily: MONOSPACE_FONT,
    lineHeight: '1.55',
    maxHeight: '480px',
  },
  '.cm-content': { padding: '7px 0', caretColor: 'var(--weft-ink)' },
  '.cm-line': { padding: '0 12px' },
  '.cm-placeholder': { color: 'var(--mantine-color-placeholder)' },
  '.cm-cursor': { borderLeftColor: 'var(--weft-ink)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    background: 'var(--weft-accent-soft)',
  },
  '.cm-gutters': { border: 'none', background: 'none', color: 'var(--weft-muted)', paddingLeft: '6px' },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': { background: 'var(--weft-accent-soft)', outline: 'none' },
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--weft-failed) 1.5px',
    textUnderlineOffset: '3px',
  },
  '.cm-tooltip': {
    border: '1px solid var(--weft-line)',
    borderRadius: 'var(--mantine-radius-default)',
    backgroundColor: 'var(--weft-surface)',
    color: 'var(--weft-ink)',
    boxShadow: 'var(--mantine-shadow-md)',
    overflow: 'hidden',
  },
  // The help of a completion is inside its list's tooltip, and drawn beside it.
  '.cm-tooltip.cm-tooltip-autocomplete': { overflow: 'visible' },
  '.cm-tooltip.cm-completionInfo': {
    padding: '8px 10px',
    fontSize: '12.5px',
    lineHeight: '1.5',
    whiteSpace: 'pre-wrap',
    overflowWrap: 'anywhere',
  },
  '.cm-value-hover': {
    padding: '6px 10px',
    maxWidth: '420px',
    fontFamily: MONOSPACE_FONT,
    fontSize: '12.5px',
    whiteSpace: 'pre-wrap',
    overflowWrap: 'anywhere',
  },
  '.cm-diagnostic-error': { borderLeft: '3px solid var(--weft-failed)', padding: '6px 10px', fontSize: '12.5px' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    borderRadius: 'inherit',
    fontFamily: MONOSPACE_FONT,
    fontSize: '12.5px',
    maxHeight: '260px',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { display: 'flex', gap: '16px', padding: '4px 10px' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    background: 'var(--weft-accent-soft)',
    color: 'var(--weft-ink)',
  },
  '.cm-completionLabel': { flex: 'none' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '700', color: 'var(--weft-accent)' },
  '.cm-completionDetail': {
    flex: '1',
    margin: '0',
    overflow: 'hidden',
    textAlign: 'right',
    textOverflow: 'ellipsis',
    fontStyle: 'normal',
    color: 'var(--weft-muted)',
  },
});

export const editorTheme: Extension = [editorChrome, syntaxHighlighting(syntaxColours)];
