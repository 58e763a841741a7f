import { EditorView } from '@codemirror/view';

/** The colours are CSS variables, so one theme serves light and dark mode. */
export const pillTheme = EditorView.theme({
  '.cm-pill': {
    display: 'inline-flex',
    alignItems: 'baseline',
    gap: '6px',
    maxWidth: '100%',
    margin: '0 1px',
    padding: '0 8px',
    overflow: 'hidden',
    boxSizing: 'border-box',
    verticalAlign: 'bottom',
    border: '1px solid var(--weft-line-strong)',
    borderRadius: '10px',
    backgroundColor: 'var(--weft-accent-soft)',
    color: 'var(--weft-ink)',
    fontFamily: 'var(--mantine-font-family)',
    fontSize: '12px',
    lineHeight: '18px',
    whiteSpace: 'nowrap',
    cursor: 'default',
  },
  '.cm-pill-selected': { borderColor: 'var(--weft-accent)', boxShadow: '0 0 0 1px var(--weft-accent)' },
  '.cm-pill-name': {
    flex: '0 1 auto',
    minWidth: '3em',
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    fontWeight: '600',
  },
  // It gives way to the name.
  '.cm-pill-sample': {
    flex: '0 50 auto',
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    color: 'var(--weft-muted)',
  },
});
