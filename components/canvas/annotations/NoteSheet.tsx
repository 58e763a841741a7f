import { NodeResizeControl, type NodeProps } from '@xyflow/react';
import { memo, use, useState } from 'react';
import { lazyWithPreload } from '@/components/client/lazy-with-preload';
import { AnnotationContext } from './annotation-actions';
import { AnnotationTools } from './AnnotationTools';
import type { NoteCanvasItem } from '@/components/graph/canvas-items';
import classes from './Annotations.module.css';

// Loaded on demand: most workflows have no notes.
const LazyNoteMarkdown = lazyWithPreload(() =>
  import('@/components/ui/values/UntrustedMarkdown').then((module) => module.UntrustedMarkdown),
);

/** A note on the canvas. A double click or F2 starts editing, Escape or a click outside ends it. */
export const NoteSheet = memo(function NoteSheet({ id, data: { note }, selected }: NodeProps<NoteCanvasItem>) {
  const annotating = use(AnnotationContext);
  const [isAsked, setAsked] = useState(false);
  const isWriting = annotating !== undefined && selected && (isAsked || note.text === '');
  const write = () => setAsked(true);
  return (
    <div
      className={classes.note}
      data-color={note.color}
      data-selected={selected || undefined}
      style={{ width: note.size.width, height: note.size.height }}
      onDoubleClick={write}
    >
      {annotating && selected && (
        <AnnotationTools
          renameLabel="Edit the note"
          color={note.color}
          onRename={write}
          onColor={(color) => annotating.changeNote(id, { color })}
        />
      )}
      {isWriting ? (
        <textarea
          className={`${classes.writing} nodrag nopan nowheel`}
          aria-label="Text of the note, in Markdown"
          placeholder="Write a note. **Bold**, # headings, - lists and [links](https://…) work."
          maxLength={10_000}
          autoFocus
          defaultValue={note.text}
          onChange={(event) => annotating.changeNote(id, { text: event.currentTarget.value })}
          // Empty note opens in edit mode and must stay in it after the first letter.
          onFocus={write}
          onBlur={() => setAsked(false)}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return;
            event.stopPropagation();
            event.currentTarget.blur();
          }}
        />
      ) : (
        <div className={`${classes.text} ${selected ? 'nowheel' : ''}`}>
          {note.text ? <LazyNoteMarkdown text={note.text} /> : <span className={classes.hint}>Empty note</span>}
        </div>
      )}
      {annotating && selected && (
        <NodeResizeControl position="bottom-right" minWidth={120} minHeight={80} className={classes.corner} />
      )}
    </div>
  );
});
